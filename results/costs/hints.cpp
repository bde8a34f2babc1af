// Hints from counts alone, so that the same run gives the same ones.
#include "results/costs/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace croupier::results {

namespace {

// Looks for zeros.
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
        std::uint32_t dead = kNothing; // the depth of an entry whose insides are not worth telling
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
            // Where entries are not watched, the rule has to do.
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

constexpr std::uint64_t kEnough = 20; // tries before a count means something
constexpr double kManyPairs = 4;      // children on either side of a square
constexpr double kFewPass = 0.5;      // a filter that cuts
constexpr double kLeastFanOut = 1.5;  // of what stands before it

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The entries of one rule and what they cost.
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
    // Children that a try visits: known from what stands first inside, before that cuts any.
    [[nodiscard]] double visited(std::uint32_t entry) const {
        return has_inner(entry) ? ratio(costs_[entry + 1].tried, costs_[entry].tried)
                                : ratio(costs_[entry].passed, costs_[entry].tried);
    }

    void add(Hint::Kind kind, std::uint32_t entry, std::uint32_t other, std::string text) {
        hints_.push_back({kind, rule_, entry, other, std::move(text)});
    }

    // The innermost entry that was reached and never passed, the last one written.
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

    // Whether something inside `later` is bound by what stands from `first` up to it.
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

    // The first sibling before `filter` that it could stand before, and that multiplies.
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

} // namespace croupier::results
