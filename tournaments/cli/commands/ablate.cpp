// croupier ablate: what each rule of an agent is worth.
#include "agents/rules/rule_agent.h"
#include "engine/api/ruleset.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/run/profile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace croupier::cli {
namespace {

using agents::RuleAgent;
using agents::RuleAt;
using agents::RuleProgram;

constexpr double kFewestTicks = 25; // of a rule: its time is then known to 40 %

// Plays as it always does, and counts.
class Counted : public RuleAgent {
  public:
    Counted(std::shared_ptr<const RuleProgram> program, std::uint64_t& decisions)
        : RuleAgent(std::move(program)), decisions_(decisions) {}
    std::size_t choose(const agents::Position& view, agents::Random& random) override {
        ++decisions_;
        return RuleAgent::choose(view, random);
    }

  private:
    std::uint64_t& decisions_;
};

class Ablate : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"ablate", "What each rule of an agent is worth, and what it costs",
                "Switches each rule of the agent off in turn and plays the same deals. Shows what "
                "the rule is worth in wins, points and Elo, with intervals and verdicts that are "
                "corrected for the number of rules, and how much of each decision's time it takes. "
                "The rules that are worth most for their time come first. The opponent is the "
                "whole agent itself, unless --against names others. "
                "--margin is the block score that is too small to matter. After Ctrl-C it reports "
                "what has been played.",
                "croupier ablate belote --agent rules:table --games 2000\n"
                "croupier ablate life --agent rules:my/life.json --against random --no-costs"};
    }

    void declare(Options& options) override {
        add_game(options, game_).required();
        options.add("--agent", agent_, "Whose rules: rules:FILE or rules:NAME")
            .required()
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_agent_list(options, "--against", against_, "Whom it plays")
            .default_text("itself, with all rules");
        add_settings(options, "--set", set_, "Set an option of the game");
        options.add("--margin", margin_, "Block score that is too small to matter")
            .type_name("SHARE")
            .shows_default();
        add_compared_options(options, compared_);
    }

    int run(Context& context) override {
        if (!(margin_ >= 0 && margin_ < 1))
            throw Mistake(fmt::format("--margin {}: it is not a share from 0 to 1", margin_));
        prepare_out(compared_, context);
        const agents::AgentSpec spec = agents::parse_agent_spec(agent_);
        if (!agents::unknown_kind(spec) && spec.kind != "rules")
            throw Mistake(fmt::format("--agent {}: {} has no rules that could be switched off; "
                                      "name an agent rules:FILE",
                                      agent_, spec.kind));
        tournaments::ComparedSide side{game_, tournaments::split_agents(against_), set_, true};
        if (side.agents.empty()) side.agents = {agent_};
        side.agents.insert(side.agents.begin(), agent_);
        tournaments::PreparedRun run = prepare_side(side, compared_, context);
        const auto whole = open(run, nullptr, context);
        const std::vector<RuleAt> rules = rules_of(*whole);
        return play(run, whole, rules, context);
    }

  private:
    std::shared_ptr<const RuleProgram> open(const tournaments::PreparedRun& run,
                                            const RuleAt* without, Context& context) const {
        agents::OpenedRuleAgent opened = agents::open_rule_agent(
            run.specification.agents[0].spec,
            {*run.game, run.open, run.agents_folder, run.clock.get()}, without);
        if (opened.rules.program != nullptr) return std::move(opened.rules.program);
        context.diagnose(opened.rules.diagnostics, opened.rules.sources);
        throw Mistake(opened.error.empty() ? agent_ + " has errors" : opened.error);
    }

    [[nodiscard]] std::vector<RuleAt> rules_of(const RuleProgram& program) const {
        std::vector<RuleAt> rules;
        for (const char* name : {"observe", "choose"}) {
            const engine::Group* group = program.ruleset().group(name);
            if (group == nullptr) continue;
            for (const engine::Rule& rule : group->rules)
                rules.push_back({group->name, rule.name});
        }
        if (rules.empty())
            throw Mistake(fmt::format("--agent {}: it has no rules to switch off", agent_));
        return rules;
    }

    int play(tournaments::PreparedRun& run, const std::shared_ptr<const RuleProgram>& whole,
             const std::vector<RuleAt>& rules, Context& context) const {
        const results::File lock = begin_compared(compared_, {&run}, context);
        const tournaments::AgentMaker others = agent_maker(run);
        const auto with = [&](std::shared_ptr<const RuleProgram> program) {
            const auto make = [&others, program = std::move(program)](
                                  std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
                if (agent != 0) return others(agent);
                return std::make_unique<RuleAgent>(program);
            };
            return tournaments::Variant{run.game.get(), make};
        };
        std::vector<tournaments::Variant> variants{with(whole)};
        std::vector<std::string> names{"all rules"};
        std::vector<results::AblatedRule> told;
        for (const RuleAt& rule : rules) {
            variants.push_back(with(open(run, &rule, context)));
            names.push_back(fmt::format("without {}.{}", rule.group, rule.name));
            told.push_back({rule.group, rule.name, {}});
        }
        results::AblationTally tally(run.facts, told);
        const auto take = [&](auto games) { tally.add_block(games); };
        const tournaments::PlayedVariants played =
            play_compared(variants, run, compared_, take, context);
        if (!compared_.no_costs) tally.set_costs(costs(run, whole, others, rules, context));
        results::AblationSummary summary = tally.summary(margin_);
        summary.interrupted = played.interrupted();
        return conclude_compared(compared_text(summary, {}, compared_, context),
                                 {compared_json(summary, {}), results::kAblateFile, names}, played,
                                 run.facts, compared_, context);
    }

    // Nanoseconds a decision, what it takes to observe the moves of others included. Absent where
    // the agent never came to decide, or too few ticks have found the rule.
    static std::vector<std::optional<double>> costs(const tournaments::PreparedRun& run,
                                                    const std::shared_ptr<const RuleProgram>& whole,
                                                    const tournaments::AgentMaker& others,
                                                    const std::vector<RuleAt>& rules,
                                                    const Context& context) {
        std::uint64_t decisions = 0;
        const auto make = [&](std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
            if (agent != 0) return others(agent);
            return std::make_unique<Counted>(whole, decisions);
        };
        tournaments::Timing timing = timing_of(context);
        timing.ticks =
            ~std::uint64_t{0}; // a rule takes little of all: as many as there is time for
        const auto [table, played, hardware] = time_games(run, make, timing);
        std::vector<std::optional<double>> costs(rules.size());
        if (decisions == 0 || !table.has_times()) return costs;
        const double a_game = static_cast<double>(decisions) / static_cast<double>(played);
        const std::vector<results::RuleFacts>& known = run.profile.rules;
        for (std::uint32_t rule = 0; rule < known.size(); ++rule) {
            if (known[rule].agent != 0U) continue;
            const auto at = std::find_if(rules.begin(), rules.end(), [&](const RuleAt& each) {
                return each.group == known[rule].group && each.name == known[rule].name;
            });
            const std::uint64_t ns = table.rule(rule).total_ns;
            if (at == rules.end() || table.ticks_of(ns) < kFewestTicks) continue;
            costs[static_cast<std::size_t>(at - rules.begin())] = *table.per_game(ns) / a_game;
        }
        return costs;
    }

    std::string game_;
    std::string agent_;
    std::vector<std::string> against_;
    std::vector<std::string> set_;
    double margin_ = 0.02;
    ComparedOptions compared_;
};

} // namespace

std::unique_ptr<Command> make_ablate() {
    return std::make_unique<Ablate>();
}

} // namespace croupier::cli
