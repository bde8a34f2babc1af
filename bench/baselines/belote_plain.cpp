// The legal cards, by the decision list of classic belote.
#include "bench/baselines/belote_plain.h"

namespace croupier::bench::plain {
namespace {

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

} // namespace

int trump_height(const Card& card) {
    static constexpr std::array<int, 8> kHeights{1, 2, 7, 5, 8, 3, 4, 6};
    return kHeights[static_cast<std::size_t>(card.rank)];
}

void legal_moves(const Position& position, std::vector<Card>& moves) {
    const std::vector<Card>& hand = position.hands[static_cast<std::size_t>(position.turn)];
    moves.clear();
    if (!position.led) {
        moves = hand;
        return;
    }
    if (*position.led == position.trump) {
        add_higher_trumps(hand, position.best, moves);
    }
    if (moves.empty()) {
        add_suit(hand, *position.led, moves);
    }
    if (!moves.empty()) {
        return;
    }
    const int partner = (position.turn + 2) % 4;
    if (position.holder == partner) {
        moves = hand;
        return;
    }
    if (position.best.suit == position.trump) {
        add_higher_trumps(hand, position.best, moves);
    }
    if (moves.empty()) {
        add_suit(hand, position.trump, moves);
    }
    if (moves.empty()) {
        moves = hand;
    }
}

std::vector<Card> legal_moves(const Position& position) {
    std::vector<Card> moves;
    legal_moves(position, moves);
    return moves;
}

} // namespace croupier::bench::plain
