// Threads that work in parallel on a stream of items and return them in the stream's order.
#pragma once

#include <cstddef>

namespace croupier::tournaments {

// Items travel in a fixed number of slots: memory depends on slots, not items, and an item far
// ahead of the others waits.
class Conveyor {
  public:
    Conveyor() = default;
    Conveyor(const Conveyor&) = delete;
    Conveyor& operator=(const Conveyor&) = delete;
    virtual ~Conveyor() = default;

    // Puts the next item into a free slot; false if there is none. Not called concurrently.
    virtual bool load(std::size_t slot) = 0;
    // Called concurrently, with different slots and workers, 0 to workers - 1.
    virtual void work(std::size_t slot, std::size_t worker) = 0;
    // Takes the item out, in the order of loading. Not called concurrently with itself, but with
    // `load`.
    virtual void unload(std::size_t slot) = 0;
};

enum class Pool {
    Tbb,     // the default
    Threads, // the same with std::jthread
};

// The thread sanitizer does not understand TBB's synchronization and would report false races.
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

// Returns when all loaded items are unloaded.
void convey(Conveyor& conveyor, std::size_t workers, std::size_t slots, Pool pool);

} // namespace croupier::tournaments
