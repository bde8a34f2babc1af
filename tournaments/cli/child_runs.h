// Commands of croupier that `croupier serve` has started: processes of their own, so that a run is
// played as from a shell, whatever becomes of the server.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

// Threads share it.
class ChildRuns {
  public:
    // `program`: the executable of croupier.
    explicit ChildRuns(std::string program) : program_(std::move(program)) {}
    // Asks all to come to an end, and waits for them: what they have played is kept.
    ~ChildRuns();
    ChildRuns(const ChildRuns&) = delete;
    ChildRuns& operator=(const ChildRuns&) = delete;

    // `croupier ARGUMENTS`, known by that name from now on. False: it cannot be started.
    bool start(const std::string& name, const std::vector<std::string>& arguments);
    [[nodiscard]] std::size_t running();

    struct Child {
        std::optional<int> code; // nothing: it is running
        std::string said;        // what it has printed, the end of it
    };
    // Nothing: none of that name was started here.
    std::optional<Child> find(const std::string& name);
    // The same as Ctrl-C. False: it is not running.
    bool interrupt(const std::string& name);

  private:
    struct Process {
        pid_t id = 0;
        int output = -1; // a file in memory
        std::optional<int> code = {};
    };
    static void look(Process& process);

    const std::string program_;
    std::mutex mutex_;
    std::map<std::string, Process> processes_;
};

} // namespace croupier::cli
