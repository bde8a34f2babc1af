// croupier sweep: families of revisions and line-ups on the same deals.
#include "tournaments/compare/sweep.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

class Sweep : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "sweep", "Which settings of a game, or which line-ups, are worth having",
            "Plays every combination of the values of --vary, of several games and of several "
            "--lineup on the same deals, or a part of them, and tells for each point all metrics "
            "of compare with their differences from the first point, and three gaps: seats, roles "
            "and skill, by how much the best of the seats (roles, agents) wins more than the "
            "worst. For each metric at most 5 % of the differences that are called sure are "
            "expected to be wrong, however many points there are. Combinations also tell what "
            "single values change, and which change each other's effect.\n"
            "--seek says what is looked for: METRIC=least, =most or =NUMBER, with win:NAME and "
            "score:NAME of a seat, team, role or agent. Points that are surely worse are given up "
            "after an eighth, a quarter and a half of the deals; with several, those that are "
            "surely worse in all of them. The best point is lost in at most 5 % of sweeps.\n"
            "A value may be a range: 10..50/5. --points reads a list of points, as "
            "[{\"annonces\": \"on\", \"capot_points\": 252}, ..], with game and agents as further "
            "members.",
            "croupier sweep belote --vary annonces=on,off --vary capot_points=252,300\n"
            "croupier sweep life life:torus --agents eval,random --seek length=120\n"
            "croupier sweep coinche --vary coinche=2..4 --lineup rules:naive --lineup rules:table"};
    }

    void declare(Options& options) override {
        options
            .add("GAME", asked_.games,
                 "A game, or several: name, folder or file of rules; :REVISION for a revision")
            .required()
            .offers(Offers::Games);
        add_settings(options, "--vary", asked_.vary, "The values of an option of the game");
        add_agent_list(options, "--agents", asked_.agents, "Who plays all points")
            .default_text("random");
        add_agent_list(options, "--lineup", asked_.lineups, "Who plays some of them; repeatable");
        add_settings(options, "--set", asked_.set, "Set an option of all points");
        options.add("--points", asked_.points, "List of points")
            .type_name("FILE")
            .offers(Offers::Files);
        options.add("--sample", asked_.sample, "Only N combinations, drawn at random")
            .range(2, tournaments::kMostPoints)
            .type_name("N");
        options.add("--latin", asked_.latin, "Only N, with each factor's values spread evenly")
            .range(2, tournaments::kMostPoints)
            .type_name("N");
        options.add("--seek", asked_.seek, "What is looked for")
            .one_value_each()
            .type_name("METRIC=GOAL,..")
            .separated_by(',');
        add_metric_options(options, metrics_, results::swept_names(), compared_);
        add_compared_options(options, compared_);
    }

    int run(Context& context) override {
        for (const results::Sought& sought : tournaments::parse_sought(asked_.seek))
            metrics_.sought.push_back(sought.metric);
        const results::Margins margins = margins_of(metrics_, compared_);
        prepare_out(compared_, context);
        const auto runs_of = [](const tournaments::Sweep& sweep) {
            std::vector<const tournaments::PreparedRun*> runs;
            for (const tournaments::PreparedRun& run : sweep.runs)
                runs.push_back(&run);
            return runs;
        };
        if (context.cluster().serves()) {
            const auto prepare = [&](const tournaments::HostServices& host) {
                auto made =
                    std::make_shared<tournaments::Sweep>(prepare_sweep(asked_, compared_, host));
                return part_of(made->variants(), runs_of(*made), made, compared_, host);
            };
            return serve(prepare, compared_.threads, context);
        }
        tournaments::Sweep sweep = prepare_sweep(asked_, compared_, context);
        const results::File lock =
            begin_compared(compared_, runs_of(sweep), context.cluster(), context);
        const std::vector<std::string> names = sweep.names();
        results::SweepTally tally = sweep.tally();
        const auto so_far = [&] {
            results::SweepSummary summary = tally.summary(metrics_.names, margins);
            summary.interrupted = true;
            return tournaments::ComparedAnswer{compared_json(summary, {}), results::kSweepFile,
                                               names};
        };
        const tournaments::PlayedVariants played = play_compared(
            sweep.variants(), sweep.runs.front(), compared_,
            [&](auto games) { tally.add_block(games); }, so_far, context,
            [&] {
                return tournaments::Round{tally.playing(), tally.look()};
            });
        results::SweepSummary summary = tally.summary(metrics_.names, margins);
        summary.interrupted = played.interrupted();
        for (std::size_t point = 0; point < summary.points.size(); ++point)
            if (played.seconds_per_game[point] > 0)
                summary.points[point].seconds = played.seconds_per_game[point];
        return conclude_compared(compared_text(summary, {}, compared_, context),
                                 {compared_json(summary, {}), results::kSweepFile, names}, played,
                                 sweep.runs.front().facts, compared_, context);
    }

  private:
    tournaments::AskedSweep asked_;
    MetricOptions metrics_;
    ComparedOptions compared_;
};

} // namespace

std::unique_ptr<Command> make_sweep() {
    return std::make_unique<Sweep>();
}

} // namespace croupier::cli
