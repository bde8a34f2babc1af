// Games in a row: the same seed gives the same games, counting does not change the odds, and the
// losers of Old Maid are those that CLIPS finds.
#include "engine/clips/session.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace croupier::engine::clips {
namespace {

std::string read(const std::string& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

GameReport play(const std::string& program, std::uint64_t games, std::uint64_t seed,
                const std::vector<std::string>& patterns, Strategy strategy = Strategy::Random) {
    Session session([](std::string_view) {});
    EXPECT_TRUE(session.load("p.clp", program, false));
    session.set_strategy(strategy);
    return session.play(games, seed, -1, patterns);
}

// Sum of (seen - expected)^2 / expected over all keys of both.
double chi_square(const std::map<std::string, std::uint64_t>& a,
                  const std::map<std::string, std::uint64_t>& b) {
    double total_a = 0;
    double total_b = 0;
    std::map<std::string, std::pair<double, double>> both;
    for (const auto& [key, count] : a) {
        both[key].first = static_cast<double>(count);
        total_a += static_cast<double>(count);
    }
    for (const auto& [key, count] : b) {
        both[key].second = static_cast<double>(count);
        total_b += static_cast<double>(count);
    }
    double sum = 0;
    for (const auto& [key, pair] : both) {
        const double all = pair.first + pair.second;
        const double expected_a = all * total_a / (total_a + total_b);
        const double expected_b = all * total_b / (total_a + total_b);
        sum += (pair.first - expected_a) * (pair.first - expected_a) / expected_a;
        sum += (pair.second - expected_b) * (pair.second - expected_b) / expected_b;
    }
    return sum;
}

const std::vector<std::string> kLosers = {"(player ? loses the game)"};

TEST(clips_games, the_seed_decides_the_games) {
    const std::string program = read("games/oldmaid/oldmaid.clp");
    const GameReport first = play(program, 300, 5, kLosers);
    const GameReport second = play(program, 300, 5, kLosers);
    EXPECT_EQ(first.counts, second.counts);
    EXPECT_EQ(first.firings, second.firings);
    EXPECT_NE(first.firings, play(program, 300, 6, kLosers).firings);
}

TEST(clips_games, every_game_of_the_repaired_program_has_one_loser) {
    const GameReport report = play(read("games/oldmaid/oldmaid.clp"), 1000, 1, kLosers);
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
    const std::string program = read("games/oldmaid/as-written.clp");
    const GameReport ours = play(program, 20000, 11, kLosers);
    if (std::system("command -v clips > /dev/null") != 0) // NOLINT
        GTEST_SKIP() << "needs the program 'clips'";
    const std::string file = testing::TempDir() + "/croupier_oldmaid.clp";
    std::ofstream(file) << program
                        << "(deffunction games (?n) (loop-for-count ?n (reset) (run)))\n"
                           "(defrule count (declare (salience 9)) (player ?p loses the game) => "
                           "(printout t LOSER ?p crlf))\n"
                           "(set-strategy random)\n(seed 3)\n(games 2000)\n(exit)\n";
    FILE* pipe = popen(("timeout 120 clips -f2 " + file + " < /dev/null").c_str(), "r"); // NOLINT
    std::map<std::string, std::uint64_t> theirs;
    char line[256];
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
        const std::string text = line;
        if (text.starts_with("LOSER"))
            ++theirs["(player " + text.substr(5, 1) + " loses the game)"];
    }
    pclose(pipe);
    ASSERT_EQ(theirs.size(), 4U);
    // 3 degrees of freedom: 21.1 is passed by chance once in 10,000 runs.
    EXPECT_LT(chi_square(ours.counts, theirs), 21.1);
}

} // namespace
} // namespace croupier::engine::clips
