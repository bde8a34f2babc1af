// Whether every card is in one place: at each decision of a game of cards, from deal to deal.
#pragma once

#include "engine/api/text.h"
#include "games/contract/game.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace croupier::games {

// Follows one game after the other: with what the ruleset declares of the places of its type Card
// (games/checks/one_place.h), that the whole pack is there, and that hands are as large as they
// should be.
class CardWatch {
  public:
    explicit CardWatch(const Game& game);
    ~CardWatch();
    CardWatch(const CardWatch&) = delete;
    CardWatch& operator=(const CardWatch&) = delete;

    // Whether the ruleset declares where its cards are.
    [[nodiscard]] bool is_card_game() const;

    // After the first deal. What is wrong, or nothing.
    [[nodiscard]] std::string begins(const Position& position);
    // After each move. Who has played to the trick holds one card less. When another player deals,
    // nothing of the deal before is left.
    [[nodiscard]] std::string moved(const Position& position, std::string_view move);

  private:
    struct Shapes;
    [[nodiscard]] std::string hands(const engine::Document& state) const;
    [[nodiscard]] std::string strangers() const;
    [[nodiscard]] std::string left_over(const engine::Document& state);

    std::unique_ptr<Shapes> shapes_;
    std::set<std::string> pack_;
    std::set<std::string> first_; // the nodes of the state after the first deal
    std::string dealer_;
};

// Games in which players pass rather than bid, or never say anything else, get where random ones
// hardly come: to deals that all pass. How often a player who may pass does so at once.
enum class Temper { Random, Shy, Silent };

// Plays a game with such players and watches the cards; what is wrong, with the moves so far, or
// nothing. A game that is aborted is wrong too.
std::string watch_cards(const Game& game, std::uint64_t seed, Temper temper);

} // namespace croupier::games
