// Goes through the game once more, and listens when the rule's group is run.
#include "tournaments/run/asked_rule.h"

#include "agents/agent.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::tournaments {

void throw_run_error(const engine::RunError& error, const engine::Sources& sources) {
    throw UserError(fmt::format("{}: rule {} stopped: {}: {}", sources.place(error.span),
                                error.rule, engine::name_of(error.kind), error.detail));
}

engine::RuleId known_rule(const engine::Program& program, const std::string& name) {
    const engine::RuleId id = program.rule_id(name);
    const std::size_t slash = name.rfind('/');
    if (id != engine::kNone || slash == std::string::npos) return id;
    const engine::RuleId last = program.rule_id(name.substr(slash + 1));
    if (last == engine::kNone) return last;
    const engine::GroupPlan& group = program.groups[engine::place_of(program, last).group];
    return group.name == name.substr(0, slash) ? last : engine::kNone;
}

engine::RuleId find_rule(const engine::Program& program, const std::string& name) {
    const engine::RuleId id = known_rule(program, name);
    if (id == engine::kNone) {
        std::vector<std::string> known;
        for (const engine::RulePlan& rule : program.rules)
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

// Keeps what the latest run of a group begins with.
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

// The rules that the agent runs, or UserError.
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

// One agent at its seat, told of everything as at a table.
class Follower {
  public:
    Follower(agents::Agent& agent, const games::Game& game, Seat seat, games::Random choices)
        : agent_(agent), seat_(seat), choices_(choices),
          view_(game.facts().hides ? game.new_position() : nullptr) {
        agent_.reset(game, seat);
    }
    // Lets it choose, if it is to move, for the sake of what it keeps in mind.
    void thinks(const Position& position) {
        if (position.ending() == games::Ending::None && position.turn() == seat_)
            agent_.choose(seen(position), choices_);
    }
    void hears(const Position& after, Seat player, const std::string& move, bool secret) {
        if (!agent_.observes()) return;
        const bool told = !secret || player == seat_;
        agent_.observe(seen(after), {player, told ? std::string_view(move) : "", false});
    }

  private:
    const Position& seen(const Position& position) {
        if (view_ == nullptr) return position;
        view_->view_from(position, seat_);
        return *view_;
    }

    agents::Agent& agent_;
    Seat seat_;
    games::Random choices_;
    std::unique_ptr<Position> view_;
};

// The game of the asked rule's place, from its beginning to the move that was made there.
class Walk {
  public:
    Walk(AskedRule& asked, const GamePlace& place)
        : asked_(asked), game_(asked.at->game),
          course_(*game_.run.game), key_{game_.run.facts.seed, place.id.block, place.id.game},
          moves_(moves_in(game_.lines)), ply_(asked.at->course->position().plies()) {}

    void ask_game(const games::RulesetGame& game) {
        const engine::GroupId group = group_of_rule(*asked_.program, asked_.rule);
        const auto& groups = game.groups();
        RunKeeper keeper(asked_, group);
        const bool of_move = group == groups.play;
        if (group == groups.setup || group == groups.moves ||
            (group == groups.score && ply_ == moves_.size()))
            course_.take_position().set_watch(&keeper);
        begin();
        go_to(ply_);
        course_.take_position().set_watch(of_move ? &keeper : nullptr);
        if (of_move && ply_ < moves_.size()) go_to(ply_ + 1);
        course_.take_position().set_watch(nullptr);
        if (!asked_.state) asked_.state.emplace(*asked_.at->course->position().ruleset_state());
    }

    void ask_agent(Seat seat) {
        agents::Agent& agent = *asked_.agent.agent;
        Follower follower(agent, *game_.run.game, seat,
                          games::stream(key_.seed, key_.deal, Purpose::Choice, key_.round, seat));
        follower_ = &follower;
        begin();
        go_to(ply_);
        RunKeeper keeper(asked_, group_of_rule(*asked_.program, asked_.rule));
        agent.set_watch(&keeper);
        if (ply_ < moves_.size())
            go_to(ply_ + 1);
        else
            follower.thinks(course_.position());
        agent.set_watch(nullptr);
        follower_ = nullptr;
    }

    static engine::GroupId group_of_rule(const engine::Program& program, engine::RuleId rule) {
        return engine::place_of(program, rule).group;
    }

  private:
    void begin() {
        const Start* const start =
            game_.recorded.start ? &(*game_.run.starts)[*game_.recorded.start] : nullptr;
        engine::Diagnostics none;
        course_.begin(key_, start, none);
    }
    void go_to(std::size_t ply) {
        while (course_.position().plies() < ply) {
            const Position& position = course_.position();
            const std::string& move = moves_[position.plies()];
            const Seat player = position.turn();
            const bool secret = position.is_secret();
            if (follower_ != nullptr) follower_->thinks(position);
            course_.play(*position.find_move(move));
            if (follower_ != nullptr) follower_->hears(position, player, move, secret);
        }
    }

    AskedRule& asked_;
    const NamedGame& game_;
    Course course_;
    agents::GameKey key_;
    std::vector<std::string> moves_;
    std::size_t ply_;
    Follower* follower_ = nullptr;
};

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
    const Position& position = asked.at->course->position();
    const games::RulesetGame* const game = named.run.game->ruleset_game();
    if (agent.empty() && game != nullptr) {
        asked.program = &game->program();
        asked.game_sources = &game->sources();
        asked.rule = known_rule(*asked.program, rule);
        if (asked.rule != engine::kNone) {
            asked.budgets = game->budgets();
            Walk(asked, place).ask_game(*game);
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
        // The name may be one of a rule of whoever moved there.
        const std::uint32_t who = named.recorded.seats[seat].agent;
        agents::MadeAgent made = made_agent(named.run, named.run.specification.agents[who].spec);
        const engine::Program* const rules =
            over || made.agent == nullptr ? nullptr : made.agent->rules();
        if (rules == nullptr || known_rule(*rules, rule) == engine::kNone) {
            if (game == nullptr)
                throw UserError(fmt::format("{} has no rules", named.run.facts.game));
            find_rule(game->program(), rule); // throws
        }
        take_agent(asked, std::move(made), named.run.facts.agents[who], host);
    }
    if (over) throw UserError("the game is over there, so that no agent has a choice");
    asked.rule = find_rule(*asked.program, rule);
    Walk(asked, place).ask_agent(seat);
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
    asked.rule = find_rule(*asked.program, rule);
    const Seat seat = position.turn();
    Follower follower(*asked.agent.agent, position.game(), seat,
                      games::stream(1, 0, Purpose::Choice, 0, seat));
    RunKeeper keeper(asked, Walk::group_of_rule(*asked.program, asked.rule));
    asked.agent.agent->set_watch(&keeper);
    follower.thinks(position);
    asked.agent.agent->set_watch(nullptr);
    refuse_unrun(asked, rule);
    return asked;
}

} // namespace croupier::tournaments
