// Replays the game, and stops when the rule's group runs.
#include "tournaments/run/asked_rule.h"

#include "agents/agent.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/replay/game_replay.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace croupier::tournaments {

void throw_run_error(const engine::RunError& error, const engine::Sources& sources) {
    throw UserError(fmt::format("{}: rule {} stopped: {}: {}", sources.place(error.span),
                                error.rule, engine::name_of(error.kind), error.detail));
}

engine::RuleId known_rule(const engine::Catalogue& catalogue, const std::string& name) {
    const engine::RuleId id = catalogue.rule_id(name);
    const std::size_t slash = name.rfind('/');
    if (id != engine::kNone || slash == std::string::npos) return id;
    const engine::RuleId last = catalogue.rule_id(name.substr(slash + 1));
    if (last == engine::kNone) return last;
    const engine::GroupPlan& group = catalogue.groups[engine::place_of(catalogue, last).group];
    return group.name == name.substr(0, slash) ? last : engine::kNone;
}

engine::RuleId find_rule(const engine::Catalogue& catalogue, const std::string& name) {
    const engine::RuleId id = known_rule(catalogue, name);
    if (id == engine::kNone) {
        std::vector<std::string> known;
        for (const engine::RulePlan& rule : catalogue.rules)
            known.push_back(rule.name);
        throw UserError(fmt::format("there is no rule '{}'{}", name, did_you_mean(name, known)));
    }
    return id;
}

namespace {

using games::Phase;
using games::Position;
using games::Purpose;
using games::Seat;

// Keeps the beginning of the latest run of a group.
class RunKeeper : public games::RuleWatch {
  public:
    RunKeeper(AskedRule& asked, engine::GroupId group) : asked_(asked), group_(group) {}

    void runs(const games::RuleRun& run) override {
        if (&run.program != asked_.program || run.group != group_) return;
        asked_.state.emplace(run.state);
        asked_.random = run.random;
    }

  private:
    AskedRule& asked_;
    engine::GroupId group_;
};

// Takes the rules of the agent, or throws UserError.
void take_agent(AskedRule& asked, agents::MadeAgent made, const std::string& spec,
                const HostServices& host) {
    host.diagnose(made.diagnostics, made.sources);
    if (made.agent == nullptr)
        throw UserError(!made.error.empty()
                            ? made.error
                            : fmt::format("{} in the agent {}", errors_in(made.diagnostics), spec));
    asked.agent = std::move(made);
    asked.program = asked.agent.agent->rules();
    if (asked.program == nullptr)
        throw UserError(fmt::format("the agent {} has no rules that could be asked", spec));
}

agents::MadeAgent make_asked(const std::string& spec, const games::Game& game,
                             const engine::FileOpener& open, const std::string& folder,
                             const HostServices& host) {
    const agents::AgentSpec parsed = agents::parse_agent_spec(spec);
    if (const auto unknown = unknown_file(parsed, game, folder)) throw UserError(*unknown);
    name_files(parsed.arguments, host);
    return agents::make_agent(parsed, {game, open, folder});
}

// An agent at its seat, informed as in a game.
class Follower : public SeatReplay {
  public:
    Follower(agents::Agent& agent, const NamedGame& game, Seat seat)
        : SeatReplay(*game.run.game, seat, game.key(), game.start()), agent_(agent),
          choices_(games::stream(key().seed, key().deal, Purpose::Choice, key().round, seat)) {}
    // Lets it choose, because that may change its memory.
    void decides() override { agent_.choose(view(), choices_); }

  private:
    void begins() override { agent_.reset(game(), seat()); }
    void sees(const Position& view, const agents::ObservedMove& seen) override {
        if (agent_.observes()) agent_.observe(view, seen);
    }

