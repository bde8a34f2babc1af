// What a thread that plays is about, for who interrupts it to look.
#pragma once

#include "games/contract/streams.h"

#include <atomic>
#include <cstdint>

namespace croupier::agents {

// Written by the thread at each step, read by signal handlers on it.
class Whereabouts {
  public:
    enum class Area : std::uint8_t {
        Harness, // schedules, tables, records
        Game,    // the position: its rules, and what is around them
        Agent,   // whoever sits on the seat
        Watch,   // counts what rules do: no part of the games
    };
    struct Place {
        Area area = Area::Harness;
        games::Seat seat = 0; // of the agent
    };

    [[nodiscard]] Place place() const {
        const std::uint32_t word = word_.load(std::memory_order_relaxed);
        return {static_cast<Area>(word & 0xff), word >> 8};
    }

    // While it lives, the thread is there.
    class Stay {
      public:
        Stay(Whereabouts& of, Area area, games::Seat seat = 0)
            : word_(of.word_), before_(word_.load(std::memory_order_relaxed)) {
            word_.store(static_cast<std::uint32_t>(area) | seat << 8, std::memory_order_relaxed);
        }
        ~Stay() { word_.store(before_, std::memory_order_relaxed); }
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        std::atomic<std::uint32_t>& word_;
        std::uint32_t before_;
    };

  private:
    std::atomic<std::uint32_t> word_ = 0;
};

} // namespace croupier::agents
