// The services that the command line provides to runs.
#include "tournaments/cli/command.h"

#include "games/files.h"
#include "results/report/report.h"
#include "tournaments/cli/process.h"
#include "tournaments/machine/machine.h"
#include "tournaments/run/files.h"
#include "tournaments/run/session.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kLiveSeconds = 0.2;
constexpr double kPlainSeconds = 10;

std::string beside_the_program(std::string_view folder, std::string_view name) {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return games::shipped(program.string(), folder, name);
}

} // namespace

Context::Context(Terminal& its_terminal, std::istream& its_in, bool is_launched,
                 std::string its_data)
    : terminal(its_terminal), in(its_in), launched(is_launched), data(std::move(its_data)) {
    read = [this](const std::string& path) { return tournaments::read_input(path, in); };
    shipped_games = shipped("games");
    shipped_agents = shipped("agents");
#ifdef CROUPIER_CLIPS
    clips_worker = beside_the_program(CROUPIER_LIBEXEC, "clips");
#endif
    clock = std::make_shared<tournaments::SteadyClock>();
    date = tournaments::time_now;
    machine = tournaments::describe_machine;
    threads = tournaments::machine_threads();
    sampler = tournaments::make_sampler;
    program = "croupier " CROUPIER_VERSION;
    stop = &StopSignals::wanted();
    abandon = &StopSignals::abandoned();
    diagnose = [this](const auto& diagnostics, const auto& sources) {
        print_diagnostics(diagnostics, sources);
    };
    note = [this](const std::string& text) {
        end_progress();
        if (!quiet) err().line({text});
    };
    warn = [this](const std::string& text) {
        end_progress();
        terminal.warning(who, text);
    };
    show_progress("none");
}

Context::~Context() = default;

// MPI can be started only once, so there is one for all commands.
tournaments::Cluster& Context::cluster() {
    if (cluster_ == nullptr) cluster_ = std::make_unique<tournaments::Cluster>(launched, *this);
    return *cluster_;
}

std::string Context::shipped(std::string_view name) const {
    if (!data.empty()) return (fs::path(data) / name).string();
    return beside_the_program(CROUPIER_INSTALLED, name);
}

void Context::print_diagnostics(const engine::Diagnostics& diagnostics,
                                const engine::Sources& sources) {
    // Compares only the last part of names: one may be GROUP/NAME, as on the command line, the
    // other as in the file.
    const auto short_name = [](const std::string& name) {
        return name.substr(name.rfind('/') + 1);
    };
    for (const engine::Diagnostic& diagnostic : diagnostics.sorted()) {
        if (!warned_rule.empty() && diagnostic.severity == engine::Severity::Warning &&
            short_name(diagnostic.rule) != short_name(warned_rule)) {
            ++warnings_left_out;
            continue;
        }
        const bool error = diagnostic.severity == engine::Severity::Error;
        const std::string label =
            fmt::format("{}[{}]:", error ? "error" : "warning", diagnostic.code);
        err().raw(err().colored(engine::format(diagnostic, sources) + "\n",
                                {{label, error ? Style::Bad : Style::Notice}}));
    }
}

void Context::show_progress(const std::string& mode) {
    const bool live = !quiet && mode == "auto" && err().is_terminal();
    progress = [this, live, plain = !quiet && mode == "plain",
                shown = 0.0](const auto& facts) mutable {
        if (!live && !plain) return;
        const double now = seconds();
        if (shown == 0) shown = now; // nothing to show yet
        if (now - shown < (live ? kLiveSeconds : kPlainSeconds)) return;
        shown = now;
        if (plain) {
            err().line({results::progress_line(facts())});
        } else {
            // Narrower than the terminal: a wrapped line cannot be overwritten.
            err().raw("\r\x1b[K" + results::progress_line(facts(), err().width() - 1));
            progress_is_shown_ = true;
        }
        err().flush();
    };
}

void Context::end_progress() {
    if (progress_is_shown_) err().raw("\r\x1b[K");
    progress_is_shown_ = false;
}

} // namespace croupier::cli
