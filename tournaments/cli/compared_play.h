// Plays variants on the same deals, and shows what came of it.
#pragma once

#include "results/compare/comparison.h"
#include "results/report/compared.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/runner/runner.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// What is compared on the same deals, as the user asked for it.

// The options that compare and ablate share.
struct ComparedOptions {
    std::string games;
    std::string blocks;
    std::string seed;
    std::string faults;
    std::string cut;
    std::string starts;
    std::string games_folder;
    std::string agents_folder;
    std::size_t threads = 0; // 0: as many as the machine has
    Form form;
    std::string progress = "auto";
    bool no_costs = false;
    std::string out; // the folder that gets the answer as JSON as well; empty: none
};
void add_compared_options(Options& options, ComparedOptions& compared);

// Who plays what: one side of a comparison.
struct ComparedSide {
    std::string game;
    std::vector<std::string> agents;
    std::vector<std::string> set; // "name=value"
    bool gauntlet = false;        // the first agent at every table
};

// The folder of a comparison that goes on, and what croupier resume says of this sitting.
struct Resumed {
    std::string folder;
    std::string games_folder;  // empty: as it was begun
    std::string agents_folder; // the same
    std::size_t threads = 0;
    Form form;
    std::string progress;
};

// Takes these over, if it goes on; else makes the folder of --out, if there is to be one. Throws
// Mistake if that holds a comparison already.
void prepare_out(ComparedOptions& options, const Context& context);
// Locks the folder and writes down there what `croupier resume` needs: the command, and what it
// depends on, the runs. Of a comparison that goes on throws Mistake if these have changed.
results::File begin_compared(const ComparedOptions& options,
                             std::initializer_list<const PreparedRun*> runs,
                             const Context& context);
// Whether the folder holds a comparison that may go on, or that did and has come to its end.
bool is_comparison(const std::string& folder);
bool is_complete_comparison(const std::string& folder);
// The command line that it was begun with. Throws Mistake.
std::vector<std::string> words_of_comparison(const std::string& folder);

// Throws Mistake after telling everything that is wrong.
PreparedRun prepare_side(const ComparedSide& side, const ComparedOptions& options,
                         Context& context);

// Throws Mistake unless both have the same seats and teams.
void refuse_other_seats(const results::RunFacts& a, const results::RunFacts& b);

// The specs of texts "A,B", all together.
std::vector<std::string> split_agents(const std::vector<std::string>& texts);

// Words "0.02" (of rates) or "length=3". Throws Mistake.
results::Margins parse_margins(const std::vector<std::string>& words);
// Words of --metric.
std::vector<results::MetricKind> parse_metrics(const std::vector<std::string>& words);
std::vector<std::string> metric_names();

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
