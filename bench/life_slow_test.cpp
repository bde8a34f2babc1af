// Native Life and the loops through ten thousand games.
#include "bench/life_compare.h"

namespace croupier::bench {
namespace {

TEST(life, kernels_play_ten_thousand_games_that_loops_play) {
    compare_games(20140908, 10'000, 500);
}

} // namespace
} // namespace croupier::bench
