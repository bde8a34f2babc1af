// The rules by hand, on every kernel that this machine can run. bench/life_test.cpp compares whole
// games with loops over cells and neighbours.
#include "games/life/native/kernel.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace croupier::games::life {
namespace {

// "a1 b2 c3" in one colour and the other.
Board board_of(const std::string& black, const std::string& white) {
    Board board;
    for (const Colour colour : {Colour::Black, Colour::White}) {
        std::istringstream names(colour == Colour::Black ? black : white);
        for (std::string name; names >> name;) {
            board.put(Cell::named(name).value(), colour);
        }
    }
    return board;
}

Board full_board(Colour colour) {
    Board board;
    board.of(colour) = CellSet::all();
    return board;
}

// A board whose cells hold a stone of either colour with a probability of `percent` in 100.
Board random_board(engine::Random& random, std::uint64_t percent) {
    Board board;
    for (int index = 0; index < kCells; ++index) {
        if (random.below(100) < percent) {
            board.put(Cell(index), random.below(2) == 0 ? Colour::Black : Colour::White);
        }
    }
    return board;
}

class Kernels : public testing::TestWithParam<const Kernel*> {
  protected:
    [[nodiscard]] static const Kernel& kernel() { return *GetParam(); }

    [[nodiscard]] static Board after(const Board& board) {
        Board next;
        kernel().tick(board, next);
        Board same = board;
        kernel().tick(same, same);
        EXPECT_EQ(same, next) << "in place";
        return next;
    }
    static void expect(const std::string& black, const std::string& white,
                       const std::string& black_after, const std::string& white_after) {
        const Board board = board_of(black, white);
        EXPECT_EQ(after(board).picture(), board_of(black_after, white_after).picture())
            << board.picture();
    }
};

INSTANTIATE_TEST_SUITE_P(life, Kernels,
                         testing::ValuesIn(usable_kernels().begin(), usable_kernels().end()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST_P(Kernels, a_stone_is_born_in_the_colour_of_most) {
    expect("e5 g5", "f7", "f6", "");
    expect("e5", "g5 f7", "", "f6");
    expect("e5 g5 f7", "", "f6", "");
    expect("", "e5 g5 f7", "", "f6");
}

TEST_P(Kernels, nothing_is_born_of_two_or_of_four) {
    expect("e5 g5", "", "", "");
    expect("e5 g5", "e7 g7", "", "");
}

TEST_P(Kernels, a_stone_dies_of_loneliness) {
    expect("f6", "", "", "");
    expect("f6", "g7", "", "");
}

TEST_P(Kernels, a_stone_dies_in_a_crowd) {
    // f6 has four neighbours; each of them has but one; born are the cells between three.
    expect("f6 e5 g7", "g5 e7", "f5 e6 g6 f7", "");
    expect("f6", "e5 g7 g5 e7", "", "f5 e6 g6 f7");
}

TEST_P(Kernels, a_stone_takes_the_colour_of_most_neighbours) {
    // f6 between two and its own colour does not count; e5 and g7 are lonely.
    expect("f6", "e5 g7", "", "f6");
    // Of three: g5 and e7 against e5, though with itself it would be two to two.
    const Board board = after(board_of("f6 e5", "g5 f7"));
    EXPECT_EQ(board.at(*Cell::named("f6")), Colour::White);
}

TEST_P(Kernels, a_tie_changes_nothing) {
    expect("f6 e5", "g7", "f6", "");
    expect("e5", "f6 g7", "", "f6");
}

TEST_P(Kernels, a_block_stands_and_is_taken_over_at_once) {
    expect("e5 f5 e6 f6", "", "e5 f5 e6 f6", "");
    // Three neighbours each: whoever is three or two of them.
    expect("e5 f5 e6", "f6", "e5 f5 e6 f6", "");
    expect("e5 f5", "e6 f6", "e6 f6", "e5 f5");
}

TEST_P(Kernels, corners_and_edges_have_fewer_neighbours) {
    expect("a2 b2", "b1", "a1 b1 a2 b2", "");
    expect("s1 r1", "s2", "r1 s1 r2 s2", "");
    expect("a19 b19", "a18", "a18 b18 a19 b19", "");
    expect("s18 r19", "r18", "r18 s18 r19 s19", "");
    expect("", "a5 a6 a7", "", "a6 b6");
    expect("", "e19 f19 g19", "", "f18 f19");
}

TEST_P(Kernels, the_board_is_not_wrapped) {
    expect("a9", "s8 s10", "", "");
    expect("i1", "h19 j19", "", "");
    expect("a1", "s19 a19", "", "");
    expect("s5 s6 s7", "", "r6 s6", "");
}

// Rows lie three to a word, seven apart, so every place in a word and between words is tried.
TEST_P(Kernels, three_in_a_column_turn_everywhere) {
    for (int row = 1; row < kSide - 1; ++row) {
        for (int column = 0; column < kSide; ++column) {
            for (const Colour colour : {Colour::Black, Colour::White}) {
                Board board;
                Board turned;
                for (const int step : {-1, 0, 1}) {
                    board.put(Cell(column, row + step), colour);
                    if (column + step >= 0 && column + step < kSide) {
                        turned.put(Cell(column + step, row), colour);
                    }
                }
                ASSERT_EQ(after(board).picture(), turned.picture()) << board.picture();
            }
        }
    }
}

TEST_P(Kernels, a_drop_needs_an_empty_cell_beside_a_stone) {
    CellSet expected;
    for (const char* const name : {"a2", "b2", "b1"}) {
        expected.insert(*Cell::named(name));
    }
    EXPECT_EQ(kernel().legal_drops(board_of("", "a1")), expected);
    expected.insert(*Cell::named("c1"));
    expected.insert(*Cell::named("c2"));
    expected.erase(*Cell::named("b1"));
    EXPECT_EQ(kernel().legal_drops(board_of("b1", "a1")), expected);
    EXPECT_TRUE(kernel().legal_drops(Board()).empty());
    EXPECT_TRUE(kernel().legal_drops(full_board(Colour::White)).empty());
    for (int index = 0; index < kCells; ++index) {
        Board hole = full_board(Colour::Black);
        hole.put(Cell(index), std::nullopt);
        const CellSet legal = kernel().legal_drops(hole);
        ASSERT_EQ(legal.count(), 1);
        ASSERT_EQ(legal.nth(0), Cell(index));
    }
}

// What best_drops promises, one tick per drop.
BestDrops best_by_trying(const Kernel& kernel, const Board& board, Colour mover) {
    BestDrops best;
    for (int index = 0; index < kCells; ++index) {
        if (!kernel.legal_drops(board).contains(Cell(index))) continue;
        Board dropped = board;
        dropped.put(Cell(index), mover);
        kernel.tick(dropped, dropped);
        const int lead = dropped.of(mover).count() - dropped.of(opponent(mover)).count();
        if (best.cells.empty() || lead > best.lead) best = {CellSet(), lead};
        if (lead == best.lead) best.cells.insert(Cell(index));
    }
    return best;
}

TEST_P(Kernels, the_best_drops_are_those_that_trying_all_finds) {
    engine::Random random(19);
    for (int round = 0; round < 300; ++round) {
        const Board board = random_board(random, 1 + random.below(60));
        for (const Colour mover : {Colour::Black, Colour::White}) {
            const BestDrops best = kernel().best_drops(board, mover);
            const BestDrops tried = best_by_trying(kernel(), board, mover);
            ASSERT_EQ(best.lead, tried.lead) << board.picture();
            ASSERT_EQ(best.cells, tried.cells) << board.picture();
        }
    }
}

TEST_P(Kernels, equal_drops_are_all_best_and_the_upper_left_one_first) {
    // Each pair becomes a block or a row of three, and the other pair dies.
    const BestDrops best = kernel().best_drops(board_of("b1 c1 o9 p9", ""), Colour::Black);
    EXPECT_EQ(best.lead, 4);
    std::string names;
    for (int i = 0; i < best.cells.count(); ++i) {
        names += best.cells.nth(i).name() + " ";
    }
    EXPECT_EQ(names, "b2 c2 o8 p8 o10 p10 ");
    EXPECT_EQ(best.cells.nth(0), *Cell::named("b2"));
}

TEST_P(Kernels, a_drop_may_turn_an_enemy) {
    // White's f6 has a neighbour of each colour; a drop on e6 turns it and bears f5, but f7 for
    // White.
    const Board board = board_of("e5", "f6 g7");
    const BestDrops best = kernel().best_drops(board, Colour::Black);
    EXPECT_EQ(best, best_by_trying(kernel(), board, Colour::Black));
    EXPECT_TRUE(best.cells.contains(*Cell::named("e6")));
    EXPECT_EQ(best.lead, 3);
    Board dropped = board;
    dropped.put(*Cell::named("e6"), Colour::Black);
    EXPECT_EQ(after(dropped), board_of("e5 e6 f6 f5", "f7"));
}

TEST_P(Kernels, there_is_no_best_drop_without_a_drop) {
    EXPECT_EQ(kernel().best_drops(Board(), Colour::Black), BestDrops());
    EXPECT_EQ(kernel().best_drops(full_board(Colour::Black), Colour::White), BestDrops());
}

TEST_P(Kernels, a_random_game_is_a_function_of_its_stream) {
    for (std::uint64_t game = 0; game < 50; ++game) {
        engine::Random random = engine::Random(3).stream(game);
        engine::Random same = random;
        Board board = Board::start();
        Board again = Board::start();
        const Outcome outcome = kernel().play_random(board, Colour::Black, 2000, random);
        EXPECT_EQ(usable_kernels().back()->play_random(again, Colour::Black, 2000, same), outcome);
        EXPECT_EQ(again, board);
        EXPECT_EQ(same.counter(), random.counter());
    }
}

TEST_P(Kernels, a_random_game_can_be_cut_anywhere) {
    engine::Random random(8);
    engine::Random rest = random;
    Board whole = Board::start();
    Board parts = Board::start();
    const Outcome outcome = kernel().play_random(whole, Colour::Black, 2000, random);
    ASSERT_GT(outcome.plies, 7);
    const Outcome first = kernel().play_random(parts, Colour::Black, 7, rest);
    EXPECT_EQ(first, (Outcome{std::nullopt, true, 7}));
    const Outcome second = kernel().play_random(parts, Colour::White, 2000, rest);
    EXPECT_EQ(second, (Outcome{outcome.winner, outcome.unfinished, outcome.plies - 7}));
    EXPECT_EQ(parts, whole);
}

TEST_P(Kernels, no_plies_leave_a_game_unfinished) {
    engine::Random random(1);
    Board board = Board::start();
    EXPECT_EQ(kernel().play_random(board, Colour::Black, 0, random),
              (Outcome{std::nullopt, true, 0}));
    EXPECT_EQ(board, Board::start());
    EXPECT_EQ(random.counter(), 0U);
}

TEST_P(Kernels, who_may_not_drop_passes_and_the_board_ticks) {
    // Only corners have three neighbours. White's stone, far from them, goes with the rest.
    Board board = full_board(Colour::Black);
    board.put(*Cell::named("k10"), Colour::White);
    engine::Random random(1);
    EXPECT_EQ(kernel().play_random(board, Colour::White, 2000, random),
              (Outcome{Colour::Black, false, 1}));
    EXPECT_EQ(board, board_of("a1 s1 a19 s19", ""));
    EXPECT_EQ(random.counter(), 1U);
}

TEST_P(Kernels, an_empty_board_is_a_draw) {
    engine::Random random(1);
    Board board = board_of("c3", "q17"); // wherever one drops, nothing has two neighbours
    EXPECT_EQ(kernel().play_random(board, Colour::Black, 2000, random),
              (Outcome{std::nullopt, false, 1}));
    EXPECT_EQ(board, Board());
}

TEST(life, the_fastest_kernel_comes_first_and_the_portable_one_last) {
    EXPECT_EQ(&fastest_kernel(), usable_kernels().front());
    EXPECT_STREQ(usable_kernels().back()->name, "portable");
}

} // namespace
} // namespace croupier::games::life
