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

void DecisionTimes::measure(std::uint64_t wall, std::uint64_t weight) {
    ++sums_.measured;
    sums_.most = std::max(sums_.most, wall);
    sums_.weight += weight;
    sums_.wall += wall * weight;
    buckets_[bucket_of(wall)] += weight;
}

void DecisionTimes::measure_processor(std::uint64_t time, std::uint64_t weight) {
    sums_.cpu_weight += weight;
    sums_.cpu += time * weight;
}

void DecisionTimes::add(const DecisionTimes& other) {
    sums_.decisions += other.sums_.decisions;
    sums_.measured += other.sums_.measured;
    sums_.most = std::max(sums_.most, other.sums_.most);
    sums_.weight += other.sums_.weight;
    sums_.wall += other.sums_.wall;
    sums_.cpu_weight += other.sums_.cpu_weight;
    sums_.cpu += other.sums_.cpu;
    for (std::size_t i = 0; i < kBuckets; ++i)
        buckets_[i] += other.buckets_[i];
}

std::optional<double> DecisionTimes::mean() const {
    if (sums_.weight == 0) return std::nullopt;
    return static_cast<double>(sums_.wall) / static_cast<double>(sums_.weight);
}

std::optional<double> DecisionTimes::cpu() const {
    if (sums_.cpu_weight == 0) return std::nullopt;
    return static_cast<double>(sums_.cpu) / static_cast<double>(sums_.cpu_weight);
}

// The middle of the bucket in which it lies, unless the longest of all is shorter.
std::optional<double> DecisionTimes::quantile(double share) const {
    if (sums_.weight == 0) return std::nullopt;
    const double wanted = share * static_cast<double>(sums_.weight);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        below += buckets_[i];
        if (static_cast<double>(below) < wanted) continue;
        const double middle = i < kSteps ? least_of(i) : (least_of(i) + least_of(i + 1)) / 2;
        return std::min(middle, static_cast<double>(sums_.most));
    }
    return static_cast<double>(sums_.most);
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
    return std::ranges::all_of(cells_,
                               [](const DecisionTimes& cell) { return cell.measured() == 0; });
}

} // namespace croupier::results
