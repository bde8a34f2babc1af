// Looks for zeros.
#include "results/costs/coverage.h"

#include <algorithm>

namespace croupier::results {
namespace {

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
    [[nodiscard]] Cost entry(std::uint32_t rule, std::uint32_t entry) const {
        const auto found = entries_.find({rule, Phase::Setup, kNothing, entry});
        return found == entries_.end() ? Cost{} : found->second;
    }

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
            const Cost here = entry(rule, i);
            if (here.tried == 0) found_.never_reached.push_back({rule, i});
            if (here.tried > 0 && here.passed == 0 && !entries[i].inverted)
                found_.never_passed.push_back({rule, i});
            if (here.tried == 0) dead = entries[i].depth;
        }
    }

    void look_at_option(std::uint32_t option) {
        const auto& uses = facts_.options[option].uses;
        const bool used = std::any_of(uses.begin(), uses.end(), [&](const OptionFacts::Use& use) {
            if (use.entry == kNothing) return table_.rule(use.rule).firings > 0;
            // Where entries are not watched, the rule has to do.
            return facts_.mode == ProfileMode::Full ? entry(use.rule, use.entry).tried > 0
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

} // namespace

Coverage coverage_of(const Costs& costs) {
    return Search(costs).run();
}

} // namespace croupier::results
