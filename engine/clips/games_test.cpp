// Games in a row: the same seed gives the same games, counting does not change the odds, and the
// losers of Old Maid are those that CLIPS finds.
#include "engine/clips/session.h"
#include "engine/clips/testing/compare.h"
#include "engine/clips/testing/generator.h"

#include <gtest/gtest.h>

namespace croupier::engine::clips {
namespace {

GameReport play(const std::string& program, std::uint64_t games, std::uint64_t seed,
                const std::vector<std::string>& patterns, Strategy strategy = Strategy::Random) {
    Session session([](std::string_view) {});
    EXPECT_TRUE(session.load("p.clp", program, false));
    session.set_strategy(strategy);
    return session.play({games, seed, -1, patterns});
}

// The searches of a Seeker and the network must find the same activations at the same moments:
// since draws are named by what an activation is, all games are then equal.
TEST(clips_games, searches_find_what_the_network_finds) {
    const std::vector<std::string> all = {"(r $?)", "(s $?)", "(u $?)", "(v $?)", "(t)"};
    std::uint64_t sought = 0;
    std::uint64_t firings = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const std::string program = generate_game(seed);
        GameReport reports[2];
        for (const bool seeking : {false, true}) {
            Session session([](std::string_view) {});
            if (!session.load("p.clp", program, false)) break;
            session.set_strategy(Strategy::Random);
            GameOptions options{4, seed, 60, all};
            options.seeking = seeking;
            options.counting = false;
            reports[seeking ? 1 : 0] = session.play(options);
        }
        sought += reports[1].sought ? 1 : 0;
        firings += reports[1].firings;
        ASSERT_EQ(reports[0].counts, reports[1].counts) << "seed " << seed << "\n" << program;
        ASSERT_EQ(reports[0].firings, reports[1].firings) << "seed " << seed << "\n" << program;
    }
    EXPECT_GT(sought, 300U);
    EXPECT_GT(firings, 10000U);
}

TEST(clips_games, old_maid_is_the_same_game_sought_or_in_the_network) {
    for (const char* file : {"games/oldmaid/oldmaid.clp", "games/oldmaid/as-written.clp"}) {
        GameReport reports[2];
        for (const bool seeking : {false, true}) {
            Session session([](std::string_view) {});
            ASSERT_TRUE(session.load("p.clp", read_text(file), false));
            session.set_strategy(Strategy::Random);
            GameOptions options{100, 7, -1, {"(card (player ?) (suit ?) (rank ?))"}};
            options.patterns.emplace_back("(player ? loses the game)");
            options.seeking = seeking;
            options.counting = false;
            reports[seeking ? 1 : 0] = session.play(options);
            EXPECT_EQ(reports[seeking ? 1 : 0].sought, seeking);
        }
        EXPECT_EQ(reports[0].counts, reports[1].counts) << file;
        EXPECT_EQ(reports[0].firings, reports[1].firings) << file;
    }
}

const std::vector<std::string> kLosers = {"(player ? loses the game)"};

TEST(clips_games, the_seed_decides_the_games) {
    const std::string program = read_text("games/oldmaid/oldmaid.clp");
    const GameReport first = play(program, 300, 5, kLosers);
    const GameReport second = play(program, 300, 5, kLosers);
    EXPECT_EQ(first.counts, second.counts);
    EXPECT_EQ(first.firings, second.firings);
    EXPECT_NE(first.firings, play(program, 300, 6, kLosers).firings);
}

TEST(clips_games, every_game_of_the_repaired_program_has_one_loser) {
    const GameReport report = play(read_text("games/oldmaid/oldmaid.clp"), 1000, 1, kLosers);
    std::uint64_t losers = 0;
    for (const auto& [fact, count] : report.counts)
        losers += count;
    EXPECT_EQ(losers, 1000U);
    EXPECT_EQ(report.counts.size(), 4U);
}

// With draws that CLIPS makes one by one the odds must be the same as with counting: two rules that
// compete at one salience, and facts that join while others wait.
TEST(clips_games, counting_keeps_the_odds) {
    const std::string counted =
        "(deffacts f (turn) (n 1) (n 2) (n 3))\n"
        "(defrule take ?t <- (turn) (n ?x) => (retract ?t) (assert (took ?x)))\n"
        "(defrule other ?t <- (turn) => (retract ?t) (assert (took other)))";
    const GameReport report = play(counted, 40000, 3, {"(took ?)"});
    ASSERT_EQ(report.counts.size(), 4U);
    for (const auto& [fact, count] : report.counts)
        EXPECT_NEAR(static_cast<double>(count), 10000, 450) << fact; // 5 sigma
}

TEST(clips_games, without_chance_every_game_is_the_same) {
    const GameReport report =
        play("(deffacts f (n 1) (n 2) (n 3))\n"
             "(defrule take ?f <- (n ?x) => (retract ?f) (assert (last ?x)))\n"
             "(defrule one ?f <- (last ?x) ?g <- (last ?y&~?x) => (retract ?f))",
             50, 1, {"(last ?)"}, Strategy::Depth);
    ASSERT_EQ(report.counts.size(), 1U);
    EXPECT_EQ(report.counts.begin()->second, 50U);
    EXPECT_EQ(report.firings, 250U);
}

TEST(clips_games, old_maid_has_the_losers_of_clips) {
    const std::string program = read_text("games/oldmaid/as-written.clp");
    const GameReport ours = play(program, 20000, 11, kLosers);
    if (!have_clips()) GTEST_SKIP() << "needs the program 'clips'";
    const auto theirs = losers_of_clips(program, 2000, 3);
    ASSERT_EQ(theirs.size(), 4U);
    // 3 degrees of freedom: 21.1 is passed by chance once in 10,000 runs.
    EXPECT_LT(chi_square(ours.counts, theirs), 21.1);
}

} // namespace
} // namespace croupier::engine::clips
