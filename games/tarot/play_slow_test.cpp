// Enough whole deals for certainty, compared with plain C++.
#include "games/tarot/testing.h"

namespace croupier::tarot {
namespace {

TEST(tarot, thousands_of_deals_are_those_of_plain_code) {
    for (const int players : {4, 3, 5}) {
        Options options;
        options.players = players;
        expect_same_deals(options, players == 4 ? 20'000 : 5'000, 77);
    }
}

} // namespace
} // namespace croupier::tarot
