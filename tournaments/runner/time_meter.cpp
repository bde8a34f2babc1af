// Reads the clocks that were lent; see time_meter.h.
#include "tournaments/runner/time_meter.h"

#include "tournaments/runner/cost_meter.h"

#include <algorithm>

namespace croupier::tournaments {
namespace {

constexpr double kSlow = 200'000; // nanoseconds: to measure takes less than a hundredth of that
constexpr std::uint64_t kOtherSteps = 0x9e3779b97f4a7c15; // than those where rules are watched

std::uint64_t count_of(std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(std::max<std::chrono::nanoseconds::rep>(time.count(), 0));
}

} // namespace

TimeMeter::TimeMeter(const agents::Clock* clock, std::size_t agents, std::size_t seats)
    : clock_(clock), table_(clock == nullptr ? 0 : agents, seats) {
    if (clock_ != nullptr) find_costs();
}

// What measuring nothing takes: the least of some times.
void TimeMeter::find_costs() {
    constexpr int kTimes = 16;
    for (int i = 0; i < kTimes; ++i) {
        const auto processor = clock_->processor();
        const auto begun = clock_->now();
        const auto wall = clock_->now() - begun;
        const auto used = clock_->processor();
        if (i == 0 || wall < clock_cost_) clock_cost_ = wall;
        if (!processor || !used) continue;
        if (i == 0 || *used - *processor < processor_cost_) processor_cost_ = *used - *processor;
    }
}

bool TimeMeter::measures_all(games::Seat seat, const agents::Agent& agent) {
    const results::DecisionTimes& times = table_.at(agents_[seat], seat);
    const bool all =
        !agent.is_reproducible() || times.measured() == 0 || times.mean().value_or(0) >= kSlow;
    all_ = (all_ & ~(std::uint64_t{1} << seat)) | (std::uint64_t{all} << seat);
    return all;
}

std::uint32_t TimeMeter::first(const agents::GameKey& key) {
    key_ = key;
    key_.seed ^= kOtherSteps;
    const std::uint32_t step = sampled_step(key_, 0, kTimeStretch);
    return step == 0 ? after(0) : step; // nobody decides in the deal
}

std::uint32_t TimeMeter::after(std::uint32_t step) {
    return sampled_step(key_, step / kTimeStretch + 1, kTimeStretch);
}

std::optional<std::chrono::nanoseconds>
TimeMeter::processor_time(const agents::Agent& agent) const {
    const std::int64_t process = agent.process();
    return process == 0 ? clock_->processor() : clock_->processor_of(process);
}

void TimeMeter::decides(games::Seat seat, const agents::Agent& agent) {
    const bool all = ((all_ >> seat) & 1) != 0;
    reads_processor_ = all || samples_++ % kProcessorStretch == 0;
    process_ = agent.process();
    if (reads_processor_) processor_begun_ = processor_time(agent);
    begun_ = clock_->now();
}

void TimeMeter::decided(games::Seat seat, const agents::Agent& agent) {
    const std::chrono::nanoseconds wall = clock_->now() - begun_;
    const bool all = ((all_ >> seat) & 1) != 0;
    const std::uint64_t weight = all ? 1 : kTimeStretch;
    results::DecisionTimes& times = table_.at(agents_[seat], seat);
    times.measure(count_of(wall - clock_cost_), weight);
    if (!reads_processor_) return;
    const auto processor = processor_time(agent);
    // It may have ended, and another begun.
    if (agent.process() != process_ || !processor || !processor_begun_) return;
    auto used = *processor - *processor_begun_;
    // What looking at clocks takes is this thread's; of a decision that takes less than that, its
    // clock cannot tell more than the one on the wall.
    if (process_ == 0) used = wall < processor_cost_ ? wall - clock_cost_ : used - processor_cost_;
    times.measure_processor(count_of(used), all ? 1 : weight * kProcessorStretch);
}

void TimeMeter::ends(std::span<const std::uint32_t> decisions) {
    for (std::size_t seat = 0; seat < decisions.size(); ++seat)
        table_.at(agents_[seat], seat).count(decisions[seat]);
}

} // namespace croupier::tournaments
