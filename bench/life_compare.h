// Plays random games of Life in loops and on a kernel side by side; for tests.
#pragma once

#include "engine/api/random.h"
#include "games/life/naive.h"
#include "games/life/native/kernel.h"

#include <gtest/gtest.h>

namespace croupier::bench {

namespace life = games::life;
namespace naive = games::life::naive;

inline naive::Board naive_board(const life::Board& board) {
    return naive::board_of(board.picture());
}

inline life::CellSet set_of(const std::vector<int>& cells) {
    life::CellSet set;
    for (const int cell : cells) {
        set.insert(life::Cell(cell));
    }
    return set;
}

// Every legal drop and every board of `games` games, on all kernels; every `best_every`-th board
// also the best drops of both.
inline void compare_games(std::uint64_t seed, int games, int best_every) {
    int boards = 0;
    for (int game = 0; game < games; ++game) {
        const engine::Random stream = engine::Random(seed).stream(static_cast<std::uint64_t>(game));
        engine::Random random = stream;
        life::Board board = life::Board::start();
        naive::Board expected = naive_board(board);
        naive::Outcome outcome;
        for (char mover = 'B'; outcome.plies < 2000 && outcome.winner == '.';
             mover = mover == 'B' ? 'W' : 'B') {
            const std::vector<int> legal = naive::legal_drops(expected);
            ASSERT_FALSE(legal.empty());
            const int pick = static_cast<int>(random.below(legal.size()));
            const life::CellSet drops = set_of(legal);
            ASSERT_EQ(drops.nth(pick), life::Cell(legal[pick]));
            const bool look_for_best = ++boards % best_every == 0;
            for (const life::Kernel* const kernel : life::usable_kernels()) {
                ASSERT_EQ(kernel->legal_drops(board), drops)
                    << kernel->name << " game " << game << " ply " << outcome.plies;
                for (const char who : {'B', 'W'}) {
                    if (!look_for_best) continue;
                    const naive::BestDrops best = naive::best_drops(expected, who);
                    const life::BestDrops found = kernel->best_drops(
                        board, who == 'B' ? life::Colour::Black : life::Colour::White);
                    ASSERT_EQ(found.cells, set_of(best.cells)) << kernel->name;
                    ASSERT_EQ(found.cells.nth(0), life::Cell(best.cells[0])) << kernel->name;
                    ASSERT_EQ(found.lead, best.lead) << kernel->name;
                }
            }
            expected[legal[pick]] = mover;
            expected = naive::tick(expected);
            board.put(life::Cell(legal[pick]),
                      mover == 'B' ? life::Colour::Black : life::Colour::White);
            const life::Board before = board;
            for (const life::Kernel* const kernel : life::usable_kernels()) {
                kernel->tick(before, board);
                ASSERT_EQ(naive_board(board), expected)
                    << kernel->name << " game " << game << " ply " << outcome.plies;
            }
            ++outcome.plies;
            const bool black = !board.of(life::Colour::Black).empty();
            const bool white = !board.of(life::Colour::White).empty();
            if (!black && !white) break;
            if (!black || !white) outcome.winner = black ? 'B' : 'W';
        }
        // The same game in one go.
        random = stream;
        naive::Board end = naive_board(life::Board::start());
        const naive::Outcome looped = naive::play_random(end, 'B', 2000, random);
        ASSERT_EQ(looped.plies, outcome.plies);
        ASSERT_EQ(looped.winner, outcome.winner);
        ASSERT_EQ(end, expected);
        for (const life::Kernel* const kernel : life::usable_kernels()) {
            engine::Random again = stream;
            life::Board played = life::Board::start();
            const life::Outcome whole =
                kernel->play_random(played, life::Colour::Black, 2000, again);
            ASSERT_EQ(whole.plies, outcome.plies) << kernel->name << " game " << game;
            ASSERT_EQ(played, board) << kernel->name << " game " << game;
            ASSERT_EQ(whole.winner.has_value(), outcome.winner != '.');
            if (whole.winner) {
                ASSERT_EQ(*whole.winner == life::Colour::Black, outcome.winner == 'B');
            }
            ASSERT_FALSE(whole.unfinished);
            ASSERT_EQ(again.counter(), random.counter());
        }
    }
}

} // namespace croupier::bench
