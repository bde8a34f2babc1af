// croupier apply: runs rules on a state and prints the state after.
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "results/report/profile_view.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/asked_rule.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"
#include "tournaments/run/rule_costs.h"
#include "tournaments/runner/run_facts.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

using engine::Document;

class Apply : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "apply", "Run rules on a state and print the state after",
            "RULES is a rule, an array of rules, a ruleset or a game; of a ruleset with several "
            "groups, --group names the one to run. The state is printed as JSON with its key order "
            "kept, with --json on one line. What @print says and the reasoning log go to standard "
            "error: --trace logs "
            "every rule, otherwise those with \"@log\": true are logged. --profile prints there "
            "what the rules cost, as croupier profile does for games: counts of --runs runs from "
            "the same state and seed, and times by ticks of CPU time that interrupt further runs.",
            "croupier apply rules.json state.json --json\n"
            "croupier apply rules.json state.json --group play --seed 7 --trace\n"
            "croupier apply rules.json state.json --group play --profile --runs 1000"};
    }

    void declare(Options& options) override {
        options.add("RULES", rules_, "File with rules, or a game by name or folder")
            .required()
            .offers(Offers::Rules);
        options.add("STATE", state_, "File with a state, or RUN:BLOCK.GAME:PLY")
            .required()
            .offers(Offers::Files);
        options.add("--group", group_, "The group to run").type_name("NAME");
        add_seed(options, seed_);
        options.add_flag("--trace", trace_, "Log every step to standard error");
        const Option profile = options.add_flag(
            "--profile", profile_, "Print what rules and entries cost to standard error");
        options.add("--runs", runs_, "Runs that the profile counts")
            .needs(profile)
            .range(1, 1'000'000)
            .shows_default();
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto loaded = load_rules(rules_, folder_, context);
        const bool logs = trace_ || engine::Trace::wanted(*loaded->ruleset);
        const engine::Program program(*loaded->ruleset);
        const engine::Catalogue& catalogue = program.catalogue();
        const engine::GroupId group = find_group(catalogue);
        engine::State state = catalogue.initial_state();
        load_state(state_, catalogue, state, context);
        const Document before = profile_ ? state.export_document() : Document{};

        engine::Machine machine(program);
        engine::Random random(seed_);
        PrintedLines lines(context.err());
        machine.set_log(&lines);
        engine::Trace trace(catalogue, loaded->sources, trace_,
                            [&](const std::string& line) { context.err().line({line}); });
        if (logs) machine.set_observer(&trace);
        const engine::RunResult result = machine.run(group, state, random);
        if (result.error) tournaments::throw_run_error(*result.error, loaded->sources);
        context.out().raw(engine::write_json(state.export_document(), json_ ? -1 : 2) + "\n");
        if (profile_) print_profile(program, loaded->sources, group, before, context);
        return kGood;
    }

  private:
    void print_profile(const engine::Program& program, const engine::Sources& sources,
                       engine::GroupId group, const Document& before, Context& context) const {
        results::ProfileView view{.all_entries = true, .width = context.err().width()};
        results::CostReport report;
        report.each = "run";
        report.costs.facts.mode = results::ProfileMode::Full;
        tournaments::add_rule_facts(program, sources, std::nullopt, true, report.costs.facts);
        if (program.catalogue().rules.empty())
            report.missing = "There are no rules.";
        else
            profile_group(program, group, before, seed_, runs_, report.costs, view, context);
        results::RunFacts run;
        run.game = rules_;
        context.err().raw(json_ ? profile_json(report, run, view)
                                : profile_text(report, run, view));
    }

    [[nodiscard]] engine::GroupId find_group(const engine::Catalogue& catalogue) const {
        const auto& groups = catalogue.ruleset().groups;
        std::vector<std::string> known;
        known.reserve(groups.size());
        for (const engine::Group& group : groups)
            known.push_back(group.name);
        if (!group_.empty()) {
            const engine::GroupId named = catalogue.group_id(group_);
            if (named >= groups.size()) {
                throw UserError(
                    fmt::format("there is no group '{}'{}", group_, did_you_mean(group_, known)));
            }
            return named;
        }
        if (groups.size() == 1) return 0;
        const engine::GroupId rules = catalogue.group_id("rules");
        if (rules < groups.size()) return rules;
        if (groups.empty()) throw UserError("there are no rules in it");
        throw UserError(
            fmt::format("which group? name one with --group: {}", fmt::join(known, ", ")));
    }

    std::string rules_;
    std::string state_;
    std::string folder_;
    std::string group_;
    std::uint64_t seed_ = 1;
    bool trace_ = false;
    bool profile_ = false;
    std::uint64_t runs_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_apply() {
    return std::make_unique<Apply>();
}

} // namespace croupier::cli
