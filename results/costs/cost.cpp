// Sums of costs, and the names of what they are kept by.
#include "results/costs/cost.h"

#include <algorithm>
#include <array>

namespace croupier::results {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"off", "sample", "full"};
constexpr std::array<std::string_view, kPhases> kPhaseNames = {"setup", "moves",  "play",
                                                               "score", "choose", "observe"};

template <class Value, std::size_t Count>
std::optional<Value> find(const std::array<std::string_view, Count>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Value>(found - names.begin());
}

} // namespace

std::string_view name_of(ProfileMode mode) {
    return kModes[static_cast<std::size_t>(mode)];
}

std::optional<ProfileMode> profile_mode_of(std::string_view name) {
    return find<ProfileMode>(kModes, name);
}

std::string_view name_of(Phase phase) {
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> phase_of(std::string_view name) {
    return find<Phase>(kPhaseNames, name);
}

Cost& Cost::operator+=(const Cost& other) {
    tried += other.tried;
    passed += other.passed;
    matches += other.matches;
    firings += other.firings;
    match_ns += other.match_ns;
    act_ns += other.act_ns;
    total_ns += other.total_ns;
    return *this;
}

void CostTable::add(const CostRow& row) {
    if (row.key.rule == kNothing)
        watched_ += row.cost.tried;
    else
        rows_[row.key] += row.cost;
}

void CostTable::add_game(std::uint32_t plies) {
    ++games_;
    steps_ += std::uint64_t{plies} + 1;
}

void CostTable::set_extent(std::uint64_t games, std::uint64_t steps, std::uint64_t watched) {
    games_ = games;
    steps_ = steps;
    watched_ = watched;
}

std::map<CostKey, Cost> CostTable::sums(const CostSplit& split) const {
    std::map<CostKey, Cost> sums;
    for (const auto& [key, cost] : rows_) {
        if (key.entry != kNothing && !split.entry) continue;
        const CostKey kept{key.rule, split.phase ? key.phase : Phase::Setup,
                           split.seat ? key.seat : kNothing, key.entry};
        sums[kept] += cost;
    }
    return sums;
}

Cost CostTable::rule(std::uint32_t rule) const {
    Cost sum;
    for (auto row = rows_.lower_bound({rule, Phase::Setup, 0, 0});
         row != rows_.end() && row->first.rule == rule; ++row) {
        if (row->first.entry == kNothing) sum += row->second;
    }
    return sum;
}

std::uint64_t CostTable::self_ns() const {
    std::uint64_t sum = 0;
    for (const auto& [key, cost] : rows_) {
        if (key.entry == kNothing) sum += cost.self_ns();
    }
    return sum;
}

std::optional<double> CostTable::per_game(std::uint64_t measured) const {
    if (watched_ == 0 || games_ == 0) return std::nullopt;
    return static_cast<double>(measured) * static_cast<double>(steps_) /
           static_cast<double>(watched_) / static_cast<double>(games_);
}

std::string owner_of(const RuleFacts& rule, const std::string& game,
                     const std::vector<std::string>& agents) {
    return rule.agent ? agents[*rule.agent] : game;
}

} // namespace croupier::results
