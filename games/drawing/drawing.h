// A position as people lay it out: boards, cards and other facts. Plain values; the code that draws
// them (text.h, the page of results/html) knows nothing of rules.
#pragma once

#include "games/contract/streams.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::games {

struct DrawnCell {
    std::string piece;       // empty if the cell is empty
    std::uint32_t owner = 0; // a seat; 0 also if pieces have no owners

    friend bool operator==(const DrawnCell&, const DrawnCell&) = default;
};

// The style of a board, if not just letters on cells.
enum class Look : std::uint8_t {
    Letters,
    Stones, // cells hold names of players
    Chess,  // squares of two colours; K, q and other letters are chessmen
};
std::string_view name_of(Look look); // "letters", "stones", "chess"

struct DrawnBoard {
    std::string name; // of the node shown
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    Look look = Look::Letters;
    std::vector<DrawnCell> cells; // row by row, row 1 first
    bool hex = false; // cells are hexagons: each row begins half a cell after the one below
};

// A card by its name in the rules ("TS"), and as shown: "10" and the suit's letter.
struct DrawnCard {
    std::string name;
    std::string rank;   // the whole name if it has no suit
    char suit = 0;      // S, H, D, C; 0 if none
    std::string player; // the player who played or holds it, if it must be shown

    friend bool operator==(const DrawnCard&, const DrawnCard&) = default;
};

// A group of cards: a hand, the trick, the card turned up.
struct DrawnCards {
    std::string name;
    std::vector<DrawnCard> cards;
    std::optional<Seat> hand;                     // its seat, if it is a hand
    bool hidden = false;                          // none of them can be seen
    std::optional<std::size_t> hidden_count = {}; // how many there are, if known
    std::vector<std::string> notes = {};          // beside a hand: the player's role, "from"
};

struct DrawnFact {
    std::string name;
    std::string text;
    char suit = 0; // the text is a suit's letter

    friend bool operator==(const DrawnFact&, const DrawnFact&) = default;
};

// Each part may be empty.
struct Drawing {
    std::optional<Seat> turn; // unset after the end
    std::vector<DrawnBoard> boards;
    std::vector<DrawnCards> cards; // hands first, in the order of the seats
    std::vector<DrawnFact> facts;
};

} // namespace croupier::games
