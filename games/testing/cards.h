// Whether every card is in one place: at each decision of a game of cards, from deal to deal.
#pragma once

#include "games/contract/game.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

// Follows one game after the other. Which nodes hold cards it finds in the shape of the ruleset:
// maps that say of cards of the type Card that they are there (`true`), and leaves of that type.
// Nodes that only tell again of a card that lies elsewhere are listed in cards.cpp: one that is new
// in a game counts as a place until somebody lists it.
class CardWatch {
  public:
    explicit CardWatch(const Game& game);
    ~CardWatch();
    CardWatch(const CardWatch&) = delete;
    CardWatch& operator=(const CardWatch&) = delete;

    // Whether the game has a type Card and hands of cards.
    [[nodiscard]] bool is_card_game() const;

    // After the first deal. What is wrong, or nothing.
    [[nodiscard]] std::string begins(const Position& position);
    // After each move: who leaves the game's places may be a card of the trick, and comes back with
    // the whole pack alone; no card is in two places; who has played to the trick holds one card
    // less. When another player deals, nothing of the deal before is left.
    [[nodiscard]] std::string moved(const Position& position, std::string_view move);

  private:
    struct Shapes;
    using Places = std::map<std::string, std::vector<std::string>>; // of each card

    [[nodiscard]] Places places_of(const engine::Document& state) const;
    [[nodiscard]] std::string hands(const engine::Document& state) const;
    [[nodiscard]] std::string look(const engine::Document& state);
    [[nodiscard]] std::string left_over(const engine::Document& state);

    std::unique_ptr<Shapes> shapes_;
    std::set<std::string> pack_;
    std::set<std::string> trick_; // what lay there before the move
    std::set<std::string> first_; // the nodes of the state after the first deal
    std::string dealer_;
    Places now_;
};

// Games in which players pass rather than bid, or never say anything else, get where random ones
// hardly come: to deals that all pass. How often a player who may pass does so at once.
enum class Temper { Random, Shy, Silent };

// Plays a game with such players and watches the cards; what is wrong, with the moves so far, or
// nothing. A game that is aborted is wrong too.
std::string watch_cards(const Game& game, std::uint64_t seed, Temper temper);

} // namespace croupier::games
