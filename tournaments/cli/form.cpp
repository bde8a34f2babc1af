// Declares --json and --format.
#include "tournaments/cli/form.h"

#include "results/report/report.h"

#include <utility>

namespace croupier::cli {

void add_form(Options& options, Form& form, std::vector<std::string> names) {
    const Option format = options.add("--format", form.format, "Form of the answer")
                              .one_of(std::move(names))
                              .type_name("FORM")
                              .shows_default();
    options.add_json_flag(form.json).excludes(format);
}

void add_report_form(Options& options, Form& form) {
    std::vector<std::string> names = results::format_names();
    std::erase(names, "json");
    add_form(options, form, std::move(names));
}

} // namespace croupier::cli
