// croupier clips: runs CLIPS 6.3 programs: as CLIPS does, for many games, or step by step.
#include "games/clips/program.h"
#include "results/store/json_field.h"
#include "tournaments/cli/answers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <istream>
#include <limits>
#include <thread>

namespace croupier::cli {
namespace {

namespace clips = games::clips;
using Json = nlohmann::ordered_json;

std::string not_known(clips::Program& program, const std::string& rule) {
    return fmt::format("there is no rule '{}'{}", rule, did_you_mean(rule, program.rules()));
}

// Interrupts the worker when the user wants to stop.
class Interrupter {
  public:
    Interrupter(const clips::Program& program, const std::atomic<bool>& wanted)
        : thread_([&program, &wanted](const std::stop_token& over) {
              while (!over.stop_requested()) {
                  if (StopSignals::abandoned()) program.kill();
                  if (wanted) program.interrupt();
                  std::this_thread::sleep_for(std::chrono::milliseconds(50));
              }
          }) {}

  private:
    std::jthread thread_;
};

// Browses agenda and facts, for people and for scripts of tests.
class Stepper {
  public:
    Stepper(clips::Program& program, Context& context) : program_(program), context_(context) {}

    void run() {
        program_.watch("facts");
        program_.watch("rules");
        help();
        show_next();
        std::string typed;
        while (std::getline(context_.in, typed)) {
            const std::size_t space = typed.find(' ');
            const std::string word = typed.substr(0, space);
            const std::string rest = space == std::string::npos ? "" : typed.substr(space + 1);
            if (word == "quit" || word == "q") break;
            execute(word, rest, typed);
        }
    }

  private:
    void execute(const std::string& word, const std::string& rest, const std::string& typed) {
        if (word.empty() || word == "step" || word == "s")
            fire("1");
        else if (word == "run" || word == "r")
            fire(rest);
        else if (word == "next" || word == "n")
            show_next();
        else if (word == "agenda" || word == "a")
            show_agenda();
        else if (word == "facts" || word == "f")
            show_facts(rest);
        else if (word == "why" || word == "w")
            why(rest);
        else if (word == "help" || word == "h")
            help();
        else if (word.starts_with('('))
            program_.command(typed + "\n");
        else
            line(fmt::format(
                "unknown command '{}'{}", word,
                did_you_mean(word, std::vector<std::string>{"agenda", "facts", "run", "step",
                                                            "next", "why", "help", "quit"})));
    }

    void line(const std::string& text) { context_.out().line({text}); }

    void help() {
        line("next, agenda, facts [RELATION], run [N], why RULE, any command of CLIPS in "
             "parentheses, help, quit; an empty line fires once");
    }

    // Prints salience and rule, then the matched facts.
    void show(const clips::ListedActivation& one) {
        line(fmt::format("{:<6} {}: {}", one.salience, one.rule, one.basis));
        const std::vector<clips::ListedFact> facts = program_.facts();
        for (const clips::ListedFact& fact : facts)
            if (("," + one.basis + ",").find("," + fact.index + ",") != std::string::npos)
                line(fmt::format("         {:<7} {}", fact.index, fact.text));
    }

    void show_next() {
        const auto agenda = program_.agenda();
        line(agenda.empty() ? "the agenda is empty" : "next:");
        if (!agenda.empty()) show(agenda.front());
    }

    void show_agenda() {
        const auto agenda = program_.agenda();
        for (const clips::ListedActivation& one : agenda)
            show(one);
        line(fmt::format("{} activation{}", agenda.size(), agenda.size() == 1 ? "" : "s"));
    }

    void show_facts(const std::string& relation) {
        std::size_t count = 0;
        for (const clips::ListedFact& fact : program_.facts()) {
            if (!relation.empty() && !fact.text.starts_with("(" + relation + " ") &&
                fact.text != "(" + relation + ")")
                continue;
            line(fmt::format("{:<7} {}", fact.index, fact.text));
            ++count;
        }
        line(fmt::format("{} fact{}", count, count == 1 ? "" : "s"));
    }

    void why(const std::string& rule) {
        const std::string text = program_.why(rule);
        if (text.empty())
            line(not_known(program_, rule));
        else
            context_.out().raw(text);
    }

    void fire(const std::string& count) {
        std::int64_t limit = -1;
        const char* end = count.data() + count.size();
        const auto read = std::from_chars(count.data(), end, limit);
        if (!count.empty() && (read.ec != std::errc() || read.ptr != end || limit < 0)) {
            line(fmt::format("'{}' is not a number of firings", count));
            return;
        }
        line(fmt::format("{} fired", program_.run(limit).fired));
        show_next();
    }

