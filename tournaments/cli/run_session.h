// Plays a run, or the rest of one, into its folder, and reports.
#pragma once

#include "results/report/report.h"
#include "results/store/run_file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/cluster/remote.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::cli {

// How far a run is, on standard error while it is played.

class Progress {
  public:
    // "auto": a line that is written over, on a terminal alone; "plain": a line every ten seconds;
    // "none".
    Progress(const std::string& mode, Context& context);

    // Asks for the facts only when it is time to show them.
    void show(double now, const std::function<results::Progress()>& facts);
    // Takes the line away.
    void end();

  private:
    Context& context_;
    bool live_;
    bool plain_;
    double shown_ = 0;
    bool on_screen_ = false;
};

// The processes of `mpirun -n N croupier run ..`: the first hands out blocks and writes, the others
// play.

class Cluster {
  public:
    // Joins the others if there are any; else all below says that there are none.
    explicit Cluster(const Context& context);
    // Sends home whoever waits for work.
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    // This process plays for another one, and `serve` is all that it should do. `prepare` reads the
    // run in its own files; what it prints and throws is told by the first process.
    [[nodiscard]] bool serves() const;
    int serve(const std::function<PreparedRun(Context&)>& prepare, std::size_t threads);

    // For the first process: has the others prepare the same run. Throws Mistake that names who
    // cannot, or reads other rules or agents than this one. The run must live as long as anybody
    // plays.
    void hire(const PreparedRun& run);
    // The threads of all others; none if this process is alone. `give_up` is asked while somebody
    // is waited for.
    std::vector<tournaments::Worker*> workers(std::function<bool()> give_up);
    // What did not answer, as "rank 2 (Linux ..)"; nothing if all is well.
    [[nodiscard]] std::string lost() const;

  private:
    struct Helper {
        std::string name;
        std::size_t threads = 0;
        std::unique_ptr<tournaments::Channel> orders;
        bool works = false;
    };
    struct Thread {
        std::size_t helper = 0;
        std::unique_ptr<tournaments::Channel> channel;
        std::unique_ptr<tournaments::RemoteWorker> worker;
    };

    std::shared_ptr<IncludeRoots> include_roots_;
    std::string data_;                          // CROUPIER_DATA
    std::unique_ptr<tournaments::Ranks> ranks_; // none: this process is alone
    std::vector<Helper> helpers_;
    std::vector<Thread> threads_;
    std::function<bool()> give_up_;
};

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
