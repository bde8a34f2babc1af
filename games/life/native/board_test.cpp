// Cells, their names and their order; sets of cells; boards as pictures.
#include "games/life/native/board.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::games::life {
namespace {

TEST(life, cells_have_the_names_of_the_rules) {
    EXPECT_EQ(Cell(0, 0).name(), "a1");
    EXPECT_EQ(Cell(18, 18).name(), "s19");
    EXPECT_EQ(Cell::named("d3"), Cell(3, 2));
    EXPECT_EQ(Cell::named("i10"), Cell(8, 9)); // no letter is left out
    for (int index = 0; index < kCells; ++index) {
        EXPECT_EQ(Cell::named(Cell(index).name()), Cell(index));
    }
    for (const char* const wrong :
         {"", "a", "a0", "a01", "a20", "t1", "A1", "a1 ", "1a", "a-1", "a+1", "a1.5", "`1"}) {
        EXPECT_EQ(Cell::named(wrong), std::nullopt) << wrong;
    }
}

TEST(life, cells_are_ordered_row_by_row) {
    EXPECT_LT(*Cell::named("s1"), *Cell::named("a2"));
    EXPECT_LT(*Cell::named("a2"), *Cell::named("b2"));
    CellSet set;
    const std::vector<std::string> names = {"s1", "a2",  "b7",  "a8", "c8",
                                            "a9", "s14", "a15", "s19"};
    for (std::size_t i = names.size(); i-- > 0;) {
        set.insert(*Cell::named(names[i]));
    }
    ASSERT_EQ(set.count(), 9);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(set.nth(static_cast<int>(i)).name(), names[i]);
    }
}

TEST(life, a_set_holds_exactly_the_cells_put_in) {
    const CellSet all = CellSet::all();
    EXPECT_EQ(all.count(), 361);
    EXPECT_TRUE(CellSet().empty());
    for (int index = 0; index < kCells; ++index) {
        CellSet set;
        set.insert(Cell(index));
        EXPECT_EQ(set.count(), 1);
        EXPECT_FALSE(set.empty());
        EXPECT_EQ(set.nth(0), Cell(index));
        EXPECT_EQ(CellSet::cell_at(CellSet::word_of(Cell(index)), CellSet::bit_of(Cell(index))),
                  Cell(index));
        EXPECT_EQ(all.nth(index), Cell(index));
        CellSet rest = all;
        rest.erase(Cell(index));
        EXPECT_FALSE(rest.contains(Cell(index)));
        EXPECT_EQ(rest.count(), 360);
    }
}

TEST(life, the_game_begins_as_the_article_drew_it) {
    const Board start = Board::start();
    EXPECT_EQ(start.of(Colour::Black).count(), 11);
    EXPECT_EQ(start.of(Colour::White).count(), 11);
    EXPECT_EQ(start.picture(), "...................\n"
                               "...................\n"
                               "...B...............\n"
                               "..W.W.........BBB..\n"
                               "..B.B..............\n"
                               "...W...............\n"
                               "...................\n"
                               "...................\n"
                               ".........W.........\n"
                               "........B.B........\n"
                               ".........W.........\n"
                               "...................\n"
                               "...................\n"
                               "...............W...\n"
                               "...W..........B.B..\n"
                               "...W..........W.W..\n"
                               "...W...........B...\n"
                               "...................\n"
                               "...................\n");
}

TEST(life, pictures_are_read_as_they_are_drawn) {
    const std::string picture = Board::start().picture();
    EXPECT_EQ(Board::read(picture), Board::start());
    EXPECT_EQ(Board::read(std::string(361, 'W'))->of(Colour::White), CellSet::all());
    EXPECT_EQ(Board::read(picture + "."), std::nullopt);
    EXPECT_EQ(Board::read(std::string(360, '.')), std::nullopt);
    EXPECT_EQ(Board::read(std::string(360, '.') + "b"), std::nullopt);
}

TEST(life, a_cell_holds_one_stone) {
    Board board;
    const Cell cell = *Cell::named("k11");
    board.put(cell, Colour::Black);
    board.put(cell, Colour::White);
    EXPECT_EQ(board.at(cell), Colour::White);
    EXPECT_TRUE(board.of(Colour::Black).empty());
    board.put(cell, std::nullopt);
    EXPECT_EQ(board, Board());
}

} // namespace
} // namespace croupier::games::life
