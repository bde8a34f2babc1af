// What a tuning was asked for: tune.json of its folder.
#pragma once

#include "results/record.h"
#include "results/statistics/gsprt.h"
#include "results/store/file.h"
#include "tournaments/tuning/spsa.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

inline constexpr std::string_view kTuneFile = "tune.json";
// A value a line: the tuned agent's block scores against the one that it began as.
inline constexpr std::string_view kProofFile = "proof.csv";

struct TuningPlan {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string agent;
    std::vector<std::string> against; // whom both sides of a step play; empty: each other
    std::vector<TunedParameter> parameters;
    // 0: it is tuned to win. Else for points: who is ahead by so many in a game has won it, who is
    // ahead by less has won a part.
    double worth = 0;
    std::uint64_t blocks = 0; // to find values with
    std::uint64_t blocks_a_step = 1;
    std::uint64_t proof_blocks = 0; // to prove them with, at most; 0: not asked
    results::SprtBounds bounds;
    std::uint64_t seed = 1;
    std::uint32_t games_a_block = 0; // of each side
    // What else must be the same when it goes on: program, rules, agents. JSON.
    std::string identity = "{}";
};

nlohmann::ordered_json to_json(const TuningPlan& plan);
// Nothing, and what is wrong in `failure`, if it is none.
std::optional<TuningPlan> plan_of(const nlohmann::ordered_json& json, std::string& failure);

// The agent with these values in place of what its text says of them.
std::string with_values(const std::string& agent, const std::vector<TunedParameter>& parameters,
                        const std::vector<double>& values);

// The score of a block for who tunes for points: what its first agent is ahead by in a game, as a
// part of `worth`, from 0 to 1; the mean over games. Nothing: no game has come to points.
std::optional<double> point_score(std::span<const results::GameRecord> games, double worth);

// What a line of proof.csv says: a block score, or nothing for a block that is void. Absent: it is
// no such line.
std::optional<std::optional<double>> proof_of(std::string_view line);
std::string proof_line(std::optional<double> score);

} // namespace croupier::tournaments
