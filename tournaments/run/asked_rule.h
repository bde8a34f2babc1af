// Rules that are asked about: by their names, and where a game has come to them.
#pragma once

#include "agents/registry.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "tournaments/run/named_game.h"

#include <optional>
#include <string>

namespace croupier::tournaments {

// Throws UserError with what went wrong while rules ran: rule, place, values.
[[noreturn]] void throw_run_error(const engine::RunError& error, const engine::Sources& sources);

// The rule with that name, or GROUP/NAME, if there is one; kNone: none.
engine::RuleId known_rule(const engine::Catalogue& catalogue, const std::string& name);
// The same; throws UserError that suggests the nearest.
engine::RuleId find_rule(const engine::Catalogue& catalogue, const std::string& name);

// Finds the state on which a rule runs at a place of a game: of the game's own rules, or of an
// agent's, who has played or watched up to there.

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
                       const HostServices& host);

// A rule of an agent who sits down at a position of the game and knows nothing of what came before.
AskedRule ask_agent_at_state(const GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent,
                             const HostServices& host);

} // namespace croupier::tournaments
