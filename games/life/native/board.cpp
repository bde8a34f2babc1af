// Cells by name, sets of cells, boards as pictures.
#include "games/life/native/board.h"

#include <bit>
#include <cassert>
#include <charconv>

namespace croupier::games::life {

std::optional<Cell> Cell::named(std::string_view name) {
    if (name.size() < 2 || name[0] < 'a' || name[0] >= 'a' + kSide || name[1] == '0') {
        return std::nullopt;
    }
    int row = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + 1, end, row);
    if (read.ec != std::errc() || read.ptr != end || row < 1 || row > kSide) {
        return std::nullopt;
    }
    return Cell(name[0] - 'a', row - 1);
}

std::string Cell::name() const {
    return static_cast<char>('a' + column()) + std::to_string(row() + 1);
}

bool CellSet::empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) {
        any |= word;
    }
    return any == 0;
}

int CellSet::count() const {
    int count = 0;
    for (const std::uint64_t word : words_) {
        count += std::popcount(word);
    }
    return count;
}

Cell CellSet::nth(int n) const {
    for (int row = 0; row < kSide; ++row) {
        std::uint64_t cells = words_[row % kRowsApart] >> kRowBits * (row / kRowsApart) & kRow;
        const int here = std::popcount(cells);
        if (n < here) {
            for (; n > 0; --n) {
                cells &= cells - 1;
            }
            return Cell(std::countr_zero(cells) - 1, row);
        }
        n -= here;
    }
    assert(false && "a set has no cell of that number");
    return Cell();
}

std::size_t CellSet::rank(Cell cell) const {
    int before = 0;
    for (int row = 0; row < cell.row(); ++row)
        before += std::popcount(words_[row % kRowsApart] >> kRowBits * (row / kRowsApart) & kRow);
    const std::uint64_t lower = (std::uint64_t{1} << bit_of(cell)) - 1;
    before +=
        std::popcount(words_[word_of(cell)] & lower & kRow << kRowBits * (cell.row() / kRowsApart));
    return static_cast<std::size_t>(before);
}

std::optional<Colour> Board::at(Cell cell) const {
    for (const Colour colour : {Colour::Black, Colour::White}) {
        if (of(colour).contains(cell)) return colour;
    }
    return std::nullopt;
}

void Board::put(Cell cell, std::optional<Colour> stone) {
    for (CellSet& set : stones) {
        set.erase(cell);
    }
    if (stone) of(*stone).insert(cell);
}

Board Board::start() {
    Board board;
    for (const std::string_view name :
         {"d3", "c5", "e5", "i10", "k10", "o4", "p4", "q4", "o15", "p17", "q15"}) {
        board.of(Colour::Black).insert(*Cell::named(name));
    }
    for (const std::string_view name :
         {"c4", "d15", "d16", "d17", "e4", "d6", "j9", "j11", "p14", "o16", "q16"}) {
        board.of(Colour::White).insert(*Cell::named(name));
    }
    return board;
}

std::optional<Board> Board::read(std::string_view picture) {
    Board board;
    int index = 0;
    for (const char each : picture) {
        if (each == ' ' || each == '\n') continue;
        if (index == kCells || (each != '.' && each != 'B' && each != 'W')) {
            return std::nullopt;
        }
        if (each != '.') {
            board.of(each == 'B' ? Colour::Black : Colour::White).insert(Cell(index));
        }
        ++index;
    }
    if (index < kCells) return std::nullopt;
    return board;
}

std::string Board::picture() const {
    std::string text;
    for (int index = 0; index < kCells; ++index) {
        const std::optional<Colour> stone = at(Cell(index));
        text += !stone ? '.' : *stone == Colour::Black ? 'B' : 'W';
        if (Cell(index).column() == kSide - 1) text += '\n';
    }
    return text;
}

} // namespace croupier::games::life
