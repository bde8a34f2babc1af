// A million games: the memory of standings is constant.
#include "results/report/standings.h"
#include "results/report/testing.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <malloc.h>

namespace croupier::results {
namespace {

// Bytes in use; 0 if a sanitizer has its own allocator, and then nothing is tested.
std::size_t bytes_in_use() {
    return mallinfo2().uordblks;
}

TEST(slow_standings, of_a_million_games_take_no_more_memory_than_of_some_thousand) {
    GameStandings standings(facts_of(4, {"a", "b", "c", "d"}));
    Dice dice(1);
    const auto play = [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t block = from; block < to; ++block) {
            for (std::uint32_t game = 0; game < 4; ++game) {
                GameRecord record = game_of(block, game,
                                            {{game, dice.chance(0.3) ? 1U : 2U},
                                             {(game + 1) % 4, 2},
                                             {(game + 2) % 4, dice.chance(0.2) ? 1U : 3U},
                                             {(game + 3) % 4, 4}});
                record.plies = static_cast<std::uint32_t>(1e6 * dice.uniform());
                record.fault = "illegal move " + std::to_string(dice.uniform());
                record.line = block * 4 + game;
                standings.add(record);
            }
        }
    };
    play(0, 5000);
    const std::size_t early = bytes_in_use();
    play(5000, 250000);
    const std::size_t late = bytes_in_use();
    EXPECT_LT(late, early + 65536);
    EXPECT_EQ(standings.summary().games, 1000000U);
}

} // namespace
} // namespace croupier::results
