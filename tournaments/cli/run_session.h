// Plays a run, or the rest of one, into its folder, and reports.
#pragma once

#include "results/store/run_file.h"
#include "tournaments/cli/cluster.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/form.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_input.h"

#include <string>

namespace croupier::cli {

// How to play, which no result depends on.
struct SessionOptions {
    std::size_t threads = 0; // 0: as many as the machine has
    std::string pool = tournaments::kDefaultPool == tournaments::Pool::Tbb ? "tbb" : "threads";
    Form form;
    std::string progress = "auto";
    bool coverage = false; // the report tells what was never exercised
    bool perf_map = false; // perf is told the names of rules
    std::string jitdump;   // the folder where it finds their code; empty: nowhere
};
void add_faults(Options& options, std::string& faults);     // --faults
void add_starts(Options& options, std::string& starts);     // --starts
void add_threads(Options& options, std::size_t& threads);   // --threads
void add_progress(Options& options, std::string& progress); // --progress
void add_profile(Options& options, std::string& profile);   // --profile
// How workers watch those rules; they and who interrupts the workers must stay where they are.
tournaments::ProfileSettings profile_settings(const results::ProfileFacts& facts,
                                              const games::Game& game,
                                              tournaments::Sampler* sampler);
void add_session_options(Options& options, SessionOptions& session);

// The folder is locked and begun. Plays what is missing in games.csv, writes summary.json, prints
// the report. The processes of the cluster play, or without any, threads of this one. Returns the
// exit code: that of a signal if one came.
int play_session(PreparedRun& run, const results::RunFile& file, const std::string& folder,
                 const SessionOptions& options, Cluster& cluster, Context& context);

} // namespace croupier::cli
