// What takes too long for every run of the tests: a million facts, and the losers of a hundred
// thousand games.
#include "engine/clips/session.h"
#include "engine/clips/testing/compare.h"

#include <gtest/gtest.h>

namespace croupier::engine::clips {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// A fact with two fields takes about 300 bytes: itself, its fields, its place in the tables, and
// its match in each pattern that it meets.
TEST(clips_slow, a_million_facts_from_a_file) {
    std::string text = "(defrule last (n 999999 ?x) (n ?x 0) => (printout t \"met \" ?x crlf))\n"
                       "(deffacts many\n";
    for (int i = 0; i < 1'000'000; ++i)
        text += "(n " + std::to_string(i) + " " + std::to_string((i * 7) % 1'000'000) + ")\n";
    text += ")\n";
    std::string printed;
    Session session([&](std::string_view piece) { printed += piece; });
    ASSERT_TRUE(session.load("many.clp", text, false));
    session.reset();
    EXPECT_EQ(session.network().facts().count, 1'000'001U);
    EXPECT_EQ(session.run(-1), 0);
    EXPECT_LT(session.network().arena().bytes(), 900 * kMiB);
    // 999993 = 7 * 999999 modulo a million; only (n 0 0) ends with 0.
    EXPECT_EQ(printed, "");
}

TEST(clips_slow, a_million_facts_that_rules_make_and_take) {
    std::string printed;
    Session session([&](std::string_view piece) { printed += piece; });
    ASSERT_TRUE(
        session.load("p.clp",
                     "(deffacts start (count 0))\n"
                     "(defrule make ?c <- (count ?n&:(< ?n 1000000))\n"
                     "  => (retract ?c) (assert (count (+ ?n 1)) (n ?n)))\n"
                     "(defrule take (declare (salience -1)) ?n <- (n ?) => (retract ?n))\n"
                     "(defrule done (declare (salience -2)) (not (n ?)) => (printout t done crlf))",
                     false));
    session.reset();
    EXPECT_EQ(session.run(1'000'000), 1'000'000);
    EXPECT_EQ(session.network().facts().count, 1'000'002U);
    EXPECT_LT(session.network().arena().bytes(), 1200 * kMiB);
    EXPECT_EQ(session.run(-1), 1'000'001);
    EXPECT_EQ(session.network().facts().count, 2U);
    EXPECT_EQ(printed, "done\n");
}

TEST(clips_slow, a_hundred_thousand_games_have_the_losers_of_clips) {
    const std::string program = read_text("games/oldmaid/as-written.clp");
    Session session([](std::string_view) {});
    ASSERT_TRUE(session.load("p.clp", program, false));
    session.set_strategy(Strategy::Random);
    const GameReport ours = session.play({100'000, 11, -1, {"(player ? loses the game)"}});
    EXPECT_TRUE(ours.sought);
    EXPECT_EQ(ours.games, 100'000U);
    if (!have_clips()) GTEST_SKIP() << "needs the program 'clips'";
    const auto theirs = losers_of_clips(program, 50'000, 3);
    ASSERT_EQ(theirs.size(), 4U);
    // 3 degrees of freedom: 21.1 is passed by chance once in 10,000 runs.
    EXPECT_LT(chi_square(ours.counts, theirs), 21.1);
}

} // namespace
} // namespace croupier::engine::clips