    clips::Program& program_;
    Context& context_;
};

class Clips : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "clips", "Run a CLIPS 6.3 program",
            "Loads the files, resets, runs, and prints what the program prints, by the library of "
            "CLIPS in a process of its own: a program that crashes or hangs harms nothing, and it "
            "reads files below its own folder and no others. With --batch the one file holds "
            "commands as they are typed at the prompt of CLIPS, and the output is that of "
            "'clips -f2 FILE', byte for byte.\n"
            "With --games the program is reset and run that many times without printing; --count "
            "says in how many games a fact was present at the end. A ruleset plays a hundred times "
            "as many games a second.\n"
            "With --json the answer of --games or --profile is for programs, and what the CLIPS "
            "program prints goes to standard error.",
            "croupier clips games/oldmaid/oldmaid.clp --strategy random --seed 7\n"
            "croupier clips games/oldmaid/oldmaid.clp --strategy random --games 1000 --count "
            "'(player ? loses the game)' --json"};
    }

    void declare(Options& options) override {
        options.add("FILE", files_, "Programs, loaded one after another; - is standard input")
            .required()
            .offers(Offers::Files);
        options.add_flag("--batch", batch_, "Execute the file's commands as 'clips -f2' does");
        options.add("--strategy", many_.strategy, "Which of several activations fires first")
            .one_of({"depth", "breadth", "simplicity", "complexity", "lex", "mea", "random"})
            .type_name("NAME");
        options.add("--seed", seed_, "For the random strategy and (random)")
            .type_name("N")
            .range(0, std::numeric_limits<std::uint32_t>::max());
        options.add("--limit", many_.limit, "End a run after that many firings")
            .type_name("N")
            .range(0, std::numeric_limits<std::int64_t>::max());
        options.add("--games", games_, "Reset and run that many times, silently")
            .type_name("N")
            .range(1, std::numeric_limits<std::int64_t>::max());
        options.add("-j,--threads", threads_, "Processes that play the games; 0: one for each core")
            .type_name("N")
            .range(0, 256);
        options.add("--count", many_.patterns, "Count the games that end with a matching fact")
            .type_name("PATTERN")
            .one_value_each();
        options.add_flag("--step", step_, "Show agenda and facts, fire rules one by one");
        options.add_flag("--profile", profile_, "Print what each rule and function cost");
        options.add("--why", why_, "Say why RULE does not fire after the run").type_name("RULE");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (batch_ && (files_.size() > 1 || games_ > 0 || json_ || step_ || profile_ || why_))
            throw UserError("--batch takes one file, and does what that says and nothing else");
        if (games_ > 0 && (step_ || profile_ || why_))
            throw UserError("--games runs silently: not with --step, --profile or --why");
        if (json_ && games_ == 0 && !profile_) throw UserError("--json needs --games or --profile");
        if (json_ && (step_ || why_))
            throw UserError("--step and --why print text: not with --json");
        if (games_ == 0 && (!many_.patterns.empty() || threads_))
            throw UserError("--count and --threads need --games");
        for (const std::string& pattern : many_.patterns)
            if (const std::string what = clips::mistake_in_pattern(pattern); !what.empty())
                throw UserError(fmt::format("--count '{}': {}", pattern, what));
        for (const std::string& file : files_) {
            sources_.push_back({file, tournaments::read_input(file, context.in)});
            if (sources_.back().text.find('\0') != std::string::npos)
                throw UserError(file + ": has a zero byte, so it is not text");
            context.include_roots->name(file);
        }
        const StopSignals signals;
        try {
            clips::Program program(context.clips_worker, outside(context));
            const Interrupter interrupter(program, signals.wanted());
            const int code = run_program(program, context, signals);
            return StopSignals::signal() != 0 ? kSignalExit + StopSignals::signal() : code;
        } catch (const clips::Ended& end) {
            if (end.code) return *end.code;
            if (StopSignals::signal() != 0) return kSignalExit + StopSignals::signal();
            context.out().flush();
            throw UserError(end.what());
        }
    }

  private:
    // Opens files that a program names, relative to the program, as CLIPS does when started there.
    std::function<std::optional<std::string>(const std::string&)> opener(Context& context) const {
        const auto folder = std::filesystem::path(files_.front()).parent_path();
        return [&context, folder](const std::string& name) -> std::optional<std::string> {
            for (const auto& path : {std::filesystem::path(name), folder / name}) {
                try {
                    return tournaments::read_included(path.string(), *context.include_roots);
                } catch (const UserError&) {
                    continue;
                }
            }
            return std::nullopt;
        };
    }

    clips::Outside outside(Context& context) const {
        clips::Outside outside;
        // As in CLIPS, a batch prints everything to standard output. With JSON, standard output has
        // only the answer.
        outside.print = [this, &context](std::string_view text, bool error) {
            Page& page = (error && !batch_) || json_ ? context.err() : context.out();
            if (&page == &context.err()) context.out().flush();
            page.raw(text);
        };
        outside.read_line = [&context]() -> std::optional<std::string> {
            context.out().flush();
            std::string line;
            if (!std::getline(context.in, line)) return std::nullopt;
            if (!context.in.eof()) line += '\n';
            return line;
        };
        outside.open = opener(context);
        return outside;
    }

    int run_program(clips::Program& program, Context& context, const StopSignals& signals) {
        if (seed_) program.seed(*seed_);
        if (batch_) {
            if (!many_.strategy.empty()) program.set_strategy(many_.strategy);
            program.batch(sources_.front().text); // throws with its exit code
            return kGood;
        }
        bool good = true;
        for (const clips::SourceText& source : sources_)
            good = program.load(source) && good;
        if (!good) throw UserError("the program has errors");
        if (!many_.strategy.empty()) program.set_strategy(many_.strategy);
        if (games_ > 0) return run_games(context, signals);
        if (why_ && program.why(*why_).empty()) throw UserError(not_known(program, *why_));
        if (profile_) program.profile();
        program.reset();
        if (step_) {
            Stepper(program, context).run();
            return kGood;
        }
        const clips::Run ran = program.run(many_.limit);
        if (ran.interrupted || ran.stopped) {
            const auto agenda = program.agenda();
            context.out().flush();
            context.err().line({fmt::format(
                "{} after {} firings; {}", ran.interrupted ? "interrupted" : "stopped", ran.fired,
                agenda.empty()
                    ? "the agenda is empty"
                    : fmt::format("next: {}: {}", agenda.front().rule, agenda.front().basis))});
        }
        if (why_) context.out().raw(program.why(*why_));
        if (profile_) print_costs(program.costs(), ran.fired, context);
        return ran.failed ? kFailed : kGood;
    }

    void print_costs(std::vector<clips::ConstructCost> costs, std::int64_t fired,
                     Context& context) {
        std::stable_sort(costs.begin(), costs.end(), [](const auto& one, const auto& other) {
            return one.with_children > other.with_children;
        });
        if (json_) {
            Json all = Json::array();
            for (const clips::ConstructCost& one : costs)
                all.push_back({{"kind", one.kind},
                               {"name", one.name},
                               {"entries", one.entries},
                               {"self_ns", std::llround(one.self * 1e9)},
                               {"total_ns", std::llround(one.with_children * 1e9)}});
            context.out().raw(
                results::json_text({{"firings", fired}, {"constructs", std::move(all)}}));
            return;
        }
        context.out().line({fmt::format(
            "\n{} firings; what rules and functions took, by the profiler of CLIPS. What they "
            "match and assert is theirs.",
            fired)});
        context.out().line({fmt::format("{:>10} {:>12} {:>12}  {}", "entries", "us alone",
                                        "us in all", "construct")});
        for (const clips::ConstructCost& one : costs)
            context.out().line(
                {fmt::format("{:>10} {:>12.0f} {:>12.0f}  {} {}", one.entries, one.self * 1e6,
                             one.with_children * 1e6, one.kind, one.name)});
    }

    int run_games(Context& context, const StopSignals& signals) {
        many_.games = games_;
        many_.seed = seed_.value_or(1);
        const std::size_t asked = threads_.value_or(1);
        many_.workers = static_cast<unsigned>(asked == 0 ? context.threads : asked);
        const double start = context.seconds();
        const clips::GamesReport report =
            clips::play_many(context.clips_worker, sources_, many_, opener(context),
                             [&] { return signals.wanted().load(); });
        const double seconds = context.seconds() - start;
        const double rate = seconds > 0 ? static_cast<double>(report.games) / seconds : 0;
        if (json_) {
            Json counts = Json::object();
            for (const auto& [fact, count] : report.counts)
                counts[fact] = count;
            context.out().raw(results::json_text({{"games", report.games},
                                                  {"seconds", seconds},
                                                  {"games_per_second", rate},
                                                  {"firings", report.firings},
                                                  {"stopped", report.stopped},
                                                  {"failed", report.failed},
                                                  {"crashed", report.crashed},
                                                  {"counts", std::move(counts)}}));
        } else {
            context.out().line({fmt::format("{} games, {} firings, {:.3f} s, {:.0f} games/s",
                                            report.games, report.firings, seconds, rate)});
            for (const auto& [fact, count] : report.counts)
                context.out().line({fmt::format("{:10} {}", count, fact)});
        }
        const auto warn = [&](std::uint64_t games, const std::string& what) {
            if (games > 0) context.warn(fmt::format("{} of the games {}", games, what));
        };
        warn(report.stopped, "ended at the limit");
        warn(report.failed, "printed errors");
        warn(report.crashed, "ended CLIPS: " + report.crash);
        return report.failed + report.crashed > 0 ? kFailed : kGood;
    }

    std::vector<std::string> files_;
    std::vector<clips::SourceText> sources_;
    clips::ManyGames many_;
    bool batch_ = false;
    std::optional<std::uint32_t> seed_;
    std::uint64_t games_ = 0;
    std::optional<std::size_t> threads_;
    bool json_ = false;
    bool step_ = false;
    bool profile_ = false;
    std::optional<std::string> why_;
};

} // namespace

std::unique_ptr<Command> make_clips() {
    return std::make_unique<Clips>();
}

} // namespace croupier::cli
