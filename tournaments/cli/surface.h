// What the command line offers, as values: help, the man page and completion are made of it.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct ShownOption {
    std::vector<std::string> names; // "-h", "--help"; of an argument its one word
    std::string placeholder;        // of the value; empty: it takes none
    std::string text;               // what it is for
    std::string preset;             // the value it has by itself, where that says something
    bool positional = false;
    bool required = false;
    OptionFacts facts;

    [[nodiscard]] bool named(std::string_view name) const;
    // "-o, --out DIR"; of an argument "GAME".
    [[nodiscard]] std::string spelling() const;
    // The text with the values it may have, its default, and whether it may be repeated.
    [[nodiscard]] std::string sentence() const;
};

struct ShownCommand {
    Description description;
    std::vector<ShownOption> arguments; // in their order
    std::vector<ShownOption> options;

    // "croupier play [options] GAME"
    [[nodiscard]] std::string usage() const;
};

struct Surface {
    std::string_view about;
    std::vector<ShownOption> options; // before or after any subcommand
    std::vector<ShownCommand> commands;

    [[nodiscard]] const ShownCommand* find(std::string_view name) const;
};

// What exit codes mean, in one paragraph.
extern const std::string_view kExitCodes;

} // namespace croupier::cli
