// Native Life and the loops agree, move by move and board by board; life_slow_test.cpp plays more
// games.
#include "bench/life_compare.h"
#include "engine/api/random.h"

namespace croupier::bench {
namespace {

TEST(life, kernels_play_the_games_that_loops_play) {
    compare_games(7, 300, 50);
}

// Boards as crowded as no game makes them, for the counts that games never reach.
TEST(life, kernels_and_loops_agree_on_any_board) {
    engine::Random random(5);
    for (int round = 0; round < 1500; ++round) {
        const std::uint64_t percent = random.below(101);
        life::Board board;
        for (int index = 0; index < life::kCells; ++index) {
            if (random.below(100) < percent) {
                board.put(life::Cell(index),
                          random.below(2) == 0 ? life::Colour::Black : life::Colour::White);
            }
        }
        const naive::Board cells = naive_board(board);
        const naive::Board next = naive::tick(cells);
        const std::vector<int> legal = naive::legal_drops(cells);
        const bool look_for_best = round % 15 == 0;
        const auto best = look_for_best ? naive::best_drops(cells, 'W') : naive::BestDrops();
        for (const life::Kernel* const kernel : life::usable_kernels()) {
            life::Board after;
            kernel->tick(board, after);
            ASSERT_EQ(naive_board(after), next) << kernel->name << '\n' << board.picture();
            ASSERT_EQ(kernel->legal_drops(board), set_of(legal)) << kernel->name;
            if (!look_for_best) continue;
            const life::BestDrops found = kernel->best_drops(board, life::Colour::White);
            ASSERT_EQ(found.cells, set_of(best.cells)) << kernel->name << '\n' << board.picture();
            ASSERT_EQ(found.lead, best.lead) << kernel->name << '\n' << board.picture();
        }
    }
}

} // namespace
} // namespace croupier::bench
