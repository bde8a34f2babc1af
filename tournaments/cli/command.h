// The interface of a subcommand. To add one, say `tally`:
//   1. write commands/tally.cpp: a class that derives from Command, and
//      std::unique_ptr<Command> make_tally() { return std::make_unique<Tally>(); }
//   2. add the line COMMAND(tally) to commands.def, whose order is that of the help.
// The build takes its list of files from there. commands/version.cpp is a complete example, and
// command_line_test.cpp shows how a test runs a subcommand in its own process.
#pragma once

#include "tournaments/cli/options.h"
#include "tournaments/cli/terminal.h"
#include "tournaments/run/host.h"

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {
class Cluster;
}

namespace croupier::cli {

struct Surface;
struct Resumed;

constexpr int kGood = 0;
constexpr int kFailed = 1;   // a check failed, or a search found nothing
constexpr int kMistake = 2;  // an error by the user: command line, file or ruleset
constexpr int kInternal = 3; // an internal error

// Thrown by a subcommand; becomes a message on standard error and exit code kMistake.
using tournaments::UserError;

// All that a subcommand may use. It is the only access to the streams, so tests see all output.
struct Context : tournaments::HostServices {
    // `its_data`: CROUPIER_DATA, the folder of games, agents and schema; empty if not set.
    Context(Terminal& its_terminal, std::istream& its_in, bool is_launched = false,
            std::string its_data = {});
    ~Context();
    Context(const Context&) = delete; // its members refer to it
    Context& operator=(const Context&) = delete;

    Terminal& terminal;
    std::istream& in;
    bool launched;      // by mpirun or its like, perhaps with others
    bool quiet = false; // no progress, no notes
    std::string data;
    std::string who = "croupier";     // prefix of warnings
    const Resumed* resumed = nullptr; // the comparison to resume; null in other commands

    // Only warnings of this rule are printed, others are counted; if empty, all are printed.
    std::string warned_rule;
    std::size_t warnings_left_out = 0;

    // Limit for continuing a run that was too short to measure the costs of rules.
    double plays_on_seconds = 0;

    std::function<Surface()> surface; // the whole command line, for commands about it

    [[nodiscard]] Page& out() const { return terminal.out(); }
    [[nodiscard]] Page& err() const { return terminal.err(); }

    // The processes that were launched together. Throws UserError if this program cannot join them.
    tournaments::Cluster& cluster();

    // The path of data that comes with the program, "games", "agents" or "ruleset.schema.json". It
    // may not exist.
    [[nodiscard]] std::string shipped(std::string_view name) const;
    // From now on, shows progress on standard error. "auto": a line that is overwritten, only on a
    // terminal; "plain": a line every ten seconds; "none".
    void show_progress(const std::string& mode);
    // Removes the progress line.
    void end_progress();

  private:
    // Prints to standard error, with source lines; only the selected warnings.
    void print_diagnostics(const engine::Diagnostics& diagnostics, const engine::Sources& sources);

    bool progress_is_shown_ = false;
    std::unique_ptr<tournaments::Cluster> cluster_; // null until it is asked for
};

struct Description {
    std::string_view name;
    std::string_view summary; // one line for the list of subcommands
    std::string_view details; // paragraphs for --help; may be empty
    std::string_view example; // command lines only, for the end of --help
};

class Command {
  public:
    Command() = default;
    virtual ~Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    [[nodiscard]] virtual Description describe() const = 0;
    // Declares options and arguments and binds them to members of the command.
    virtual void declare(Options& options) = 0;
    // Runs the command, after parsing; returns kGood or kFailed, throws UserError.
    virtual int run(Context& context) = 0;
};

// All commands of commands.def, in order.
std::vector<std::unique_ptr<Command>> make_commands();

} // namespace croupier::cli
