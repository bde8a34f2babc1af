// The best drops, all found at once, compared with a tick by loops for each.
#include "engine/api/text.h"
#include "games/life/drops.h"
#include "games/testing/life.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace croupier::games {
namespace {

namespace naive = life::naive;

naive::Board random_board(Random& random, std::uint64_t percent) {
    naive::Board board;
    board.fill('.');
    for (char& cell : board)
        if (random.below(100) < percent) cell = random.below(2) == 0 ? 'B' : 'W';
    return board;
}

std::string state_of(const naive::Board& board, char turn) {
    std::string stones;
    for (int cell = 0; cell < naive::kCells; ++cell) {
        const char stone = board.at(static_cast<std::size_t>(cell));
        if (stone == '.') continue;
        stones += (stones.empty() ? "\"" : ",\"") + naive::name_of(cell) + "\":\"" + stone + "\"";
    }
    return "{\"board\":{" + stones + "},\"turn\":\"" + turn + "\",\"over\":false}";
}

void load(Position& position, const std::string& state) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random random(1);
    const auto document = engine::read_json(sources, sources.add("state", state), diagnostics);
    ASSERT_TRUE(position.load(*document, random, diagnostics));
    position.resume(random);
}

// Checks that both find the same cells and worth; returns the number of cells.
std::size_t expect_as_by_loops(const Game& game, Position& position, const naive::Board& board,
                               char mover) {
    load(position, state_of(board, mover));
    if (position.ending() != Ending::None) return 0;
    const naive::BestDrops best = naive::best_drops(board, mover);
    const auto worth = game.evaluation()->best_worth(position);
    Random choices(3);
    EXPECT_EQ(worth.has_value(), !best.cells.empty());
    EXPECT_EQ(game.evaluation()->best_move(position, choices).has_value(), worth.has_value());
    if (!worth || best.cells.empty()) return 0;
    EXPECT_EQ(*worth, best.worth) << state_of(board, mover);
    std::set<std::string> expected;
    for (const int cell : best.cells)
        expected.insert(naive::name_of(cell));
    std::set<std::string> found;
    // Each is missed with a probability of less than 1 in 10^6.
    for (std::size_t i = 0; i < 16 * best.cells.size(); ++i) {
        const std::size_t move = *game.evaluation()->best_move(position, choices);
        found.insert(std::string(position.text(position.move(move))));
    }
    EXPECT_EQ(found, expected) << state_of(board, mover);
    return best.cells.size();
}

TEST(life_drops, are_those_that_trying_all_of_them_finds) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    Random random(19);
    std::size_t several = 0;
    for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
        const naive::Board board = random_board(random, 1 + random.below(60));
        for (const char mover : {'B', 'W'})
            several += expect_as_by_loops(*game, *position, board, mover) > 1 ? 1 : 0;
    }
    EXPECT_GT(several, 20U);
}

// Few stones, near each other: a drop may take all of a colour, or of both.
TEST(life_drops, may_decide_the_game) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    Random random(8);
    std::set<double> ends;
    for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
        naive::Board board;
        board.fill('.');
        const std::uint64_t corner = random.below(16) * naive::kSide + random.below(16);
        for (std::uint64_t i = 0; i < 2 + random.below(5); ++i)
            board.at(corner + naive::kSide * random.below(3) + random.below(3)) =
                i % 2 == 0 ? 'B' : 'W';
        (void)expect_as_by_loops(*game, *position, board, 'B');
        if (position->ending() == Ending::None)
            ends.insert(game->evaluation()->best_worth(*position).value_or(-1));
    }
    EXPECT_TRUE(ends.contains(Evaluation::kWon));
    EXPECT_GT(ends.size(), 3U);
}

TEST(life_drops, a_full_board_has_none) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    naive::Board board;
    board.fill('B');
    board[0] = 'W';
    (void)expect_as_by_loops(*game, *position, board, 'B');
    EXPECT_EQ(game->evaluation()->best_worth(*position), std::nullopt);
}

// An enemy between one neighbour of each colour changes sides, and f5 is born.
TEST(life_drops, may_turn_an_enemy) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    load(*position, R"({"board": {"e5": "B", "f6": "W", "g7": "W", "a1": "B", "a2": "B",
        "b1": "B", "b2": "B", "r18": "W", "s18": "W", "r19": "W", "s19": "W"}})");
    EXPECT_EQ(game->evaluation()->best_worth(*position), 8 - 5);
    Random choices(1);
    const std::size_t move = *game->evaluation()->best_move(*position, choices);
    position->play(position->move(move), choices);
    EXPECT_EQ(game->evaluation()->worth(*position, 0), 8 - 5);
}

TEST(life_drops, are_known_for_the_rules_that_they_were_written_from) {
    const auto game = open_for_test("life");
    EXPECT_EQ(game->facts().ruleset, life::kRuleset)
        << "if the rules still mean the same, write the new hash in games/life/drops.h";
    const auto knows = [](const Game& of) {
        const auto position = of.new_position();
        Random random(1);
        position->start(random);
        return of.evaluation()->best_worth(*position).has_value();
    };
    EXPECT_TRUE(knows(*game));
    EXPECT_TRUE(knows(*open_for_test("life", {{"max_plies", std::int64_t{7}}})));
    EXPECT_FALSE(knows(*open_for_test("life:torus")));
    EXPECT_FALSE(knows(*open_for_test("life:axiom")));
    // An edited file is played as edited.
    const Registry changed("games", [](const std::string& path) {
        engine::FileText file = test_opener()(path);
        if (file.text) *file.text += "\n";
        return file;
    });
    EXPECT_FALSE(knows(*changed.open(parse_game_name("life")).game));
}

TEST(life_drops, the_name_of_the_file_is_the_game) {
    const Registry registry("games", test_opener());
    for (const char* const name : {"life:rules", "games/life/rules.json", "games/life:rules"}) {
        const OpenedGame opened = registry.open(parse_game_name(name));
        ASSERT_NE(opened.game, nullptr) << name << opened.error;
        EXPECT_EQ(opened.game->facts().title(), "life") << name;
    }
    // Beside a file, the name is a file.
    const OpenedGame beside = registry.open(parse_game_name("games/life/torus.json:rules"));
    ASSERT_NE(beside.game, nullptr) << beside.error;
    EXPECT_EQ(beside.game->facts().ruleset, life::kRuleset);
}

} // namespace
} // namespace croupier::games
