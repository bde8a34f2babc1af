// croupier why: why a rule fires on a state, or what stops it.
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/named_game.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

using engine::Document;
namespace json = engine::json;

Document object(const engine::NamedValues& values) {
    Document made = json::object();
    for (const auto& [name, value] : values)
        json::add(made, name, json::scalar(value));
    return made;
}

class WhyCommand : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "why", "Why a rule fires on a state, or what stops it",
            "Says whether the rule fires, with which matches; for each entry of its condition "
            "how many partial matches reached it and how many it let through; and if it does "
            "not fire, the furthest partial match and the value that stopped it. A rule of an "
            "agenda group is also followed while the group runs from the state: when it fired, "
            "what outranked it, who removed its matches, what was left at the limit. Exit "
            "code 1 if it does not fire. With RUN:BLOCK.GAME:PLY alone behind the rule, the rules "
            "are those of the run, and a rule that plays moves is asked with the move that was "
            "made.",
            "croupier why rules.json follow-suit state.json\n"
            "croupier why follow-suit runs/belote-1:3.1:12"};
    }

    void declare(Options& options) override {
        options
            .add("RULES", rules_,
                 "File with rules, or a game by name or folder; left out with a position of a run")
            .required()
            .offers(Offers::Rules);
        options.add("RULE", rule_, "Name of the rule").required().offers(Offers::RuleName);
        options.add("STATE", state_, "File with a state, or RUN:BLOCK.GAME:PLY")
            .offers(Offers::Files);
        options.add("--seed", seed_, "Seed of random() in the condition").shows_default();
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (state_.empty()) return explain_place(context);
        const auto loaded = load_rules(rules_, folder_, context);
        const engine::Program program(*loaded->ruleset);
        const engine::RuleId rule = find_rule(program, rule_);
        engine::State state = program.initial_state();
        load_state(state_, program, state, context);
        return explain(program, rule, state, loaded->sources, context);
    }

  private:
    // `croupier why RULE RUN:BLOCK.GAME:PLY`: by the rules of the run. What is asked of a rule that
    // plays moves is asked with the move that was made.
    int explain_place(Context& context) const {
        const auto place = game_place(rule_);
        if (!place)
            throw Mistake("a state is missing: croupier why RULES RULE STATE, or croupier why RULE "
                          "RUN:BLOCK.GAME:PLY");
        const NamedPosition at = open_named_position(*place, context);
        const games::RulesetGame* const game = at.game.run.game->ruleset_game();
        if (game == nullptr) throw Mistake(fmt::format("{} has no rules", at.game.run.facts.game));
        const engine::Program& program = game->program();
        const engine::RuleId rule = find_rule(program, rules_);
        Document whole = at.course->position().state();
        if (group_of(game->ruleset(), rules_) == "play" && !at.next.empty()) {
            Document move;
            move.scalar = games::parse_option_value(at.next);
            json::add(whole, "move", std::move(move));
        }
        engine::State state = program.initial_state();
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const std::uint32_t file = sources.add(rule_, engine::write_json(whole));
        const auto document = engine::read_json(sources, file, diagnostics);
        if (document) program.import(state, *document, diagnostics);
        print_diagnostics(diagnostics, sources, context);
        if (diagnostics.has_errors()) throw Mistake("the state cannot be used");
        return explain(program, rule, state, game->sources(), context);
    }

    // The group that the rule stands in.
    static std::string group_of(const engine::Ruleset& ruleset, const std::string& name) {
        for (const engine::Group& group : ruleset.groups) {
            for (const engine::Rule& rule : group.rules)
                if (rule.name == name) return group.name;
        }
        return {};
    }

    int explain(const engine::Program& program, engine::RuleId rule, engine::State& state,
                const engine::Sources& sources, Context& context) const {
        engine::Random random(seed_);
        const engine::Why why = engine::explain(program, rule, state, random);
        if (json_) {
            context.out().raw(engine::write_json(to_json(why, sources)) + "\n");
        } else {
            context.out().raw(engine::to_text(why, sources));
        }
        if (why.error) {
            throw_run_error(*why.error, sources);
        }
        return why.fires() ? kGood : kFailed;
    }

    static Document to_json(const engine::Why::Agenda& agenda) {
        Document fired = json::array();
        for (const auto& firing : agenda.fired)
            json::append(fired, json::object({{"number", json::integer(firing.number)},
                                              {"match", object(firing.values)}}));
        Document rivals = json::array();
        for (const auto& rival : agenda.rivals)
            json::append(rivals, json::object({{"rule", json::text(rival.rule)},
                                               {"times", json::integer(rival.times)},
                                               {"by_strategy", json::integer(rival.equal)},
                                               {"salience", json::integer(rival.salience)},
                                               {"against", json::integer(rival.against)}}));
        Document taken = json::array();
        for (const auto& each : agenda.taken)
            json::append(taken, json::object({{"by", json::text(each.by)},
                                              {"matches", json::integer(each.times)},
                                              {"first_firing", json::integer(each.firing)}}));
        Document all = json::object({{"group", json::text(agenda.group)},
                                     {"strategy", json::text(agenda.strategy)},
                                     {"firings", json::integer(agenda.firings)},
                                     {"limit_reached", json::boolean(agenda.limit_reached)}});
        json::add(all, "fired", std::move(fired));
        json::add(all, "outranked_by", std::move(rivals));
        json::add(all, "taken_away", std::move(taken));
        json::add(all, "waiting", json::integer(agenda.waiting));
        json::add(all, "fired_already", json::integer(agenda.spent));
        return all;
    }

    static Document to_json(const engine::Why& why, const engine::Sources& sources) {
        Document matches = json::array();
        for (const engine::NamedValues& match : why.matches)
            json::append(matches, object(match));
        Document entries = json::array();
        for (const engine::EntryCount& entry : why.entries) {
            json::append(entries,
                         json::object({{"entry", json::text(engine::excerpt(sources, entry.span))},
                                       {"place", json::text(sources.place(entry.span))},
                                       {"reached", json::integer(entry.reached)},
                                       {"passed", json::integer(entry.passed)}}));
        }
        Document all =
            json::object({{"rule", json::text(why.rule)}, {"fires", json::boolean(why.fires())}});
        json::add(all, "matches", std::move(matches));
        json::add(all, "entries", std::move(entries));
        if (why.furthest) {
            Document stop =
                json::object({{"entry", json::text(engine::excerpt(sources, why.furthest->span))},
                              {"place", json::text(sources.place(why.furthest->span))},
                              {"bound", object(why.furthest->bound)}});
            if (why.furthest->found) json::add(stop, "found", json::scalar(*why.furthest->found));
            json::add(all, "furthest", std::move(stop));
        }
        if (why.agenda) json::add(all, "agenda", to_json(*why.agenda));
        return all;
    }

    std::string rules_;
    std::string rule_;
    std::string state_;
    std::string folder_;
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_why() {
    return std::make_unique<WhyCommand>();
}

} // namespace croupier::cli
