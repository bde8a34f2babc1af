// What pages that watch a run are told: read once for all of them, and seldom enough to take
// nothing from the games.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/run_shelf.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace croupier::serve {

class RunNews {
  public:
    // Both outlive it. Progress is looked at once in `pause`; all of a run when something has
    // changed, and after a hundred times as long as that took the last time.
    RunNews(RunShelf& shelf, const agents::Clock& clock,
            std::chrono::nanoseconds pause = std::chrono::seconds(1))
        : shelf_(shelf), clock_(clock), pause_(pause) {}

    struct Seen {
        std::uint64_t version = 0;
        std::shared_ptr<const std::string> json;
    };
    // What is newer than that version; nothing: there is none, after so long at most. Whoever waits
    // looks, if it is time to: where nobody waits nothing is read. Throws Refused.
    std::optional<Seen> wait(const std::string& name, std::uint64_t version,
                             std::chrono::nanoseconds most);
    void stop();

  private:
    struct Run {
        Seen seen;
        bool looking = false;                // somebody is
        std::chrono::nanoseconds due{0};     // when to look again
        std::chrono::nanoseconds read_at{0}; // when to read all of it again
        RunShelf::Json progress;
        RunShelf::Json read_progress; // as it was when all was read
        std::string all;
        std::uint64_t waiting = 0;
    };
    void look(const std::string& name, Run& run, std::unique_lock<std::mutex>& lock);

    RunShelf& shelf_;
    const agents::Clock& clock_;
    const std::chrono::nanoseconds pause_;
    std::mutex mutex_; // of what follows
    std::condition_variable changed_;
    bool stopped_ = false;
    std::map<std::string, std::shared_ptr<Run>> runs_; // that somebody waits for
};

} // namespace croupier::serve
