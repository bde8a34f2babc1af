// croupier run: a tournament.
#include "tournaments/cli/cluster.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_session.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

class Run : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "run", "Play a tournament: thousands of games, and who wins how surely",
            "What to play is said by a file, by options, or by both: an option counts more than "
            "the file's member of the same name. Every deal is played once in each rotation of "
            "the seats; these games are a block, the unit of all statistics. The results are a "
            "function of rulesets, agents and seed, whatever the number of threads. They are "
            "kept in a folder under runs/, and a run that was interrupted goes on by 'croupier "
            "resume'.\n"
            "An agent is written KIND, KIND:ARGUMENTS or NAME=KIND:ARGUMENTS. In --agents a piece "
            "key=value belongs to the agent before it; where that will not do, name each by an "
            "--agent of its own. An agent alone plays against itself.\n"
            "--blocks takes how many blocks to play, or which seatings a block has: rotate (every "
            "rotation), all (every order), none (one game a block); it may be given twice. "
            "--games plays at least so many, up to the end of a round. --sprt takes "
            "elo0,elo1,alpha,beta,model: it stops as soon as the data decide between the two. "
            "Wherever a run stops early, it does so at the same block for any number of threads.",
            "croupier run --game life --agents random --games 10000\n"
            "croupier run --game belote --agents random,random --sprt 0,10 --seed 7\n"
            "croupier run tournament.json --threads 2 --out results/today"};
    }

    void declare(Options& options) override {
        const auto list = [&](const char* name, std::vector<std::string>& into, const char* words) {
            return options.add(name, into, words).one_value_each();
        };
        const auto text = [&](const char* name, std::string& into, const char* words) {
            return options.add(name, into, words);
        };
        text("SPEC", file_, "A specification as JSON, '-' for standard input");
        text("--game", game_, "Name of a game or path of a ruleset, :REVISION for a revision")
            .type_name("GAME");
        list("--agents", agents_, "Who plays").type_name("A,B,..");
        list("--agent", each_agent_, "One more who plays").type_name("AGENT");
        list("--set", set_, "Sets an option of the game").type_name("NAME=VALUE");
        text("--games", games_, "Play at least so many games (default: 1000)").type_name("N");
        list("--blocks", blocks_, "Play so many blocks; or rotate, all, none").type_name("N|HOW");
        text("--schedule", schedule_, "round-robin, gauntlet, free-for-all, knockout or swiss")
            .type_name("KIND");
        text("--rounds", rounds_, "Rounds of a Swiss schedule").type_name("N");
        text("--seed", seed_, "Seed of all chance (default: 1)").type_name("N");
        text("--starts", starts_, "Begin with the positions of this file, each from all sides")
            .type_name("FILE[,order=random]");
        text("--sprt", sprt_, "Stop when elo0 and elo1 are told apart")
            .type_name("ELO0,ELO1,ALPHA,BETA,MODEL");
        text("--width", width_, "Stop when every interval is as narrow").type_name("W");
        text("--time", time_, "Pause after so many seconds; 'resume' goes on").type_name("S");
        text("--faults", faults_,
             "What an agent's fault is: loss (default) for its side, void, or stop: a loss, and "
             "the run pauses")
            .type_name("HOW");
        text("--cut", cut_, "A game of so many moves is a draw").type_name("N");
        text("--shard", shard_, "Play every n-th block from the i-th on").type_name("I/N");
        text("--out", out_, "Folder of the results (default: a new one under runs/)")
            .type_name("DIR");
        options
            .add("--keep", keep_,
                 "Which games moves.jsonl keeps: none, faults or all (default: all where time or a "
                 "program decides, else faults)")
            .one_of({"none", "faults", "all"})
            .type_name("WHICH");
        add_profile(options, profile_);
        options.add_flag("--coverage", session_.coverage,
                         "Tell which rules and options were never exercised; watches every step");
        add_session_options(options, session_);
        add_games_folder(options, games_folder_, "--games-folder");
        add_agents_folder(options, agents_folder_);
    }

    int run(Context& context) override {
        Cluster cluster(context);
        if (cluster.serves())
            return cluster.serve([this](Context& quiet) { return prepare(quiet); },
                                 session_.threads);
        PreparedRun prepared = prepare(context);
        cluster.hire(prepared);
        const Shard shard = shard_.empty() ? Shard{} : parse_shard(shard_);
        if (shard.count > 1 && prepared.schedule->depends_on_results())
            throw Mistake("--shard: who plays later depends on who wins earlier in this schedule");
        results::RunFile file = describe_run(prepared, shard);
        file.coverage = session_.coverage;
        const std::string folder = make_run_folder(out_, prepared.facts.game);
        const results::File lock = lock_run_folder(folder);
        refuse_run(folder); // somebody may have been quicker
        if (const auto failure = begin_run_folder(folder, prepared, file)) {
            context.terminal.error("croupier run", *failure);
            return kFailed;
        }
        context.err().line({fmt::format("seed {}, results in {}", prepared.facts.seed, folder)});
        context.err().flush();
        return play_session(prepared, file, folder, session_, cluster, context);
    }

  private:
    PreparedRun prepare(Context& context) {
        SpecificationInput input;
        read(input, context);
        PreparedRun run = prepare_run(input, games_folder_, agents_folder_, mode(), context);
        // What can be played again need not be kept.
        const bool again = run.facts.irreproducible.empty();
        run.keep =
            results::keep_of(keep_).value_or(again ? results::Keep::Faults : results::Keep::All);
        return run;
    }

    // A sample cannot tell what never happened.
    [[nodiscard]] results::ProfileMode mode() const {
        if (!session_.coverage) return *results::profile_mode_of(profile_);
        if (profile_ == "off")
            throw Mistake("--coverage needs to watch, which --profile off forbids");
        return results::ProfileMode::Full;
    }

    void read(SpecificationInput& input, Context& context) {
        if (!file_.empty()) input.read_file(file_, context);
        if (!game_.empty()) input.add_text("--game", "game", game_);
        if (!starts_.empty()) input.add_text("--starts", "starts", starts_);
        input.add_agents("--agents", agents_);
        input.add_agents("--agent", each_agent_);
        for (const std::string& setting : set_)
            input.add_setting(setting);
        input.add_value("--blocks", "blocks", blocks_);
        const std::pair<const char*, const std::string&> values[] = {
            {"games", games_}, {"schedule", schedule_}, {"rounds", rounds_},
            {"seed", seed_},   {"sprt", sprt_},         {"width", width_},
            {"time", time_},   {"faults", faults_},     {"cut", cut_},
        };
        for (const auto& [key, value] : values) {
            if (!value.empty()) input.add_value(fmt::format("--{}", key), key, {value});
        }
    }

    std::string file_;
    std::string game_;
    std::vector<std::string> agents_;
    std::vector<std::string> each_agent_;
    std::vector<std::string> set_;
    std::string games_;
    std::vector<std::string> blocks_;
    std::string schedule_;
    std::string rounds_;
    std::string seed_;
    std::string starts_;
    std::string sprt_;
    std::string width_;
    std::string time_;
    std::string faults_;
    std::string cut_;
    std::string shard_;
    std::string out_;
    std::string keep_;
    std::string profile_ = "sample";
    std::string agents_folder_;
    SessionOptions session_;
    std::string games_folder_;
};

} // namespace

std::unique_ptr<Command> make_run() {
    return std::make_unique<Run>();
}

} // namespace croupier::cli
