// How options are written for people.
#include "tournaments/cli/surface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace croupier::cli {

const std::string_view kExitCodes =
    "Exit code: 0 good; 1 a check failed, something was not found, or faults of agents ended every "
    "game; 2 a mistake in the command line, a file or a ruleset; 130 and 143 "
    "a run that Ctrl-C or SIGTERM interrupted.";

bool ShownOption::named(std::string_view name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string ShownOption::spelling() const {
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    if (positional) return facts.repeats ? all + "..." : all;
    return placeholder.empty() ? all : all + " " + placeholder;
}

std::string ShownOption::sentence() const {
    std::vector<std::string> asides;
    if (!facts.words.empty()) {
        const std::span<const std::string> words(facts.words);
        asides.push_back(
            fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back()));
    }
    if (!preset.empty()) asides.push_back("default: " + preset);
    if (facts.repeats && !positional) asides.emplace_back("may be repeated");
    return asides.empty() ? text : fmt::format("{} ({})", text, fmt::join(asides, "; "));
}

std::string ShownCommand::usage() const {
    std::string line = fmt::format("croupier {} [options]", description.name);
    for (const ShownOption& each : arguments)
        line += each.required ? " " + each.spelling() : " [" + each.spelling() + "]";
    return line;
}

const ShownCommand* Surface::find(std::string_view name) const {
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const auto& command) {
        return command.description.name == name;
    });
    return found == commands.end() ? nullptr : &*found;
}

} // namespace croupier::cli
