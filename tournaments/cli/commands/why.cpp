// croupier why: why a rule fires on a state, or what stops it.
#include "agents/agent.h"
#include "agents/registry.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::cli {

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

    std::optional<tournaments::NamedPosition> at;
    tournaments::OpenedPosition opened;
    agents::MadeAgent agent; // if the rule is one of its

    [[nodiscard]] const engine::Sources& sources() const {
        return agent.agent != nullptr ? agent.sources : *game_sources;
    }
};

// The rule at a place of a run. Of the groups that the harness runs it is the run that led to the
// position (`setup`, `moves`), or that the move made there has caused (`play`); all others find the
// position as it stands. `agent`: the spec of one that plays there in the place of whoever did;
// empty: the game's rules are meant, or those of the agent whose move it was.
AskedRule ask_at_place(const tournaments::GamePlace& place, const std::string& rule,
                       const std::string& agent, Context& context);

// A rule of an agent who sits down at a position of the game and knows nothing of what came before.
AskedRule ask_agent_at_state(const tournaments::GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent, Context& context);

// Goes through the game once more, and listens when the rule's group is run.

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

// The rules that the agent runs, or Mistake.
void take_agent(AskedRule& asked, agents::MadeAgent made, const std::string& spec,
                Context& context) {
    context.diagnose(made.diagnostics, made.sources);
    if (made.agent == nullptr)
        throw Mistake(!made.error.empty()
                          ? made.error
                          : fmt::format("{} in the agent {}",
                                        tournaments::errors_in(made.diagnostics), spec));
    asked.agent = std::move(made);
    asked.program = asked.agent.agent->rules();
    if (asked.program == nullptr)
        throw Mistake(fmt::format("the agent {} has no rules that could be asked", spec));
}

agents::MadeAgent make_asked(const std::string& spec, const games::Game& game,
                             const engine::FileOpener& open, const std::string& folder,
                             Context& context) {
    const agents::AgentSpec parsed = agents::parse_agent_spec(spec);
    if (const auto unknown = tournaments::unknown_file(parsed, game, folder))
        throw Mistake(*unknown);
    name_files(parsed.arguments, context);
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
    Walk(AskedRule& asked, const tournaments::GamePlace& place)
        : asked_(asked), game_(asked.at->game),
          course_(*game_.run.game), key_{game_.run.facts.seed, place.id.block, place.id.game},
          moves_(tournaments::moves_in(game_.lines)), ply_(asked.at->course->position().plies()) {}

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
        const tournaments::Start* const start =
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
    const tournaments::NamedGame& game_;
    tournaments::Course course_;
    agents::GameKey key_;
    std::vector<std::string> moves_;
    std::size_t ply_;
    Follower* follower_ = nullptr;
};

void refuse_unrun(const AskedRule& asked, const std::string& rule) {
    if (!asked.state)
        throw Mistake(fmt::format("the agent does not run the group of the rule {} there", rule));
}

} // namespace

AskedRule ask_at_place(const tournaments::GamePlace& place, const std::string& rule,
                       const std::string& agent, Context& context) {
    AskedRule asked;
    asked.at.emplace(open_named_position(place, context));
    const tournaments::NamedGame& named = asked.at->game;
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
            make_asked(agent, *named.run.game, named.run.open, named.run.agents_folder, context),
            agent, context);
    } else {
        // The name may be one of a rule of whoever moved there.
        const std::uint32_t who = named.recorded.seats[seat].agent;
        agents::MadeAgent made = made_agent(named.run, named.run.specification.agents[who].spec);
        const engine::Program* const rules =
            over || made.agent == nullptr ? nullptr : made.agent->rules();
        if (rules == nullptr || known_rule(*rules, rule) == engine::kNone) {
            if (game == nullptr)
                throw Mistake(fmt::format("{} has no rules", named.run.facts.game));
            find_rule(game->program(), rule); // throws
        }
        take_agent(asked, std::move(made), named.run.facts.agents[who], context);
    }
    if (over) throw Mistake("the game is over there, so that no agent has a choice");
    asked.rule = find_rule(*asked.program, rule);
    Walk(asked, place).ask_agent(seat);
    refuse_unrun(asked, rule);
    return asked;
}

