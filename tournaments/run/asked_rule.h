// Finds rules to explain: by name, and at a place in a game.
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

// Throws a UserError with the error of a run: rule, place, values.
[[noreturn]] void throw_run_error(const engine::RunError& error, const engine::Sources& sources);

// The rule named NAME or GROUP/NAME; kNone if there is none.
engine::RuleId known_rule(const engine::Catalogue& catalogue, const std::string& name);
// The same; throws a UserError that suggests the nearest name.
engine::RuleId find_rule(const engine::Catalogue& catalogue, const std::string& name);

// Finds the state on which a rule runs at a place of a game: a rule of the game, or of an agent
// that has played or observed up to there.

// What `why` needs, with its owners.
struct AskedRule {
    const engine::Program* program = nullptr;
    const engine::Sources* game_sources = nullptr;
    engine::RuleId rule = engine::kNone;
    engine::Budgets budgets;
    std::optional<engine::State> state;
    engine::Random random{1};

    std::optional<NamedPosition> at;
    OpenedPosition opened;
    agents::MadeAgent agent; // if the rule belongs to it

    [[nodiscard]] const engine::Sources& sources() const {
        return agent.agent != nullptr ? agent.sources : *game_sources;
    }
};

// The rule at a place of a run. For groups run by the harness it is the run that led to the
// position (`setup`, `moves`), or the one caused by the move made there (`play`); other groups run
// on the position itself. `agent`: spec of an agent that replaces the original player there; if
// empty, the rule is one of the game's or of the agent to move.
AskedRule ask_at_place(const GamePlace& place, const std::string& rule, const std::string& agent,
                       const HostServices& host);

// A rule of an agent that starts at a position of the game, without knowledge of earlier moves.
AskedRule ask_agent_at_state(const GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent,
                             const HostServices& host);

} // namespace croupier::tournaments
