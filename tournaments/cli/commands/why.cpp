// croupier why: why a rule fires on a state, or what stops it.
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <CLI/CLI.hpp>

namespace croupier::cli {
namespace {

using engine::Document;

Document scalar(engine::Scalar value) {
    Document made;
    made.scalar = std::move(value);
    return made;
}

Document number(std::uint64_t value) {
    return scalar(static_cast<std::int64_t>(value));
}

Document object(std::vector<engine::Member> members) {
    Document made;
    made.kind = Document::Kind::Object;
    made.members = std::move(members);
    return made;
}

Document object(const engine::NamedValues& values) {
    Document made = object(std::vector<engine::Member>{});
    for (const auto& [name, value] : values) {
        made.members.push_back({name, {}, scalar(value)});
    }
    return made;
}

class WhyCommand : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"why", "Why a rule fires on a state, or what stops it",
                "Says whether the rule fires, with which matches; for each entry of its condition "
                "how many partial matches reached it and how many it let through; and if it does "
                "not fire, the furthest partial match and the value that stopped it. Exit code 1 "
                "if it does not fire.",
                "croupier why rules.json follow-suit state.json"};
    }

    void declare(CLI::App& options) override {
        options.add_option("RULES", rules_, "File with rules")->required();
        options.add_option("RULE", rule_, "Name of the rule")->required();
        options.add_option("STATE", state_, "File with a state")->required();
        options.add_option("--seed", seed_, "Seed of random() in the condition");
        add_json_flag(options, json_);
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
        return why.matches.empty() ? kFailed : kGood;
    }

  private:
    static Document to_json(const engine::Why& why, const engine::Sources& sources) {
        Document matches;
        matches.kind = Document::Kind::Array;
        for (const engine::NamedValues& match : why.matches) {
            matches.members.push_back({"", {}, object(match)});
        }
        Document entries;
        entries.kind = Document::Kind::Array;
        for (const engine::EntryCount& entry : why.entries) {
            entries.members.push_back(
                {"",
                 {},
                 object({{"entry", {}, scalar(engine::excerpt(sources, entry.span))},
                         {"place", {}, scalar(sources.place(entry.span))},
                         {"reached", {}, number(entry.reached)},
                         {"passed", {}, number(entry.passed)}})});
        }
        Document all = object({{"rule", {}, scalar(why.rule)},
                               {"fires", {}, scalar(!why.matches.empty())},
                               {"matches", {}, std::move(matches)},
                               {"entries", {}, std::move(entries)}});
        if (why.furthest) {
            Document stop =
                object({{"entry", {}, scalar(engine::excerpt(sources, why.furthest->span))},
                        {"place", {}, scalar(sources.place(why.furthest->span))},
                        {"bound", {}, object(why.furthest->bound)}});
            if (why.furthest->found) {
                stop.members.push_back({"found", {}, scalar(*why.furthest->found)});
            }
            all.members.push_back({"furthest", {}, std::move(stop)});
        }
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
