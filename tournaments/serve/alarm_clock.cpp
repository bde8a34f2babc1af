// Waits, and works.
#include "tournaments/serve/alarm_clock.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace croupier::serve {

AlarmClock::AlarmClock(const agents::Clock& clock, std::size_t threads) : clock_(clock) {
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this] { work(); });
}

AlarmClock::~AlarmClock() {
    stop();
}

void AlarmClock::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    entries_.clear();
    changed_.notify_all();
}

void AlarmClock::after(std::chrono::nanoseconds delay, Job job) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    entries_.push_back({clock_.now() + delay, numbers_++, std::move(job)});
    changed_.notify_one();
}

void AlarmClock::work() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
        const auto next =
            std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
                return std::tie(a.due, a.number) < std::tie(b.due, b.number);
            });
        if (next == entries_.end()) {
            changed_.wait(lock);
            continue;
        }
        const std::chrono::nanoseconds wait = next->due - clock_.now();
        if (wait.count() > 0) {
            changed_.wait_for(lock, wait);
            continue;
        }
        const Job job = std::move(next->job);
        entries_.erase(next);
        lock.unlock();
        job();
        lock.lock();
    }
}

} // namespace croupier::serve
