// Changes what a player may not see, to show that his view does not depend on it.
#pragma once

#include "engine/api/text.h"

#include <string>
#include <vector>

namespace croupier::games {

// States that differ from `state` in nothing but what `hidden`, the block of a ruleset, keeps from
// the player: each hidden node taken away, and each two of one depth exchanged. Some may be none
// that the game can have; loading them says so. Finds what is hidden by itself, so that it can be
// held against how views are made.
std::vector<engine::Document> changed_where_hidden(const engine::Document& hidden,
                                                   const engine::Document& state,
                                                   const std::string& player);

} // namespace croupier::games
