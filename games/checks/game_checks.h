// What must hold in every game of a ruleset, looked for in random ones.
#pragma once

#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/ruleset/ruleset_game.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::games {

// Changes what a player may not see, to show that his view does not depend on it.

// States that differ from `state` in nothing but what `hidden`, the block of a ruleset, keeps from
// the player: each hidden node taken away, and each two of one depth exchanged. Some may be none
// that the game can have; loading them says so. Finds what is hidden by itself, so that it can be
// held against how views are made.
std::vector<engine::Document> changed_where_hidden(const engine::Document& hidden,
                                                   const engine::Document& state,
                                                   const std::string& player);

struct GameChecks {
    std::uint64_t games = 10; // with the seeds from `seed` on, as random agents play them
    std::uint64_t seed = 1;
    std::uint32_t most_moves = 500; // of one game
    bool views = false;             // what a seat sees does not depend on what is hidden from it
    bool draws = false;  // what observers draw agrees with the view, and the truth is not excluded
    bool reload = false; // a state that is written and read is the same position
    std::vector<OnePlaceRule> one_place; // after each move, and in what is drawn
    RuleWatch* watch = nullptr;          // hears of the rules of these games
};

// One thing that does not hold, and where it was met first.
struct GameProblem {
    std::string check; // "views", "draws", "reload", "one_place", "games"
    std::string what;
    std::uint64_t seed = 0;
    std::string moves; // made until then, with commas
};

// The first problem of each check; none is good. A game that is aborted is a problem of "games".
std::vector<GameProblem> check_games(const RulesetGame& game, const GameChecks& checks);

} // namespace croupier::games
