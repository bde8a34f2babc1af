// The metrics of a block's games.
#include "results/compare/comparison.h"
#include "results/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace croupier::results {

// Records to compare: two seats, A and B, one agent each.

inline RunFacts two_seats() {
    RunFacts facts;
    facts.game = "duel";
    facts.players = {"A", "B"};
    facts.agents = {"one", "two"};
    facts.seed = 1;
    return facts;
}

// Seat A has `place_a`, with agent `first`; scores are 3 for a win, 1 for a draw.
inline GameRecord game_of(std::uint32_t place_a, std::uint32_t place_b, std::uint32_t first = 0,
                          std::uint32_t plies = 10) {
    GameRecord game;
    game.plies = plies;
    game.line = 100 * place_a + 10 * place_b + first;
    const auto score = [](std::uint32_t mine, std::uint32_t its) {
        return mine == its ? 1.0 : mine < its ? 3.0 : 0.0;
    };
    game.seats = {{first, score(place_a, place_b), place_a, "", false},
                  {1 - first, score(place_b, place_a), place_b, "", false}};
    return game;
}

namespace {

constexpr auto kAll = MetricKey::Scope::All;
constexpr auto kSide = MetricKey::Scope::Side;
constexpr auto kRole = MetricKey::Scope::Role;
constexpr auto kAgent = MetricKey::Scope::Agent;

void expect(const MetricSums& sums, const MetricKey& key, double sum, double count) {
    const auto found = sums.find(key);
    ASSERT_NE(found, sums.end());
    EXPECT_DOUBLE_EQ(found->second.sum, sum);
    EXPECT_DOUBLE_EQ(found->second.count, count);
}

TEST(compare_metrics, sides_agents_and_games_are_counted) {
    MetricReader reader(two_seats(), true);
    std::array games{game_of(1, 2, 0, 10), game_of(1, 1, 1, 30)};
    games[0].choices = 25;
    games[0].forced = 4;
    games[1].choices = 55;
    games[1].forced = 6;
    const MetricSums sums = reader.read(games);
    expect(sums, {MetricKind::Win, kSide, 0, {}}, 1.5, 2); // a win and a draw
    expect(sums, {MetricKind::Win, kSide, 1, {}}, 0.5, 2);
    expect(sums, {MetricKind::Win, kAgent, 0, {}}, 1.5, 2);
    expect(sums, {MetricKind::Score, kSide, 0, {}}, 4, 2);
    expect(sums, {MetricKind::Score, kAgent, 1, {}}, 1, 2);
    expect(sums, {MetricKind::Draws, kAll, 0, {}}, 1, 2);
    expect(sums, {MetricKind::Length, kAll, 0, {}}, 40, 2);
    expect(sums, {MetricKind::Forced, kAll, 0, {}}, 10, 40);
    expect(sums, {MetricKind::Branching, kAll, 0, {}}, 80, 40);
    expect(sums, {MetricKind::Aborted, kAll, 0, {}}, 0, 2);
    EXPECT_EQ(reader.name_of({MetricKind::Win, kSide, 1, {}}), "B");
    EXPECT_EQ(reader.name_of({MetricKind::Win, kAgent, 1, {}}), "two");
    EXPECT_FALSE(
        MetricReader(two_seats(), false).read(games).contains({MetricKind::Win, kAgent, 0, {}}));
}

TEST(compare_metrics, games_that_came_to_nothing_have_an_ending_and_no_result) {
    MetricReader reader(two_seats(), true);
    GameRecord aborted = game_of(0, 0);
    aborted.end = End::Aborted;
    const MetricSums sums = reader.read({&aborted, 1});
    expect(sums, {MetricKind::Aborted, kAll, 0, {}}, 1, 1);
    expect(sums, {MetricKind::Length, kAll, 0, {}}, 10, 1);
    EXPECT_FALSE(sums.contains({MetricKind::Win, kSide, 0, {}}));
    EXPECT_FALSE(sums.contains({MetricKind::Draws, kAll, 0, {}}));
}

// Four seats in two teams; the taker's whole side wins.
TEST(compare_metrics, teams_win_together_and_roles_have_a_row_each) {
    RunFacts facts;
    facts.players = {"n", "e", "s", "w"};
    facts.teams = {{"ns", {0, 2}}, {"ew", {1, 3}}};
    facts.agents = {"one", "two"};
    MetricReader reader(facts, false);
    GameRecord game;
    game.plies = 4;
    game.seats = {{0, 90, 1, "taker", false},
                  {1, 72, 2, "defender", false},
                  {0, 90, 1, "", false},
                  {1, 72, 2, "defender", false}};
    const MetricSums sums = reader.read({&game, 1});
    expect(sums, {MetricKind::Win, kSide, 0, {}}, 1, 1);
    expect(sums, {MetricKind::Score, kSide, 0, {}}, 180, 2);
    expect(sums, {MetricKind::Win, kRole, 0, "taker"}, 1, 1);
    expect(sums, {MetricKind::Win, kRole, 0, "defender"}, 0, 2);
    expect(sums, {MetricKind::Score, kRole, 0, "defender"}, 144, 2);
    EXPECT_EQ(reader.name_of({MetricKind::Win, kSide, 1, {}}), "ew");
}

TEST(compare_metrics, every_kind_has_a_name_that_leads_back_to_it) {
    for (const MetricKind kind : metric_kinds())
        EXPECT_EQ(metric_of(name_of(kind)), kind);
    EXPECT_FALSE(metric_of("lenght"));
    EXPECT_TRUE(is_share(MetricKind::Forced));
    EXPECT_FALSE(is_share(MetricKind::Branching));
}

// Verdicts: which of several differences are reported, and how many blocks the others need.

// A mean with that error: half of the blocks below, half above it.
PairedMoments of(double mean, double error, int blocks = 100) {
    PairedDifference result;
    const double spread = error * std::sqrt(blocks - 1);
    for (int block = 0; block < blocks; ++block)
        result.add(0, mean + (block % 2 == 0 ? spread : -spread));
    return result.difference();
}

PairedMoments alike(int blocks) {
    PairedDifference result;
    for (int block = 0; block < blocks; ++block)
        result.add(0.5, 0.5);
    return result.difference(kShare);
}

TEST(compare_judge, one_difference_is_judged_as_if_alone) {
    const std::array differences{of(0.25, 0.1)}; // t of 2.5 with 99 degrees: p = 0.0141
    const auto judged = judge(differences, std::array{0.0});
    EXPECT_EQ(judged.rows[0].change, Change::Higher);
    EXPECT_NEAR(*judged.rows[0].p_value, 0.01406, 2e-4);
    EXPECT_FALSE(judged.rows[0].equivalence_p_value) << "no margin was given";
}

TEST(compare_judge, of_five_the_same_difference_is_not_told_any_more) {
    std::vector<PairedMoments> differences(5, of(0.01, 0.1));
    differences[0] = of(-0.25, 0.1);
    const std::vector<double> margins(5, 0.0);
    const auto judged = judge(differences, margins);
    EXPECT_EQ(judged.rows[0].change, Change::Undecided);
    EXPECT_NEAR(*judged.rows[0].p_value, 5 * 0.01406, 1e-3);
    // (2.5758 + 0.8416)^2 / 2.5^2 times the present number, at 1 % for each of five.
    EXPECT_NEAR(*judged.rows[0].blocks_to_decide, 188, 3);
    differences[0] = of(-0.35, 0.1);
    EXPECT_EQ(judge(differences, margins).rows[0].change, Change::Lower);
}

TEST(compare_judge, within_the_margin_goes_before_being_there) {
    const auto judged = judge(std::array{of(0.03, 0.01), of(0.09, 0.01)}, std::array{0.1, 0.1});
    EXPECT_EQ(judged.rows[0].change, Change::Equivalent) << "sure to be there, and not to matter";
    EXPECT_EQ(judged.rows[1].change, Change::Higher);
    // 1 error from the margin: the largest of all four, and one group is left.
    EXPECT_NEAR(*judged.rows[1].equivalence_p_value, 0.15988, 1e-3);
}

TEST(compare_judge, what_has_not_been_shown_is_not_called_the_same) {
    PairedDifference shifted;
    for (int block = 0; block < 100; ++block)
        shifted.add(0, 2);
    const std::array differences{alike(100), shifted.difference(), PairedDifference().difference(),
                                 alike(400), of(0.2, 0.01, 4)};
    const auto judged = judge(differences, std::array{0.02, 0.1, 0.1, 0.02, 0.0});
    EXPECT_EQ(judged.rows[0].change, Change::Undecided) << "0.98^100 is more than 5 %";
    EXPECT_FALSE(judged.rows[0].p_value) << "nothing speaks against it, so it is not corrected for";
    EXPECT_EQ(*judged.rows[0].blocks_to_decide, 149) << "ln(0.05) / ln(0.98)";
    EXPECT_EQ(judged.corrected_for, 0U) << "of none of them there is a p-value to correct";
    EXPECT_EQ(judged.rows[1].change, Change::Constant);
    EXPECT_EQ(judged.rows[2].change, Change::TooFew);
    EXPECT_EQ(judged.rows[3].change, Change::Equivalent);
    EXPECT_EQ(judged.rows[4].change, Change::TooFew);
    EXPECT_FALSE(judged.rows[4].p_value);
}

// One of four rows never differs, and two ask one question: the others are corrected for two.
TEST(compare_judge, a_family_is_what_can_be_different_and_counts_each_question_once) {
    const std::array differences{of(0.25, 0.1), of(-0.25, 0.1), of(0.01, 0.1), alike(100)};
    const std::array margins{0.0, 0.0, 0.0, 0.02};
    const auto judged = judge(differences, margins, std::array<std::size_t, 4>{0, 0, 1, 2});
    EXPECT_EQ(judged.corrected_for, 2U);
    EXPECT_NEAR(*judged.rows[0].p_value, 2 * 0.01406, 4e-4);
    EXPECT_EQ(judged.rows[0].change, Change::Higher);
    EXPECT_EQ(judged.rows[1].change, Change::Lower);
    EXPECT_NEAR(*judged.rows[3].equivalence_p_value, std::pow(0.98, 100), 1e-12);
    EXPECT_EQ(judge(differences, margins).corrected_for, 3U);
}

// Two revisions over some blocks, compared with numbers by hand.

const ChangeRow* row(const RevisionSummary& summary, MetricKind kind, const std::string& of = "") {
    const auto found =
        std::find_if(summary.rows.begin(), summary.rows.end(),
                     [&](const auto& each) { return each.kind == kind && each.of == of; });
    return found == summary.rows.end() ? nullptr : &*found;
}

// Deals that last 10, 20, 30, .. moves under A, and 3 or 5 moves longer under B.
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
    // The error is of deals that differ by 3 and 5, not of lengths 10 to 80; divisor N - 1.
    EXPECT_NEAR(*length->difference.error, std::sqrt(8.0 / 7 / 8), 1e-9);
    EXPECT_NEAR(*length->games_saved, 1 - 1 / (525 + 536.0), 1e-9);
    EXPECT_EQ(length->judgement.change, Change::Higher);
    // A wins half of the games under A, all under B; B wins none.
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

// The value of rules, compared with numbers by hand.

// Blocks of two games; agent 0 sits on A, then on B. For each variant: how many of the two it wins.
std::vector<GameRecord> block_of(std::initializer_list<int> wins) {
    std::vector<GameRecord> games;
    for (const int won : wins) {
        games.push_back(won >= 1 ? game_of(1, 2, 0) : game_of(2, 1, 0));
        games.push_back(won >= 2 ? game_of(2, 1, 1) : game_of(1, 2, 1));
    }
    return games;
}

// Without `good` agent 0 wins one game less in every other block; without `idle` nothing changes.
AblationTally two_rules() {
    AblationTally tally(two_seats(), {{"choose", "idle", {}}, {"choose", "good", {}}});
    for (int block = 0; block < 20; ++block)
        tally.add_block(block_of({block % 4 < 3 ? 2 : 1, block % 4 < 3 ? 2 : 1,
                                  block % 4 < 3 ? (block % 2 == 0 ? 1 : 2) : 1}));
    return tally;
}

TEST(compare_ablation, a_rule_is_worth_what_is_lost_without_it) {
    const AblationSummary summary = two_rules().summary(0);
    EXPECT_EQ(summary.blocks, 20U);
    EXPECT_EQ(summary.games, 40U);
    EXPECT_DOUBLE_EQ(*summary.win_rate.value, 35.0 / 40);
    EXPECT_EQ(summary.against, std::vector<std::string>{"two"});
    ASSERT_EQ(summary.rows.size(), 2U);
    const WorthRow& good = summary.rows[0]; // most worth first
    EXPECT_EQ(good.rule.name, "good");
    EXPECT_DOUBLE_EQ(*good.win_rate.value, 0.25); // half a block in every second one
    EXPECT_DOUBLE_EQ(*good.score.value, 0.25);
    EXPECT_DOUBLE_EQ(*good.points.value, 0.75);
    EXPECT_NEAR(*good.score.error, 0.25 / std::sqrt(19), 1e-9);
    EXPECT_NEAR(*good.elo.value, 400 * (std::log10(0.875 / 0.125) - std::log10(0.625 / 0.375)),
                1e-9);
    EXPECT_EQ(good.judgement.change, Change::Higher);
    EXPECT_EQ(good.alike, 10U);
    const WorthRow& idle = summary.rows[1];
    EXPECT_EQ(idle.judgement.change, Change::Undecided) << "20 deals show no more";
    EXPECT_EQ(idle.alike, 20U);
    EXPECT_EQ(*idle.elo.value, 0);
    EXPECT_FALSE(idle.elo.error);
}

TEST(compare_ablation, with_times_the_cheaper_of_two_good_rules_comes_first) {
    AblationTally tally(two_seats(),
                        {{"choose", "dear", {}}, {"choose", "cheap", {}}, {"observe", "bad", {}}});
    for (int block = 0; block < 40; ++block) {
        const bool even = block % 2 == 0;
        tally.add_block(block_of({1, 0, even ? 0 : 1, even ? 2 : 1}));
    }
    EXPECT_EQ(tally.summary(0).rows[0].rule.name, "dear");
    const std::array<std::optional<double>, 3> costs{4000.0, 500.0, 100.0};
    tally.set_costs(costs);
    const AblationSummary summary = tally.summary(0);
    EXPECT_EQ(summary.rows[0].rule.name, "cheap");
    EXPECT_NEAR(*summary.rows[0].elo_per_us.value, *summary.rows[0].elo.value / 0.5, 1e-9);
    EXPECT_NEAR(*summary.rows[0].elo_per_us.low, *summary.rows[0].elo.low / 0.5, 1e-9);
    EXPECT_EQ(summary.rows[1].rule.name, "dear");
    EXPECT_FALSE(summary.rows[1].elo_per_us.value) << "without it nothing was won at all";
    EXPECT_EQ(summary.rows[2].rule.name, "bad");
    EXPECT_EQ(summary.rows[2].judgement.change, Change::Lower);
    // Too few ticks: the cost is at most that of the cheapest other rule.
    tally.set_costs(std::array<std::optional<double>, 3>{4000.0, {}, 100.0});
    EXPECT_EQ(tally.summary(0).rows[0].rule.name, "cheap");
    EXPECT_FALSE(tally.summary(0).rows[0].elo_per_us.value);
}

TEST(compare_ablation, a_margin_says_what_does_not_matter) {
    AblationTally tally(two_seats(), {{"choose", "small", {}}});
    for (int block = 0; block < 400; ++block)
        tally.add_block(block_of({1, block == 0 ? 0 : 1}));
    EXPECT_EQ(tally.summary(0.02).rows[0].judgement.change, Change::Equivalent);
    EXPECT_EQ(tally.summary(0).rows[0].judgement.change, Change::Undecided);
}

} // namespace

} // namespace croupier::results
