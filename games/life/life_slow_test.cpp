// Results of random players in Life, on a large sample, and the same games by loops.
#include "engine/api/text.h"
#include "games/testing/life.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace croupier::games {
namespace {

namespace naive = life::naive;

naive::Board board_of(const Position& position) {
    naive::Board board;
    board.fill('.');
    const engine::Document state = position.state();
    for (const engine::Member& stone : state.find("board")->value.members) {
        const int row = std::stoi(stone.key.substr(1)) - 1;
        board.at(static_cast<std::size_t>(naive::kSide * row + stone.key[0] - 'a')) =
            stone.value.text()[0];
    }
    return board;
}

TEST(life, ten_thousand_random_games_end_as_those_of_loops) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    for (std::uint64_t deal = 0; deal < 10'000; ++deal) {
        Random choices = stream(20140908, deal, Purpose::Choice);
        Random again = choices;
        Random chance(0);
        position->start(chance);
        position->play_randomly(choices, chance);
        naive::Board board = naive::beginning();
        const naive::Outcome outcome = naive::play_random(board, 'B', 2000, again);
        ASSERT_EQ(static_cast<int>(position->plies()), outcome.plies) << deal;
        ASSERT_EQ(board_of(*position), board) << deal;
        ASSERT_EQ(position->score(0), outcome.winner == 'B' ? 1 : outcome.winner == 'W' ? 0 : 0.5);
        ASSERT_EQ(choices.counter(), again.counter()) << deal;
    }
}

// 400,000 games of the naive loop gave: B wins 53.5 %, 87.4 plies, next to no draws. Three standard
// deviations of this sample on either side.
TEST(life, random_against_random_is_as_known) {
    const auto game = open_for_test("life");
    const auto position = game->new_position();
    constexpr std::uint64_t kGames = 100'000;
    double wins = 0;
    double draws = 0;
    double plies = 0;
    double squares = 0;
    for (std::uint64_t deal = 0; deal < kGames; ++deal) {
        Random random = stream(2014, deal, Purpose::Deal);
        Random choices = stream(2014, deal, Purpose::Choice);
        position->start(random);
        position->play_randomly(choices, random);
        wins += position->score(0) == 1 ? 1 : 0;
        draws += position->score(0) == 0.5 ? 1 : 0;
        const double length = position->plies();
        plies += length;
        squares += length * length;
    }
    const double n = kGames;
    RecordProperty("wins", std::to_string(wins / n));
    RecordProperty("plies", std::to_string(plies / n));
    EXPECT_NEAR(wins / n, 0.535, 0.002 + 3 * std::sqrt(0.535 * 0.465 / n));
    EXPECT_LE(draws, 25);
    const double deviation = std::sqrt((squares / n - (plies / n) * (plies / n)) / n);
    EXPECT_NEAR(plies / n, 87.4, 0.1 + 3 * deviation);
    EXPECT_LT(deviation, 0.5);
}

} // namespace
} // namespace croupier::games
