// croupier why: explains why a rule fires on a state, or what stops it.
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
#include "tournaments/replay/move_reasons.h"
#include "tournaments/run/asked_rule.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

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
            "while the group runs: when it fired, what outranked it, which rule removed its "
            "matches, what "
            "was left at the limit. With only RUN:BLOCK.GAME:PLY after the rule, or with --at, "
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
                    "Ask this agent, as in rules:counting, in place of the one to move");
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
        if (words.empty()) throw UserError("a rule is missing: croupier why RULES RULE STATE");
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
            throw UserError(
                "a state is missing: croupier why RULES RULE STATE, or croupier why RULE "
                "RUN:BLOCK.GAME:PLY");
        if (!game_.empty()) throw UserError("--game goes with --agent or --move");
        const auto loaded = load_rules(words[0], folder_, context);
        const engine::Program program(*loaded->ruleset);
        const engine::RuleId rule = tournaments::find_rule(program.catalogue(), words[1]);
        engine::State state = program.catalogue().initial_state();
        load_state(words[2], program.catalogue(), state, context);
        return explain(program, rule, state, engine::Random(seed_), {}, loaded->sources, context);
    }

    // `croupier why RULE RUN:BLOCK.GAME:PLY`: with the rules of the run.
    int explain_place(const std::string& rule, const std::string& text, Context& context) const {
        const auto place = tournaments::game_place(text);
        if (!place)
            throw UserError(
                "a state is missing: croupier why RULES RULE STATE, or croupier why RULE "
                "RUN:BLOCK.GAME:PLY");
        tournaments::AskedRule asked = tournaments::ask_at_place(*place, rule, {}, context);
        return explain(asked, context);
    }

    // `croupier why --agent SPEC RULE PLACE`; if PLACE is a file with a state, a game is needed.
    int explain_agent(const std::vector<std::string>& words, Context& context) const {
        if (words.size() > 2)
            throw UserError(
                "with --agent the rules are the agent's: croupier why --agent SPEC RULE "
                "RUN:BLOCK.GAME:PLY, or --game GAME and a file with a state");
        const std::string state = words.size() == 2 ? words[1] : std::string();
        if (const auto place = tournaments::game_place(state)) {
            tournaments::AskedRule asked =
                tournaments::ask_at_place(*place, words[0], agent_, context);
            return explain(asked, context);
        }
        if (game_.empty())
            throw UserError("--agent needs a position, RUN:BLOCK.GAME:PLY, or --game");
        tournaments::AskedRule asked =
            tournaments::ask_agent_at_state({game_, {}, folder_}, state, words[0], agent_, context);
        return explain(asked, context);
    }

    // `croupier why --move MOVE PLACE`; for a file with a state, with --game or a game before it.
    int explain_move(std::vector<std::string> words, Context& context) const {
        std::string game = game_;
        if (game.empty() && words.size() == 2 && !tournaments::game_place(words[0])) {
            game = words[0];
            words.erase(words.begin());
        }
        const std::string state = words.empty() ? std::string() : words[0];
        const auto place = tournaments::game_place(state);
        if (words.size() > 1 || (!place && game.empty()))
            throw UserError("croupier why --move MOVE RUN:BLOCK.GAME:PLY, or croupier why --move "
                            "MOVE GAME STATE");
        const tournaments::OpenedPosition opened =
            place ? open_position({state, {}, folder_}, {}, seed_, nullptr, context)
                  : open_position({game, {}, folder_}, state, seed_, nullptr, context);
        const games::Position& position = *opened.position;
        const games::RulesetGame* const rules = position.game().ruleset_game();
        if (rules == nullptr)
            throw UserError(fmt::format("{} has no rules", position.game().facts().title()));
        refuse_unknown_move(*rules);
        const tournaments::MoveReasons reasons(*rules);
        const bool legal = position.find_move(move_).has_value();
        if (json_)
            context.out().raw(engine::write_json(reasons.to_json(position, move_)) + "\n");
        else
            print_reasons(reasons, position, move_, context.out());
        return legal ? kGood : kFailed;
    }

    // Prints line by line; on a terminal wraps long lines, with their indentation.
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

    // Reports a misspelt move.
    void refuse_unknown_move(const games::RulesetGame& rules) const {
        const engine::DomainTable* const domain = rules.move_domain();
        if (domain == nullptr) return;
        std::vector<std::string> known;
        for (const engine::Symbol member : domain->members)
            known.emplace_back(rules.program().catalogue().symbols.text(member));
        if (std::find(known.begin(), known.end(), move_) == known.end())
            throw UserError(fmt::format("{} has no move '{}'{}", rules.facts().title(), move_,
                                        did_you_mean(move_, known)));
    }

    int explain(tournaments::AskedRule& asked, Context& context) const {
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
            for (const engine::RulePlan& other : program.catalogue().rules)
                if (other.name.ends_with("/" + why.rule) && other.name != why.rule)
                    text += fmt::format("the same rule elsewhere: {}\n", other.name);
            print(text, context.out());
        }
        if (why.error) tournaments::throw_run_error(*why.error, sources);
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
