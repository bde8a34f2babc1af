// Sums of costs, and the names of what they are kept by.
#include "results/costs/cost.h"

#include "results/statistics/distributions.h"
#include "results/statistics/ratings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

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

using CostVerdict = CostChange::Verdict;
constexpr auto kCostVerdictNames =
    std::to_array<std::string_view>({"same", "slower", "faster", "new", "gone", "undecided"});
static_assert(kCostVerdictNames.size() == static_cast<std::size_t>(CostVerdict::Undecided) + 1);

// What of a round is compared: sampled nanoseconds of a table.
using OwnTime = std::function<std::uint64_t(const CostTable&)>;

constexpr double kChance = 0.05; // of one wrong interval among all of a comparison

// Both sides of each round, in nanoseconds of CPU time a game, and the ticks that were it.
struct Sides {
    std::vector<double> old;
    std::vector<double> now;
    double old_ticks = 0;
    double now_ticks = 0;
};

Sides sides_of(std::span<const CostRound> rounds, const OwnTime& old_time,
               const OwnTime& new_time) {
    Sides sides;
    for (const CostRound& round : rounds) {
        const auto old = round.old.per_game(old_time(round.old));
        const auto now = round.now.per_game(new_time(round.now));
        if (!old || !now) continue;
        sides.old.push_back(*old);
        sides.now.push_back(*now);
        sides.old_ticks += round.old.ticks_of(old_time(round.old));
        sides.now_ticks += round.now.ticks_of(new_time(round.now));
    }
    return sides;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The error of a ratio of means of pairs: that of what the ratio leaves unexplained in each. Few
// ticks may agree by chance, so it is at least what chance does to their numbers.
double error_of(const Sides& sides, double ratio, bool counts_ticks) {
    const auto rounds = static_cast<double>(sides.old.size());
    const double old = mean(sides.old);
    double squares = 0;
    for (std::size_t i = 0; i < sides.old.size(); ++i) {
        const double left = sides.now[i] - ratio * sides.old[i];
        squares += left * left;
    }
    const double seen = std::sqrt(squares / (rounds - 1) / rounds) / old;
    if (!counts_ticks) return seen;
    const double now_ticks = sides.now_ticks + 1;
    const double unit = sides.now_ticks > 0 ? ratio * sides.old_ticks / sides.now_ticks : 1;
    const double chance =
        unit / sides.old_ticks * std::sqrt(now_ticks + now_ticks * now_ticks / sides.old_ticks);
    return std::max(seen, chance);
}

CostChange::Verdict verdict_of(double low, double high) {
    if (low >= 1 - kSameWithin && high <= 1 + kSameWithin) return CostVerdict::Same;
    if (low > 1) return CostVerdict::Slower;
    if (high < 1) return CostVerdict::Faster;
    return CostVerdict::Undecided;
}

void measure(const Sides& sides, std::size_t together, bool counts_ticks, CostChange& change) {
    if (sides.old.size() < 2) return;
    change.old = mean(sides.old);
    change.now = mean(sides.now);
    if (*change.old <= 0 || (counts_ticks && sides.old_ticks <= 0)) return;
    change.ratio = *change.now / *change.old;
    const double freedom = static_cast<double>(sides.old.size() - 1);
    const double t = student_quantile(1 - kChance / 2 / static_cast<double>(together), freedom);
    const double reach = t * error_of(sides, *change.ratio, counts_ticks);
    change.low = std::max(0.0, *change.ratio - reach);
    change.high = *change.ratio + reach;
    change.verdict = verdict_of(*change.low, *change.high);
}

// CPU time of games, which is measured and not sampled.
Sides whole_games(std::span<const CostRound> rounds) {
    Sides sides;
    for (const CostRound& round : rounds) {
        const auto old = round.old.cpu_per_game();
        const auto now = round.now.cpu_per_game();
        if (!old || !now) continue;
        sides.old.push_back(*old);
        sides.now.push_back(*now);
    }
    return sides;
}

using RuleKey = std::tuple<std::string, std::string, std::string>; // owner, group, name

std::map<RuleKey, std::uint32_t> index_of(const ProfileFacts& facts, const std::string& game,
                                          const std::vector<std::string>& agents) {
    std::map<RuleKey, std::uint32_t> index;
    for (std::uint32_t rule = 0; rule < facts.rules.size(); ++rule) {
        const RuleFacts& known = facts.rules[rule];
        index.emplace(RuleKey{owner_of(known, game, agents), known.group, known.name}, rule);
    }
    return index;
}

OwnTime time_of(std::uint32_t rule) {
    return [rule](const CostTable& table) {
        return rule == kNothing ? 0 : table.rule(rule).self_ns();
    };
}

bool tried(std::span<const CostRound> rounds, std::uint32_t old_rule, std::uint32_t new_rule) {
    return std::ranges::any_of(rounds, [&](const CostRound& round) {
        const auto known = [](const Cost& cost) { return cost.tried > 0 || cost.self_ns() > 0; };
        return (old_rule != kNothing && known(round.old.rule(old_rule))) ||
               (new_rule != kNothing && known(round.now.rule(new_rule)));
    });
}

} // namespace

