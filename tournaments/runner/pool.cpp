// The pool with oneTBB, and its equivalent with std::jthread. The only file that includes TBB.
#include "tournaments/runner/pool.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace croupier::tournaments {
namespace {

namespace tbb = oneapi::tbb;

// The pipeline keeps at most `slots` items alive and releases them in order, so the item loaded
// `slots` items later finds its slot free.
void convey_tbb(Conveyor& conveyor, std::size_t workers, std::size_t slots) {
    // Otherwise TBB starts no more threads than cores, though agents may wait for other processes.
    using Limit = tbb::global_control;
    const Limit more(Limit::max_allowed_parallelism,
                     std::max(workers, Limit::active_value(Limit::max_allowed_parallelism)));
    tbb::task_arena arena(static_cast<int>(workers));
    arena.execute([&] {
        std::size_t loaded = 0;
        const auto load = [&](tbb::flow_control& control) -> std::size_t {
            const std::size_t slot = loaded % slots;
            if (!conveyor.load(slot)) {
                control.stop();
                return slot;
            }
            ++loaded;
            return slot;
        };
        const auto work = [&](std::size_t slot) {
            const int worker = tbb::this_task_arena::current_thread_index();
            assert(worker >= 0 && static_cast<std::size_t>(worker) < workers);
            conveyor.work(slot, static_cast<std::size_t>(worker));
            return slot;
        };
        const auto unload = [&](std::size_t slot) { conveyor.unload(slot); };
        tbb::parallel_pipeline(
            slots,
            tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, load) &
                tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, work) &
                tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, unload));
    });
}

class ThreadPool {
  public:
    ThreadPool(Conveyor& conveyor, std::size_t slots) : conveyor_(conveyor), done_(slots) {}

    void run(std::size_t workers) {
        std::vector<std::jthread> threads;
        for (std::size_t worker = 0; worker < workers; ++worker)
            threads.emplace_back([this, worker] { serve(worker); });
    }

  private:
    // The worker that completes the next item unloads it and those after it.
    void serve(std::size_t worker) {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return ended_ || loaded_ - unloaded_ < done_.size(); });
            if (ended_) return;
            const std::size_t slot = loaded_ % done_.size();
            if (!conveyor_.load(slot)) {
                ended_ = true;
                changed_.notify_all();
                return;
            }
            ++loaded_;
            lock.unlock();
            conveyor_.work(slot, worker);
            lock.lock();
            done_[slot] = true;
            while (done_[unloaded_ % done_.size()]) {
                done_[unloaded_ % done_.size()] = false;
                conveyor_.unload(unloaded_ % done_.size());
                ++unloaded_;
            }
            changed_.notify_all();
        }
    }

    Conveyor& conveyor_;
    std::mutex mutex_; // guards the members below, loading and unloading
    std::condition_variable changed_;
    std::vector<bool> done_; // worked on, not yet unloaded
    std::size_t loaded_ = 0;
    std::size_t unloaded_ = 0;
    bool ended_ = false;
};

} // namespace

void convey(Conveyor& conveyor, std::size_t workers, std::size_t slots, Pool pool) {
    assert(workers > 0);
    slots = std::max(slots, workers);
    if (pool == Pool::Tbb)
        convey_tbb(conveyor, workers, slots);
    else
        ThreadPool(conveyor, slots).run(workers);
}

} // namespace croupier::tournaments
