// croupier apply: runs rules on a state and prints the state after.
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

using engine::Document;
namespace json = engine::json;

Document to_json(const engine::RuleRow& row, const engine::Sources& sources) {
    Document entries = json::array();
    for (const engine::EntryRow& each : row.entries) {
        json::append(entries,
                     json::object({{"entry", json::text(engine::excerpt(sources, each.span))},
                                   {"place", json::text(sources.place(each.span))},
                                   {"depth", json::integer(each.depth)},
                                   {"tried", json::integer(each.cost.tried)},
                                   {"passed", json::integer(each.cost.passed)},
                                   {"self_ns", json::integer(each.cost.self_ns)},
                                   {"total_ns", json::integer(each.total_ns)}}));
    }
    Document made = json::object({{"rule", json::text(row.name)},
                                  {"group", json::text(row.group)},
                                  {"place", json::text(sources.place(row.span))},
                                  {"tried", json::integer(row.cost.tried)},
                                  {"passed", json::integer(row.cost.passed)},
                                  {"matches", json::integer(row.cost.matches)},
                                  {"firings", json::integer(row.cost.firings)},
                                  {"match_ns", json::integer(row.cost.match_ns)},
                                  {"act_ns", json::integer(row.cost.act_ns)},
                                  {"self_ns", json::integer(row.cost.self_ns())},
                                  {"total_ns", json::integer(row.cost.total_ns)}});
    json::add(made, "entries", std::move(entries));
    return made;
}

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
            "what the rules cost: times are those of the rules as they are played, counts and the "
            "shares of entries come from a second, watched version; both over --runs runs from the "
            "same state and seed.",
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
        options.add("--runs", runs_, "Runs that the profile counts and times")
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
        const engine::GroupId group = find_group(program);
        engine::State state = program.initial_state();
        load_state(state_, program, state, context);
        const Document before = profile_ ? state.export_document() : Document{};

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
        context.out().raw(engine::write_json(state.export_document(), json_ ? -1 : 2) + "\n");
        if (profile_) {
            print_profile(program, loaded->sources, group, before, context);
        }
        return kGood;
    }

  private:
    // Apart from the run that counts, so that neither is in the other's way.
    void print_profile(const engine::Program& program, const engine::Sources& sources,
                       engine::GroupId group, const Document& before, Context& context) const {
        engine::Profile profile = measure(program, group, before, false);
        profile.take_entries(measure(program, group, before, true));
        if (!json_) {
            context.err().raw(engine::to_text(program, profile, sources));
            return;
        }
        Document rules = json::array();
        for (const engine::RuleRow& row : engine::rows(program, profile)) {
            json::append(rules, to_json(row, sources));
        }
        context.err().raw(engine::write_json(rules) + "\n");
    }

    [[nodiscard]] engine::Profile measure(const engine::Program& program, engine::GroupId group,
                                          const Document& before, bool entries) const {
        engine::Profiler profiler(program, nanoseconds_now, engine::cost_of_clock(nanoseconds_now),
                                  entries);
        engine::Machine machine(program);
        machine.set_observer(&profiler);
        engine::State first = program.initial_state();
        engine::Diagnostics none;
        program.import(first, before, none);
        for (std::uint64_t i = 0; i < runs_; ++i) {
            engine::State state = first;
            engine::Random random(seed_);
            machine.run(group, state, random);
        }
        return profiler.profile();
    }

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
    std::string folder_;
    std::string group_;
    std::uint64_t seed_ = 1;
    bool trace_ = false;
    bool profile_ = false;
    std::uint64_t runs_ = 100;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_apply() {
    return std::make_unique<Apply>();
}

} // namespace croupier::cli
