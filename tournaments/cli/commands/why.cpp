// croupier why: why a rule fires on a state, or what stops it.
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

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
        return {"why", "Why a rule fires on a state, or what stops it",
                "Says whether the rule fires, with which matches; for each entry of its condition "
                "how many partial matches reached it and how many it let through; and if it does "
                "not fire, the furthest partial match and the value that stopped it. A rule of an "
                "agenda group is besides followed while the group runs from the state: when it "
                "fired, what outranked it, who took its matches away, what the limit left. Exit "
                "code 1 if it does not fire.",
                "croupier why rules.json follow-suit state.json"};
    }

    void declare(Options& options) override {
        options.add("RULES", rules_, "File with rules").required();
        options.add("RULE", rule_, "Name of the rule").required();
        options.add("STATE", state_, "File with a state").required();
        options.add("--seed", seed_, "Seed of random() in the condition");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto loaded = load_rules(rules_, context);
        const engine::Program program(*loaded->ruleset, {.observed = true});
        const engine::RuleId rule = find_rule(program, rule_);
        engine::State state = program.initial_state();
        load_state(state_, program, state, context);
        engine::Random random(seed_);
        const engine::Why why = engine::explain(program, rule, state, random);
        if (json_) {
            context.out().raw(engine::write_json(to_json(why, loaded->sources)) + "\n");
        } else {
            context.out().raw(engine::to_text(why, loaded->sources));
        }
        if (why.error) {
            throw_run_error(*why.error, loaded->sources);
        }
        return why.fires() ? kGood : kFailed;
    }

  private:
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
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_why() {
    return std::make_unique<WhyCommand>();
}

} // namespace croupier::cli
