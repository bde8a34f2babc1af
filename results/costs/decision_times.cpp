// Sums and a histogram whose buckets grow with what they hold.
#include "results/costs/decision_times.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace croupier::results {

// Eight steps an octave, equally wide within it: below 8 ns each number has its own.
std::size_t DecisionTimes::bucket_of(std::uint64_t nanoseconds) {
    if (nanoseconds < kSteps) return static_cast<std::size_t>(nanoseconds);
    const auto octave = static_cast<int>(std::bit_width(nanoseconds)) - 1; // 3 and up
    const auto step = (nanoseconds >> (octave - 3)) & (kSteps - 1);
    return static_cast<std::size_t>(octave - 2) * kSteps + static_cast<std::size_t>(step);
}

double DecisionTimes::least_of(std::size_t bucket) {
    if (bucket < kSteps) return static_cast<double>(bucket);
    const auto octave = static_cast<int>(bucket / kSteps) + 2;
    return std::ldexp(static_cast<double>(kSteps + bucket % kSteps), octave - 3);
}

DecisionTimes::DecisionTimes(const Sums& sums, const std::array<std::uint64_t, kBuckets>& buckets)
    : decisions_(sums.decisions), measured_(sums.measured), most_(sums.most), weight_(sums.weight),
      wall_(sums.wall), cpu_weight_(sums.cpu_weight), cpu_(sums.cpu), buckets_(buckets) {}

DecisionTimes::Sums DecisionTimes::sums() const {
    return {decisions_, measured_, most_, weight_, wall_, cpu_weight_, cpu_};
}

void DecisionTimes::measure(std::uint64_t wall, std::uint64_t weight) {
    ++measured_;
    most_ = std::max(most_, wall);
    weight_ += weight;
    wall_ += wall * weight;
    buckets_[bucket_of(wall)] += weight;
}

void DecisionTimes::measure_processor(std::uint64_t time, std::uint64_t weight) {
    cpu_weight_ += weight;
    cpu_ += time * weight;
}

void DecisionTimes::add(const DecisionTimes& other) {
    decisions_ += other.decisions_;
    measured_ += other.measured_;
    most_ = std::max(most_, other.most_);
    weight_ += other.weight_;
    wall_ += other.wall_;
    cpu_weight_ += other.cpu_weight_;
    cpu_ += other.cpu_;
    for (std::size_t i = 0; i < kBuckets; ++i)
        buckets_[i] += other.buckets_[i];
}

std::optional<double> DecisionTimes::mean() const {
    if (weight_ == 0) return std::nullopt;
    return static_cast<double>(wall_) / static_cast<double>(weight_);
}

std::optional<double> DecisionTimes::cpu() const {
    if (cpu_weight_ == 0) return std::nullopt;
    return static_cast<double>(cpu_) / static_cast<double>(cpu_weight_);
}

// The middle of the bucket in which it lies, unless the longest of all is shorter.
std::optional<double> DecisionTimes::quantile(double share) const {
    if (weight_ == 0) return std::nullopt;
    const double wanted = share * static_cast<double>(weight_);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        below += buckets_[i];
        if (static_cast<double>(below) < wanted) continue;
        const double middle = i < kSteps ? least_of(i) : (least_of(i) + least_of(i + 1)) / 2;
        return std::min(middle, static_cast<double>(most_));
    }
    return static_cast<double>(most_);
}

DecisionTimes TimeTable::of(std::size_t agent) const {
    DecisionTimes all;
    for (std::size_t seat = 0; seat < seats_; ++seat)
        all.add(at(agent, seat));
    return all;
}

void TimeTable::add(const TimeTable& other) {
    if (other.cells_.empty()) return;
    if (cells_.empty()) {
        *this = other;
        return;
    }
    assert(seats_ == other.seats_ && cells_.size() == other.cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i)
        cells_[i].add(other.cells_[i]);
    games_ += other.games_;
}

bool TimeTable::empty() const {
    return std::all_of(cells_.begin(), cells_.end(),
                       [](const DecisionTimes& cell) { return cell.measured() == 0; });
}

} // namespace croupier::results
