// Sums of costs, and the names of their keys.
#include "results/costs/cost.h"

#include "results/statistics/means.h"
#include "results/statistics/ratings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
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

// Selects what to compare in a round: sampled nanoseconds of a table.
using OwnTime = std::function<std::uint64_t(const CostTable&)>;

constexpr double kChance = 0.05; // that any interval of a comparison is wrong

// Both sides of each round, in nanoseconds of CPU time per game, and their ticks.
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

// The error of a ratio of means of pairs: of the residual that the ratio leaves in each. Few ticks
// may agree by chance, so it is at least the error of their counts.
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

// CPU time of games, which is measured, not sampled.
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

// Finds what was never exercised.
class Search {
  public:
    explicit Search(const Costs& costs)
        : facts_(costs.facts), table_(costs.table), entries_(table_.sums({.entry = true})) {}

    Coverage run() {
        for (std::uint32_t rule = 0; rule < facts_.rules.size(); ++rule)
            look_at_rule(rule);
        for (std::uint32_t option = 0; option < facts_.options.size(); ++option)
            look_at_option(option);
        return std::move(found_);
    }

  private:
    void look_at_rule(std::uint32_t rule) {
        const Cost cost = table_.rule(rule);
        if (cost.tried == 0) {
            found_.never_tried.push_back(rule);
            return;
        }
        if (cost.matches == 0) found_.never_matched.push_back(rule);
        const auto& entries = facts_.rules[rule].entries;
        std::uint32_t dead = kNothing; // depth of an entry whose insides need no report
        for (std::uint32_t i = 0; i < entries.size(); ++i) {
            if (dead != kNothing && entries[i].depth > dead) continue;
            dead = kNothing;
            const Cost here = entry_of(entries_, rule, i);
            if (here.tried == 0) found_.never_reached.push_back({rule, i});
            if (here.tried > 0 && here.passed == 0 && !entries[i].inverted)
                found_.never_passed.push_back({rule, i});
            if (here.tried == 0) dead = entries[i].depth;
        }
    }

    void look_at_option(std::uint32_t option) {
        const auto& uses = facts_.options[option].uses;
        const bool used = std::ranges::any_of(uses, [&](const OptionFacts::Use& use) {
            if (use.entry == kNothing) return table_.rule(use.rule).firings > 0;
            // If entries are not watched, the rule's count must be enough.
            return facts_.mode == ProfileMode::Full
                       ? entry_of(entries_, use.rule, use.entry).tried > 0
                       : table_.rule(use.rule).tried > 0;
        });
        if (uses.empty())
            found_.unread.push_back(option);
        else if (!used)
            found_.unused.push_back(option);
    }

    const ProfileFacts& facts_;
    const CostTable& table_;
    std::map<CostKey, Cost> entries_;
    Coverage found_;
};

constexpr std::uint64_t kEnough = 20; // tries for a count to be meaningful
constexpr double kManyPairs = 4;      // children on each side of a square
constexpr double kFewPass = 0.5;      // pass rate of a selective filter
constexpr double kLeastFanOut = 1.5;  // of the entries before it

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The entries of one rule and their costs.
class RuleHints {
  public:
    RuleHints(const Costs& costs, const std::map<CostKey, Cost>& sums, std::uint32_t rule,
              std::vector<Hint>& hints)
        : facts_(costs.facts.rules[rule]), entries_(facts_.entries), rule_(rule),
          whole_(costs.table.rule(rule)), hints_(hints) {
        for (std::uint32_t i = 0; i < entries_.size(); ++i)
            costs_.push_back(entry_of(sums, rule, i));
    }

    void find() {
        if (whole_.tried < kEnough) return;
        for (const std::string& walk : facts_.walks)
            add(Hint::Kind::Walks, kNothing, kNothing, walk);
        const std::uint32_t dead_end = last_failing();
        if (whole_.matches == 0) {
            never_matches(dead_end);
        } else {
            never_passes();
            if (facts_.ordered) earlier();
            square();
        }
    }

  private:
    [[nodiscard]] std::uint32_t end_of(std::uint32_t entry) const {
        std::uint32_t end = entry + 1;
        while (end < entries_.size() && entries_[end].depth > entries_[entry].depth)
            ++end;
        return end;
    }
    [[nodiscard]] bool has_inner(std::uint32_t entry) const { return end_of(entry) > entry + 1; }
    // Children visited per try: tries of the first inner entry, before any is filtered.
    [[nodiscard]] double visited(std::uint32_t entry) const {
        return has_inner(entry) ? ratio(costs_[entry + 1].tried, costs_[entry].tried)
                                : ratio(costs_[entry].passed, costs_[entry].tried);
    }

    void add(Hint::Kind kind, std::uint32_t entry, std::uint32_t other, std::string text) {
        hints_.push_back({kind, rule_, entry, other, std::move(text)});
    }

