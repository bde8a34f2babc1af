// How long agents take for their decisions, added up so that parts of a run can be added, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace croupier::results {

// Of one agent on one seat. A decision that was measured stands for `weight` decisions: for itself,
// or for a whole stretch of which it is the sample.
class DecisionTimes {
  public:
    static constexpr unsigned kSteps = 8; // of the histogram from a time to twice that
    static constexpr std::size_t kBuckets = 64 * kSteps;

    // For files: what it is made of.
    struct Sums {
        std::uint64_t decisions = 0;
        std::uint64_t measured = 0;
        std::uint64_t most = 0;
        std::uint64_t weight = 0; // of what was measured
        std::uint64_t wall = 0;   // times weight
        std::uint64_t cpu_weight = 0;
        std::uint64_t cpu = 0;
    };

    void count(std::uint64_t decisions) { sums_.decisions += decisions; }
    // Nanoseconds of the clock on the wall.
    void measure(std::uint64_t wall, std::uint64_t weight);
    // And of a processor, where and as often as that is known.
    void measure_processor(std::uint64_t time, std::uint64_t weight);
    void add(const DecisionTimes& other);

    [[nodiscard]] std::uint64_t decisions() const { return sums_.decisions; }
    [[nodiscard]] std::uint64_t measured() const { return sums_.measured; }
    // In nanoseconds; absent where nothing was measured.
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<double> cpu() const;
    // So much of all decisions took no longer, to a sixteenth; 0 < share < 1.
    [[nodiscard]] std::optional<double> quantile(double share) const;
    [[nodiscard]] std::uint64_t most() const { return sums_.most; }

    [[nodiscard]] const Sums& sums() const { return sums_; }
    [[nodiscard]] const std::array<std::uint64_t, kBuckets>& buckets() const { return buckets_; }
    DecisionTimes() = default;
    DecisionTimes(const Sums& sums, const std::array<std::uint64_t, kBuckets>& buckets)
        : sums_(sums), buckets_(buckets) {}

    [[nodiscard]] static std::size_t bucket_of(std::uint64_t nanoseconds);
    // The least time that falls into it.
    [[nodiscard]] static double least_of(std::size_t bucket);

  private:
    Sums sums_;
    std::array<std::uint64_t, kBuckets> buckets_{}; // weights
};

// Of all agents on all seats.
class TimeTable {
  public:
    TimeTable() = default;
    TimeTable(std::size_t agents, std::size_t seats) : seats_(seats), cells_(agents * seats) {}

    [[nodiscard]] std::size_t seats() const { return seats_; }
    [[nodiscard]] std::size_t agents() const { return seats_ == 0 ? 0 : cells_.size() / seats_; }
    [[nodiscard]] DecisionTimes& at(std::size_t agent, std::size_t seat) {
        return cells_[agent * seats_ + seat];
    }
    [[nodiscard]] const DecisionTimes& at(std::size_t agent, std::size_t seat) const {
        return cells_[agent * seats_ + seat];
    }
    // On all its seats.
    [[nodiscard]] DecisionTimes of(std::size_t agent) const;
    // Of how many games; parts of a run whose times were lost have added none.
    [[nodiscard]] std::uint64_t games() const { return games_; }
    void set_games(std::uint64_t games) { games_ = games; }
    // Of the same agents and seats; or this one is empty, and becomes the other.
    void add(const TimeTable& other);
    // Nothing was measured.
    [[nodiscard]] bool empty() const;

  private:
    std::size_t seats_ = 0;
    std::uint64_t games_ = 0;
    std::vector<DecisionTimes> cells_;
};

} // namespace croupier::results
