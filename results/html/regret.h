// What the moves of a run have lost, as croupier analyse keeps it with the run: read from its JSON,
// and a section of a page.
#pragma once

#include "results/html/outline.h"
#include "results/html/replay.h"
#include "results/statistics/accumulator.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

inline constexpr std::string_view kAnalysisFile = "analysis.json"; // in the folder of a run

struct RegretRow {
    std::string agent;
    std::uint64_t decisions = 0;
    std::uint64_t mistakes = 0;
    Estimate loss;  // points a decision
    Estimate known; // of what could be known; without a value where no deals were drawn
};

struct BlunderRow {
    std::string game; // "3.1"
    std::uint64_t ply = 0;
    std::string agent;
    std::string player;
    std::string move;
    std::string best;
    double loss = 0;
};

struct Regret {
    std::uint64_t plies = 0; // solved where no more were to come
    std::uint64_t worlds = 0;
    std::uint64_t games = 0;
    std::vector<RegretRow> agents;
    std::vector<BlunderRow> blunders; // the worst first
};

// Nothing if it is no such document.
std::optional<Regret> regret_of(const nlohmann::ordered_json& json);

// Blunders lead to the game, where it is among those that the page shows; else the command of
// `folder` is told.
void add_regret(Outline& outline, const Regret& regret, std::span<const Replay> replays,
                const std::string& folder);

} // namespace croupier::results
