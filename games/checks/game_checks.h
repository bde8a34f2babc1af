// Checks what must hold in every game of a ruleset, in random games.
#pragma once

#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/ruleset/ruleset_game.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::games {

// Changes what is hidden from a player, to test that the player's view does not depend on it.

// States that differ from `state` only in what the ruleset's block `hidden` hides from the player:
// without each hidden node, and with each two of one depth exchanged. The game may not allow some
// of them; loading reports that. Finds the hidden nodes independently of how views are made, so
// that it can test the views.
std::vector<engine::Document> changed_where_hidden(const engine::Document& hidden,
                                                   const engine::Document& state,
                                                   const std::string& player);

struct GameChecks {
    std::uint64_t games = 10; // with seeds from `seed` on, played by random agents
    std::uint64_t seed = 1;
    std::uint32_t most_moves = 500; // per game
    bool views = false;             // check that views do not depend on what is hidden
    bool draws = false;             // check that draws agree with the view and can be the truth
    bool reload = false;            // check that a state written and read is the same position
    std::vector<OnePlaceRule> one_place; // checked after each move, and in draws
    RuleWatch* watch = nullptr;          // is called for the rules of these games
};

// A check that failed, and where it first did.
struct GameProblem {
    std::string check; // "views", "draws", "reload", "one_place", "games"
    std::string what;
    std::uint64_t seed = 0;
    std::string moves; // made so far, separated by commas
};

// The first problem of each check; empty if there is none. An aborted game is a problem of "games".
std::vector<GameProblem> check_games(const RulesetGame& game, const GameChecks& checks);

} // namespace croupier::games
