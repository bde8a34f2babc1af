// The addresses for runs: the list, watching a run, its games, and starting one.
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

// News for pages that watch a run: read once for all of them, and seldom enough not to slow the
// games.

class RunNews {
  public:
    using Json = nlohmann::ordered_json;
    using Ask = std::function<Json(const std::string& name)>;
    // Calls `progress` once per `pause`, and `read` when something has changed, at intervals of at
    // least a hundred times its last duration. The clock outlives it.
    RunNews(Ask progress, Ask read, const agents::Clock& clock,
            std::chrono::nanoseconds pause = std::chrono::seconds(1))
        : progress_(std::move(progress)), read_(std::move(read)), clock_(clock), pause_(pause) {}

    // The snapshot after that version; nothing if there is none within `most`. A waiting caller
    // reads the run when due: without callers nothing is read. Throws Refused.
    std::optional<Snapshot> wait(const std::string& name, std::uint64_t version,
                                 std::chrono::nanoseconds most);
    void stop();

  private:
    struct Run {
        Snapshot seen;
        bool looking = false;                // a caller is reading
        std::chrono::nanoseconds due{0};     // when to call `progress` next
        std::chrono::nanoseconds read_at{0}; // when to call `read` next
        Json progress;
        Json read_progress; // as of the last `read`
        std::string all;
        std::uint64_t waiting = 0;
    };
    void look(const std::string& name, Run& run, std::unique_lock<std::mutex>& lock);

    const Ask progress_;
    const Ask read_;
    const agents::Clock& clock_;
    const std::chrono::nanoseconds pause_;
    std::mutex mutex_; // guards the members below
    std::condition_variable changed_;
    bool stopped_ = false;
    std::map<std::string, std::shared_ptr<Run>> runs_; // those with waiting callers
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
    std::mutex making_page_; // replays games: one page at a time
};

} // namespace croupier::serve
