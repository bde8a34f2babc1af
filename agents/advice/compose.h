// The game and the table as one ruleset: what of a table is rules goes in, the rest is read apart.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <string>
#include <utility>
#include <vector>

namespace croupier::agents::advice {

// What of a table the rule language does not know, as it stands in the file.
struct TableText {
    engine::Document define; // name: condition, or a formula of other names
    engine::Document moves;  // name: condition that binds M, or a formula of other names
    engine::Document rules;
    engine::Document advice;
    engine::Document side;
    engine::Document roots;
    engine::Span file; // for what is missing
};

// Predicates and generators become rules of the composed game.
std::string predicate_rule(std::string_view name);
std::string generator_rule(std::string_view name);

struct Composed {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    TableText text;
    std::shared_ptr<const games::RulesetGame> game; // null if there are errors
};

Composed compose(const std::string& path, const engine::FileOpener& open,
                 const games::RulesetGame& game);

} // namespace croupier::agents::advice
