// The tables of the king and rook endgame from every position against every defence, and the
// results of following them badly; the tables of king and pawn against what can be won.
#include "agents/advice/verify.h"
#include "agents/tablebase/tablebase.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <map>

namespace croupier::agents::advice {
namespace {

std::shared_ptr<const AdviceTable> open(const std::string& path, const char* title = "krk") {
    const auto game = games::open_for_test(title);
    const OpenedTable opened = open_table(path, games::test_opener(), *game->ruleset_game());
    EXPECT_FALSE(opened.diagnostics.has_errors()) << path;
    return opened.table;
}

std::map<std::string, std::uint64_t> advice_of(const AdviceTable& table,
                                               const Verification& result) {
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t i = 0; i < result.by_advice.size(); ++i)
        counts[table.advice()[i].name] = result.by_advice[i];
    return counts;
}

std::uint64_t of(const Verification& result, Outcome outcome) {
    return result.outcomes[static_cast<std::size_t>(outcome)];
}

TEST(krk, the_fixed_table_mates_from_every_position) {
    const auto table = open("games/krk/advice/fixed.json");
    Verifier verifier(table);
    const Verification& result = verifier.run();
    EXPECT_EQ(result.roots, 175168U);
    EXPECT_EQ(result.secured, 175168U);
    EXPECT_EQ(result.max, 34U);
    EXPECT_NEAR(result.mean, 19.7306, 0.00005);
    EXPECT_NEAR(result.random_mean, 12.3577, 0.00005);
    EXPECT_NEAR(result.nodes_mean, 41.15, 0.005);
    EXPECT_EQ(result.nodes_max, 1359U);
    EXPECT_EQ(advice_of(*table, result),
              (std::map<std::string, std::uint64_t>{{"squeeze", 116504},
                                                    {"divide_in_2", 32948},
                                                    {"approach", 16180},
                                                    {"mate_in_2", 6188},
                                                    {"keeproom", 3344},
                                                    {"divide_in_3", 4}}));
    const std::vector<std::uint64_t> lengths = {
        0,     794,  5394, 202,  151,  514,  598,  1326,  1469, 2171, 2068,  3577,
        4356,  5458, 5991, 8237, 8950, 8068, 9831, 11188, 9228, 9976, 10712, 9541,
        10087, 9302, 8578, 7656, 6128, 5144, 3853, 2370,  1543, 705,  2};
    EXPECT_EQ(result.lengths, lengths);
}

TEST(krk, the_published_table_fails_on_48_positions_by_stalemate) {
    const auto table = open("games/krk/advice/published.json");
    Verifier published(table);
    const Verification& result = published.run();
    EXPECT_EQ(result.roots, 175168U);
    EXPECT_EQ(result.secured, 175120U);
    EXPECT_EQ(of(result, Outcome::Drawn), 48U);
    EXPECT_EQ(result.max, 34U);
    EXPECT_NEAR(result.mean, 19.7326, 0.00005);
    EXPECT_NEAR(result.nodes_mean, 41.14, 0.005);
    std::uint64_t cornered = 0;
    for (std::uint32_t root = 0; root < published.size(); ++root) {
        if (published.outcome(root) == Outcome::Won) continue;
        const engine::Document bk = published.state(root).find("bk")->value;
        const auto edge = [&](const char* name) {
            const auto at = std::get<std::int64_t>(bk.find(name)->value.scalar);
            return at == 1 || at == 8;
        };
        cornered += edge("x") && edge("y") ? 1 : 0;
    }
    EXPECT_EQ(cornered, 40U);
    // The revision fixes exactly these.
    Verifier fixed(open("games/krk/advice/fixed.json"));
    fixed.run();
    std::uint64_t mended = 0;
    for (std::uint32_t root = 0; root < published.size(); ++root) {
        if (published.outcome(root) == fixed.outcome(root)) {
            ASSERT_EQ(published.length(root), fixed.length(root));
            continue;
        }
        EXPECT_EQ(fixed.outcome(root), Outcome::Won);
        ++mended;
    }
    EXPECT_EQ(mended, 48U);
}

// Following a table badly in one of these ways secures only that many.
struct Bad {
    const char* table;
    bool keep_tree;
    std::uint64_t secured;
};

class BadlyFollowed : public ::testing::TestWithParam<Bad> {};

TEST_P(BadlyFollowed, fails_massively) {
    Verifier verifier(open(GetParam().table), {.keep_tree = GetParam().keep_tree, .search = {}});
    const Verification& result = verifier.run();
    EXPECT_EQ(result.roots, 175168U);
    EXPECT_EQ(result.secured, GetParam().secured);
}

INSTANTIATE_TEST_SUITE_P(
    krk, BadlyFollowed,
    ::testing::Values(Bad{"games/krk/advice/published.json", false, 31520},
                      Bad{"games/krk/advice/fixed.json", false, 31546},
                      Bad{"agents/advice/testing/orthogonal.json", true, 16153},
                      Bad{"agents/advice/testing/no-keeproom.json", true, 26852},
                      Bad{"agents/advice/testing/no-approach.json", true, 7727}),
    [](const auto& each) { return "case_" + std::to_string(each.index); });

// The worth of each root of the verifier, in order.
void worths(Verifier& verifier, const games::Game& game, std::vector<Solution::Worth>& into) {
    Solution solution(game);
    const auto position = game.new_position();
    verifier.enumerate();
    for (std::uint32_t root = 0; root < verifier.size(); ++root) {
        engine::Diagnostics diagnostics;
        games::Random chance;
        ASSERT_TRUE(position->load(verifier.state(root), chance, diagnostics));
        position->resume(chance);
        into.push_back(solution.worth(*position));
    }
}

TEST(krk, the_tablebase_needs_sixteen_moves_at_most) {
    Verifier verifier(open("games/krk/advice/fixed.json"));
    std::vector<Solution::Worth> all;
    ASSERT_NO_FATAL_FAILURE(worths(verifier, *games::open_for_test("krk"), all));
    std::vector<std::uint64_t> moves(17);
    for (const Solution::Worth& worth : all) {
        ASSERT_EQ(worth.winner, games::Seat{0});
        ASSERT_LE(worth.plies, 31U);
        ++moves[(worth.plies + 1) / 2];
    }
    const std::vector<std::uint64_t> known = {0,     1512,  4676,  3852,  1900,  4848,
                                              8708,  11320, 17172, 20088, 19016, 20476,
                                              21480, 17824, 16136, 5244,  916};
    EXPECT_EQ(moves, known);
}

// Moves until the pawn is promoted, for each position that White wins.
TEST(kpk, the_tablebase_knows_what_can_be_won) {
    Verifier verifier(open("games/kpk/advice/race.json", "kpk"));
    std::vector<Solution::Worth> all;
    ASSERT_NO_FATAL_FAILURE(worths(verifier, *games::open_for_test("kpk"), all));
    // White is stalemated in four of the 163,328 positions.
    ASSERT_EQ(all.size(), 163324U);
    std::vector<std::uint64_t> moves(20);
    std::uint64_t won = 0;
    for (const Solution::Worth& worth : all) {
        if (!worth.winner) continue;
        ASSERT_EQ(*worth.winner, games::Seat{0});
        ASSERT_LE(worth.plies, 37U);
        ++won;
        ++moves[(worth.plies + 1) / 2];
    }
    EXPECT_EQ(won, 124960U);
    const std::vector<std::uint64_t> known = {0,    25500, 22600, 19248, 15728, 21022, 5128,
                                              2832, 2914,  2244,  1882,  1370,  1340,  1172,
                                              1144, 614,   156,   44,    16,    6};
    EXPECT_EQ(moves, known);
}

TEST(kpk, the_rule_of_the_square_forces_three_quarters) {
    Verifier verifier(open("games/kpk/advice/race.json", "kpk"));
    const Verification& result = verifier.run();
    EXPECT_EQ(result.secured, 94470U);
    EXPECT_EQ(of(result, Outcome::NoAdvice), 163324U - 94470U) << "it is never wrong";
    EXPECT_EQ(result.max, 6U);
}

// Secures all positions that can be won, and tries no others.
TEST(kpk, key_squares_force_every_position_that_can_be_won) {
    const auto table = open("games/kpk/advice/keys.json", "kpk");
    Verifier verifier(table);
    const Verification& result = verifier.run();
    EXPECT_EQ(result.secured, 124960U);
    EXPECT_EQ(of(result, Outcome::NoAdvice), 163324U - 124960U);
    EXPECT_EQ(result.max, 23U);
    EXPECT_NEAR(result.mean, 4.2509, 0.00005);
    EXPECT_EQ(result.nodes_max, 10787U);
    EXPECT_NEAR(result.nodes_mean, 220.556, 0.0005);
}

} // namespace
} // namespace croupier::agents::advice
