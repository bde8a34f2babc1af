// Legal moves as a person reads and names them: cards sorted, each with a number.
#pragma once

#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "games/drawing/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::tournaments {

class MoveList {
  public:
    // The position has at least one move.
    MoveList(const games::Position& position, const games::Drawer& drawer);

    // What somebody wrote: the number or the name of a move, or the beginning of its name, whatever
    // the case of its letters; "10S" and "10♠" are "TS". One move, or all that it may be.
    struct Found {
        std::optional<std::size_t> move;  // its index among the position's legal moves
        std::vector<std::size_t> several; // places in this list
    };
    [[nodiscard]] Found find(std::string_view written) const;
    // Whether that is a move's name, to the letter.
    [[nodiscard]] bool is_name(std::string_view written) const;
    // Places whose names begin like that; all for nothing.
    [[nodiscard]] std::vector<std::size_t> beginning_with(std::string_view written) const;

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    // In columns, numbers before names; `rows`: no more lines than these, 0: as many as it takes.
    // The second tells how many moves were left out.
    [[nodiscard]] std::pair<std::vector<games::TextLine>, std::size_t>
    lines(const std::vector<std::size_t>& places, std::size_t width, bool ascii,
          std::size_t rows) const;

  private:
    struct Entry {
        std::size_t index = 0; // among the position's
        std::string name;
        games::DrawnCard card; // where it is one
        bool is_card = false;

        [[nodiscard]] games::Stroke shown(bool ascii) const;
    };

    std::vector<Entry> entries_;
    bool numbered_ = true; // moves that are numbers themselves have no others
};

} // namespace croupier::tournaments
