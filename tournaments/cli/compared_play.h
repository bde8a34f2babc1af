// Plays variants on the same deals, and shows what came of it.
#pragma once

#include "results/report/compared_read.h"
#include "results/store/journal.h"
#include "tournaments/cli/compared_input.h"
#include "tournaments/runner/variants.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct PlayedVariants {
    std::vector<double> seconds_per_game;      // by variant
    std::vector<results::TimeTable> times;     // of its decisions; empty with --no-costs
    int signal = 0;                            // that ended it early, or 0
    bool stopped_by_fault = false;             // an agent's, with --faults stop
    bool nothing_but_faults = false;           // not a game was played to an end
    std::uint64_t games = 0;                   // of all variants
    std::unique_ptr<results::Journal> journal; // of the games in the folder of --out; null: none
    results::Failure failure;                  // of writing them, which ended it early

    [[nodiscard]] bool interrupted() const { return signal != 0 || stopped_by_fault || failure; }

    [[nodiscard]] int exit_code() const;
};

// All blocks of the schedule, in their order, to `take`; or as many as there is time for until
// Ctrl-C. With --out, blocks that are in that folder come from there, and others are written to it.
PlayedVariants play_variants(std::span<const tournaments::Variant> variants, PreparedRun& run,
                             const ComparedOptions& options,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             Context& context);

// In the format that was asked for; `ahead` is what people read, and programs find as a member,
// before the numbers.
struct Ahead {
    std::vector<std::string> lines;
    std::string key;
    nlohmann::ordered_json value;
};
std::string sections_text(std::span<const results::Section> sections,
                          const std::vector<std::string>& ahead, bool markdown,
                          const Context& context);

template <class Summary>
nlohmann::ordered_json compared_json(const Summary& summary, const Ahead& ahead) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    if (!ahead.key.empty()) {
        object[ahead.key] = ahead.value;
        object["difference"] = ahead.lines;
    }
    object.update(json_of(summary));
    return object;
}
std::string text_of(const nlohmann::ordered_json& json);
// Prints the text, then keeps the answer where --out says: in `file`, with when and how it was
// made, which what is printed does not say, since that is a function of the seed; and times.csv,
// where something was measured, with the `names` of the variants. Returns the exit code.
struct ComparedAnswer {
    std::string text;
    nlohmann::ordered_json json;
    std::string_view file;
    std::span<const std::string> names;
};
int conclude_compared(const ComparedAnswer& answer, const PlayedVariants& played,
                      const results::RunFacts& facts, const ComparedOptions& options,
                      Context& context);

template <class Summary>
std::string compared_text(const Summary& summary, const Ahead& ahead,
                          const ComparedOptions& options, const Context& context) {
    if (options.form.json) return text_of(compared_json(summary, ahead));
    if (options.form.format == "csv") return csv_of(summary);
    return sections_text(results::sections_of(summary), ahead.lines,
                         options.form.format == "markdown", context);
}

} // namespace croupier::cli
