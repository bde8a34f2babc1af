// The best drops of Life by material, found for all cells at once: rules can only try one after the
// other, which takes some hundred times as long.
#pragma once

#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <memory>
#include <string_view>

namespace croupier::games::life {

// The hash of the ruleset that this file knows: games/life/rules.json. Where the file differs,
// its rules are asked.
inline constexpr std::string_view kRuleset = "54dd6e9aefc4647a";

// `material` tells what single positions are worth. Both must outlive it.
std::unique_ptr<const Evaluation> evaluate_all_drops(const RulesetGame& game,
                                                     const Evaluation& material);

} // namespace croupier::games::life
