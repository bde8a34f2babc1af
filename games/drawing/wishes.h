// The block `"draw"` of a ruleset's `game`: what a shape does not say of how a position is drawn.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"

#include <string>
#include <utility>
#include <vector>

namespace croupier::games {

enum class Wish {
    Leave,   // false: the node is not drawn
    Chess,   // "chess": the board has squares of two colours, letters on it are chessmen
    Letters, // "letters": it has not, whatever stands on it
    Hand,    // "hand": the player whom the node names is told beside his hand
};

// By node of the root, as the ruleset has them; what is wrong goes to `diagnostics`.
std::vector<std::pair<std::string, Wish>> wishes_of(const engine::Ruleset& ruleset,
                                                    engine::Diagnostics& diagnostics);

} // namespace croupier::games
