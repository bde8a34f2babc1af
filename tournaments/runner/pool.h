// Threads that work side by side on a stream of items and hand them on in the order of the stream.
#pragma once

#include <cstddef>

namespace croupier::tournaments {

// Items travel in slots, of which there is a fixed number: memory grows with slots, not with items,
// and an item that is far ahead of the others waits.
class Conveyor {
  public:
    Conveyor() = default;
    Conveyor(const Conveyor&) = delete;
    Conveyor& operator=(const Conveyor&) = delete;
    virtual ~Conveyor() = default;

    // Puts the next item into the slot, which is free; false if there is none. One call at a time.
    virtual bool load(std::size_t slot) = 0;
    // Many calls at once, each with another slot and another worker, 0 to workers - 1.
    virtual void work(std::size_t slot, std::size_t worker) = 0;
    // Takes the item out, in the order of loading. One call at a time, also while loading.
    virtual void unload(std::size_t slot) = 0;
};

enum class Pool {
    Tbb,     // what is used
    Threads, // the same with std::jthread
};

// The thread sanitizer knows nothing of TBB's order and would see races where there are none.
#if defined(__SANITIZE_THREAD__)
inline constexpr Pool kDefaultPool = Pool::Threads;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr Pool kDefaultPool = Pool::Threads;
#else
inline constexpr Pool kDefaultPool = Pool::Tbb;
#endif
#else
inline constexpr Pool kDefaultPool = Pool::Tbb;
#endif

// Returns when all that was loaded is unloaded.
void convey(Conveyor& conveyor, std::size_t workers, std::size_t slots, Pool pool);

} // namespace croupier::tournaments
