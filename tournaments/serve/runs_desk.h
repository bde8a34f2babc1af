// The addresses of runs: the list, one that is watched, its games, and a form to start one.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/desk.h"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace croupier::serve {

// The folders of runs as pages are told of them; whoever has files and processes implements it.

// Threads share it. Its calls throw Refused.
class RunShelf {
  public:
    using Json = nlohmann::ordered_json;

    RunShelf() = default;
    virtual ~RunShelf() = default;
    RunShelf(const RunShelf&) = delete;
    RunShelf& operator=(const RunShelf&) = delete;

    // A line for each folder, the latest first: runs, comparisons, ablations, tunings.
    virtual Json list() = 0;
    // How far it has come: next to nothing to find out. What changes with its files is in it.
    virtual Json progress(const std::string& name) = 0;
    // All that is known of it: takes longer the more games there are.
    virtual Json read(const std::string& name) = 0;
    // Its games from that one on, some of them.
    virtual Json games(const std::string& name, std::uint64_t from) = 0;
    // The page of the report; `game`: the one to be looked at ("3.1"), or some typical ones.
    virtual std::string page(const std::string& name, const std::string& game) = 0;
    // Starts what a page asks for (README.md has the members): the name of its folder.
    virtual std::string start(const nlohmann::json& asked) = 0;
    // Of those that were started here: what has been played is kept.
    virtual void stop(const std::string& name) = 0;
    virtual void resume(const std::string& name) = 0;
};

// What pages that watch a run are told: read once for all of them, and seldom enough to take
// nothing from the games.

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

class RunsDesk : public Desk {
  public:
    // Both outlive it.
    RunsDesk(RunShelf& shelf, const agents::Clock& clock) : shelf_(shelf), news_(shelf, clock) {}

    std::optional<Answer> get(const Question& question) override;
    std::optional<Answer> post(const Question& question) override;
    void stop() override { news_.stop(); }

  private:
    [[nodiscard]] Answer page(const std::string& name, const std::string& game);

    RunShelf& shelf_;
    RunNews news_;
    std::mutex making_page_; // games are played again for it: one at a time
};

} // namespace croupier::serve
