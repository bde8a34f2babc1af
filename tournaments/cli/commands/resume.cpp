// croupier resume: continues a run that was interrupted.
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/command_line.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/process.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/tuning.h"

namespace croupier::cli {
namespace {

class Resume : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "resume", "Continue a run that was interrupted",
            "Whatever ended the run, be it Ctrl-C, kill -9 or a loss of power, what was written is "
            "kept. In the end games.csv and summary.json are the same bytes as of a run that was "
            "never interrupted. A run whose ruleset, agents or program have changed since is "
            "refused; one that is complete is reported again. It also continues a folder of "
            "croupier tune, and of compare, ablate and sweep with --out.",
            "croupier resume runs/life-1"};
    }

    void declare(Options& options) override {
        options.add("DIR", folder_, "The folder of the run").required().offers(Offers::Folders);
        add_session_options(options, session_);
        add_games_folder(options, games_);
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        if (tournaments::is_tuning(folder_)) return go_on_tuning(context);
        if (tournaments::is_comparison(folder_)) return go_on_comparing(context);
        results::RunFile then;
        if (const auto failure = results::read_run_file(folder_, then)) throw UserError(*failure);
        tournaments::Cluster& cluster = context.cluster();
        const auto prepare = [&](const tournaments::HostServices& told) {
            tournaments::SpecificationInput input;
            input.read_folder(folder_);
            tournaments::PreparedRun run =
                prepare_run(input, games_, agents_folder_, then.profile.mode, told);
            run.keep = then.keep;
            return run;
        };
        if (cluster.serves())
            return serve([&](const auto& host) { return part_of(prepare(host), host); },
                         session_.threads, context);
        const results::File lock = tournaments::lock_run_folder(folder_);
        tournaments::PreparedRun prepared = prepare(context);
        const tournaments::Shard shard{then.shard, then.shards};
        tournaments::refuse_changes(folder_, then, describe_run(prepared, shard, context),
                                    prepared);
        cluster.hire(tournaments::identity_of(describe_run(prepared, {}, context)), prepared.facts);
        return play_session(prepared, then, folder_, session_, cluster, context);
    }

  private:
    int go_on_tuning(Context& context) const {
        if (session_.coverage)
            throw UserError("--coverage is for runs, and " + folder_ + " holds a tuning");
        if (context.cluster().serves()) {
            const auto prepare = [&](const tournaments::HostServices& host) {
                tournaments::TuningPlan plan = tournaments::reopen_tuning(folder_);
                tournaments::PreparedRun run = prepare_tuning(plan, games_, agents_folder_, host);
                return part_of(std::move(plan), std::move(run), host);
            };
            return serve(prepare, session_.threads, context);
        }
        const results::File lock = tournaments::lock_run_folder(folder_);
        const tournaments::TuningPlan plan = tournaments::reopen_tuning(folder_);
        const tournaments::PreparedRun run = prepare_tuning(plan, games_, agents_folder_, context);
        refuse_other_tuning(folder_, plan, run, context);
        context.show_progress(session_.progress);
        return cli::play_tuning(plan, run, folder_, session_.threads, session_.form, context);
    }

    int go_on_comparing(Context& context) const {
        if (session_.coverage)
            throw UserError("--coverage is for runs, and " + folder_ + " holds a comparison");
        // A process that plays for another one finds that out in the command itself.
        if (tournaments::is_complete_comparison(folder_) && !context.cluster().serves())
            return cli::run({"report", folder_,
                             session_.form.json ? "--json" : "--format=" + session_.form.format},
                            context);
        const Resumed resumed{folder_,          games_,        agents_folder_,
                              session_.threads, session_.form, session_.progress};
        context.resumed = &resumed;
        return cli::run(tournaments::words_of_comparison(folder_), context);
    }

    std::string folder_;
    std::string games_;
    std::string agents_folder_;
    SessionOptions session_;
};

} // namespace

std::unique_ptr<Command> make_resume() {
    return std::make_unique<Resume>();
}

} // namespace croupier::cli
