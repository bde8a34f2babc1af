// Names of cards and suits, in the form that people read, and in their order.
#pragma once

#include "engine/api/ruleset.h"
#include "games/drawing/drawing.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::games {

// Splits "7S", "TS" or "S7" into rank and suit; a name without a suit is all rank.
DrawnCard read_card(std::string_view name);

// "♠", or the letter itself in ASCII.
std::string_view suit_sign(char suit, bool ascii);
// "10♠".
std::string label_of(const DrawnCard& card, bool ascii);

// A pack's cards in the order of a held hand: by suit, suits and ranks in the order of the domain.
class Pack {
  public:
    Pack() = default;
    explicit Pack(const engine::Domain& cards);

    [[nodiscard]] bool empty() const { return places_.empty(); }
    [[nodiscard]] bool holds(std::string_view name) const;
    // Sort key from the left; names that are not cards come after all cards.
    [[nodiscard]] std::size_t place(std::string_view name) const;

  private:
    std::unordered_map<std::string, std::size_t> places_;
};

} // namespace croupier::games
