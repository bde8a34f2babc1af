// Whole deals against plain code, and positions written by hand.
#include "games/coinche/testing.h"

namespace croupier::plain {
namespace {

TEST(coinche, deals_go_as_with_plain_code) {
    const Seen seen = expect_same_deals({}, 1, 400);
    EXPECT_GT(seen.made, 20);
    EXPECT_GT(seen.failed, 100);
    EXPECT_GT(seen.doubled_and_made, 5);
    EXPECT_GT(seen.announced, 100);
}

TEST(coinche, deals_go_as_with_plain_code_with_each_option) {
    expect_same_deals_with_each_option(1000, 30);
}

} // namespace
} // namespace croupier::plain
