// croupier compare: two revisions of a game, or two agents, on the same deals.
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

class Compare : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "compare", "What a revision of a game or an agent changes, and how surely",
            "First lists what differs between the rulesets. Then the same agents play both on the "
            "same deals, and each metric gets its difference with an "
            "interval and a verdict: higher, lower, equivalent (shown to differ by less than the "
            "margin), undecided with the number of games of each that would give 80 % power, or "
            "too few (below six deals). Verdicts are corrected for the number of "
            "metrics; --metric asks for fewer. "
            "The metrics: win (rate), score, draws, length (moves of a game), forced (moves "
            "without an "
            "alternative), branching (legal moves to choose from), aborted, unfinished and fault "
            "(games that ended so); with --playouts also settled (the part of a game after which "
            "its winner leads to the end), leads (how often another side takes the lead) and "
            "comebacks (games won by a side that was behind); with --coverage also coverage (the "
            "part of the game's rules that fire in a game).\n"
            "--margin takes a number for all rates (0.02) or METRIC=NUMBER in the metric's own "
            "unit. With one game, --agent-a and --agent-b are compared against the same "
            "opponents. After Ctrl-C it reports what has been played.",
            "croupier compare oldmaid oldmaid:previous --games 4000\n"
            "croupier compare life life:torus --metric length,draws --margin length=5\n"
            "croupier compare belote --set-b annonces=off --agents rules:table\n"
            "croupier compare belote --agent-a rules:table --agent-b rules:counting"};
    }

    void declare(Options& options) override {
        options
            .add("GAME", asked_.games,
                 "Two games, or one: name, folder or file of rules; :REVISION for a revision")
            .required()
            .offers(Offers::Games);
        add_agent_list(options, "--agents", asked_.agents, "Who plays both").default_text("random");
        add_settings(options, "--set", asked_.set, "Set an option of both");
        add_settings(options, "--set-a", asked_.set_a, "Set an option of the first");
        add_settings(options, "--set-b", asked_.set_b, "Set an option of the second");
        options.add("--agent-a", asked_.agent_a, "The first of two agents to compare")
            .type_name("AGENT")
            .offers(Offers::Agents);
        options.add("--agent-b", asked_.agent_b, "The second")
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_agent_list(options, "--against", against_, "The opponents of these two")
            .default_text("random");
        add_metric_options(options, metrics_, tournaments::metric_names(), compared_);
        add_compared_options(options, compared_);
    }

    int run(Context& context) override {
        const results::Margins margins = margins_of(metrics_, compared_);
        prepare_out(compared_, context);
        if (compares_agents()) asked_.agents = against_;
        if (context.cluster().serves()) {
            const auto prepare = [&](const tournaments::HostServices& host) {
                auto made = std::make_shared<tournaments::Revisions>(
                    prepare_revisions(asked_, compared_, host));
                return part_of(made->variants(), {&made->a, &made->b}, made, compared_, host);
            };
            return serve(prepare, compared_.threads, context);
        }
        tournaments::Revisions revisions = prepare_revisions(asked_, compared_, context);
        if (revisions.identical) return tell_identical(revisions, context);
        results::RevisionTally tally = revisions.tally();
        const auto take = [&](std::span<const results::GameRecord> games) {
            tally.add_block(games.first(games.size() / 2), games.subspan(games.size() / 2));
        };
        const results::File lock = begin_compared(compared_, std::array{&revisions.a, &revisions.b},
                                                  context.cluster(), context);
        const auto summary_of = [&](const tournaments::PlayedVariants& played, bool no_costs) {
            auto summary = tally.summary(tournaments::parse_metrics(metrics_.names), margins);
            complete_summary(summary, revisions, played, no_costs, context);
            return summary;
        };
        const auto so_far = [&] {
            tournaments::PlayedVariants some;
            some.stopped = true;
            return tournaments::ComparedAnswer{
                compared_json(summary_of(some, true), revisions.ahead), results::kCompareFile,
                revisions.names};
        };
        const tournaments::PlayedVariants played =
            play_compared(revisions.variants(), revisions.a, compared_, take, so_far, context);
        const results::RevisionSummary summary = summary_of(played, compared_.no_costs);
        return conclude_compared(
            compared_text(summary, revisions.ahead, compared_, context),
            {compared_json(summary, revisions.ahead), results::kCompareFile, revisions.names},
            played, revisions.a.facts, compared_, context);
    }

  private:
    [[nodiscard]] bool compares_agents() const {
        const bool of_agents = !asked_.agent_a.empty() || !asked_.agent_b.empty();
        if (asked_.games.size() > 2)
            throw UserError(
                fmt::format("two games are compared, and {} are named", asked_.games.size()));
        if (!of_agents && !against_.empty())
            throw UserError("--against is for --agent-a and --agent-b; --agents plays both games");
        if (!of_agents && asked_.games.size() < 2 && asked_.set_a.empty() && asked_.set_b.empty())
            throw UserError("one game cannot be compared with itself: name a second, or --set-b, "
                            "or --agent-a and --agent-b");
        if (!of_agents) return false;
        if (asked_.agent_a.empty() || asked_.agent_b.empty())
            throw UserError("--agent-a and --agent-b go together");
        if (asked_.games.size() > 1 || !asked_.set_a.empty() || !asked_.set_b.empty())
            throw UserError("two agents are compared in one game; with two games, or two settings, "
                            "the cause of a difference would be unknown");
        if (!asked_.agents.empty())
            throw UserError("--agent-a and --agent-b take --against, not --agents");
        return true;
    }

    int tell_identical(const tournaments::Revisions& revisions, Context& context) const {
        if (compared_.form.json) {
            const nlohmann::ordered_json object{{"a", revisions.names[0]},
                                                {"b", revisions.names[1]},
                                                {"identical", true},
                                                {"rules", revisions.ahead.value}};
            context.out().raw(object.dump(2) + "\n");
        } else {
            context.out().line({fmt::format("{} and {} are identical: nothing to play",
                                            revisions.names[0], revisions.names[1])});
        }
        return kGood;
    }

    tournaments::AskedRevisions asked_;
    std::vector<std::string> against_;
    MetricOptions metrics_;
    ComparedOptions compared_;
};

} // namespace

std::unique_ptr<Command> make_compare() {
    return std::make_unique<Compare>();
}

} // namespace croupier::cli