    agents::Agent& agent_;
    games::Random choices_;
};

engine::GroupId group_of_rule(const AskedRule& asked) {
    return engine::place_of(asked.program->catalogue(), asked.rule).group;
}

// Both replay the game up to the move at the place.

void ask_game(AskedRule& asked, const games::RulesetGame& game) {
    const NamedGame& named = asked.at->game;
    const std::vector<std::string> moves = moves_in(named.lines);
    const std::size_t ply = asked.at->replay->made();
    const engine::GroupId group = group_of_rule(asked);
    const auto& groups = game.groups();
    RunKeeper keeper(asked, group);
    GameReplay replay(*named.run.game);
    if (group == groups.setup || group == groups.moves ||
        (group == groups.score && ply == moves.size()))
        replay.take_position().set_watch(&keeper);
    engine::Diagnostics none;
    replay.begin(named.key(), named.start(), none);
    replay.go(moves, ply);
    replay.take_position().set_watch(group == groups.play ? &keeper : nullptr);
    if (group == groups.play) replay.go(moves, ply + 1);
    if (!asked.state) asked.state.emplace(*asked.at->replay->position().ruleset_state());
}

void ask_agent(AskedRule& asked, Seat seat) {
    const NamedGame& named = asked.at->game;
    const std::vector<std::string> moves = moves_in(named.lines);
    const std::size_t ply = asked.at->replay->made();
    agents::Agent& agent = *asked.agent.agent;
    Follower follower(agent, named, seat);
    follower.follow(std::span(moves).first(ply));
    RunKeeper keeper(asked, group_of_rule(asked));
    agent.set_watch(&keeper);
    if (ply < moves.size())
        follower.follow(std::span(moves).first(ply + 1));
    else
        follower.decides();
    agent.set_watch(nullptr);
}

void refuse_unrun(const AskedRule& asked, const std::string& rule) {
    if (!asked.state)
        throw UserError(fmt::format("the agent does not run the group of the rule {} there", rule));
}

} // namespace

AskedRule ask_at_place(const GamePlace& place, const std::string& rule, const std::string& agent,
                       const HostServices& host) {
    AskedRule asked;
    asked.at.emplace(open_named_position(place, host));
    const NamedGame& named = asked.at->game;
    const Position& position = asked.at->replay->position();
    const games::RulesetGame* const game = named.run.game->ruleset_game();
    if (agent.empty() && game != nullptr) {
        asked.program = &game->program();
        asked.game_sources = &game->sources();
        asked.rule = known_rule(asked.program->catalogue(), rule);
        if (asked.rule != engine::kNone) {
            asked.budgets = game->budgets();
            ask_game(asked, *game);
            return asked;
        }
    }
    const bool over = position.ending() != games::Ending::None;
    const Seat seat = over ? 0 : position.turn();
    if (!agent.empty()) {
        take_agent(
            asked,
            make_asked(agent, *named.run.game, named.run.open, named.run.agents_folder, host),
            agent, host);
    } else {
        // The rule may belong to the agent that moved there.
        const std::uint32_t who = named.recorded.seats[seat].agent;
        agents::MadeAgent made = made_agent(named.run, named.run.specification.agents[who].spec);
        const engine::Program* const rules =
            over || made.agent == nullptr ? nullptr : made.agent->rules();
        if (rules == nullptr || known_rule(rules->catalogue(), rule) == engine::kNone) {
            if (game == nullptr)
                throw UserError(fmt::format("{} has no rules", named.run.facts.game));
            find_rule(game->program().catalogue(), rule); // throws
        }
        take_agent(asked, std::move(made), named.run.facts.agents[who], host);
    }
    if (over) throw UserError("the game is over there, so that no agent has a choice");
    asked.rule = find_rule(asked.program->catalogue(), rule);
    ask_agent(asked, seat);
    refuse_unrun(asked, rule);
    return asked;
}

AskedRule ask_agent_at_state(const GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent,
                             const HostServices& host) {
    AskedRule asked;
    asked.opened = open_position(game, state, 1, nullptr, host);
    const Position& position = *asked.opened.position;
    const std::string folder = agents_folder({}, host);
    host.include_roots->add(folder);
    take_agent(asked, make_asked(agent, position.game(), file_opener(host), folder, host), agent,
               host);
    if (position.ending() != games::Ending::None)
        throw UserError("the game is over there, so that no agent has a choice");
    asked.rule = find_rule(asked.program->catalogue(), rule);
    const Seat seat = position.turn();
    agents::Agent& chooser = *asked.agent.agent;
    chooser.reset(position.game(), seat);
    const auto view = position.game().facts().hides ? position.game().new_position() : nullptr;
    if (view != nullptr) view->view_from(position, seat);
    games::Random choices = games::stream(1, 0, Purpose::Choice, 0, seat);
    RunKeeper keeper(asked, group_of_rule(asked));
    chooser.set_watch(&keeper);
    chooser.choose(view != nullptr ? *view : position, choices);
    chooser.set_watch(nullptr);
    refuse_unrun(asked, rule);
    return asked;
}

} // namespace croupier::tournaments
