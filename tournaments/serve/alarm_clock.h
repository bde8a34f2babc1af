// Does things later, on threads of its own, the earliest first.
#pragma once

#include "agents/registry.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace croupier::serve {

class AlarmClock {
  public:
    using Job = std::function<void()>;

    AlarmClock(const agents::Clock& clock, std::size_t threads);
    // Waits for what is being done; what is still to come is dropped.
    ~AlarmClock();
    AlarmClock(const AlarmClock&) = delete;
    AlarmClock& operator=(const AlarmClock&) = delete;

    void after(std::chrono::nanoseconds delay, Job job);
    // Nothing more is begun.
    void stop();

  private:
    struct Entry {
        std::chrono::nanoseconds due{0};
        std::uint64_t number = 0; // jobs of the same time keep their order
        Job job;
    };
    void work();

    const agents::Clock& clock_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
    std::uint64_t numbers_ = 0;
    bool stopped_ = false;
    std::vector<std::jthread> threads_;
};

} // namespace croupier::serve
