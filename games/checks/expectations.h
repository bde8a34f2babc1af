// Holds a position against what a test expects of it.
#pragma once

#include "engine/api/text.h"
#include "games/checks/test_run.h"

namespace croupier::games {

// Adds to `failures` what is not as `expected` says. `chance` is for views of the position.
void hold_against(const engine::Document& expected, const Position& position,
                  std::vector<TestFailure>& failures);

// "3S, 4D": the names of the legal moves, in the game's order.
std::vector<std::string> legal_names(const Position& position);
std::string joined_names(const std::vector<std::string>& names);
// ["3S", "4D"]
std::string names_json(const std::vector<std::string>& names);

} // namespace croupier::games
