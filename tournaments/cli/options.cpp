// Shared option pieces; see options.h.
#include "tournaments/cli/options.h"

#include "engine/text/nearest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace croupier::cli {

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const auto suggestion = engine::nearest(word, known);
    return suggestion ? fmt::format(" (did you mean '{}'?)", *suggestion) : std::string();
}

CLI::Validator one_of(std::vector<std::string> known) {
    const auto check = [known = std::move(known)](std::string& word) {
        if (std::find(known.begin(), known.end(), word) != known.end()) return std::string();
        return fmt::format("'{}' is none of {}{}", word, fmt::join(known, ", "),
                           did_you_mean(word, known));
    };
    return CLI::Validator(check, "");
}

CLI::Option* add_json_flag(CLI::App& options, bool& json) {
    return options.add_flag("--json", json, "Print JSON for programs instead of text for people");
}

} // namespace croupier::cli
