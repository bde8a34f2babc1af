// Sums of costs, and the names of what they are kept by.
#include "results/costs/cost.h"

#include "results/statistics/elo.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace croupier::results {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"off", "sample", "full"};
constexpr std::array<std::string_view, kPhases + 1> kPhaseNames = {
    "setup", "moves", "play", "score", "choose", "observe", ""};
constexpr std::array<std::string_view, kOutsides> kOutsideNames = {
    "engine", "game", "agents", "harness", "deal",    "play",   "moves",
    "score",  "view", "line",   "look",    "weights", "record", "rows"};
constexpr std::array<std::string_view, kOutsides> kOutsideMeanings = {
    "entering and leaving groups",
    "the table, else around the game's rules",
    "agents, else around their rules",
    "schedules, else around games",
    "a fresh state to deal from",
    "the move put and taken away",
    "legal moves read",
    "scores read",
    "views made",
    "hash of the moves",
    "the view put before an agent's rules",
    "weights of moves read",
    "records made",
    "rows written"};
constexpr double kTwoSided = 1.959963984540054;

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

std::string_view name_of(Outside outside) {
    return kOutsideNames[static_cast<std::size_t>(outside)];
}

std::string_view meaning_of(Outside outside) {
    return kOutsideMeanings[static_cast<std::size_t>(outside)];
}

Cost& Cost::operator+=(const Cost& other) {
    tried += other.tried;
    passed += other.passed;
    matches += other.matches;
    firings += other.firings;
    match_ns += other.match_ns;
    act_ns += other.act_ns;
    total_ns += other.total_ns;
    shared_ns += other.shared_ns;
    return *this;
}

void CostTable::add(const CostRow& row) {
    if (row.key.rule != kNothing) {
        rows_[row.key] += row.cost;
    } else if (row.key.entry != kNothing) {
        outside_[row.key.entry] += row.cost.match_ns;
    } else {
        watched_ += row.cost.tried;
        ticks_ += row.cost.matches;
        cpu_ns_ += row.cost.match_ns;
    }
}

void CostTable::take_times(const CostTable& other) {
    if (!has_taken_) {
        std::erase_if(rows_, [](const auto& row) { return row.first.phase == Phase::Any; });
        outside_ = {};
        ticks_ = cpu_ns_ = timed_games_ = 0;
    }
    has_taken_ = true;
    for (const auto& [key, cost] : other.rows_) {
        if (key.phase == Phase::Any) rows_[key] += cost;
    }
    for (std::size_t i = 0; i < kOutsides; ++i)
        outside_[i] += other.outside_[i];
    ticks_ += other.ticks_;
    cpu_ns_ += other.cpu_ns_;
    timed_games_ += other.timed_games_;
}

void CostTable::set_cpu_per_game(double ns) {
    cpu_ns_ = static_cast<std::uint64_t>(ns * static_cast<double>(timed_games_));
}

std::uint64_t CostTable::cpu_ns() const {
    if (games_ == 0 || games_ == timed_games_) return cpu_ns_;
    return static_cast<std::uint64_t>(cpu_per_game().value_or(0) * static_cast<double>(games_));
}

std::optional<double> CostTable::cpu_per_game() const {
    if (timed_games_ == 0 || cpu_ns_ == 0) return std::nullopt;
    return static_cast<double>(cpu_ns_) / static_cast<double>(timed_games_);
}

void CostTable::set_time(std::uint64_t ticks, std::uint64_t cpu_ns) {
    ticks_ = ticks;
    cpu_ns_ = cpu_ns;
}

void CostTable::add_game(std::uint32_t plies) {
    ++games_;
    timed_games_ += has_taken_ ? 0 : 1;
    steps_ += std::uint64_t{plies} + 1;
}

void CostTable::set_extent(std::uint64_t games, std::uint64_t steps, std::uint64_t watched) {
    games_ = timed_games_ = games;
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

bool CostTable::has_times() const {
    return ticks_ >= kFewestTicks;
}

Estimate CostTable::share(std::uint64_t sampled_ns) const {
    std::uint64_t all = self_ns();
    for (const std::uint64_t each : outside_)
        all += each;
    if (all == 0 || ticks_ == 0) return {};
    return wilson(static_cast<double>(sampled_ns) / static_cast<double>(all),
                  static_cast<double>(ticks_), kTwoSided);
}

double CostTable::ticks_of(std::uint64_t sampled_ns) const {
    return share(sampled_ns).value.value_or(0) * static_cast<double>(ticks_);
}

std::optional<double> CostTable::per_game(std::uint64_t sampled_ns) const {
    const Estimate part = share(sampled_ns);
    const std::optional<double> whole = cpu_per_game();
    if (!part.value || !whole) return std::nullopt;
    return *part.value * *whole;
}

// Of two numbers of the same ticks, each of which counts for one at most.
bool CostTable::differ(std::uint64_t one_ns, std::uint64_t other_ns) const {
    const double one = share(one_ns).value.value_or(0);
    const double other = share(other_ns).value.value_or(0);
    const double apart = std::abs(one - other);
    const double variance = one + other - apart * apart;
    return ticks_ > 0 && apart > kTwoSided * std::sqrt(variance / static_cast<double>(ticks_));
}

std::string owner_of(const RuleFacts& rule, const std::string& game,
                     const std::vector<std::string>& agents) {
    return rule.agent ? agents[*rule.agent] : game;
}

} // namespace croupier::results
