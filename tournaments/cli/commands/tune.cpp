// croupier tune: finds the parameter values with which an agent wins most.
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/parameters.h"
#include "tournaments/tuning/spsa.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::cli {

namespace {

constexpr double kGain = 8;
constexpr std::uint64_t kBlocksAStep = 32; // then compiling rules per step is cheap

class Tune : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "tune", "Look for the parameters with which an agent wins the most",
            "Moves all parameters a little up and down by chance, plays the same deals with "
            "both, and moves towards the winner (SPSA). The values found are then tested on fresh "
            "deals against the original agent: only values that pass that sequential test are "
            "called stronger. Parameters of an agent of rules, or of an evaluator, are the "
            "options of its file that the game does not have; of other agents, their "
            "arguments. The answer is in the folder, for croupier report; croupier resume "
            "continues an interrupted one.",
            "croupier tune belote --agent rules:my.json --games 20000\n"
            "croupier tune belote --agent rules:my.json --vary ace=0..40 --against rules:table\n"
            "croupier tune belote --agent rules:my.json --for points --worth 100\n"
            "croupier tune life --agent mcts:playouts=100 --vary explore=10..300,start=100"};
    }

    void declare(Options& options) override {
        add_game(options, plan_.game).required();
        options.add("--agent", plan_.agent, "The agent to tune")
            .required()
            .type_name("AGENT")
            .offers(Offers::Agents);
        add_agent_list(options, "--against", against_, "Its opponents")
            .default_text("itself, with other values");
        options
            .add("--vary", varied_,
                 "A parameter and its range; optionally followed by ,start=N ,apart=N (the "
                 "perturbation of its value at the end) ,rate=N (the weight of a block at the end)")
            .one_value_each()
            .type_name("NAME=LOW..HIGH,..")
            .default_text("all whole numbers that the agent's file gives a range");
        options.add("--params", params_, "A file of the same, {\"NAME\": {\"least\": N, ..}}")
            .type_name("FILE")
            .offers(Offers::Files);
        options.add("--for", what_for_, "Tune to win games, or to make points")
            .one_of({"wins", "points"})
            .shows_default();
        options
            .add("--worth", worth_,
                 "With --for points: being ahead by N points in a game counts as having won it, "
                 "by less as a part of that")
            .type_name("N");
        options.add("--games", games_, "Tune with at least N games")
            .type_name("N")
            .shows_default()
            .range(1, 1'000'000'000);
        options.add("--step", plan_.blocks_a_step, "Play N blocks with each pair of values")
            .type_name("N")
            .shows_default()
            .range(1, 1'000'000);
        options.add("--proof", proof_, "Test what was found with at most N games; 0: not at all")
            .type_name("N")
            .default_text("as many as --games");
        options.add("--gain", gain_, "What gain in normalized Elo the test should notice")
            .type_name("ELO")
            .shows_default();
        options.add("--seed", plan_.seed, "Seed of all chance").type_name("N").shows_default();
        add_settings(options, "--set", plan_.set, "Set an option of the game");
        add_out(options, out_, "The folder of the tuning")
            .default_text("the next free runs/tune-GAME-N");
        add_threads(options, threads_);
        add_form(options, form_, {"table", "csv", "markdown"});
        add_progress(options, progress_);
        add_games_folder(options, games_folder_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        plan_.against = tournaments::split_agents(against_);
        plan_.bounds.elo1 = gain_;
        if (const auto wrong = results::wrong_with(plan_.bounds))
            throw UserError(fmt::format("--gain {}: {}", gain_, *wrong));
        read_aim();
        if (context.cluster().serves())
            return serve(
                [&](const tournaments::HostServices& host) {
                    tournaments::PreparedRun run = prepare(host);
                    return part_of(plan_, std::move(run), host);
                },
                threads_, context);
        const tournaments::PreparedRun prepared = prepare(context);
        const std::string folder =
            tournaments::make_run_folder(out_, "tune-" + prepared.game->facts().title());
        const results::File lock = tournaments::lock_run_folder(folder);
        begin_tuning(folder, plan_, prepared, context);
        context.note(fmt::format("seed {}, results in {}", plan_.seed, folder));
        context.show_progress(progress_);
        return cli::play_tuning(plan_, prepared, folder, threads_, form_, context);
    }

  private:
    // Completes the plan.
    tournaments::PreparedRun prepare(const tournaments::HostServices& host) {
        tournaments::PreparedRun run = prepare_tuning(plan_, games_folder_, agents_folder_, host);
        refuse_many_sides(run);
        const std::uint64_t each = tournaments::TunePlay(plan_, run, {}, host).games_a_block();
        plan_.blocks = (games_ + each - 1) / each;
        plan_.proof_blocks = (proof_.value_or(games_) + each - 1) / each;
        plan_.parameters =
            tournaments::parameters_to_tune(varied_, params_, plan_.agent, run, plan_.blocks);
        tournaments::TunePlay(plan_, run, {}, host).try_ends();
        return run;
    }
    void read_aim() {
        if (what_for_ == "wins") {
            if (worth_)
                throw UserError("--worth says what points count: it goes with --for points");
            return;
        }
        if (!worth_)
            throw UserError("--for points needs --worth N: the lead in points that equals a win; "
                            "best is a lead that is usual between these agents");
        if (!(*worth_ > 0 && *worth_ <= 1e9))
            throw UserError(fmt::format("--worth {}: a number above 0 is needed", *worth_));
        plan_.worth = *worth_;
    }

    // Without opponents the two sides play each other, so the game must have two.
    void refuse_many_sides(const tournaments::PreparedRun& run) const {
        const auto& facts = run.facts;
        const std::size_t sides = facts.teams.empty() ? facts.players.size() : facts.teams.size();
        if (sides == 2 || !plan_.against.empty()) return;
        throw UserError(fmt::format("{} has {} sides: say by --against whom {} plays", facts.game,
                                    sides, plan_.agent));
    }

    tournaments::TuningPlan plan_ = [] {
        tournaments::TuningPlan plan;
        plan.blocks_a_step = kBlocksAStep;
        return plan;
    }();
    std::vector<std::string> against_;
    std::vector<std::string> varied_;
    std::string params_;
    std::string what_for_ = "wins";
    std::optional<double> worth_;
    std::uint64_t games_ = 20'000;
    std::optional<std::uint64_t> proof_;
    double gain_ = kGain;
    std::string out_;
    std::string games_folder_;
    std::string agents_folder_;
    std::size_t threads_ = 0;
    Form form_;
    std::string progress_ = "auto";
};

} // namespace

std::unique_ptr<Command> make_tune() {
    return std::make_unique<Tune>();
}

} // namespace croupier::cli
