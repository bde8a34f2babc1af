// A position as people lay it out: boards, cards, and what else there is to know. Plain values; who
// draws them (text.h, the page of results/html) knows nothing of rules.
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
    std::string piece;       // empty: nothing stands there
    std::uint32_t owner = 0; // a seat; 0 also where pieces belong to nobody

    friend bool operator==(const DrawnCell&, const DrawnCell&) = default;
};

// How a board looks where there is more to it than letters on cells.
enum class Look : std::uint8_t {
    Letters,
    Stones, // what stands there is a player's name
    Chess,  // squares of two colours; K, q and their like are chessmen
};
std::string_view name_of(Look look); // "letters", "stones", "chess"

struct DrawnBoard {
    std::string name; // of the node that it shows
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    Look look = Look::Letters;
    std::vector<DrawnCell> cells; // row by row, row 1 first
};

// A card by its name in the rules ("TS"), and as it is shown: "10" and the suit's letter.
struct DrawnCard {
    std::string name;
    std::string rank;   // the whole name where it has no suit
    char suit = 0;      // S, H, D, C; 0: none
    std::string player; // who has played or holds it, where that has to be said

    friend bool operator==(const DrawnCard&, const DrawnCard&) = default;
};

// Cards that lie together: a hand, the trick, the card turned up.
struct DrawnCards {
    std::string name;
    std::vector<DrawnCard> cards;
    std::optional<Seat> hand;                     // whose hand it is
    bool hidden = false;                          // none of them can be seen
    std::optional<std::size_t> hidden_count = {}; // how many there are, where that is known
    std::vector<std::string> notes = {};          // of a hand: what its player is, "from"
};

struct DrawnFact {
    std::string name;
    std::string text;
    char suit = 0; // the text is a suit's letter

    friend bool operator==(const DrawnFact&, const DrawnFact&) = default;
};

// Each part may be empty.
struct Drawing {
    std::optional<Seat> turn; // none after the end
    std::vector<DrawnBoard> boards;
    std::vector<DrawnCards> cards; // hands first, in the order of the seats
    std::vector<DrawnFact> facts;
};

} // namespace croupier::games
