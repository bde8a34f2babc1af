// A whole tournament in one call, for programs that use croupier as a library:
//
//   const games::Registry registry(folder, games::read_file);
//   const games::OpenedGame opened = registry.open({"belote", ""});
//   const MadeEntrant rules = make_entrant("rules:table", {*opened.game, games::read_file,
//   agents}); const Entrant mine{"mine", [] { return std::make_unique<MyAgent>(); }}; const
//   Tournament played = play_tournament(*opened.game, {*rules.entrant, mine}, {.blocks = 100});
//   played.summary.contestants[0].win_rate.value
//
// It keeps results in memory; the code that writes folders, resumes, and distributes a run over
// machines uses the same parts: schedule/, runner/, results/store/.
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

// A participant with a name. `make` is called for every thread and seat, by one thread at a time;
// each of its agents is used by one thread.
struct Entrant {
    std::string name;
    std::function<std::unique_ptr<agents::Agent>()> make;
};

// An entrant, or an error in lines for people.
struct MadeEntrant {
    std::optional<Entrant> entrant;
    std::string error;
};
// Makes an entrant from a spec of the command line: "random", "Good=mcts:playouts=500". Makes the
// agent once as a test; game, clock and `abandon` must outlive the entrant.
MadeEntrant make_entrant(std::string_view spec, const agents::AgentServices& services);

struct TournamentSettings {
    std::uint64_t blocks = 500; // deals over all matches, each in every rotation of its agents
    std::uint64_t seed = 1;
    std::size_t threads = 1; // at least one; no result depends on it
    ScheduleKind schedule = ScheduleKind::RoundRobin;
    Rotation rotation = Rotation::Rotate;
    std::uint32_t rounds = 0; // of a Swiss schedule; 0 for as many as a knockout has
    Terms terms = {};
    const agents::Clock* clock = nullptr; // measures decisions; may be null
    // Set from outside: current blocks are the last.
    const std::atomic<bool>* stop = nullptr;
    // Called with each block in schedule order; false ends the tournament with it.
    std::function<bool(std::span<const results::GameRecord> games)> listener = {};
};

struct Tournament {
    results::Summary summary;
    results::TimeTable times; // decision times by entrant; empty without a clock
    std::uint64_t hash = 0;   // of all moves of all games: equal tournaments have equal hashes
    std::string error;        // why nothing could be played; empty if there is no error
};

// The result is a function of game, entrants, and settings except threads, clock and `stop`. Names
// must be distinct; fewer entrants than sides play several sides.
Tournament play_tournament(const games::Game& game, const std::vector<Entrant>& entrants,
                           const TournamentSettings& settings = {});

} // namespace croupier::tournaments
