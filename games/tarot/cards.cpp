// The pack, what cards count, what lies in a trick.
#include "games/tarot/plain.h"

#include <algorithm>

namespace croupier::tarot {

using Cards = std::vector<Card>;

std::string name_of(const Card& card) {
    return card.suit == 'E' ? "EX" : card.suit + std::to_string(card.rank);
}

Card card_named(const std::string& name) {
    if (name == "EX") return {};
    return {name[0], std::stoi(name.substr(1))};
}

Cards whole_pack() {
    Cards pack;
    for (const char suit : {'S', 'H', 'D', 'C'}) {
        for (int rank = 1; rank <= 14; ++rank)
            pack.push_back({suit, rank});
    }
    for (int rank = 1; rank <= 21; ++rank)
        pack.push_back({'T', rank});
    pack.push_back({});
    return pack;
}

bool is_bout(const Card& card) {
    return card.suit == 'E' || (card.suit == 'T' && (card.rank == 1 || card.rank == 21));
}

int half_points(const Card& card) {
    if (is_bout(card)) return 9;
    if (card.suit == 'T' || card.rank <= 10) return 1;
    return 2 * (card.rank - 10) + 1;
}

Sizes sizes_of(int players) {
    if (players == 3) return {4, 6, 24, {13, 15, 18}};
    if (players == 5) return {3, 3, 15, {8, 10, 13}};
    return {};
}

bool holds(const Cards& cards, const Card& card) {
    return std::find(cards.begin(), cards.end(), card) != cards.end();
}

Cards of_suit(const Cards& cards, char suit) {
    Cards found;
    for (const Card& card : cards) {
        if (card.suit == suit) found.push_back(card);
    }
    return found;
}

// The suit of a trick: that of its first card that is not the Excuse; 0 if there is none.
char led(const Trick& trick) {
    for (const auto& [seat, card] : trick.cards) {
        if (card.suit != 'E') return card.suit;
    }
    return 0;
}

int highest(const Trick& trick, char suit) {
    int rank = 0;
    for (const auto& [seat, card] : trick.cards) {
        if (card.suit == suit) rank = std::max(rank, card.rank);
    }
    return rank;
}

} // namespace croupier::tarot
