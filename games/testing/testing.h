// What tests of games share: opening them, and a whole game as one text.
#pragma once

#include "engine/api/ruleset.h"
#include "games/contract/game.h"
#include "games/registry.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace croupier::games {

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
