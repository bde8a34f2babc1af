// Who is stronger than whom: the table of README.md, from fixed seeds.
#include "agents/testing/match.h"
#include "games/testing/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>

namespace croupier::agents {
namespace {

struct Pair {
    const char* game;
    const char* one;
    const char* other;
    std::uint64_t deals;
    double errors; // by how many standard errors the first must be ahead
};

// Where it is negative, they are too close for so few deals.
constexpr Pair kPairs[] = {
    {"belote", "rules:naive", "random", 2000, 5},
    {"belote", "rules:table", "rules:naive", 2000, 5},
    {"belote", "rules:counting", "rules:table", 4000, 5},
    {"belote", "ifs", "random", 2000, 5},
    {"belote", "rules:counting", "ifs", 4000, 3},
    {"coinche", "rules:naive", "random", 1000, 5},
    {"coinche", "rules:table", "rules:naive", 2000, 5},
    {"coinche", "rules:counting", "rules:table", 4000, 5},
    {"tarot", "rules:naive", "random", 500, 5},
    {"tarot", "rules:table", "rules:naive", 2000, 5},
    {"tarot", "rules:counting", "rules:table", 6000, 5},
    {"belote", "pimc:policy=rules:table,deals=20,dd=12", "rules:counting", 200, 2},
    {"belote", "ismcts:policy=rules:table,playouts=200", "rules:counting", 400, 2},
    {"coinche", "pimc:policy=rules:table,deals=20,dd=12", "rules:counting", 400, 2},
    {"coinche", "ismcts:playouts=400", "rules:counting", 800, 3},
    {"whist", "rules:table", "random", 2000, 5},
    {"life", "eval", "random", 500, 5},
    {"life", "eval:depth=2", "eval", 50, 5},
    {"life", "mcts:playouts=200", "random", 50, 5},
    {"life", "mcts:playouts=200", "eval", 20, -1e9},
};

TEST(strength, is_as_the_readme_says) {
    std::string table = "| game | agent | against | won | lost | drawn | ahead by |\n"
                        "|---|---|---|---|---|---|---|\n";
    for (const Pair& pair : kPairs) {
        const auto game = games::open_for_test(pair.game);
        const testing::Match match = testing::match(*game, pair.one, pair.other, pair.deals);
        EXPECT_GT(match.mean, pair.errors * match.error) << pair.one << " - " << pair.other;
        table += fmt::format("| {} | `{}` | `{}` | {} | {} | {} | {:.2f} ± {:.2f} |\n", pair.game,
                             pair.one, pair.other, match.won, match.lost, match.drawn, match.mean,
                             1.96 * match.error);
    }
    std::cout << table;
    std::ifstream in("agents/README.md", std::ios::binary);
    const std::string readme{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_NE(readme.find(table), std::string::npos)
        << "write the table above into agents/README.md";
}

TEST(strength, of_two_who_play_at_random_in_life_the_first_wins_as_often_and_nobody_draws) {
    const auto life = games::open_for_test("life");
    const testing::Match match = testing::match(*life, "random", "random", 1000, 11);
    EXPECT_NEAR(match.mean, 0, 4 * match.error);
    EXPECT_LE(match.drawn, 2U);
}

} // namespace
} // namespace croupier::agents
