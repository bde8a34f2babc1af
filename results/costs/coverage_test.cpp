// Coverage: zeros are found, and only those that mean something.
#include "results/costs/coverage.h"

#include "results/costs/testing.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(coverage, a_rule_that_was_never_tried_is_told_apart_from_one_that_never_matched) {
    CostsByHand made;
    made.rule("matches", {.tried = 5, .passed = 1, .matches = 1, .firings = 1});
    made.rule("idle", {});
    made.rule("in vain", {.tried = 5});
    const Coverage coverage = coverage_of(made.costs);
    EXPECT_EQ(coverage.never_tried, (Numbers{1}));
    EXPECT_EQ(coverage.never_matched, (Numbers{2}));
}

TEST(coverage, of_what_was_never_reached_the_outermost_entry_is_told) {
    CostsByHand made;
    made.rule("rule", {.tried = 5, .passed = 1, .matches = 1});
    made.entry("a", 0, 5, 1);
    made.entry("b", 0, 5, 0);
    made.entry("c", 0, 0, 0);
    made.entry("c inside", 1, 0, 0);
    made.entry("d", 0, 0, 0);
    made.entry("@not", 0, 5, 5);
    made.entry("refused", 1, 5, 0).inverted = true;
    made.rule("idle", {}); // its entries are not worth telling
    made.entry("x", 0, 0, 0);
    const Coverage coverage = coverage_of(made.costs);
    EXPECT_EQ(coverage.never_passed, (std::vector<EntryRef>{{0, 1}}));
    EXPECT_EQ(coverage.never_reached, (std::vector<EntryRef>{{0, 2}, {0, 4}}));
}

TEST(coverage, an_option_counts_as_looked_at_by_what_the_rules_did) {
    CostsByHand made;
    made.rule("fires", {.tried = 5, .passed = 1, .matches = 1, .firings = 1});
    made.entry("guard", 0, 5, 1);
    made.entry("option", 0, 0, 0);
    made.rule("in vain", {.tried = 5});
    made.costs.facts.options = {
        {"in an action", "1", {{0, kNothing}}},
        {"in an action in vain", "1", {{1, kNothing}}},
        {"behind the guard", "1", {{0, 1}}},
        {"guard", "1", {{0, 1}, {0, 0}}},
        {"nobody's", "1", {}},
    };
    EXPECT_EQ(coverage_of(made.costs).unused, (Numbers{1, 2}));
    EXPECT_EQ(coverage_of(made.costs).unread, (Numbers{4}));
    // Where entries were not watched nobody knows how far the search came.
    made.costs.facts.mode = ProfileMode::Sample;
    EXPECT_EQ(coverage_of(made.costs).unused, (Numbers{1}));
}

} // namespace
} // namespace croupier::results
