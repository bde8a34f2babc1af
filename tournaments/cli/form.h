// In which form an answer is printed: --json for programs, --format for the other forms.
#pragma once

#include "tournaments/cli/options.h"

#include <string>
#include <vector>

namespace croupier::cli {

struct Form {
    std::string format = "table";
    bool json = false;

    // "json", or what --format says.
    [[nodiscard]] std::string name() const { return json ? "json" : format; }
};
// --json and --format, which exclude each other; `names` without "json".
void add_form(Options& options, Form& form, std::vector<std::string> names);
// The same for reports of runs.
void add_report_form(Options& options, Form& form);

} // namespace croupier::cli
