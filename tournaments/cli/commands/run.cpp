// croupier run: a tournament.
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace croupier::cli {
namespace {

class Run : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "run", "Play a tournament; report who wins and how certain that is",
            "A game, or a file that says what to play (a specification); an option overrides the "
            "file's member of the same name. Every deal is played once in each rotation of "
            "the seats; these games are a block, the unit of all statistics. The results are a "
            "function of rulesets, agents and seed, whatever the number of threads. They are "
            "kept in a folder under runs/, and 'croupier resume' continues a run that was "
            "interrupted.\n"
            "An agent is written KIND, KIND:ARGUMENTS or NAME=KIND:ARGUMENTS. In --agents a part "
            "key=value belongs to the agent before it; a value in parentheses may have "
            "commas, as in else=(eval:depth=2,nodes=500); or name each agent by an --agent of its "
            "own. A single agent plays against itself.\n"
            "--blocks takes how many blocks to play, or which seatings a block has: rotate (every "
            "rotation), all (every order), none (one game a block); it may be given twice. "
            "--games plays at least so many, up to the end of a round. --sprt takes "
            "elo0,elo1,alpha,beta,model: it stops as soon as the data decide between the two. "
            "Wherever a run stops early, it does so at the same block for any number of threads.",
            "croupier run life --games 10000\n"
            "croupier run belote --agents random,random --sprt 0,10 --seed 7\n"
            "croupier run tournament.json -j 2 -o results/today"};
    }

    void declare(Options& options) override {
        const auto list = [&](const char* name, std::vector<std::string>& into, const char* words) {
            return options.add(name, into, words).one_value_each();
        };
        const auto text = [&](const char* name, std::string& into, const char* words) {
            return options.add(name, into, words);
        };
        text("GAME|SPEC", argument_,
             "Name of a game, its folder, or a file of rules; :REVISION for one of its revisions. "
             "Or a specification as JSON, '-' for standard input")
            .offers(Offers::Rules);
        text("--game", game_, "The game, if GAME|SPEC does not name it")
            .type_name("GAME")
            .offers(Offers::Games);
        add_agent_list(options, "--agents", agents_, "Who plays").default_text("random");
        list("--agent", each_agent_, "Another agent").type_name("AGENT").offers(Offers::Agents);
        add_settings(options, "--set", set_, "Set an option of the game");
        text("--games", games_, "Play at least N games").type_name("N").default_text("1000");
        list("--blocks", blocks_, "Play N blocks; or the seatings of a block: rotate, all or none")
            .type_name("N|HOW");
        text("--schedule", schedule_, "Who meets whom")
            .one_of(schedule_words())
            .type_name("KIND")
            .default_text("round-robin");
        text("--rounds", rounds_, "Rounds of a Swiss schedule").type_name("N");
        text("--seed", seed_, "Seed of all chance").type_name("N").default_text("1");
        add_starts(options, starts_);
        text("--sprt", sprt_, "Stop as soon as the data decide between elo0 and elo1")
            .type_name("ELO0,ELO1,ALPHA,BETA,MODEL");
        text("--width", width_, "Stop when every interval is as narrow as this").type_name("W");
        text("--time", time_, "Pause after S seconds; croupier resume continues").type_name("S");
        add_faults(options, faults_);
        text("--cut", cut_, "End a game as a draw after N moves").type_name("N");
        text("--shard", shard_, "Play every n-th block from the i-th on").type_name("I/N");
        add_out(options, out_, "Folder of the results").default_text("a new one under runs/");
        options.add_flag("--oracle", oracle_, "Let agents play that see all cards, and mark them");
        options.add("--keep", keep_, "Which games moves.jsonl keeps")
            .one_of({"none", "faults", "all"})
            .type_name("WHICH")
            .default_text("all where time or a program decides, else faults");
        add_profile(options, profile_);
        options.add_flag("--coverage", session_.coverage,
                         "Report which rules and options were never exercised; watches every step");
        add_session_options(options, session_);
        add_games_folder(options, games_folder_);
        add_agents_folder(options, agents_folder_);
    }

    static std::vector<std::string> schedule_words() {
        std::vector<std::string> words;
        for (const tournaments::ScheduleKind kind : tournaments::schedule_kinds())
            words.emplace_back(name_of(kind));
        return words;
    }

    int run(Context& context) override {
        tournaments::Cluster& cluster = context.cluster();
        if (cluster.serves())
            return serve([this](const auto& host) { return part_of(prepare(host), host); },
                         session_.threads, context);
        tournaments::PreparedRun prepared = prepare(context);
        cluster.hire(tournaments::identity_of(describe_run(prepared, {}, context)), prepared.facts);
        const tournaments::Shard shard =
            shard_.empty() ? tournaments::Shard{} : tournaments::parse_shard(shard_);
        if (shard.count > 1 && prepared.schedule->depends_on_results())
            throw UserError(
                "--shard: who plays later depends on who wins earlier in this schedule");
        results::RunFile file = describe_run(prepared, shard, context);
        file.coverage = session_.coverage;
        file.command = context.command;
        const std::string folder = tournaments::make_run_folder(out_, prepared.facts.game);
        const results::File lock = tournaments::lock_run_folder(folder);
        tournaments::refuse_run(folder); // somebody may have been quicker
        if (const auto failure = begin_run_folder(folder, prepared, file, context)) {
            context.terminal.error(context.who, *failure);
            return kFailed;
        }
        context.note(fmt::format("seed {}, results in {}", prepared.facts.seed, folder));
        context.err().flush();
        return play_session(prepared, file, folder, session_, cluster, context);
    }

  private:
    tournaments::PreparedRun prepare(const tournaments::HostServices& host) {
        tournaments::SpecificationInput input;
        read(input, host);
        if (oracle_) input.allow_oracles();
        tournaments::PreparedRun run =
            prepare_run(input, games_folder_, agents_folder_, mode(), host);
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
            throw UserError("--coverage watches every step, which --profile off forbids");
        return results::ProfileMode::Full;
    }

    // Takes a file that holds rules as a game, any other as a specification.
    void read_argument(tournaments::SpecificationInput& input,
                       const tournaments::HostServices& host) const {
        std::error_code ignored;
        const bool program = argument_.ends_with(".clp");
        if (!std::filesystem::is_directory(argument_, ignored) &&
            (argument_ == "-" || argument_.ends_with(".json") ||
             (std::filesystem::exists(argument_, ignored) && !program))) {
            if (open_registry(games_folder_, host).has(games::parse_game_name(argument_)))
                throw UserError(fmt::format("{} is a game and a file: use --game {} or ./{}",
                                            argument_, argument_, argument_));
            tournaments::SpecificationInput file;
            file.read_text(argument_ == "-" ? "<stdin>" : argument_, host.read(argument_));
            if (argument_ == "-" || !file.holds_rules()) {
                input = std::move(file);
                return;
            }
        }
        if (!game_.empty())
            throw UserError(fmt::format("{} is a game, and so is --game {}: name one of them",
                                        argument_, game_));
        input.add_text("GAME", "game", argument_);
    }

    void read(tournaments::SpecificationInput& input, const tournaments::HostServices& host) {
        if (!argument_.empty()) read_argument(input, host);
        if (!game_.empty()) input.add_text("--game", "game", game_);
        if (!starts_.empty()) input.add_text("--starts", "starts", starts_);
        input.add_agents("--agents", agents_);
        input.add_agents("--agent", each_agent_);
        input.add_settings(set_);
        input.add_value("--blocks", "blocks", blocks_);
        input.add_given({{"games", games_},
                         {"schedule", schedule_},
                         {"rounds", rounds_},
                         {"seed", seed_},
                         {"sprt", sprt_},
                         {"width", width_},
                         {"time", time_},
                         {"faults", faults_},
                         {"cut", cut_}});
    }

    std::string argument_;
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
    bool oracle_ = false;
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
