// Belote as plain C++: structs, vectors and ifs. What the engine is measured against.
#pragma once

#include <array>
#include <optional>
#include <vector>

namespace croupier::bench::plain {

struct Card {
    int suit = 0; // S H D C
    int rank = 0; // 7 8 9 T J Q K A

    friend bool operator==(const Card&, const Card&) = default;
};

// One player is to play a card.
struct Position {
    std::array<std::vector<Card>, 4> hands;
    int turn = 0;
    int trump = 0;
    std::optional<int> led; // empty: he leads, and `best` and `holder` mean nothing
    Card best;              // the card that is winning the trick
    int holder = 0;         // who played it

    friend bool operator==(const Position&, const Position&) = default;
};

// The strength of a card as a trump.
int trump_height(const Card& card);

// The cards that the player may play, into `moves`, whose memory is used again.
void legal_moves(const Position& position, std::vector<Card>& moves);

// The same as a new vector.
std::vector<Card> legal_moves(const Position& position);

} // namespace croupier::bench::plain
