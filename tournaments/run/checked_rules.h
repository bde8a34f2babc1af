// Checks rulesets, and agents that are rule files.
#pragma once

#include "agents/rules/rule_program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace croupier::tournaments {

inline const std::string kStandardInput = "<stdin>"; // in messages

struct CheckedFiles {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::string holds; // the contents, if readable
};

struct CheckSettings {
    bool strict = false;
    bool plays = true;     // play random games of a game
    bool together = false; // overlaid files, whose kind is not reported
};
// Checks a ruleset of overlaid files.
CheckedFiles check_rules(const std::vector<std::string>& files, const CheckSettings& settings,
                         const engine::FileOpener& open);
// Checks an agent or evaluator for a game with a ruleset.
CheckedFiles check_agent(const std::string& file, const games::Game& game, agents::RuleRole role,
                         bool strict, const engine::FileOpener& open);

// Code, severity, place, rule, message and hint.
nlohmann::ordered_json to_json(const engine::Diagnostic& diagnostic,
                               const engine::Sources& sources);

} // namespace croupier::tournaments
