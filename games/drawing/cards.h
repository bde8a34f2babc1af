// Names of cards and suits, as people read and sort them.
#pragma once

#include "engine/api/ruleset.h"
#include "games/drawing/drawing.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::games {

// "7S", "TS", "S7" as rank and suit; what names no suit is all rank.
DrawnCard read_card(std::string_view name);

// "♠", or the letter itself where only ASCII can be shown.
std::string_view suit_sign(char suit, bool ascii);
// "10♠".
std::string label_of(const DrawnCard& card, bool ascii);

// The cards of a pack in the order in which a hand is held: suit by suit, suits and ranks as the
// domain has them.
class Pack {
  public:
    Pack() = default;
    explicit Pack(const engine::Domain& cards);

    [[nodiscard]] bool empty() const { return places_.empty(); }
    [[nodiscard]] bool holds(std::string_view name) const;
    // Smaller is further left; what is no card comes behind all cards.
    [[nodiscard]] std::size_t place(std::string_view name) const;

  private:
    std::unordered_map<std::string, std::size_t> places_;
};

} // namespace croupier::games
