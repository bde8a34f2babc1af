// Hints: each follows from its numbers, and does not appear for numbers that barely miss.
#include "results/costs/cost.h"
#include "results/costs/testing.h"

#include <gtest/gtest.h>

namespace croupier::results {

// Coverage: finds zeros, but only meaningful ones.

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
    made.rule("idle", {}); // its entries need no report
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
    // If entries were not watched, it is unknown how far the search came.
    made.costs.facts.mode = ProfileMode::Sample;
    EXPECT_EQ(coverage_of(made.costs).unused, (Numbers{1}));
}

using Kind = Hint::Kind;

TEST(hints, a_rule_in_vain_names_where_its_searches_end) {
    CostsByHand made;
    made.rule("in vain", {.tried = 100, .firings = 100});
    made.entry("\"phase\": \"play\"", 0, 100, 60);
    made.entry("\"hand\"", 0, 60, 0);
    made.entry("\"$C\": true", 1, 300, 0);
    made.entry("never reached", 0, 0, 0);
    const auto hints = hints_of(made.costs);
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::NeverMatches);
    EXPECT_EQ(hints[0].entry, 2u);
    EXPECT_EQ(hints[0].text, "tried 100 times, never matched; its else fired 100 times: none of "
                             "300 tries passed \"$C\": true");
}

TEST(hints, few_tries_say_nothing) {
    CostsByHand made;
    made.rule("in vain", {.tried = 3});
    made.entry("a", 0, 3, 0);
    EXPECT_TRUE(hints_of(made.costs).empty());
}

TEST(hints, an_entry_that_never_passes_in_a_rule_that_matches) {
    CostsByHand made;
    made.rule("either", {.tried = 100, .passed = 50, .matches = 50});
    made.entry("@any", 0, 100, 50);
    made.entry("first", 1, 100, 0);
    made.entry("inside it", 2, 100, 0);
    made.entry("second", 1, 100, 50);
    made.entry("@not", 0, 50, 50);
    made.entry("unwanted", 1, 50, 0).inverted = true;
    const auto hints = hints_of(made.costs);
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::NeverPasses);
    EXPECT_EQ(hints[0].entry, 1u) << "the outermost";
}

// A loop over eight cards, then a filter that rejects three quarters.
CostsByHand late_filter() {
    CostsByHand made;
    made.rule("late", {.tried = 100, .passed = 25, .matches = 200});
    made.entry("\"hand\"", 0, 100, 800);
    made.entry("\"$C\": true", 1, 100, 800).binds = {"C"};
    made.entry("\"turn\": \"A\"", 0, 800, 200);
    return made;
}

TEST(hints, a_filter_behind_a_loop_that_it_does_not_need_goes_before_it) {
    CostsByHand made = late_filter();
    auto hints = hints_of(made.costs);
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::Earlier);
    EXPECT_EQ(hints[0].entry, 2u);
    EXPECT_EQ(hints[0].other, 0u);
    EXPECT_NE(hints[0].text.find("tried 100 times, not 800"), std::string::npos) << hints[0].text;
    // A condition on the loop's variables cannot be moved before it.
    made.costs.facts.rules[0].entries[2].uses = {"C"};
    EXPECT_TRUE(hints_of(made.costs).empty());
    // Nothing is gained if the plan chooses the order.
    made.costs.facts.rules[0].entries[2].uses.clear();
    made.costs.facts.rules[0].ordered = false;
    EXPECT_TRUE(hints_of(made.costs).empty());
}

TEST(hints, a_rule_that_reaches_nodes_one_by_one) {
    CostsByHand made;
    made.rule("pile", {.tried = 100, .passed = 100, .matches = 100});
    made.costs.facts.rules[0].walks = {"pile is reached node by node"};
    const auto hints = hints_of(made.costs);
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::Walks);
    EXPECT_EQ(hints[0].entry, kNothing);
    EXPECT_EQ(hints[0].text, "pile is reached node by node");
}

TEST(hints, a_filter_that_lets_most_through_stays) {
    CostsByHand made;
    made.rule("wide", {.tried = 100, .passed = 90, .matches = 700});
    made.entry("\"hand\"", 0, 100, 800);
    made.entry("\"turn\": \"A\"", 0, 800, 700);
    EXPECT_TRUE(hints_of(made.costs).empty());
}

TEST(hints, pairs_of_everything_with_everything) {
    CostsByHand made;
    made.rule("pairs", {.tried = 50, .passed = 50, .matches = 50 * 64});
    made.entry("\"card\"", 0, 50, 400);
    made.entry("\"$A\": {}", 1, 50, 400);
    made.entry("\"card@2\"", 0, 400, 3200);
    made.entry("\"$B\": {}", 1, 400, 3200);
    const auto hints = hints_of(made.costs);
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::Square);
    EXPECT_EQ(hints[0].entry, 1u);
    EXPECT_EQ(hints[0].other, 3u);
    EXPECT_EQ(hints[0].text.find("a search finds 64 matches, 8 of \"$B\": {} for each of 8 of"), 0u)
        << hints[0].text;
}

TEST(hints, a_join_that_leaves_few_pairs_is_no_square) {
    CostsByHand made;
    made.rule("joined", {.tried = 50, .passed = 50, .matches = 50 * 8});
    made.entry("\"$A\": {}", 0, 50, 400);
    made.entry("\"$B\": {\"rank\": \"$R\"}", 0, 400, 400);
    made.entry("\"rank\": \"$R\"", 1, 3200, 400).uses = {"R"};
    EXPECT_TRUE(hints_of(made.costs).empty());
}

} // namespace

} // namespace croupier::results
