// croupier clips: runs CLIPS 6.3 programs: as CLIPS would, game after game, or step by step.
#include "engine/api/text.h"
#include "engine/clips/explain.h"
#include "engine/clips/session.h"
#include "tournaments/cli/clips_profile.h"
#include "tournaments/cli/clips_step.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/diagnostic_json.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <istream>
#include <limits>

namespace croupier::cli {
namespace {

namespace clips = engine::clips;

volatile std::sig_atomic_t interrupts = 0;

extern "C" void note_interrupt(int) {
    interrupts = 1;
}

// Takes Ctrl-C while rules run: the run ends and tells where it stood.
class InterruptGuard {
  public:
    InterruptGuard() : old_(std::signal(SIGINT, note_interrupt)) { interrupts = 0; }
    ~InterruptGuard() { std::signal(SIGINT, old_); }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    void (*old_)(int);
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Clips : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "clips", "Run a CLIPS 6.3 program",
            "Loads the files, resets, runs, and prints what the program prints. With --batch the "
            "one file holds commands as they are typed at the prompt of CLIPS, and the output is "
            "that of 'clips -f2 FILE', byte for byte.\n"
            "With --games the program is reset and run that many times without printing; --count "
            "says in how many games a fact was present at the end.\n"
            "With --json the answer of --games, --profile or --lint is for programs, and what the "
            "CLIPS program prints goes to standard error.",
            "croupier clips games/oldmaid/oldmaid.clp --strategy random --seed 7\n"
            "croupier clips games/oldmaid/oldmaid.clp --strategy random --games 1000 --count "
            "'(player ? loses the game)' --json"};
    }

    void declare(Options& options) override {
        options.add("FILE", files_, "Programs, loaded one after another; - is standard input")
            .required()
            .offers(Offers::Files);
        options.add_flag("--batch", batch_, "Execute the file's commands as 'clips -f2' does");
        options.add("--strategy", strategy_, "Which of several activations fires first")
            .one_of({"depth", "breadth", "simplicity", "complexity", "lex", "mea", "random"})
            .type_name("NAME");
        options.add("--seed", seed_, "For the random strategy and (random)")
            .type_name("N")
            .range(0, std::numeric_limits<std::uint32_t>::max());
        options.add("--limit", limit_, "End a run after that many firings")
            .type_name("N")
            .range(0, std::numeric_limits<std::int64_t>::max());
        options.add("--games", games_, "Reset and run that many times, silently")
            .type_name("N")
            .range(1, std::numeric_limits<std::int64_t>::max());
        options.add("--count", patterns_, "Count the games that end with a matching fact")
            .type_name("PATTERN")
            .one_value_each();
        options.add_flag("--step", step_, "Show agenda and facts, fire rules one by one");
        options.add_flag("--profile", profile_, "Print what each rule cost");
        options.add("--why", why_, "Say why RULE does not fire after the run").type_name("RULE");
        options.add_flag("--lint", lint_, "Only look for likely mistakes; run nothing");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (batch_ && (files_.size() > 1 || games_ > 0 || json_))
            throw Mistake("--batch takes one file, and neither --games nor --json");
        if (games_ > 0 && (step_ || profile_ || why_))
            throw Mistake("--games runs silently: not with --step, --profile or --why");
        if (json_ && games_ == 0 && !profile_ && !lint_)
            throw Mistake("--json needs --games, --profile or --lint");
        if (json_ && (step_ || why_)) throw Mistake("--step and --why print text: not with --json");
        if (!patterns_.empty() && games_ == 0) throw Mistake("--count needs --games");
        // Standard output is the answer alone where programs read it.
        clips::Session session(
            [&](std::string_view text) { (json_ ? context.err() : context.out()).raw(text); });
        session.set_opener([&](const std::string& path) -> std::optional<std::string> {
            try {
                return read_input(path, context.in);
            } catch (const Mistake&) {
                return std::nullopt;
            }
        });
        session.set_line_reader([&]() -> std::optional<std::string> {
            std::string line;
            if (!std::getline(context.in, line)) return std::nullopt;
            return line;
        });
        const auto start = std::chrono::steady_clock::now();
        session.set_clock([start] { return seconds_since(start); });
        session.set_interrupted([] { return interrupts != 0; });
        const InterruptGuard guard;
        try {
            return batch_ ? run_batch(session, context) : run_program(session, context);
        } catch (const clips::MemoryLimit& limit) {
            throw Mistake(limit.what());
        }
    }

