// croupier ablate: measures the value of each rule of an agent.
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

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
            throw UserError(fmt::format("--margin {}: it is not a share from 0 to 1", margin_));
        prepare_out(compared_, context);
        if (context.cluster().serves()) {
            const auto prepare = [&](const tournaments::HostServices& host) {
                auto made = std::make_shared<tournaments::Ablation>(
                    tournaments::prepare_ablation(agent_, game_, against_, set_, compared_, host));
                return part_of(variants_of(*made, host), {&made->run}, made, compared_, host);
            };
            return serve(prepare, compared_.threads, context);
        }
        tournaments::Ablation ablation =
            tournaments::prepare_ablation(agent_, game_, against_, set_, compared_, context);
        auto& run = ablation.run;
        const results::File lock =
            begin_compared(compared_, std::array{&run}, context.cluster(), context);
        const std::vector<tournaments::Variant> variants = variants_of(ablation, context);
        std::vector<std::string> names{"all rules"};
        std::vector<results::AblatedRule> told;
        for (const agents::RuleAt& rule : ablation.rules) {
            names.push_back(fmt::format("without {}.{}", rule.group, rule.name));
            told.push_back({rule.group, rule.name, {}});
        }
        results::AblationTally tally(run.facts, told);
        const auto so_far = [&] {
            results::AblationSummary summary = tally.summary(margin_);
            summary.interrupted = true;
            return tournaments::ComparedAnswer{compared_json(summary, {}), results::kAblateFile,
                                               names};
        };
        const tournaments::PlayedVariants played = play_compared(
            variants, run, compared_, [&](auto games) { tally.add_block(games); }, so_far, context);
        if (!compared_.no_costs) tally.set_costs(measure_rules(ablation, context));
        results::AblationSummary summary = tally.summary(margin_);
        summary.interrupted = played.interrupted();
        return conclude_compared(compared_text(summary, {}, compared_, context),
                                 {compared_json(summary, {}), results::kAblateFile, names}, played,
                                 run.facts, compared_, context);
    }

  private:
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
