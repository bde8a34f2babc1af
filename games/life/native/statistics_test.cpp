// What random play shows: small samples; statistics_slow_test.cpp takes large ones.
#include "games/life/native/statistics.h"

#include <gtest/gtest.h>

namespace croupier::games::life {
namespace {

// The expected shares are those of the 400,000 games of statistics_slow_test.cpp.
TEST(life, random_games_favour_whoever_begins) {
    const Tally tally = random_against_random(2014, 40'000);
    EXPECT_NEAR(tally.share(tally.black), 0.535, tally.share_error(0.535));
    EXPECT_NEAR(tally.mean_plies(), 87.4, tally.plies_error());
    EXPECT_LT(tally.share(tally.draws), 0.0001 + tally.share_error(0.0001));
    EXPECT_EQ(tally.unfinished, 0);
}

TEST(life, greedy_play_beats_random_play_from_both_seats) {
    for (const Colour greedy : {Colour::Black, Colour::White}) {
        const Tally tally = greedy_against_random(2014, greedy, 2'000);
        const double won = tally.share(greedy == Colour::Black ? tally.black : tally.white);
        EXPECT_NEAR(won, 0.9986, tally.share_error(0.9986));
    }
}

} // namespace
} // namespace croupier::games::life
