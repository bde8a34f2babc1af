// Plays a run, or the rest of it, into its folder, alone or with other processes.
#pragma once

#include "results/report/report.h"
#include "results/store/run_file.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/cluster/remote.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/profile.h"
#include "tournaments/run/run_folder.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::tournaments {

// The work of a process that plays for another one: game and agents, read from its own files.
class Part {
  public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual ~Part() = default;
    // What must be the same in all processes.
    [[nodiscard]] virtual nlohmann::ordered_json identity() const = 0;
    // Called once; they live as long as the part.
    virtual std::vector<Worker*> workers(std::size_t threads) = 0;
};
// The part of a run.
std::unique_ptr<Part> part_of(PreparedRun run, const HostServices& host);

// The processes of `mpirun -n N croupier run ..`: the first distributes blocks and writes results,
// the others play.
class Cluster {
  public:
    // Joins the other processes, if any; without them the functions below report none. `launched`:
    // by mpirun or a similar program, perhaps with others.
    Cluster(bool launched, const HostServices& host);
    // Dismisses processes that wait for work.
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    // Whether this process plays for another one, and must only call `serve`, once. `prepare` reads
    // its own files; the first process reports its messages and errors.
    [[nodiscard]] bool serves() const;
    using Prepare = std::function<std::unique_ptr<Part>(const HostServices&)>;
    void serve(const Prepare& prepare, std::size_t threads);

    // For the first process: lets the others prepare the same. Throws a UserError that names any
    // process that cannot, or that reads other rules or agents. The facts must outlive the
    // cluster's work.
    void hire(const nlohmann::ordered_json& identity, const results::RunFacts& facts);
    // The threads of all other processes; empty if there are none. Once `interrupted`, they are
    // waited for only a moment longer; it must outlive the work.
    std::vector<Worker*> workers(std::function<bool()> interrupted);
    // How to have blocks played by these.
    static void settle(RunnerSettings& settings);
    // Processes that did not answer, as "rank 2 (Linux ..)"; empty if all did.
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

    bool patience_is_over();

    const HostServices& host_;
    std::unique_ptr<Ranks> ranks_; // null if this process is alone
    std::vector<Helper> helpers_;
    std::vector<Thread> threads_;
    std::function<bool()> interrupted_;
    std::atomic<double> asked_ = 0; // time of the first wait after an interruption
};

// The settings for watching those rules; both facts and sampler must keep their addresses.
ProfileSettings profile_settings(const results::ProfileFacts& facts, const games::Game& game,
                                 Sampler* sampler);

// How to play; no result depends on it.
struct PlaySettings {
    std::size_t threads = 0; // 0 for as many as can run at once
    Pool pool = kDefaultPool;
    bool coverage = false; // report what was never exercised
    // Limit for continuing a run that was too short to measure the costs of rules.
    double plays_on_seconds = 0;
    PerfMap* perf_map = nullptr;             // receives the playing rules; may be null
    std::function<void()> while_agents_live; // called after playing; may be null
};

// The result of playing. After a failure the other members are meaningless; what was written is
// kept.
struct PlayedRun {
    results::Failure failure;
    results::Report report;
    std::uint64_t games = 0;
    std::uint64_t further = 0; // games played to measure the costs of rules
    bool was_complete = false; // nothing was left to play
    bool complete = false;
    bool nothing_but_faults = false; // no game was valid
    AgentNotes notes;                // of this session
    std::string ending_fault;        // the game whose fault ended the run
    std::string lost;                // the process that stopped answering
};

// The folder must be locked and begun. Plays the games missing in games.csv and writes
// summary.json, by the processes of the cluster or, without any, by threads of this one.
PlayedRun play_run(PreparedRun& run, const results::RunFile& file, const std::string& folder,
                   const PlaySettings& settings, Cluster& cluster, const HostServices& host);

} // namespace croupier::tournaments
