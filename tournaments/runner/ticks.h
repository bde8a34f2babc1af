// Ticks of the CPU time of a thread that plays: what each has interrupted.
#pragma once

#include "agents/whereabouts.h"
#include "engine/api/origins.h"
#include "games/contract/doing.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace croupier::tournaments {

struct Tick {
    engine::Glimpse glimpse;
    agents::Whereabouts::Place place;
    games::Doing doing = games::Doing::Table;
};

// Filled by a signal handler, emptied by the thread that it interrupts. When it is full, every
// second tick goes and the others count twice: long decisions are known as well as short ones.
class TickBuffer {
  public:
    explicit TickBuffer(const agents::Whereabouts& of) : of_(of) {}

    // The thread is about to run the instruction at that address. For signal handlers.
    void note(std::uintptr_t at) noexcept {
        if (busy_.load(std::memory_order_relaxed)) return;
        const std::uint64_t weight = weight_.load(std::memory_order_relaxed);
        const std::uint64_t skipped = skipped_.load(std::memory_order_relaxed) + 1;
        skipped_.store(skipped % weight, std::memory_order_relaxed);
        if (skipped < weight) return;
        std::size_t count = count_.load(std::memory_order_relaxed);
        if (count == kSize) {
            count = kSize / 2;
            for (std::size_t i = 0; i < count; ++i)
                ticks_[i] = ticks_[2 * i + 1];
            weight_.store(2 * weight, std::memory_order_relaxed);
        }
        ticks_[count] = {engine::glimpse(at), of_.place(),
                         games::doing.load(std::memory_order_relaxed)};
        count_.store(count + 1, std::memory_order_relaxed);
    }
    [[nodiscard]] bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
    // Calls take(tick, weight) for each so far, the oldest first, and forgets them. A tick that
    // comes meanwhile is lost.
    template <class Take>
    void drain(Take take) {
        busy_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_acq_rel);
        const std::size_t count = count_.load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < count; ++i)
            take(ticks_[i], weight_.load(std::memory_order_relaxed));
        count_.store(0, std::memory_order_relaxed);
        skipped_.store(0, std::memory_order_relaxed);
        weight_.store(1, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_acq_rel);
        busy_.store(false, std::memory_order_relaxed);
    }

    static constexpr std::size_t kSize = 1024;

  private:
    const agents::Whereabouts& of_;
    std::array<Tick, kSize> ticks_;
    std::atomic<std::size_t> count_ = 0;
    std::atomic<std::uint64_t> weight_ = 1;  // of each
    std::atomic<std::uint64_t> skipped_ = 0; // since the last
    std::atomic<bool> busy_ = false;
};

// Interrupts threads as their CPU time goes by. Lent by the command line: nothing here knows a
// clock. Used by several threads.
class Sampler {
  public:
    Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    virtual ~Sampler() = default;

    // From now on the ticks of the thread at hand go there; null: nowhere.
    virtual void sample(TickBuffer* into) = 0;
    // Nanoseconds that the thread at hand has computed for.
    [[nodiscard]] virtual std::uint64_t cpu_ns() const = 0;
};

} // namespace croupier::tournaments
