// The processes of `mpirun -n N croupier run ..`: the first hands out blocks and writes, the others
// play.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/cluster/remote.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::cli {

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

} // namespace croupier::cli
