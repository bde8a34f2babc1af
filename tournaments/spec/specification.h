// What a run is asked to be: read from JSON or from options, every mistake with its place.
#pragma once

#include "agents/registry.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "results/statistics/stop.h"
#include "tournaments/runner/terms.h"
#include "tournaments/schedule/schedule.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments::code {

// The codes of what can be wrong with the specification of a run; tournaments/codes.md explains
// each.

inline constexpr std::string_view kForm = "E0801";
inline constexpr std::string_view kUnknownKey = "E0802";
inline constexpr std::string_view kGame = "E0803";
inline constexpr std::string_view kAgents = "E0804";
inline constexpr std::string_view kUnknownWord = "E0805";
inline constexpr std::string_view kNumber = "E0806";
inline constexpr std::string_view kStopRule = "E0807";
inline constexpr std::string_view kSchedule = "E0808";
inline constexpr std::string_view kStarts = "E0809";

inline constexpr std::array kAll = {kForm,   kUnknownKey, kGame,     kAgents, kUnknownWord,
                                    kNumber, kStopRule,   kSchedule, kStarts};

} // namespace croupier::tournaments::code

namespace croupier::tournaments {

struct AgentEntry {
    std::string text; // "Good=eval:depth=2"
    agents::AgentSpec spec;
    engine::Span place;
};

struct Specification {
    std::string game;
    engine::Span game_place;
    std::vector<games::GameOption> set;
    std::vector<AgentEntry> agents;
    ScheduleKind schedule = ScheduleKind::RoundRobin;
    Rotation rotation = Rotation::Rotate;
    std::optional<std::uint64_t> games;  // at least so many
    std::optional<std::uint64_t> blocks; // or exactly so many blocks
    std::uint32_t rounds = 0;            // of a Swiss schedule
    std::uint64_t seed = 1;
    std::string starts;        // the file of start positions; empty: games begin as usual
    bool starts_drawn = false; // in an order that the seed decides
    engine::Span starts_place;
    std::optional<results::SprtBounds> sprt;
    std::optional<double> width; // stop when every interval is as narrow
    std::optional<double> time;  // seconds a sitting
    Terms terms;
    engine::Span whole;

    // Whether a rule may end the run before its last block.
    [[nodiscard]] bool may_stop_early() const { return sprt || width; }
};

// The keys are those of tournaments/README.md. What is wrong goes to `diagnostics`, all of it; then
// the result is of no use.
Specification read_specification(const engine::Document& document,
                                 engine::Diagnostics& diagnostics);
// What reads back as the same.
nlohmann::ordered_json to_json(const Specification& specification);

// Agents that stand alone get company: an agent plays against itself until every side is taken.
// Then names are made distinct: "random", "random#2".
void complete_agents(Specification& specification, std::size_t sides);

} // namespace croupier::tournaments
