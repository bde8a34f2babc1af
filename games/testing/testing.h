// Shared by tests of games: opening them, and a whole game as text.
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

// Checks in a card game that every card is in one place, at each decision, from deal to deal.

// Follows one game after another. Checks what the ruleset declares of the places of its type Card
// (games/checks/one_place.h), that the whole pack is present, and that hands have the right size.
class CardWatch {
  public:
    explicit CardWatch(const Game& game);
    ~CardWatch();
    CardWatch(const CardWatch&) = delete;
    CardWatch& operator=(const CardWatch&) = delete;

    // Whether the ruleset declares where its cards are.
    [[nodiscard]] bool is_card_game() const;

    // Call after the first deal. Returns the error, or an empty text.
    [[nodiscard]] std::string begins(const Position& position);
    // Call after each move. A player who has played to the trick holds one card less. When another
    // player deals, nothing of the last deal must be left.
    [[nodiscard]] std::string moved(const Position& position, std::string_view move);

  private:
    struct Shapes;
    [[nodiscard]] std::string hands(const engine::Document& state) const;
    [[nodiscard]] std::string strangers() const;
    [[nodiscard]] std::string left_over(const engine::Document& state);

    std::unique_ptr<Shapes> shapes_;
    std::set<std::string> pack_;
    std::set<std::string> first_; // root nodes after the first deal
    std::string dealer_;
};

// How often a player who may pass does so at once. Frequent passes lead where random games hardly
// come: to deals that all pass.
enum class Temper { Random, Shy, Silent };

// Plays a game with such players and checks the cards. Returns the error with the moves so far, or
// an empty text. An aborted game is an error, too.
std::string watch_cards(const Game& game, std::uint64_t seed, Temper temper);

// Tests run in the source tree, or in a copy of its games.
inline const std::string kGamesFolder = "games";
inline const std::string kAgentsFolder = "agents";

// The path of a program built beside this one.
std::string beside_this_program(const std::string& name);

// Reads files as the command line does, without its limits.
engine::FileOpener test_opener();

// Games of this tree: shipped, in examples/ or in testing/. If a game cannot be opened, the test
// fails with its errors.
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
