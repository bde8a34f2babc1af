// Medians over rounds.
#include "results/costs/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace croupier::results {
namespace {

using Verdict = CostChange::Verdict;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Own time per game in each round, on both sides.
using OwnTime = std::function<std::uint64_t(const CostTable&)>;

void measure(std::span<const CostRound> rounds, const OwnTime& old_time, const OwnTime& new_time,
             CostChange& change) {
    std::vector<double> old_ns;
    std::vector<double> new_ns;
    std::vector<double> ratios;
    for (const CostRound& round : rounds) {
        const auto old = round.old.per_game(old_time(round.old));
        const auto now = round.now.per_game(new_time(round.now));
        if (!old || !now) continue;
        old_ns.push_back(*old);
        new_ns.push_back(*now);
        if (*old > 0) ratios.push_back(*now / *old);
    }
    if (old_ns.empty()) return;
    change.old = median(old_ns);
    change.now = median(new_ns);
    if (ratios.size() < rounds.size()) return; // too cheap to be compared
    change.ratio = median(ratios);
    const auto above = static_cast<std::size_t>(
        std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio > 1; }));
    const auto below = static_cast<std::size_t>(
        std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio < 1; }));
    const std::size_t enough = ratios.size() - ratios.size() / 9;
    if (*change.ratio >= kSlowerBy && above >= enough) change.verdict = Verdict::Slower;
    if (*change.ratio <= 1 / kSlowerBy && below >= enough) change.verdict = Verdict::Faster;
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
    return std::any_of(rounds.begin(), rounds.end(), [&](const CostRound& round) {
        return (old_rule != kNothing && round.old.rule(old_rule).tried > 0) ||
               (new_rule != kNothing && round.now.rule(new_rule).tried > 0);
    });
}

} // namespace

std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 5> kNames = {"same", "slower", "faster", "new", "gone"};
    return kNames[static_cast<std::size_t>(verdict)];
}

std::span<const Verdict> cost_verdicts() {
    static constexpr std::array kAll = {Verdict::Same, Verdict::Slower, Verdict::Faster,
                                        Verdict::New, Verdict::Gone};
    return kAll;
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
    for (const auto& [key, rules] : all) {
        const auto& [old_rule, new_rule] = rules;
        if (!tried(rounds, old_rule, new_rule)) continue;
        CostChange change;
        std::tie(change.owner, change.group, change.name) = key;
        if (old_rule != kNothing)
            change.recorded = recorded.table.per_game(recorded.table.rule(old_rule).self_ns());
        measure(rounds, time_of(old_rule), time_of(new_rule), change);
        if (old_rule == kNothing) change.verdict = Verdict::New;
        if (new_rule == kNothing) change.verdict = Verdict::Gone;
        changes.push_back(std::move(change));
    }
    const auto moved = [](const CostChange& change) {
        return std::abs(change.now.value_or(0) - change.old.value_or(0));
    };
    std::stable_sort(changes.begin(), changes.end(),
                     [&](const CostChange& a, const CostChange& b) { return moved(a) > moved(b); });
    CostChange whole;
    whole.name = "all rules";
    whole.recorded = recorded.table.per_game(recorded.table.self_ns());
    const OwnTime everything = [](const CostTable& table) { return table.self_ns(); };
    measure(rounds, everything, everything, whole);
    changes.insert(changes.begin(), std::move(whole));
    return changes;
}

} // namespace croupier::results