std::string_view name_of(ProfileMode mode) {
    return kModes[static_cast<std::size_t>(mode)];
}

std::optional<ProfileMode> profile_mode_of(std::string_view name) {
    return value_named<ProfileMode>(kModes, name);
}

std::string_view name_of(Phase phase) {
    return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::optional<Phase> phase_of(std::string_view name) {
    return value_named<Phase>(kPhaseNames, name);
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
    for (const auto& [key, cost] : other.rows_)
        if (key.phase == Phase::Any) rows_[key] += cost;
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

Cost entry_of(const std::map<CostKey, Cost>& sums, std::uint32_t rule, std::uint32_t entry) {
    const auto found = sums.find({rule, Phase::Setup, kNothing, entry});
    return found == sums.end() ? Cost{} : found->second;
}

Cost CostTable::rule(std::uint32_t rule) const {
    Cost sum;
    for (auto row = rows_.lower_bound({rule, Phase::Setup, 0, 0});
         row != rows_.end() && row->first.rule == rule; ++row)
        if (row->first.entry == kNothing) sum += row->second;
    return sum;
}

std::uint64_t CostTable::self_ns() const {
    std::uint64_t sum = 0;
    for (const auto& [key, cost] : rows_)
        if (key.entry == kNothing) sum += cost.self_ns();
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

std::string_view name_of(CostVerdict verdict) {
    return kCostVerdictNames[static_cast<std::size_t>(verdict)];
}

std::optional<CostVerdict> cost_verdict_of(std::string_view name) {
    return value_named<CostVerdict>(kCostVerdictNames, name);
}

std::vector<CostChange> compare_costs(const Costs& recorded, const ProfileFacts& now,
                                      std::span<const CostRound> rounds, const std::string& game,
                                      const std::vector<std::string>& old_agents,
                                      const std::vector<std::string>& agents) {
    const auto old_rules = index_of(recorded.facts, game, old_agents);
    const auto new_rules = index_of(now, game, agents);
    std::map<RuleKey, std::pair<std::uint32_t, std::uint32_t>> all;
    for (const auto& [key, rule] : old_rules)
        all[key] = {rule, kNothing};
    for (const auto& [key, rule] : new_rules)
        all.emplace(key, std::pair{kNothing, rule}).first->second.second = rule;

    std::vector<CostChange> changes;
    const std::size_t together = all.size() + 2;
    for (const auto& [key, rules] : all) {
        const auto& [old_rule, new_rule] = rules;
        if (!tried(rounds, old_rule, new_rule)) continue;
        CostChange change;
        std::tie(change.owner, change.group, change.name) = key;
        if (old_rule != kNothing) {
            const std::uint64_t own = recorded.table.rule(old_rule).self_ns();
            if (recorded.table.ticks_of(own) >= kFewestOfRule)
                change.recorded = recorded.table.per_game(own);
        }
        measure(sides_of(rounds, time_of(old_rule), time_of(new_rule)), together, true, change);
        if (old_rule == kNothing) change.verdict = CostVerdict::New;
        if (new_rule == kNothing) change.verdict = CostVerdict::Gone;
        changes.push_back(std::move(change));
    }
    const auto moved = [](const CostChange& change) {
        return std::abs(change.now.value_or(0) - change.old.value_or(0));
    };
    std::ranges::stable_sort(
        changes, [&](const CostChange& a, const CostChange& b) { return moved(a) > moved(b); });
    CostChange rules;
    rules.name = "all rules";
    if (recorded.table.has_times())
        rules.recorded = recorded.table.per_game(recorded.table.self_ns());
    const OwnTime everything = [](const CostTable& table) { return table.self_ns(); };
    measure(sides_of(rounds, everything, everything), together, true, rules);
    CostChange whole;
    whole.name = "whole game";
    whole.recorded = recorded.table.cpu_per_game();
    measure(whole_games(rounds), together, false, whole);
    changes.insert(changes.begin(), {whole, rules});
    return changes;
}

} // namespace croupier::results
