// Legal moves in a form for people: cards sorted, each with a number.
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

    // Matches input: the number or name of a move, or a prefix of its name, ignoring case; "10S"
    // and "10♠" are "TS". Finds one move, or all that match.
    struct Found {
        std::optional<std::size_t> move;  // index among the position's legal moves
        std::vector<std::size_t> several; // indices in this list
    };
    [[nodiscard]] Found find(std::string_view written) const;
    // Whether the input is exactly a move's name.
    [[nodiscard]] bool is_name(std::string_view written) const;
    // Indices of names with that prefix; all for an empty one.
    [[nodiscard]] std::vector<std::size_t> beginning_with(std::string_view written) const;

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    // Formats columns, numbers before names; at most `rows` lines, or without limit for 0. Also
    // returns the number of moves left out.
    [[nodiscard]] std::pair<std::vector<games::TextLine>, std::size_t>
    lines(const std::vector<std::size_t>& places, std::size_t width, bool ascii,
          std::size_t rows) const;

  private:
    struct Entry {
        std::size_t index = 0; // among the position's moves
        std::string name;
        games::DrawnCard card; // if it is a card
        bool is_card = false;

        [[nodiscard]] games::Stroke shown(bool ascii) const;
    };

    std::vector<Entry> entries_;
    bool numbered_ = true; // false if the moves are numbers themselves
};

} // namespace croupier::tournaments
