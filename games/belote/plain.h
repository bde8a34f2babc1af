// Belote as plain C++: structs, vectors and ifs. Written from the rules, not from the ruleset, so
// that the tests can hold the ruleset against it; the benchmarks measure the engine against it.
#pragma once

#include "engine/api/random.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace croupier::plain {

struct Card {
    int suit = 0; // S H D C
    int rank = 0; // 7 8 9 T J Q K A

    friend bool operator==(const Card&, const Card&) = default;
};

// The points where tables differ, as the ruleset's options name them.
struct Rules {
    enum class Partner { Free, NoUndertrump, MustTrump };
    bool trump_lead_exempt = false;
    Partner partner_winning = Partner::Free;
    bool may_discard = false; // undertrump
    bool king_first = false;  // belote_order

    friend bool operator==(const Rules&, const Rules&) = default;
};

struct Played {
    int player = 0;
    Card card;

    friend bool operator==(const Played&, const Played&) = default;
};

// A deal after trump is chosen. Teams are player % 2.
struct Position {
    std::array<std::vector<Card>, 4> hands;
    int turn = 0;
    int trump = 0;
    std::optional<int> led; // empty: he leads, and `best` and `holder` mean nothing
    Card best;              // the card that is winning the trick
    int holder = 0;         // who played it
    std::vector<Played> trick;
    std::array<int, 2> points{}; // of cards in won tricks
    std::array<int, 2> tricks{};
    std::array<int, 2> belote{};
    int last = 0; // the team of the latest trick

    friend bool operator==(const Position&, const Position&) = default;
};

// Eight cards each of a shuffled pack, and a trump; A leads.
Position deal(engine::Random& random);

// The strength of a card as a trump, and what it counts.
int trump_height(const Card& card);
int card_points(const Card& card, int trump);

// The cards that the player may play, into `moves`, whose memory is used again.
void legal_moves(const Position& position, std::vector<Card>& moves, const Rules& rules = {});

// The same as a new vector.
std::vector<Card> legal_moves(const Position& position, const Rules& rules = {});

// The player plays that card, which must be legal.
void play(Position& position, const Card& card, const Rules& rules = {});

bool is_over(const Position& position);

} // namespace croupier::plain