AskedRule ask_agent_at_state(const tournaments::GameArguments& game, const std::string& state,
                             const std::string& rule, const std::string& agent, Context& context) {
    AskedRule asked;
    asked.opened = open_position(game, state, 1, nullptr, context);
    const Position& position = *asked.opened.position;
    const std::string folder = agents_folder({}, context);
    context.include_roots->add(folder);
    take_agent(asked, make_asked(agent, position.game(), file_opener(context), folder, context),
               agent, context);
    if (position.ending() != games::Ending::None)
        throw Mistake("the game is over there, so that no agent has a choice");
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

namespace {

class WhyCommand : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "why", "Why a rule fires on a state, or what stops it; why a move is legal",
            "Runs the rule's group from the state and says whether the rule fires, with which "
            "matches; for each entry of its condition how many partial matches reached it and how "
            "many it let through; and if it does not fire, the nearest partial match, the node "
            "that stopped it and its value. A rule inside others is asked in each of its runs, "
            "with the variables of the rules around it. A rule of an agenda group is also followed "
            "while the group runs: when it fired, what outranked it, who removed its matches, what "
            "was left at the limit. With RUN:BLOCK.GAME:PLY alone behind the rule, or with --at, "
            "the rules are those of the run's game, or of the agent that was to move, asked as "
            "they ran there; --agent asks another agent of rules in its place. With --move in "
            "place of a rule: which rules make a move legal, or keep it from being so. Exit code "
            "1 if the rule does not fire, or the move is not legal.",
            "croupier why rules.json follow-suit state.json\n"
            "croupier why follow-suit runs/belote-1:3.1:12\n"
            "croupier why --agent rules:naive ruff runs/belote-1:3.1:12\n"
            "croupier why --move 7S runs/belote-1:3.1:12"};
    }

    void declare(Options& options) override {
        options
            .add("RULES", rules_,
                 "File with rules, or a game by name or folder; left out with a position of a run")
            .offers(Offers::Rules);
        options.add("RULE", rule_, "Name of the rule, or GROUP/NAME").offers(Offers::RuleName);
        options.add("STATE", state_, "File with a state, or RUN:BLOCK.GAME:PLY")
            .offers(Offers::Files);
        options.add("--at", at_, "The position: RUN:BLOCK.GAME:PLY, or a file with a state");
        options.add("--agent", agent_,
                    "Ask this agent, as in rules:counting, in the place of whoever is to move");
        options.add("--game", game_, "The game of a position in a file, for --agent and --move");
        options.add("--move", move_, "Ask why this move is legal, or why it is not");
        options.add("--seed", seed_, "Seed of random() in the rules").shows_default();
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        std::vector<std::string> words;
        for (const std::string& word : {rules_, rule_, state_, at_})
            if (!word.empty()) words.push_back(word);
        if (!move_.empty()) return explain_move(words, context);
        if (words.empty()) throw Mistake("a rule is missing: croupier why RULES RULE STATE");
        context.warned_rule = words.size() == 3 ? words[1] : words[0];
        const int code = explain_rule(words, context);
        if (context.warnings_left_out > 0)
            context.err().line({results::counted(context.warnings_left_out, "warning") +
                                " of other rules: croupier check" +
                                (words.size() == 3 ? " " + words[0] : std::string())});
        return code;
    }

  private:
    int explain_rule(const std::vector<std::string>& words, Context& context) const {
        if (!agent_.empty()) return explain_agent(words, context);
        if (words.size() == 2) return explain_place(words[0], words[1], context);
        if (words.size() != 3)
            throw Mistake("a state is missing: croupier why RULES RULE STATE, or croupier why RULE "
                          "RUN:BLOCK.GAME:PLY");
        if (!game_.empty()) throw Mistake("--game goes with --agent or --move");
        const auto loaded = load_rules(words[0], folder_, context);
        const engine::Program program(*loaded->ruleset);
        const engine::RuleId rule = find_rule(program, words[1]);
        engine::State state = program.initial_state();
        load_state(words[2], program, state, context);
        return explain(program, rule, state, engine::Random(seed_), {}, loaded->sources, context);
    }

    // `croupier why RULE RUN:BLOCK.GAME:PLY`: by the rules of the run.
    int explain_place(const std::string& rule, const std::string& text, Context& context) const {
        const auto place = tournaments::game_place(text);
        if (!place)
            throw Mistake("a state is missing: croupier why RULES RULE STATE, or croupier why RULE "
                          "RUN:BLOCK.GAME:PLY");
        AskedRule asked = ask_at_place(*place, rule, {}, context);
        return explain(asked, context);
    }

    // `croupier why --agent SPEC RULE PLACE`, where a file with a state needs a game.
    int explain_agent(const std::vector<std::string>& words, Context& context) const {
        if (words.size() > 2)
            throw Mistake("with --agent the rules are the agent's: croupier why --agent SPEC RULE "
                          "RUN:BLOCK.GAME:PLY, or --game GAME and a file with a state");
        const std::string state = words.size() == 2 ? words[1] : std::string();
        if (const auto place = tournaments::game_place(state)) {
            AskedRule asked = ask_at_place(*place, words[0], agent_, context);
            return explain(asked, context);
        }
        if (game_.empty()) throw Mistake("--agent needs a position, RUN:BLOCK.GAME:PLY, or --game");
        AskedRule asked =
            ask_agent_at_state({game_, {}, folder_}, state, words[0], agent_, context);
        return explain(asked, context);
    }

    // `croupier why --move MOVE PLACE`, or with --game, or a game in front, a file with a state.
    int explain_move(std::vector<std::string> words, Context& context) const {
        std::string game = game_;
        if (game.empty() && words.size() == 2 && !tournaments::game_place(words[0])) {
            game = words[0];
            words.erase(words.begin());
        }
        const std::string state = words.empty() ? std::string() : words[0];
        const auto place = tournaments::game_place(state);
        if (words.size() > 1 || (!place && game.empty()))
            throw Mistake("croupier why --move MOVE RUN:BLOCK.GAME:PLY, or croupier why --move "
                          "MOVE GAME STATE");
        const tournaments::OpenedPosition opened =
            place ? open_position({state, {}, folder_}, {}, seed_, nullptr, context)
                  : open_position({game, {}, folder_}, state, seed_, nullptr, context);
        const games::Position& position = *opened.position;
        const games::RulesetGame* const rules = position.game().ruleset_game();
        if (rules == nullptr)
            throw Mistake(fmt::format("{} has no rules", position.game().facts().title()));
        refuse_unknown_move(*rules);
        const tournaments::MoveReasons reasons(*rules);
        const bool legal = position.find_move(move_).has_value();
        if (json_)
            context.out().raw(engine::write_json(reasons.to_json(position, move_)) + "\n");
        else
            print_reasons(reasons, position, move_, context.out());
        return legal ? kGood : kFailed;
    }

    // Line by line; on a terminal what is too long for it is wrapped, as far in as it began.
    static void print(std::string_view text, Page& page) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::string_view line = text.substr(0, end);
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            if (page.is_terminal() && line.size() > page.width())
                page.paragraph(line.substr(indent), indent);
            else
                page.line({line});
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
    }

    // A slip is no answer.
    void refuse_unknown_move(const games::RulesetGame& rules) const {
        const engine::DomainTable* const domain = rules.move_domain();
        if (domain == nullptr) return;
        std::vector<std::string> known;
        for (const engine::Symbol member : domain->members)
            known.emplace_back(rules.program().symbols.text(member));
        if (std::find(known.begin(), known.end(), move_) == known.end())
            throw Mistake(fmt::format("{} has no move '{}'{}", rules.facts().title(), move_,
                                      did_you_mean(move_, known)));
    }

    int explain(AskedRule& asked, Context& context) const {
        return explain(*asked.program, asked.rule, *asked.state, asked.random, asked.budgets,
                       asked.sources(), context);
    }

    int explain(const engine::Program& program, engine::RuleId rule, engine::State& state,
                engine::Random random, const engine::Budgets& budgets,
                const engine::Sources& sources, Context& context) const {
        const engine::Why why = engine::explain(program, rule, state, random, budgets);
        if (json_) {
            context.out().raw(engine::write_json(tournaments::why_json(why, sources)) + "\n");
        } else {
            std::string text = engine::to_text(why, sources);
            for (const engine::RulePlan& other : program.rules)
                if (other.name.ends_with("/" + why.rule) && other.name != why.rule)
                    text += fmt::format("the same rule elsewhere: {}\n", other.name);
            print(text, context.out());
        }
        if (why.error) throw_run_error(*why.error, sources);
        return why.fires() ? kGood : kFailed;
    }

    std::string rules_;
    std::string rule_;
    std::string state_;
    std::string at_;
    std::string agent_;
    std::string game_;
    std::string move_;
    std::string folder_;
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_why() {
    return std::make_unique<WhyCommand>();
}

} // namespace croupier::cli
