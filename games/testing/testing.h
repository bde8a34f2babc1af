// What tests of games share: opening them, and a whole game as one text.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/registry.h"

#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

// Whether every card is in one place: at each decision of a game of cards, from deal to deal.

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

// Tests run in the source tree, or in a copy of its games.
inline const std::string kGamesFolder = "games";
inline const std::string kAgentsFolder = "agents";

// The path of a program that is built beside this one.
std::string beside_this_program(const std::string& name);

// Reads files as the command line does, without its limits.
engine::FileOpener test_opener();

// Those of this tree: shipped, in examples/ or in testing/. A game that cannot be opened fails the
// test that asks for it, with what is wrong.
std::shared_ptr<const Game> open_for_test(const std::string& title,
                                          std::vector<GameOption> options = {});
// A ruleset given as text.
OpenedGame open_text(const std::string& text, const std::vector<GameOption>& options = {});

// The titles of all games and revisions: shipped ones, those in examples/ and those in testing/.
std::vector<std::string> all_titles();

// Every state, player, move and list of legal moves of a random game, as text.
std::string random_game(Position& position, std::uint64_t seed, std::uint64_t deal = 0);

// The state as JSON on one line.
std::string json(const Position& position);
std::vector<std::string> legal(const Position& position);

// The options that keep a game short.
std::vector<GameOption> short_game(const std::string& title);

} // namespace croupier::games
