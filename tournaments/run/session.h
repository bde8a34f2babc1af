// Plays a run, or the rest of one, into its folder, alone or with other processes.
#pragma once

#include "results/report/report.h"
#include "results/store/run_file.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/cluster/remote.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/profile.h"
#include "tournaments/run/run_folder.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::tournaments {

// The processes of `mpirun -n N croupier run ..`: the first hands out blocks and writes, the others
// play.

class Cluster {
  public:
    // Joins the others if there are any; else all below says that there are none.
    // `launched`: by mpirun or its like, perhaps with others.
    Cluster(bool launched, const HostServices& host);
    // Sends home whoever waits for work.
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    // This process plays for another one, and `serve` is all that it should do. `prepare` reads the
    // run in its own files; what it prints and throws is told by the first process.
    [[nodiscard]] bool serves() const;
    void serve(const std::function<PreparedRun(const HostServices&)>& prepare, std::size_t threads);

    // For the first process: has the others prepare the same run. Throws UserError that names who
    // cannot, or reads other rules or agents than this one. The run must live as long as anybody
    // plays.
    void hire(const PreparedRun& run);
    // The threads of all others; none if this process is alone. `give_up` is asked while somebody
    // is waited for.
    std::vector<Worker*> workers(std::function<bool()> give_up);
    // What did not answer, as "rank 2 (Linux ..)"; nothing if all is well.
    [[nodiscard]] std::string lost() const;

  private:
    struct Helper {
        std::string name;
        std::size_t threads = 0;
        std::unique_ptr<Channel> orders;
        bool works = false;
    };
    struct Thread {
        std::size_t helper = 0;
        std::unique_ptr<Channel> channel;
        std::unique_ptr<RemoteWorker> worker;
    };

    const HostServices& host_;
    std::unique_ptr<Ranks> ranks_; // none: this process is alone
    std::vector<Helper> helpers_;
    std::vector<Thread> threads_;
    std::function<bool()> give_up_;
};

// How workers watch those rules; they and who interrupts the workers must stay where they are.
ProfileSettings profile_settings(const results::ProfileFacts& facts, const games::Game& game,
                                 Sampler* sampler);

// How to play, which no result depends on.
struct PlaySettings {
    std::size_t threads = 0; // 0: as many as can run at once
    Pool pool = kDefaultPool;
    bool coverage = false; // the report tells what was never exercised
    // For so long at most a run plays on that was too short to tell what its rules cost.
    double plays_on_seconds = 0;
    PerfMap* perf_map = nullptr;             // learns of the rules that play; or null
    std::function<void()> while_agents_live; // called once all is played; or null
};

// What has become of a run. With a failure the rest says nothing: what was written is kept.
struct PlayedRun {
    results::Failure failure;
    results::Report report;
    std::uint64_t games = 0;
    std::uint64_t further = 0; // games that were played to see what rules cost
    bool was_complete = false; // nothing was left to play
    bool complete = false;
    bool nothing_but_faults = false; // nobody has played
    AgentNotes notes;                // of this sitting
    std::string ending_fault;        // the game whose fault has ended the run
    std::string lost;                // who stopped answering
};

// The folder is locked and begun. Plays what is missing in games.csv, writes summary.json. The
// processes of the cluster play, or without any, threads of this one.
PlayedRun play_run(PreparedRun& run, const results::RunFile& file, const std::string& folder,
                   const PlaySettings& settings, Cluster& cluster, const HostServices& host);

} // namespace croupier::tournaments
