// News for pages that watch a run, and requests about runs.
#include "tournaments/serve/runs_handler.h"

#include "results/store/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace croupier::serve {

namespace {

using Reason = Refused::Reason;

constexpr int kShare = 100; // reading takes at most one part in that many of the time

// The report's page contains style and script. It gets an origin of its own, so that nothing in it
// can send requests to this server.
constexpr const char* kReportPolicy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

class RunEvents : public Events {
  public:
    RunEvents(RunNews& news, std::string name) : news_(news), name_(std::move(name)) {}

    std::optional<std::string> next(std::chrono::milliseconds most) override {
        const auto seen = news_.wait(name_, told_, most);
        if (!seen) return std::nullopt;
        told_ = seen->version;
        return *seen->json;
    }

  private:
    RunNews& news_;
    const std::string name_;
    std::uint64_t told_ = 0;
};

std::uint64_t number_from(const std::string& text) {
    std::uint64_t number = 0;
    if (!text.empty() && !results::read_number(text, number))
        throw Refused(Reason::Wrong, "That is not a number.");
    return number;
}

} // namespace

void RunNews::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

std::optional<Snapshot> RunNews::wait(const std::string& name, std::uint64_t version,
                                      std::chrono::nanoseconds most) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<Run>& known = runs_[name];
    if (known == nullptr) known = std::make_shared<Run>();
    const std::shared_ptr<Run> run = known;
    ++run->waiting;
    // A page that soon waits again finds the data; one that is gone leaves nothing.
    struct Leave {
        RunNews& news;
        const std::string& name;
        Run& run;
        ~Leave() {
            if (--run.waiting == 0 && news.runs_.size() > 32) news.runs_.erase(name);
        }
    };
    const Leave leave{*this, name, *run};
    const auto end = clock_.now() + most;
    while (!stopped_) {
        if (run->seen.version > version && run->seen.json != nullptr) return run->seen;
        const auto now = clock_.now();
        if (!run->looking && now >= run->due) {
            look(name, *run, lock);
            continue;
        }
        if (now >= end) break;
        const auto until = run->looking ? end : std::min(end, run->due);
        changed_.wait_for(lock, std::max(until - now, std::chrono::nanoseconds(1'000'000)));
    }
    return std::nullopt;
}

// Releases the lock while files are read.
void RunNews::look(const std::string& name, Run& run, std::unique_lock<std::mutex>& lock) {
    run.looking = true;
    const bool may_read = run.all.empty() || clock_.now() >= run.read_at;
    lock.unlock();
    Json progress;
    std::string all;
    const auto done = [&] {
        lock.lock();
        run.looking = false;
        run.due = clock_.now() + pause_;
        changed_.notify_all();
    };
    try {
        progress = progress_(name);
        if (may_read && (run.all.empty() || progress != run.read_progress)) {
            const auto begun = clock_.now();
            all = read_(name).dump(-1, ' ', false, Json::error_handler_t::replace);
            run.read_at = clock_.now() + kShare * (clock_.now() - begun);
            run.read_progress = progress;
        }
    } catch (...) {
        done();
        throw;
    }
    done();
    if (all.empty() && progress == run.progress) return;
    run.progress = std::move(progress);
    if (!all.empty()) run.all = std::move(all);
    ++run.seen.version;
    run.seen.json = std::make_shared<const std::string>("{\"progress\":" + run.progress.dump() +
                                                        ",\"run\":" + run.all + "}");
}

std::optional<Answer> RunsHandler::get(const Question& question) {
    const std::vector<std::string>& parts = question.parts;
    const bool one = question.is(3, "api", "runs") || question.is(4, "api", "runs");
    if (!question.is(1, "runs") && !question.is(2, "run") && !question.is(3, "run") &&
        !question.is(2, "api", "runs") && !one)
        return std::nullopt;
    question.must_be_trusted();
    if (question.is(1, "runs")) return answer_asset("runs.html");
    if (question.is(2, "run")) return answer_asset("run.html");
    if (question.is(2, "api", "runs")) return answer_json(runs_.list());
    if (question.is(3, "run"))
        return parts[2] == "report" ? std::optional(page(parts[1], question.parameter("game")))
                                    : std::nullopt;
    if (parts.size() == 3) return answer_json(runs_.read(parts[2]));
    if (parts[3] == "events") {
        runs_.progress(parts[2]); // throws if there is no such run
        return Answer{.events = std::make_shared<RunEvents>(news_, parts[2])};
    }
    if (parts[3] == "games")
        return answer_json(runs_.games(parts[2], number_from(question.parameter("from"))));
    return std::nullopt;
}

Answer RunsHandler::page(const std::string& name, const std::string& game) {
    const std::unique_lock alone(making_page_, std::try_to_lock);
    if (!alone) throw Refused(Reason::Busy, "Another report is being made; ask again in a moment.");
    return {.type = "text/html; charset=utf-8",
            .body = runs_.page(name, game),
            .policy = kReportPolicy};
}

std::optional<Answer> RunsHandler::post(const Question& question) {
    const std::vector<std::string>& parts = question.parts;
    if (!question.is(2, "api", "runs") && !question.is(4, "api", "runs")) return std::nullopt;
    question.must_be_trusted();
    if (parts.size() == 2) return answer_json({{"name", runs_.start(question.body)}});
    if (parts[3] == "stop")
        runs_.stop(parts[2]);
    else if (parts[3] == "resume")
        runs_.resume(parts[2]);
    else
        return std::nullopt;
    return answer_json(nlohmann::ordered_json::object());
}

} // namespace croupier::serve
