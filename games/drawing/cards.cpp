// Parses names of cards.
#include "games/drawing/cards.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace croupier::games {
namespace {

constexpr std::string_view kSuits = "SHDC";
constexpr std::array<std::string_view, 4> kSigns = {"♠", "♥", "♦", "♣"};
constexpr std::array<std::string_view, 4> kLetters = {"S", "H", "D", "C"};

// The group of a card in a hand: the suit, or the letters of "T21".
std::string family_of(const DrawnCard& card) {
    if (card.suit != 0) return {card.suit};
    std::string letters;
    for (const char c : card.name) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) break;
        letters += c;
    }
    return letters.size() < card.name.size() ? letters : std::string();
}

} // namespace

DrawnCard read_card(std::string_view name) {
    DrawnCard card{std::string(name), std::string(name), 0, {}};
    if (name.size() < 2) return card;
    const auto is_suit = [](char c) { return kSuits.find(c) != std::string_view::npos; };
    const bool digit = std::isdigit(static_cast<unsigned char>(name[1])) != 0;
    if (is_suit(name.back())) {
        card.suit = name.back();
        card.rank = name.substr(0, name.size() - 1);
    } else if (is_suit(name.front()) && digit) {
        card.suit = name.front();
        card.rank = name.substr(1);
    }
    if (card.suit != 0 && card.rank == "T") card.rank = "10";
    return card;
}

std::string_view suit_sign(char suit, bool ascii) {
    const std::size_t at = kSuits.find(suit);
    if (suit == 0 || at == std::string_view::npos) return {};
    return ascii ? kLetters[at] : kSigns[at];
}

std::string label_of(const DrawnCard& card, bool ascii) {
    return card.rank + std::string(suit_sign(card.suit, ascii));
}

Pack::Pack(const engine::Domain& cards) {
    std::vector<std::string> families; // by their first card
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const std::string& name : cards.members) {
        const std::string family = family_of(read_card(name));
        const auto found = std::ranges::find(families, family);
        order.emplace_back(found - families.begin(), name);
        if (found == families.end()) families.push_back(family);
    }
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < order.size(); ++i)
        places_.emplace(order[i].second, i);
}

bool Pack::holds(std::string_view name) const {
    return places_.contains(std::string(name));
}

std::size_t Pack::place(std::string_view name) const {
    const auto found = places_.find(std::string(name));
    return found == places_.end() ? places_.size() : found->second;
}

} // namespace croupier::games