  private:
    static void print_errors(clips::Session& session, Context& context) {
        context.out().flush();
        print_diagnostics(session.diagnostics(), session.sources(), context);
    }

    int run_batch(clips::Session& session, Context& context) const {
        if (seed_) session.seed(*seed_);
        session.load(files_[0], read_input(files_[0], context.in), true);
        print_errors(session, context);
        return session.exit_code().value_or(kGood);
    }

    int run_program(clips::Session& session, Context& context) {
        for (const std::string& file : files_)
            session.load(file, read_input(file, context.in), false);
        if (lint_) clips::lint(session);
        if (lint_ && json_)
            print_lint(session, context);
        else
            print_errors(session, context);
        if (session.diagnostics().has_errors()) throw Mistake("the program has errors");
        if (lint_) return session.diagnostics().empty() ? kGood : kFailed;
        if (strategy_) session.set_strategy(*engine::find_strategy(*strategy_));
        if (seed_) session.seed(*seed_);
        if (games_ > 0) return run_games(session, context);
        if (why_ && session.find_rule(*why_) == nullptr) {
            std::vector<std::string> known;
            for (const clips::Rule& rule : session.rules())
                if (rule.last != nullptr) known.push_back(rule.name->text);
            throw Mistake(
                fmt::format("there is no rule '{}'{}", *why_, did_you_mean(*why_, known)));
        }
        session.network().profiling = profile_;
        session.reset();
        if (step_) return step_through(session, context);
        const std::int64_t fired = session.run(limit_);
        if (interrupts != 0 || (session.limit_reached() && limit_ >= 0)) {
            const auto next = session.agenda().next();
            context.out().flush();
            context.err().line({fmt::format(
                "{} after {} firings; {}", interrupts != 0 ? "interrupted" : "limit reached", fired,
                next == engine::Agenda::kNone ? "the agenda is empty"
                                              : "next: " + session.describe(next))});
        }
        if (why_) context.out().raw(clips::why(session, *why_));
        if (profile_)
            context.out().raw(json_ ? clips_profile_json(session, fired)
                                    : clips_profile_text(session));
        if (session.exit_code()) return *session.exit_code();
        return session.had_error() ? kFailed : kGood;
    }

    static void print_lint(clips::Session& session, Context& context) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const engine::Diagnostic& diagnostic : session.diagnostics().sorted())
            all.push_back(diagnostic_json(diagnostic, session.sources()));
        context.out().raw(
            all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    }

    int run_games(clips::Session& session, Context& context) {
        const auto start = std::chrono::steady_clock::now();
        const clips::GameReport report =
            session.play({games_, seed_.value_or(1), limit_, patterns_});
        const double seconds = seconds_since(start);
        print_errors(session, context);
        if (session.diagnostics().has_errors()) throw Mistake("a pattern of --count has errors");
        const double rate = seconds > 0 ? static_cast<double>(report.games) / seconds : 0;
        if (json_) {
            nlohmann::ordered_json out;
            out["games"] = report.games;
            out["seconds"] = seconds;
            out["games_per_second"] = rate;
            out["firings"] = report.firings;
            out["counts"] = nlohmann::ordered_json::object();
            for (const auto& [fact, count] : report.counts)
                out["counts"][fact] = count;
            context.out().raw(out.dump(2) + "\n");
        } else {
            context.out().line({fmt::format("{} games, {} firings, {:.3f} s, {:.0f} games/s",
                                            report.games, report.firings, seconds, rate)});
            for (const auto& [fact, count] : report.counts)
                context.out().line({fmt::format("{:10} {}", count, fact)});
        }
        if (report.stopped_by_limit)
            context.terminal.warning("croupier clips", "some games ended at the limit");
        return session.had_error() ? kFailed : kGood;
    }

    std::vector<std::string> files_;
    bool batch_ = false;
    std::optional<std::string> strategy_;
    std::optional<std::uint32_t> seed_;
    std::int64_t limit_ = -1;
    std::uint64_t games_ = 0;
    std::vector<std::string> patterns_;
    bool json_ = false;
    bool step_ = false;
    bool profile_ = false;
    bool lint_ = false;
    std::optional<std::string> why_;
};

} // namespace

std::unique_ptr<Command> make_clips() {
    return std::make_unique<Clips>();
}

} // namespace croupier::cli
