// The progress line at every width.
#include "results/report/progress.h"

#include "results/report/layout.h"

#include <gtest/gtest.h>

namespace croupier::results {
namespace {

Progress under_way() {
    Progress progress;
    progress.games = 412;
    progress.games_planned = 1000;
    progress.seconds = 4;
    progress.standing = {{"anna", 0.54}, {"ben", 0.46}};
    progress.stop = StopStatus{"sprt", false, "undecided", 1.2, -2.94, 2.94, 206};
    return progress;
}

TEST(progress, says_everything_where_there_is_room) {
    EXPECT_EQ(progress_line(under_way()),
              "412/1000 games  41 %  103/s  6 s left  anna 54.0 %  ben 46.0 %  "
              "LLR 1.20 [-2.94, 2.94]");
}

TEST(progress, leaves_out_what_is_least_missed) {
    EXPECT_EQ(progress_line(under_way(), 80),
              "412/1000 games  103/s  6 s left  anna 54.0 %  ben 46.0 %  LLR 1.20 [-2.94, 2.94]");
    EXPECT_EQ(progress_line(under_way(), 50), "412/1000 games  6 s left  LLR 1.20 [-2.94, 2.94]");
    EXPECT_EQ(progress_line(under_way(), 20), "412/1000 games");
    for (std::size_t width = 2; width < 100; ++width)
        EXPECT_LE(display_width(progress_line(under_way(), width)), width);
}

TEST(progress, does_not_count_the_games_of_an_earlier_run_as_speed) {
    Progress progress = under_way();
    progress.games_before = 400;
    progress.standing.clear();
    progress.stop.reset();
    EXPECT_EQ(progress_line(progress), "412/1000 games  41 %  3.0/s  3 min 16 s left");
}

TEST(progress, at_the_start_promises_nothing) {
    Progress progress;
    EXPECT_EQ(progress_line(progress), "0 games");
    progress.stop = StopStatus{"sprt", false, "undecided", std::nullopt, -2.94, 2.94, 0};
    EXPECT_EQ(progress_line(progress), "0 games  LLR undefined [-2.94, 2.94]");
}

TEST(progress, durations) {
    EXPECT_EQ(duration(0.04), "0.0 s");
    EXPECT_EQ(duration(59.4), "59 s");
    EXPECT_EQ(duration(59.6), "1 min 00 s");
    EXPECT_EQ(duration(3599.7), "1 h 00 min");
    EXPECT_EQ(duration(100000), "27 h 46 min");
}

} // namespace
} // namespace croupier::results
