// A whole tournament in one call, for programs that use croupier as a library:
//
//   const games::Registry registry(folder, games::read_file);
//   const games::OpenedGame opened = registry.open({"belote", ""});
//   const MadeEntrant rules = make_entrant("rules:table", {*opened.game, games::read_file,
//   agents}); const Entrant mine{"mine", [] { return std::make_unique<MyAgent>(); }}; const
//   Tournament played = play_tournament(*opened.game, {*rules.entrant, mine}, {.blocks = 100});
//   played.summary.contestants[0].win_rate.value
//
// It keeps results in memory; what writes folders, resumes and shares a run among machines is built
// from the same parts: schedule/, runner/, results/store/.
#pragma once

#include "agents/registry.h"
#include "results/costs/cost.h"
#include "results/report/standings.h"
#include "tournaments/runner/runner.h"
#include "tournaments/runner/terms.h"
#include "tournaments/schedule/schedule.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// Takes part under a name of its own. `make` is called for every thread and seat, by one thread at
// a time, and each of its agents is used by one thread.
struct Entrant {
    std::string name;
    std::function<std::unique_ptr<agents::Agent>()> make;
};

// An entrant or why there is none, in lines for people.
struct MadeEntrant {
    std::optional<Entrant> entrant;
    std::string error;
};
// By the text that orders an agent on the command line: "random", "Good=mcts:playouts=500". An
// agent is made once to see that it can be; game, clock and `abandon` must outlive the entrant.
MadeEntrant make_entrant(std::string_view spec, const agents::AgentServices& services);

struct TournamentSettings {
    std::uint64_t blocks = 500; // deals of all matches, each in every rotation of its agents
    std::uint64_t seed = 1;
    std::size_t threads = 1; // at least one; no result depends on it
    ScheduleKind schedule = ScheduleKind::RoundRobin;
    Rotation rotation = Rotation::Rotate;
    std::uint32_t rounds = 0; // of a Swiss schedule; 0: as many as a knockout would take
    Terms terms = {};
    const agents::Clock* clock = nullptr; // measures decisions; null: nobody does
    // Set from outside: the blocks that are being played are the last.
    const std::atomic<bool>* stop = nullptr;
    // Told of each block in the order of the schedule; false ends the tournament with it.
    std::function<bool(std::span<const results::GameRecord> games)> listener = {};
};

struct Tournament {
    results::Summary summary;
    results::TimeTable times; // of decisions, by entrant; empty without a clock
    std::uint64_t hash = 0;   // of all moves of all games: equal tournaments have equal ones
    std::string error;        // why nothing could be played; empty if all is well
};

// The answer is a function of game, entrants, settings other than threads, clock and `stop`. Names
// are distinct; fewer entrants than sides sit down several times.
Tournament play_tournament(const games::Game& game, const std::vector<Entrant>& entrants,
                           const TournamentSettings& settings = {});

} // namespace croupier::tournaments
