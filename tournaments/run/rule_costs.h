// Measures the costs of rules in games played for it: alone, against an old run, and for groups of
// rules outside games.
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

// The options of croupier profile.
struct AskedProfile {
    std::string game;
    std::vector<std::string> agents;     // lists of them
    std::vector<std::string> each_agent; // one per option
    std::vector<std::string> set;        // "name=value"
    std::string games;                   // to watch; if empty, as many as needed
    std::string seed = "1";
    std::size_t threads = 1;
    std::size_t seconds = 0; // for taking times; 0 for as long as needed
    bool counts = false;     // no times
    bool code = false;       // find hot instructions
    std::string games_folder;
    std::string agents_folder;
};

// Counts are exact; times are a sample of further games. The view includes hardware counters and
// code.
struct ProfiledGames {
    results::CostReport report;
    results::RunFacts facts;
};
ProfiledGames profile_games(const AskedProfile& asked, results::ProfileView& view,
                            const HostServices& host);

// The rules copied into an old run's folder, and the current ones, measured in turn, with agents,
// options and seed of the old run unless overridden.
struct CostComparison {
    std::vector<results::CostChange> changes;
    std::size_t rounds = 0;
};
// Throws UserError if the folder has no costs, or none comparable with the game.
CostComparison compare_with_run(const std::string& folder, const AskedProfile& asked,
                                const HostServices& host);
nlohmann::ordered_json to_json(const CostComparison& comparison);
// The rules that changed most; sets `left` to the number of others.
results::TextTable table_of(const CostComparison& comparison, std::size_t& left);

// Profiles the group on that state: counts `runs` runs on copies, and times others.
void profile_group(const engine::Program& program, engine::GroupId group,
                   const engine::Document& before, std::uint64_t seed, std::uint64_t runs,
                   results::Costs& costs, results::ProfileView& view, const HostServices& host);

} // namespace croupier::tournaments
