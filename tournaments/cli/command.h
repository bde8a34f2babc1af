// What a subcommand is. To add one, say `tally`:
//   1. write commands/tally.cpp: a class that derives from Command, and
//      std::unique_ptr<Command> make_tally() { return std::make_unique<Tally>(); }
//   2. add the line COMMAND(tally) to commands.def, whose order is that of the help.
// The build takes its list of files from there. commands/version.cpp is a complete example, and
// command_line_test.cpp shows how a test runs a subcommand inside the process.
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

namespace croupier::cli {

struct Surface;
struct Resumed;

constexpr int kGood = 0;
constexpr int kFailed = 1;   // a check failed, or what was looked for was not found
constexpr int kMistake = 2;  // of the user: command line, file or ruleset
constexpr int kInternal = 3; // of the program

// Thrown by a subcommand: becomes one message on standard error and exit code kMistake.
using tournaments::UserError;

// All that a subcommand may touch. Nothing else reaches the streams, so tests see everything.
struct Context : tournaments::HostServices {
    // `its_data`: CROUPIER_DATA, the folder of games, agents and schema; empty: it is not set.
    Context(Terminal& its_terminal, std::istream& its_in, bool is_launched = false,
            std::string its_data = {});
    Context(const Context&) = delete; // what it lends knows its place
    Context& operator=(const Context&) = delete;

    Terminal& terminal;
    std::istream& in;
    bool launched;      // by mpirun or its like, perhaps with others
    bool quiet = false; // neither progress nor notes
    std::string data;
    std::string who = "croupier";     // in front of warnings
    const Resumed* resumed = nullptr; // a comparison that goes on; null: this is no such command

    // Warnings of other rules than this are counted, not printed; empty: all are printed.
    std::string warned_rule;
    std::size_t warnings_left_out = 0;

    // For so long at most a run plays on that was too short to tell what its rules cost.
    double plays_on_seconds = 0;

    std::function<Surface()> surface; // of the whole command line, for commands that are about it

    [[nodiscard]] Page& out() const { return terminal.out(); }
    [[nodiscard]] Page& err() const { return terminal.err(); }

    // The path of something that comes with the program, "games", "agents" or
    // "ruleset.schema.json". Nothing may be there.
    [[nodiscard]] std::string shipped(std::string_view name) const;
    // From now on what is played shows how far it is, on standard error. "auto": a line that is
    // written over, on a terminal alone; "plain": a line every ten seconds; "none".
    void show_progress(const std::string& mode);
    // Takes the line away.
    void end_progress();

  private:
    // With source lines, on standard error; only those warnings that are asked for.
    void print_diagnostics(const engine::Diagnostics& diagnostics, const engine::Sources& sources);

    bool progress_is_shown_ = false;
};

struct Description {
    std::string_view name;
    std::string_view summary; // one line for the list of subcommands
    std::string_view details; // paragraphs for --help, may be empty
    std::string_view example; // command lines, and nothing else, for the end of --help
};

class Command {
  public:
    Command() = default;
    virtual ~Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    [[nodiscard]] virtual Description describe() const = 0;
    // Declares options and arguments, bound to members of the command.
    virtual void declare(Options& options) = 0;
    // Does the work, after parsing; returns kGood or kFailed, throws UserError.
    virtual int run(Context& context) = 0;
};

// All of commands.def, in its order.
std::vector<std::unique_ptr<Command>> make_commands();

} // namespace croupier::cli
