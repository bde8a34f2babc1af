// Measures what the agents of one worker take for their decisions: all of them, or a sample.
#pragma once

#include "agents/registry.h"
#include "agents/table.h"
#include "results/costs/decision_times.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace croupier::tournaments {

// Of how many decisions a sample has one: to read the clock takes five times as long as a random
// player does, and the processor's fifty times, so that it is read in one of so many samples.
inline constexpr std::uint32_t kTimeStretch = 256;
inline constexpr std::uint32_t kProcessorStretch = 8;

// Whoever goes by time or is a program is measured always; others in their first game, and then
// always if they are slow, else in the steps of a sample. What is measured never shows in a game.
class TimeMeter : public agents::DecisionMeter {
  public:
    // Without a clock it is not used.
    TimeMeter(const agents::Clock* clock, std::size_t agents, std::size_t seats);

    // Who sits where in the game that comes.
    void seat(std::span<const std::uint32_t> agents) { agents_ = agents; }
    [[nodiscard]] const results::TimeTable& table() const { return table_; }

    bool measures_all(games::Seat seat, const agents::Agent& agent) override;
    std::uint32_t first(const agents::GameKey& key) override;
    std::uint32_t after(std::uint32_t step) override;
    void decides(games::Seat seat, const agents::Agent& agent) override;
    void decided(games::Seat seat, const agents::Agent& agent) override;
    void ends(std::span<const std::uint32_t> decisions) override;

  private:
    void find_costs();
    [[nodiscard]] std::optional<std::chrono::nanoseconds>
    processor_time(const agents::Agent& agent) const;

    const agents::Clock* clock_;
    results::TimeTable table_;
    std::span<const std::uint32_t> agents_;
    agents::GameKey key_;
    std::uint64_t all_ = 0;     // seats, as bits, that are measured always in this game
    std::uint32_t samples_ = 0; // of the others
    std::chrono::nanoseconds clock_cost_{0};
    std::chrono::nanoseconds processor_cost_{0};
    bool reads_processor_ = true; // for the decision at hand
    std::chrono::nanoseconds begun_{0};
    std::int64_t process_ = 0; // that was asked
    std::optional<std::chrono::nanoseconds> processor_begun_;
};

} // namespace croupier::tournaments
