// croupier apply: runs rules on a state and prints the state after.
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace croupier::cli {
namespace {

// Lines of @print go where the trace goes, so that standard output is the state alone.
class PrintedLines : public engine::Log {
  public:
    explicit PrintedLines(Page& page) : page_(page) {}
    void line(const std::string& text) override { page_.line({text}); }

  private:
    Page& page_;
};

class Apply : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "apply", "Run rules on a state and print the state after",
            "RULES is a rule, an array of rules or a ruleset; of a ruleset with several groups, "
            "--group names the one to run. The state is printed as JSON with its key order "
            "kept. What @print says and the reasoning log go to standard error: --trace logs "
            "every rule, otherwise those with \"@log\": true are logged.",
            "croupier apply rules.json state.json\n"
            "croupier apply rules.json state.json --group play --seed 7 --trace"};
    }

    void declare(CLI::App& options) override {
        options.add_option("RULES", rules_, "File with rules")->required();
        options.add_option("STATE", state_, "File with a state")->required();
        options.add_option("--group", group_, "The group to run");
        options.add_option("--seed", seed_, "Seed of all chance")->capture_default_str();
        options.add_flag("--trace", trace_, "Log every step to standard error");
    }

    int run(Context& context) override {
        const auto loaded = load_rules(rules_, context);
        const bool logs = trace_ || engine::Trace::wanted(*loaded->ruleset);
        const engine::Program program(*loaded->ruleset, {.observed = logs});
        const engine::GroupId group = find_group(program);
        engine::State state = program.initial_state();
        load_state(state_, program, state, context);

        engine::Machine machine(program);
        engine::Random random(seed_);
        PrintedLines lines(context.err());
        machine.set_log(&lines);
        engine::Trace trace(program, loaded->sources, trace_,
                            [&](const std::string& line) { context.err().line({line}); });
        if (logs) {
            machine.set_observer(&trace);
        }
        const engine::RunResult result = machine.run(group, state, random);
        if (result.error) {
            throw_run_error(*result.error, loaded->sources);
        }
        context.out().raw(engine::write_json(state.export_document()) + "\n");
        return kGood;
    }

  private:
    [[nodiscard]] engine::GroupId find_group(const engine::Program& program) const {
        const auto& groups = program.ruleset().groups;
        std::vector<std::string> known;
        known.reserve(groups.size());
        for (const engine::Group& group : groups) {
            known.push_back(group.name);
        }
        if (!group_.empty()) {
            const engine::GroupId named = program.group_id(group_);
            if (named >= groups.size()) {
                throw Mistake(
                    fmt::format("there is no group '{}'{}", group_, did_you_mean(group_, known)));
            }
            return named;
        }
        if (groups.size() == 1) {
            return 0;
        }
        const engine::GroupId rules = program.group_id("rules");
        if (rules < groups.size()) {
            return rules;
        }
        if (groups.empty()) {
            throw Mistake("there are no rules in it");
        }
        throw Mistake(
            fmt::format("which group? name one with --group: {}", fmt::join(known, ", ")));
    }

    std::string rules_;
    std::string state_;
    std::string group_;
    std::uint64_t seed_ = 1;
    bool trace_ = false;
};

} // namespace

std::unique_ptr<Command> make_apply() {
    return std::make_unique<Apply>();
}

} // namespace croupier::cli
