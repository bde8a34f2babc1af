// The specification of a run, read from JSON or options, with the position of every error.
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

// Diagnostic codes of run specifications; tournaments/codes.md explains each.

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
    std::optional<std::uint64_t> games;  // at least that many
    std::optional<std::uint64_t> blocks; // or exactly that many blocks
    std::uint32_t rounds = 0;            // of a Swiss schedule
    std::uint64_t seed = 1;
    std::string starts;        // file of start positions; empty if games begin as usual
    bool starts_drawn = false; // in an order drawn from the seed
    engine::Span starts_place;
    std::optional<results::SprtBounds> sprt;
    std::optional<double> width; // stop when every interval is at most that wide
    std::optional<double> time;  // seconds per session
    Terms terms;
    engine::Span whole;

    // Whether a rule may end the run before its last block.
    [[nodiscard]] bool may_stop_early() const { return sprt || width; }
};

// tournaments/README.md describes the keys. Reports all errors to `diagnostics`; after an error the
// result is meaningless.
Specification read_specification(const engine::Document& document,
                                 engine::Diagnostics& diagnostics);
// Reading it back gives the same specification.
nlohmann::ordered_json to_json(const Specification& specification);

// If there are fewer agents than sides, repeats them until every side has one. Then makes names
// distinct: "random", "random#2".
void complete_agents(Specification& specification, std::size_t sides);

} // namespace croupier::tournaments
