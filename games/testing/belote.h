// Belote as plain C++: structs, vectors and ifs. Written from the rules of the game, not from the
// ruleset, so that tests can check the ruleset against it; the benchmarks compare the engine with
// it.
#pragma once

#include "engine/api/random.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::plain {

struct Card {
    int suit = 0; // S H D C
    int rank = 0; // 7 8 9 T J Q K A

    friend bool operator==(const Card&, const Card&) = default;
};

// The rules that differ between tables, named as the ruleset's options.
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
    std::optional<int> led; // empty before a lead; then `best` and `holder` are unused
    Card best;              // the card that is winning the trick
    int holder = 0;         // who played it
    std::vector<Played> trick;
    std::array<int, 2> points{}; // of cards in won tricks
    std::array<int, 2> tricks{};
    std::array<int, 2> belote{};
    int last = 0; // the team that took the latest trick

    friend bool operator==(const Position&, const Position&) = default;
};

// Eight cards each from a shuffled pack, and a trump; A leads.
Position deal(engine::Random& random);

// The rank of a card as a trump, and its points.
int trump_height(const Card& card);
int card_points(const Card& card, int trump);

// Writes the cards that the player may play to `moves`, reusing its memory.
void legal_moves(const Position& position, std::vector<Card>& moves, const Rules& rules = {});

// The same as a new vector.
std::vector<Card> legal_moves(const Position& position, const Rules& rules = {});

// Plays the player's card, which must be legal.
void play(Position& position, const Card& card, const Rules& rules = {});

bool is_over(const Position& position);

// Announcements and the score of a deal as plain C++, to test the ruleset.

// ---- announcements ---------------------------------------------------------------------------

struct AnnonceRules {
    bool reuse_cards = false;
    bool ten_before_king = false; // carre_100_order: A 10 K Q
    bool first_of_equals = false; // annonce_tie: first
    bool without_trump = false;   // carrés count as without trump

    friend bool operator==(const AnnonceRules&, const AnnonceRules&) = default;
};

struct Annonce {
    bool carre = false;
    Card top;       // of a run; any card of a carré
    int length = 4; // of a run
    int points = 0;

    friend bool operator==(const Annonce&, const Annonce&) = default;
};

// The best announcements of a hand of eight cards; among equal totals, those with the better single
// one.
std::vector<Annonce> annonces_of(const std::vector<Card>& hand, int trump,
                                 const AnnonceRules& rules);

// What each side scores for announcements of all hands if `first` leads.
std::array<int, 2> announced(const std::array<std::vector<Card>, 4>& hands, int trump, int first,
                             const AnnonceRules& rules);

// ---- the score -------------------------------------------------------------------------------

struct CountRules {
    enum class Basis { All, CardsAndBelote, Cards };
    enum class Litige { Carry, Fail, Success, Replay };
    enum class Rounding { None, FiveUp, SixUp };
    Basis basis = Basis::All;
    Litige litige = Litige::Carry;
    Rounding rounding = Rounding::None;
    int capot_points = 252;
    int fail_points = 162;
    bool capot_takes_annonces = true;
    bool loser_keeps_belote = true;
    bool another_deal_follows = false;
};

// A finished deal; teams are 0 and 1.
struct PlayedDeal {
    int attack = 0;
    int last = 0;
    std::array<int, 2> points{};
    std::array<int, 2> tricks{};
    std::array<int, 2> belote{};
    std::array<int, 2> announced{};
    int pool = 0;
};

struct Marks {
    std::array<int, 2> marks{};
    int pool = 0; // after the deal

    friend bool operator==(const Marks&, const Marks&) = default;
};

Marks count(const PlayedDeal& deal, const CountRules& rules);

// Cards and positions of the plain implementation in the rulesets' notation.

inline constexpr std::string_view kSeats = "ABCD";
inline constexpr std::string_view kSuits = "SHDC";
inline constexpr std::string_view kRanks = "789TJQKA";

// "TS", and the reverse.
std::string name_of(const Card& card);
Card card_named(std::string_view name);

// The position as JSON, with the nodes that a position written by hand has.
std::string position_json(const Position& position);

} // namespace croupier::plain
