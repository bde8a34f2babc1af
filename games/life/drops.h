// The best drops of Life by material, computed for all cells at once: rules can only try one after
// another, which takes some hundred times as long.
#pragma once

#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <memory>
#include <string_view>

namespace croupier::games::life {

// The hash of games/life/rules.json that this code implements. If the file differs, its rules are
// used instead.
inline constexpr std::string_view kRuleset = "7bf756d06a9c7676";

// `material` evaluates single positions. Both arguments must outlive the result.
std::unique_ptr<const Evaluation> evaluate_all_drops(const RulesetGame& game,
                                                     const Evaluation& material);

} // namespace croupier::games::life
