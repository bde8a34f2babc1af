// What the article saw in a hundred games and 400,000 show more sharply.
#include "games/life/native/statistics.h"

#include <gtest/gtest.h>

#include <iostream>

namespace croupier::games::life {
namespace {

TEST(life, four_hundred_thousand_random_games_are_as_published) {
    const Tally tally = random_against_random(1, 400'000);
    std::cout << "B " << tally.share(tally.black) << " W " << tally.share(tally.white) << " draws "
              << tally.share(tally.draws) << " plies " << tally.mean_plies() << " +- "
              << tally.plies_error() << '\n';
    EXPECT_NEAR(tally.share(tally.black), 0.535, 0.002);
    EXPECT_NEAR(tally.share(tally.draws), 0.0001, tally.share_error(0.0001));
    EXPECT_NEAR(tally.mean_plies(), 87.4, tally.plies_error());
    EXPECT_EQ(tally.unfinished, 0);
}

TEST(life, greedy_play_wins_999_games_in_1000_from_both_seats) {
    for (const Colour greedy : {Colour::Black, Colour::White}) {
        const Tally tally = greedy_against_random(1, greedy, 100'000);
        const double won = tally.share(greedy == Colour::Black ? tally.black : tally.white);
        std::cout << (greedy == Colour::Black ? "B " : "W ") << won << " draws "
                  << tally.share(tally.draws) << " unfinished " << tally.unfinished << " plies "
                  << tally.mean_plies() << '\n';
        // 99.9 % to one digit; 99.87 and 99.85 in samples of this size.
        EXPECT_NEAR(won, 0.9986, tally.share_error(0.9986));
    }
}

} // namespace
} // namespace croupier::games::life
