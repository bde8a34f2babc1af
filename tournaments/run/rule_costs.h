// What rules take in games that are played to learn that: by themselves, against those of an old
// run, and by groups of rules that are no game's.
#pragma once

#include "engine/api/program.h"
#include "engine/api/text.h"
#include "results/costs/cost.h"
#include "results/report/layout.h"
#include "results/report/profile_view.h"
#include "tournaments/run/profile.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

// As croupier profile is asked.
struct AskedProfile {
    std::string game;
    std::vector<std::string> agents;     // lists of them
    std::vector<std::string> each_agent; // one by one
    std::vector<std::string> set;        // "name=value"
    std::string games;                   // to watch; empty: as many as it takes
    std::string seed = "1";
    std::size_t threads = 1;
    std::size_t seconds = 0; // to take times; 0: until it is enough
    bool counts = false;     // no times
    bool code = false;       // which instructions take the time
    std::string games_folder;
    std::string agents_folder;
};

// Counts are exact, and times a sample of further games. The view learns of hardware and code.
struct ProfiledGames {
    results::CostReport report;
    results::RunFacts facts;
};
ProfiledGames profile_games(const AskedProfile& asked, results::ProfileView& view,
                            const HostServices& host);

// The rules copied into the folder of an old run, and those of now, measured in turn: with agents,
// options and seed of the old run, unless others are asked for.
struct CostComparison {
    std::vector<results::CostChange> changes;
    std::size_t rounds = 0;
};
// Throws UserError if the folder has no costs, or none that could be compared with the game.
CostComparison compare_with_run(const std::string& folder, const AskedProfile& asked,
                                const HostServices& host);
nlohmann::ordered_json to_json(const CostComparison& comparison);
// Those that changed most; `left`: how many more there are.
results::TextTable table_of(const CostComparison& comparison, std::size_t& left);

// The group on that state: so many runs are counted on copies, others timed.
void profile_group(const engine::Program& program, engine::GroupId group,
                   const engine::Document& before, std::uint64_t seed, std::uint64_t runs,
                   results::Costs& costs, results::ProfileView& view, const HostServices& host);

} // namespace croupier::tournaments
