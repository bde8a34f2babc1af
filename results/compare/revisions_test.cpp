// Two revisions over some blocks, against numbers made by hand.
#include "results/compare/revisions.h"

#include "results/compare/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace croupier::results {
namespace {

const ChangeRow* row(const RevisionSummary& summary, MetricKind kind, const std::string& of = "") {
    const auto found =
        std::find_if(summary.rows.begin(), summary.rows.end(),
                     [&](const auto& each) { return each.kind == kind && each.of == of; });
    return found == summary.rows.end() ? nullptr : &*found;
}

// Deals that last 10, 20, 30, .. moves under A, and under B 3 or 5 longer.
RevisionTally some_deals(std::uint32_t deals = 8) {
    RevisionTally tally(two_seats(), false);
    for (std::uint32_t deal = 0; deal < deals; ++deal) {
        const std::uint32_t length = 10 * (deal + 1);
        const std::array a{game_of(1, 2, 0, length), game_of(2, 1, 1, length)};
        const std::array b{game_of(1, 2, 0, length + 3 + 2 * (deal % 2)),
                           game_of(1, 2, 1, length + 3 + 2 * (deal % 2))};
        tally.add_block(a, b);
    }
    return tally;
}

TEST(compare_revisions, differences_are_of_the_same_deals) {
    const RevisionSummary summary = some_deals().summary({}, {});
    EXPECT_EQ(summary.blocks, 8U);
    EXPECT_EQ(summary.games, 16U);
    EXPECT_EQ(summary.alike, 0U);
    const ChangeRow* length = row(summary, MetricKind::Length);
    ASSERT_NE(length, nullptr);
    EXPECT_DOUBLE_EQ(*length->under_a.value, 45);
    EXPECT_DOUBLE_EQ(*length->under_b.value, 49);
    EXPECT_DOUBLE_EQ(*length->difference.value, 4);
    // Of deals that differ by 3 and 5, not of those that last 10 to 80; the divisor is N - 1.
    EXPECT_NEAR(*length->difference.error, std::sqrt(8.0 / 7 / 8), 1e-9);
    EXPECT_NEAR(*length->games_saved, 1 - 1 / (525 + 536.0), 1e-9);
    EXPECT_EQ(length->judgement.change, Change::Higher);
    // A wins half of the games under A, all under B; B none.
    const ChangeRow* win = row(summary, MetricKind::Win, "A");
    ASSERT_NE(win, nullptr);
    EXPECT_DOUBLE_EQ(*win->difference.value, 0.5);
    EXPECT_EQ(win->judgement.change, Change::Constant) << "in every block";
    EXPECT_EQ(row(summary, MetricKind::Draws)->differing, 0U);
    EXPECT_EQ(row(summary, MetricKind::Draws)->judgement.change, Change::Undecided)
        << "eight deals without a difference show none";
    EXPECT_EQ(row(some_deals(4).summary({}, {}), MetricKind::Length)->judgement.change,
              Change::TooFew);
    EXPECT_EQ(row(summary, MetricKind::Win, "one"), nullptr) << "both agents are the same";
}

TEST(compare_revisions, only_what_is_asked_for_is_corrected_for) {
    const std::array kinds{MetricKind::Length};
    const RevisionSummary summary = some_deals().summary(kinds, {});
    ASSERT_EQ(summary.rows.size(), 1U);
    EXPECT_DOUBLE_EQ(*summary.rows[0].judgement.p_value, 2.0 / 256) << "of all ways to swap";
    Margins margins;
    margins.of[MetricKind::Length] = 6;
    const ChangeRow same = some_deals().summary(kinds, margins).rows[0];
    EXPECT_EQ(same.judgement.change, Change::Equivalent);
    EXPECT_EQ(same.margin, 6);
    EXPECT_EQ(Margins{}.at(MetricKind::Length), 0);
    EXPECT_EQ(Margins{}.at(MetricKind::Draws), 0.02);
}

// Every second deal is drawn instead of won.
TEST(compare_revisions, what_is_one_question_is_paid_for_once) {
    RevisionTally tally(two_seats(), false);
    for (std::uint32_t deal = 0; deal < 20; ++deal) {
        const std::array a{game_of(1, 2, 0), game_of(2, 1, 1)};
        const std::array b{game_of(1, deal % 2 == 0 ? 2 : 1, 0), game_of(2, 1, 1)};
        tally.add_block(a, b);
    }
    const RevisionSummary summary = tally.summary({}, {});
    const auto differ = std::count_if(summary.rows.begin(), summary.rows.end(),
                                      [](const ChangeRow& each) { return each.differing > 0; });
    EXPECT_EQ(differ, 5) << "wins and scores of both, draws";
    EXPECT_EQ(summary.corrected_for, 4U);
    const std::array wins{MetricKind::Win};
    const RevisionSummary alone = tally.summary(wins, {});
    EXPECT_EQ(alone.corrected_for, 1U);
    EXPECT_DOUBLE_EQ(*alone.rows[0].judgement.p_value, *alone.rows[1].judgement.p_value);
    const std::array both{game_of(1, 2, 0), game_of(2, 1, 1)};
    RevisionTally agents(two_seats(), true);
    for (std::uint32_t deal = 0; deal < 20; ++deal)
        agents.add_block(both, std::array{game_of(1, deal % 3 == 0 ? 1 : 2, 0), both[1]});
    EXPECT_EQ(agents.summary(wins, {}).rows.size(), 4U);
    EXPECT_EQ(agents.summary(wins, {}).corrected_for, 2U) << "of sides and of agents";
}

TEST(compare_revisions, what_would_decide_is_told_in_games) {
    RevisionTally tally(two_seats(), false);
    for (int deal = 0; deal < 100; ++deal) { // +1 or -1, 0.1 on the mean
        const std::array a{game_of(1, 2, 0, 20), game_of(1, 2, 1, 20)};
        const std::uint32_t length = deal < 55 ? 21 : 19;
        const std::array b{game_of(1, 2, 0, length), game_of(1, 2, 1, length)};
        tally.add_block(a, b);
    }
    const std::array kinds{MetricKind::Length};
    const ChangeRow length = tally.summary(kinds, {}).rows[0];
    EXPECT_NEAR(*length.difference.value, 0.1, 1e-12);
    EXPECT_EQ(length.judgement.change, Change::Undecided);
    EXPECT_NEAR(*length.judgement.blocks_to_decide, 798, 8);
    EXPECT_EQ(*length.games_to_decide, 2 * *length.judgement.blocks_to_decide);
}

TEST(compare_revisions, deals_that_go_the_same_way_are_counted) {
    RevisionTally tally(two_seats(), false);
    const std::array a{game_of(1, 2, 0), game_of(2, 1, 1)};
    const std::array other{game_of(1, 2, 0), game_of(1, 1, 1)};
    tally.add_block(a, a);
    tally.add_block(a, other);
    const RevisionSummary summary = tally.summary({}, {});
    EXPECT_EQ(summary.alike, 1U);
    EXPECT_FALSE(same_lines(a, other));
}

} // namespace
} // namespace croupier::results
