// Plays variants on the same deals, and shows what came of it.
#pragma once

#include "results/report/compared.h"
#include "tournaments/cli/compared_input.h"
#include "tournaments/runner/variants.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace croupier::cli {

struct PlayedVariants {
    std::vector<double> seconds_per_game; // by variant
    int signal = 0;                       // that ended it early, or 0

    [[nodiscard]] int exit_code() const;
};

// All blocks of the schedule, in their order, to `take`; or as many as there is time for until
// Ctrl-C.
PlayedVariants play_variants(std::span<const tournaments::Variant> variants, PreparedRun& run,
                             const ComparedOptions& options,
                             const tournaments::VariantSink::Take& take, Context& context);

// In the format that was asked for; `ahead` is what people read, and programs find as a member,
// before the numbers.
struct Ahead {
    std::vector<std::string> lines;
    std::string key;
    nlohmann::ordered_json value;
};
template <class Summary>
void print_compared(const Summary& summary, const Ahead& ahead, const std::string& format,
                    Context& context) {
    if (format == "json") {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        if (!ahead.key.empty()) object[ahead.key] = ahead.value;
        object.update(json_of(summary));
        context.out().raw(object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                          "\n");
    } else if (format == "csv") {
        context.out().raw(csv_of(summary));
    } else {
        print_sections(results::sections_of(summary), ahead.lines, format == "markdown", context);
    }
}
void print_sections(std::span<const results::Section> sections,
                    const std::vector<std::string>& ahead, bool markdown, Context& context);

} // namespace croupier::cli
