// Announcements and the score of a deal as plain C++, for the tests to hold the ruleset against.
#pragma once

#include "games/belote/plain.h"

#include <array>
#include <optional>
#include <vector>

namespace croupier::plain {

// ---- announcements ---------------------------------------------------------------------------

struct AnnonceRules {
    bool reuse_cards = false;
    bool ten_before_king = false; // carre_100_order: A 10 K Q
    bool first_of_equals = false; // annonce_tie: first
    bool without_trump = false;   // carrés as where nothing is trump

    friend bool operator==(const AnnonceRules&, const AnnonceRules&) = default;
};

struct Annonce {
    bool carre = false;
    Card top;       // of a run; of a carré any of its cards
    int length = 4; // of a run
    int points = 0;

    friend bool operator==(const Annonce&, const Annonce&) = default;
};

// The announcements of a hand of eight cards that count most; of those that count as much, those
// with the better single one.
std::vector<Annonce> annonces_of(const std::vector<Card>& hand, int trump,
                                 const AnnonceRules& rules);

// What each side scores for the announcements of all hands, when `first` has led.
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

// A deal that has been played; teams are 0 and 1.
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
    int pool = 0; // afterwards

    friend bool operator==(const Marks&, const Marks&) = default;
};

Marks count(const PlayedDeal& deal, const CountRules& rules);

} // namespace croupier::plain
