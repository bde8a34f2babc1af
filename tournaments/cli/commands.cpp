// Makes the subcommands that commands.def lists.
#include "tournaments/cli/command.h"

namespace croupier::cli {

#define COMMAND(name) std::unique_ptr<Command> make_##name();
#include "tournaments/cli/commands.def"
#undef COMMAND

std::vector<std::unique_ptr<Command>> make_commands() {
    std::vector<std::unique_ptr<Command>> commands;
#define COMMAND(name) commands.push_back(make_##name());
#include "tournaments/cli/commands.def"
#undef COMMAND
    return commands;
}

} // namespace croupier::cli