    // The last of the entries that were reached and never passed.
    [[nodiscard]] std::uint32_t last_failing() const {
        std::uint32_t last = kNothing;
        for (std::uint32_t i = 0; i < entries_.size(); ++i)
            if (costs_[i].tried > 0 && costs_[i].passed == 0 && !entries_[i].inverted) last = i;
        return last;
    }

    void never_matches(std::uint32_t dead_end) {
        std::string text = fmt::format("tried {} times, never matched", whole_.tried);
        if (whole_.firings > 0) text += fmt::format("; its else fired {} times", whole_.firings);
        if (dead_end != kNothing)
            text += fmt::format(": none of {} tries passed {}", costs_[dead_end].tried,
                                entries_[dead_end].text);
        add(Hint::Kind::NeverMatches, dead_end, kNothing, std::move(text));
    }

    void never_passes() {
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            if (costs_[i].tried < kEnough || costs_[i].passed > 0 || entries_[i].inverted) continue;
            add(Hint::Kind::NeverPasses, i, kNothing,
                fmt::format("tried {} times and never passed: {}", costs_[i].tried,
                            entries_[i].text));
            i = end_of(i) - 1;
        }
    }

    // Whether an entry inside `later` uses variables bound from `first` up to it.
    [[nodiscard]] bool depends(std::uint32_t later, std::uint32_t first) const {
        std::set<std::string> bound;
        for (std::uint32_t i = first; i < later; ++i)
            bound.insert(entries_[i].binds.begin(), entries_[i].binds.end());
        for (std::uint32_t i = later; i < end_of(later); ++i) {
            for (const std::string& name : entries_[i].uses)
                if (bound.count(name) > 0) return true;
        }
        return false;
    }

    // The first earlier sibling that multiplies matches and that `filter` could be moved before.
    [[nodiscard]] std::uint32_t better_place(std::uint32_t filter) const {
        std::uint32_t best = kNothing;
        for (std::uint32_t i = filter; i-- > 0 && entries_[i].depth >= entries_[filter].depth;) {
            if (entries_[i].depth > entries_[filter].depth) continue;
            if (depends(filter, i)) break;
            if (ratio(costs_[i].passed, costs_[i].tried) >= kLeastFanOut) best = i;
        }
        return best;
    }

    void earlier() {
        for (std::uint32_t i = 1; i < entries_.size(); ++i) {
            const Cost& cost = costs_[i];
            const double passed = ratio(cost.passed, cost.tried);
            if (cost.tried < kEnough || cost.passed == 0 || passed > kFewPass) continue;
            const std::uint32_t before = better_place(i);
            if (before == kNothing || costs_[before].tried >= cost.tried) continue;
            add(Hint::Kind::Earlier, i, before,
                fmt::format("passes {:.0f} % and needs nothing of what stands before it: written "
                            "before {} it would be tried {} times, not {}: {}",
                            100 * passed, entries_[before].text, costs_[before].tried, cost.tried,
                            entries_[i].text));
        }
    }

    void square() {
        if (whole_.passed == 0) return;
        const double matches = ratio(whole_.matches, whole_.passed);
        for (std::uint32_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i].inverted || visited(i) < kManyPairs) continue;
            for (std::uint32_t j = i + 1; j < entries_.size(); ++j) {
                const double pairs = visited(i) * visited(j);
                if (entries_[j].inverted || visited(j) < kManyPairs || matches < pairs / 4)
                    continue;
                add(Hint::Kind::Square, i, j,
                    fmt::format("a search finds {:.0f} matches, {:.0f} of {} for each of {:.0f} of "
                                "{}: they grow with the square of what both range over",
                                matches, visited(j), entries_[j].text, visited(i),
                                entries_[i].text));
                return;
            }
        }
    }

    const RuleFacts& facts_;
    const std::vector<EntryFacts>& entries_;
    std::uint32_t rule_;
    Cost whole_;
    std::vector<Cost> costs_;
    std::vector<Hint>& hints_;
};

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
    return ticks_ >= kMinTicks;
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

// Whether two numbers from the same ticks differ; each tick counts for at most one of them.
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
            if (recorded.table.ticks_of(own) >= kMinOfRule)
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
    std::ranges::stable_sort(changes, std::ranges::greater{}, moved);
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

// Hints use only counts, so that equal runs give equal hints.

Coverage coverage_of(const Costs& costs) {
    return Search(costs).run();
}

std::vector<Hint> hints_of(const Costs& costs) {
    std::vector<Hint> hints;
    const auto sums = costs.table.sums({.entry = true});
    for (std::uint32_t rule = 0; rule < costs.facts.rules.size(); ++rule)
        RuleHints(costs, sums, rule, hints).find();
    return hints;
}

// Decision times: sums, and a histogram whose buckets grow with the time.

// Eight buckets of equal width per octave; below 8 ns one per number.
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

// The middle of the quantile's bucket, but at most the longest time.
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
