// Draws boards.
#include "games/contract/board.h"

#include <algorithm>

namespace croupier::games {
namespace {

Ink ink_of(std::uint32_t player) {
    constexpr Ink kInks[] = {Ink::First, Ink::Second, Ink::Third, Ink::Fourth};
    return kInks[player % 4];
}

void letters(Picture& picture, std::uint32_t columns, std::size_t margin, std::size_t width) {
    picture.line();
    std::string text(margin, ' ');
    for (std::uint32_t column = 0; column < columns; ++column) {
        const std::string name = column_name(column);
        text += std::string(width + 1 - name.size(), ' ') + name;
    }
    picture.add(std::move(text), Ink::Faint);
}

} // namespace

std::string column_name(std::uint32_t column) {
    std::string name;
    for (std::uint32_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
        name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
    return name;
}

void draw_board(Picture& picture, std::uint32_t columns, std::uint32_t rows, const Board& now,
                const Board& before) {
    const std::size_t margin = std::to_string(rows).size();
    std::size_t width = column_name(columns - 1).size();
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column)
            width = std::max(width, now(column, row).letter.size());
    }
    letters(picture, columns, margin, width);
    for (std::uint32_t row = rows; row-- > 0;) {
        picture.line();
        const std::string number = std::to_string(row + 1);
        picture.add(std::string(margin - number.size(), ' ') + number, Ink::Faint);
        for (std::uint32_t column = 0; column < columns; ++column) {
            const Piece piece = now(column, row);
            const Piece old = before ? before(column, row) : piece;
            const bool gone = piece.letter.empty() && !old.letter.empty();
            const std::string& letter = gone ? old.letter : piece.letter;
            const char* const mark = piece == old         ? " "
                                     : gone               ? "-"
                                     : old.letter.empty() ? "+"
                                                          : "*";
            picture.add(mark, gone ? Ink::Dying : Ink::Born);
            if (letter.empty()) {
                picture.add(std::string(width - 1, ' ') + ".", Ink::Faint);
                continue;
            }
            const std::string padded =
                std::string(width - std::min(width, letter.size()), ' ') + letter;
            picture.add(padded, gone           ? Ink::Dying
                                : piece == old ? ink_of(piece.player)
                                               : Ink::Born);
        }
        picture.add(" " + number, Ink::Faint);
    }
    letters(picture, columns, margin, width);
}

} // namespace croupier::games
