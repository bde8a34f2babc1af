// What is wrong with rulesets, and with agents that are files of rules.
#pragma once

#include "agents/rules/rule_program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace croupier::tournaments {

inline const std::string kStandardInput = "<stdin>"; // its name in messages

struct CheckedFiles {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::string holds; // what there is, if it can be read
};

struct CheckSettings {
    bool strict = false;
    bool plays = true;     // random games of a game
    bool together = false; // of files that are laid one over the other no kind is told
};
// A ruleset, of files that are laid one over the other.
CheckedFiles check_rules(const std::vector<std::string>& files, const CheckSettings& settings,
                         const engine::FileOpener& open);
// An agent or an evaluator for a game, which has a ruleset.
CheckedFiles check_agent(const std::string& file, const games::Game& game, agents::RuleRole role,
                         bool strict, const engine::FileOpener& open);

// Code, severity, place, rule, message and hint.
nlohmann::ordered_json to_json(const engine::Diagnostic& diagnostic,
                               const engine::Sources& sources);

} // namespace croupier::tournaments
