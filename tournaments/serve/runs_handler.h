// The addresses of runs: the list, one that is watched, its games, and a form to start one.
#pragma once

#include "agents/registry.h"
#include "tournaments/serve/route_handler.h"
#include "tournaments/serve/runs.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace croupier::serve {

// What pages that watch a run are told: read once for all of them, and seldom enough to take
// nothing from the games.

class RunNews {
  public:
    using Json = nlohmann::ordered_json;
    using Ask = std::function<Json(const std::string& name)>;
    // How far a run has come, which is asked once in `pause`, and all that is known of it, when
    // something has changed, and after a hundred times as long as that took the last time. The
    // clock outlives it.
    RunNews(Ask progress, Ask read, const agents::Clock& clock,
            std::chrono::nanoseconds pause = std::chrono::seconds(1))
        : progress_(std::move(progress)), read_(std::move(read)), clock_(clock), pause_(pause) {}

    // What is newer than that version; nothing: there is none, after so long at most. Whoever waits
    // looks, if it is time to: where nobody waits nothing is read. Throws Refused.
    std::optional<Snapshot> wait(const std::string& name, std::uint64_t version,
                                 std::chrono::nanoseconds most);
    void stop();

  private:
    struct Run {
        Snapshot seen;
        bool looking = false;                // somebody is
        std::chrono::nanoseconds due{0};     // when to look again
        std::chrono::nanoseconds read_at{0}; // when to read all of it again
        Json progress;
        Json read_progress; // as it was when all was read
        std::string all;
        std::uint64_t waiting = 0;
    };
    void look(const std::string& name, Run& run, std::unique_lock<std::mutex>& lock);

    const Ask progress_;
    const Ask read_;
    const agents::Clock& clock_;
    const std::chrono::nanoseconds pause_;
    std::mutex mutex_; // of what follows
    std::condition_variable changed_;
    bool stopped_ = false;
    std::map<std::string, std::shared_ptr<Run>> runs_; // that somebody waits for
};

class RunsHandler : public RouteHandler {
  public:
    // Both outlive it.
    RunsHandler(ServedRuns& runs, const agents::Clock& clock)
        : runs_(runs), news_([&runs](const std::string& name) { return runs.progress(name); },
                             [&runs](const std::string& name) { return runs.read(name); }, clock) {}

    std::optional<Answer> get(const Question& question) override;
    std::optional<Answer> post(const Question& question) override;
    void stop() override { news_.stop(); }

  private:
    [[nodiscard]] Answer page(const std::string& name, const std::string& game);

    ServedRuns& runs_;
    RunNews news_;
    std::mutex making_page_; // games are played again for it: one at a time
};

} // namespace croupier::serve
