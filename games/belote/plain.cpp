// The decision list of belote, and what happens to a card that is played.
#include "games/belote/plain.h"

#include <algorithm>
#include <utility>

namespace croupier::plain {
namespace {

constexpr int kQueen = 5;
constexpr int kKing = 6;

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

int plain_height(const Card& card) {
    static constexpr std::array<int, 8> kHeights{1, 2, 3, 7, 4, 5, 6, 8};
    return kHeights[index(card.rank)];
}

void add_suit(const std::vector<Card>& hand, int suit, std::vector<Card>& moves) {
    for (const Card& card : hand) {
        if (card.suit == suit) {
            moves.push_back(card);
        }
    }
}

void add_higher_trumps(const std::vector<Card>& hand, const Card& best, std::vector<Card>& moves) {
    for (const Card& card : hand) {
        if (card.suit == best.suit && trump_height(card) > trump_height(best)) {
            moves.push_back(card);
        }
    }
}

// All but the trumps below the best one, if there is a higher one; else all.
void add_without_undertrumps(const std::vector<Card>& hand, const Card& best,
                             std::vector<Card>& moves) {
    const bool has_higher = std::any_of(hand.begin(), hand.end(), [&](const Card& card) {
        return card.suit == best.suit && trump_height(card) > trump_height(best);
    });
    for (const Card& card : hand) {
        if (!has_higher || card.suit != best.suit || trump_height(card) > trump_height(best)) {
            moves.push_back(card);
        }
    }
}

bool beats(const Card& card, const Card& best, int trump) {
    if (card.suit != best.suit) {
        return card.suit == trump;
    }
    return card.suit == trump ? trump_height(card) > trump_height(best)
                              : plain_height(card) > plain_height(best);
}

void end_trick(Position& position) {
    const int team = position.holder % 2;
    for (const Played& played : position.trick) {
        position.points[index(team)] += card_points(played.card, position.trump);
    }
    ++position.tricks[index(team)];
    position.last = team;
    position.turn = position.holder;
    position.trick.clear();
    position.led.reset();
}

} // namespace

Position deal(engine::Random& random) {
    std::vector<Card> pack;
    pack.reserve(32);
    for (int card = 0; card < 32; ++card) {
        pack.push_back({card / 8, card % 8});
    }
    for (std::size_t i = pack.size() - 1; i > 0; --i) {
        std::swap(pack[i], pack[random.below(i + 1)]);
    }
    Position position;
    for (std::size_t i = 0; i < pack.size(); ++i) {
        position.hands[i / 8].push_back(pack[i]);
    }
    position.trump = static_cast<int>(random.below(4));
    return position;
}

int trump_height(const Card& card) {
    static constexpr std::array<int, 8> kHeights{1, 2, 7, 5, 8, 3, 4, 6};
    return kHeights[index(card.rank)];
}

int card_points(const Card& card, int trump) {
    static constexpr std::array<int, 8> kPlain{0, 0, 0, 10, 2, 3, 4, 11};
    static constexpr std::array<int, 8> kTrump{0, 0, 14, 10, 20, 3, 4, 11};
    return (card.suit == trump ? kTrump : kPlain)[index(card.rank)];
}

void legal_moves(const Position& position, std::vector<Card>& moves, const Rules& rules) {
    const std::vector<Card>& hand = position.hands[index(position.turn)];
    moves.clear();
    if (!position.led) {
        moves = hand;
        return;
    }
    const int trump = position.trump;
    const bool partner_holds = position.holder == (position.turn + 2) % 4;
    if (*position.led == trump && !(partner_holds && rules.trump_lead_exempt)) {
        add_higher_trumps(hand, position.best, moves);
    }
    if (moves.empty()) {
        add_suit(hand, *position.led, moves);
    }
    if (!moves.empty()) {
        return;
    }
    const bool ruffed = position.best.suit == trump;
    if (partner_holds && rules.partner_winning != Rules::Partner::MustTrump) {
        if (ruffed && rules.partner_winning == Rules::Partner::NoUndertrump) {
            add_without_undertrumps(hand, position.best, moves);
        } else {
            moves = hand;
        }
        return;
    }
    if (ruffed) {
        add_higher_trumps(hand, position.best, moves);
        if (moves.empty() && rules.may_discard) {
            moves = hand;
        }
    }
    if (moves.empty()) {
        add_suit(hand, trump, moves);
    }
    if (moves.empty()) {
        moves = hand;
    }
}

std::vector<Card> legal_moves(const Position& position, const Rules& rules) {
    std::vector<Card> moves;
    legal_moves(position, moves, rules);
    return moves;
}

void play(Position& position, const Card& card, const Rules& rules) {
    std::vector<Card>& hand = position.hands[index(position.turn)];
    hand.erase(std::find(hand.begin(), hand.end(), card));
    if (card.suit == position.trump && (card.rank == kQueen || card.rank == kKing)) {
        const Card mate{card.suit, card.rank == kQueen ? kKing : kQueen};
        const bool both = std::find(hand.begin(), hand.end(), mate) != hand.end();
        if (both && (card.rank == kKing || !rules.king_first)) {
            position.belote[index(position.turn % 2)] = 20;
        }
    }
    if (!position.led) {
        position.led = card.suit;
        position.best = card;
        position.holder = position.turn;
    } else if (beats(card, position.best, position.trump)) {
        position.best = card;
        position.holder = position.turn;
    }
    position.trick.push_back({position.turn, card});
    position.turn = (position.turn + 1) % 4;
    if (position.trick.size() == 4) {
        end_trick(position);
    }
}

bool is_over(const Position& position) {
    return position.tricks[0] + position.tricks[1] == 8;
}

} // namespace croupier::plain
