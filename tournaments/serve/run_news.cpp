// Looks at runs when somebody waits for news of them.
#include "tournaments/serve/run_news.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace croupier::serve {
namespace {

constexpr int kShare = 100; // reading takes at most this part of the time

} // namespace

void RunNews::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

std::optional<RunNews::Seen> RunNews::wait(const std::string& name, std::uint64_t version,
                                           std::chrono::nanoseconds most) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<Run>& known = runs_[name];
    if (known == nullptr) known = std::make_shared<Run>();
    const std::shared_ptr<Run> run = known;
    ++run->waiting;
    // A page that waits again soon finds what is known; one that has gone leaves nothing.
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

// Without the lock while files are read.
void RunNews::look(const std::string& name, Run& run, std::unique_lock<std::mutex>& lock) {
    run.looking = true;
    const bool may_read = run.all.empty() || clock_.now() >= run.read_at;
    lock.unlock();
    RunShelf::Json progress;
    std::string all;
    const auto done = [&] {
        lock.lock();
        run.looking = false;
        run.due = clock_.now() + pause_;
        changed_.notify_all();
    };
    try {
        progress = shelf_.progress(name);
        if (may_read && (run.all.empty() || progress != run.read_progress)) {
            const auto begun = clock_.now();
            all = shelf_.read(name).dump(-1, ' ', false, RunShelf::Json::error_handler_t::replace);
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

} // namespace croupier::serve
