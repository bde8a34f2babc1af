// The board of Life: 19 x 19 cells in two bit planes, one a colour.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace croupier::games::life {

inline constexpr int kSide = 19;
inline constexpr int kCells = kSide * kSide;

enum class Colour : std::uint8_t { Black, White };

inline constexpr Colour opponent(Colour of) {
    return of == Colour::Black ? Colour::White : Colour::Black;
}

// A cell; cells are ordered row by row: a1, b1, .. s1, a2, .. s19.
class Cell {
  public:
    constexpr Cell() = default;
    constexpr explicit Cell(int index) : index_(static_cast<std::int16_t>(index)) {}
    constexpr Cell(int column, int row) : Cell(kSide * row + column) {}

    // "a1" .. "s19": the letter is the column.
    static std::optional<Cell> named(std::string_view name);
    [[nodiscard]] std::string name() const;

    [[nodiscard]] constexpr int index() const { return index_; }
    [[nodiscard]] constexpr int column() const { return index_ % kSide; }
    [[nodiscard]] constexpr int row() const { return index_ / kSide; }

    friend constexpr auto operator<=>(Cell, Cell) = default;

  private:
    std::int16_t index_ = 0;
};

// A set of cells in seven words of three rows each. Word j holds the rows j, j + 7 and j + 14, so
// that the rows above and below any row stand in the neighbouring words at the same place, and a
// whole vector register of words finds its neighbours by one move. A row takes 21 bits: one that is
// always zero, 19 cells, another zero; so moving a word by one bit moves its rows and mixes none.
// The rows 19 and 20, and the eighth word, do not exist and are zero.
class CellSet {
  public:
    static constexpr int kWords = 8;
    static constexpr int kRowsApart = 7; // rows in one word are so far apart
    static constexpr int kRowBits = 21;
    static constexpr std::uint64_t kRow = 0xffffe; // the cells of a word's first row
    using Words = std::array<std::uint64_t, kWords>;

    constexpr CellSet() = default;
    // Only bits that are cells may be set.
    constexpr explicit CellSet(const Words& words) : words_(words) {}

    static constexpr CellSet all();

    [[nodiscard]] constexpr bool contains(Cell cell) const {
        return (words_[word_of(cell)] >> bit_of(cell) & 1) != 0;
    }
    constexpr void insert(Cell cell) { words_[word_of(cell)] |= std::uint64_t{1} << bit_of(cell); }
    constexpr void erase(Cell cell) {
        words_[word_of(cell)] &= ~(std::uint64_t{1} << bit_of(cell));
    }

    [[nodiscard]] bool empty() const;
    [[nodiscard]] int count() const;
    // The n-th of its cells in the order of cells, from 0; n < count().
    [[nodiscard]] Cell nth(int n) const;
    // How many of its cells come before that one: the n of which it is the n-th.
    [[nodiscard]] std::size_t rank(Cell cell) const;

    [[nodiscard]] constexpr const Words& words() const { return words_; }
    constexpr Words& words() { return words_; }

    // Where a cell stands.
    static constexpr unsigned word_of(Cell cell) { return cell.row() % kRowsApart; }
    static constexpr unsigned bit_of(Cell cell) {
        return kRowBits * (cell.row() / kRowsApart) + 1 + cell.column();
    }
    // The cell at a bit that is one.
    static constexpr Cell cell_at(unsigned word, unsigned bit) {
        const int place = static_cast<int>(bit) / kRowBits;
        return Cell(static_cast<int>(bit) % kRowBits - 1,
                    place * kRowsApart + static_cast<int>(word));
    }

    friend bool operator==(const CellSet&, const CellSet&) = default;

  private:
    // No more: g++ 12 forgets larger alignments for what functions return.
    alignas(16) Words words_{};
};

constexpr CellSet CellSet::all() {
    CellSet set;
    for (int index = 0; index < kCells; ++index) {
        set.insert(Cell(index));
    }
    return set;
}

// Which stone stands where. A cell is in at most one of the two sets.
struct Board {
    std::array<CellSet, 2> stones; // by colour

    [[nodiscard]] const CellSet& of(Colour colour) const {
        return stones[static_cast<std::size_t>(colour)];
    }
    [[nodiscard]] CellSet& of(Colour colour) { return stones[static_cast<std::size_t>(colour)]; }

    [[nodiscard]] std::optional<Colour> at(Cell cell) const;
    void put(Cell cell, std::optional<Colour> stone);

    // The article's beginning: eleven stones each.
    static Board start();
    // 19 lines of 19 characters 'B', 'W' or '.', the first line is row 1; spaces and line ends
    // between them do not matter. Nothing if there are other characters or not 361 of them.
    static std::optional<Board> read(std::string_view picture);
    [[nodiscard]] std::string picture() const;

    friend bool operator==(const Board&, const Board&) = default;
};

} // namespace croupier::games::life
