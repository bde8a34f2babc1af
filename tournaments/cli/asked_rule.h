// Finds the state on which a rule runs at a place of a game: of the game's own rules, or of an
// agent's, who has played or watched up to there.
#pragma once

#include "agents/registry.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/state.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/named_game.h"

#include <memory>
#include <optional>
#include <string>

namespace croupier::cli {

// What is needed to ask `why`, and what that lives in.
struct AskedRule {
    const engine::Program* program = nullptr;
    const engine::Sources* game_sources = nullptr;
    engine::RuleId rule = engine::kNone;
    engine::Budgets budgets;
    std::optional<engine::State> state;
    engine::Random random{1};

    std::optional<NamedPosition> at;
    OpenedPosition opened;
    agents::MadeAgent agent; // if the rule is one of its

    [[nodiscard]] const engine::Sources& sources() const {
        return agent.agent != nullptr ? agent.sources : *game_sources;
    }
};

// The rule at a place of a run. Of the groups that the harness runs it is the run that led to the
// position (`setup`, `moves`), or that the move made there has caused (`play`); all others find the
// position as it stands. `agent`: the spec of one that plays there in the place of whoever did;
// empty: the game's rules are meant, or those of the agent whose move it was.
AskedRule ask_at_place(const GamePlace& place, const std::string& rule, const std::string& agent,
                       Context& context);

// A rule of an agent who sits down at a position of the game and knows nothing of what came before.
AskedRule ask_agent_at_state(const GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent, Context& context);

} // namespace croupier::cli
