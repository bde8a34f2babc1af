// Plays variants on the same deals, and keeps what came of it.
#pragma once

#include "results/compare/comparison.h"
#include "results/report/compared.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "tournaments/run/prepared_run.h"
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

namespace croupier::tournaments {

// As options have them, in words.
struct ComparedSettings {
    std::string games;
    std::string blocks;
    std::string seed;
    std::string faults;
    std::string cut;
    std::string starts;
    std::string games_folder;
    std::string agents_folder;
    std::size_t threads = 0; // 0: as many as can run at once
    bool no_costs = false;
    std::string out;      // the folder that gets games and answer; empty: none
    bool resumes = false; // it goes on in that folder
};

// Who plays what: one side of a comparison.
struct ComparedSide {
    std::string game;
    std::vector<std::string> agents;
    std::vector<std::string> set; // "name=value"
    bool gauntlet = false;        // the first agent at every table
};

// Throws UserError if the folder holds a comparison, or something else that was played.
void refuse_answer(const std::string& folder);
// Locks the folder and writes down there what `croupier resume` needs: the command, and what it
// depends on, the runs. Of a comparison that goes on throws UserError if these have changed.
results::File begin_compared(const ComparedSettings& settings,
                             std::initializer_list<const PreparedRun*> runs,
                             const HostServices& host);
// Whether the folder holds a comparison that may go on, or that did and has come to its end.
bool is_comparison(const std::string& folder);
bool is_complete_comparison(const std::string& folder);
// The command line that it was begun with. Throws UserError.
std::vector<std::string> words_of_comparison(const std::string& folder);

// Throws UserError after telling everything that is wrong.
PreparedRun prepare_side(const ComparedSide& side, const ComparedSettings& settings,
                         const HostServices& host);

// Throws UserError unless both have the same seats and teams.
void refuse_other_seats(const results::RunFacts& a, const results::RunFacts& b);

// The specs of texts "A,B", all together.
std::vector<std::string> split_agents(const std::vector<std::string>& texts);

// Words "0.02" (of rates) or "length=3". Throws UserError.
results::Margins parse_margins(const std::vector<std::string>& words);
// Words of --metric.
std::vector<results::MetricKind> parse_metrics(const std::vector<std::string>& words);
std::vector<std::string> metric_names();

struct PlayedVariants {
    std::vector<double> seconds_per_game;      // by variant
    std::vector<results::TimeTable> times;     // of its decisions; empty with no_costs
    bool stopped = false;                      // somebody wanted it to end early
    bool stopped_by_fault = false;             // an agent's, with `faults` stop
    bool nothing_but_faults = false;           // not a game was played to an end
    std::uint64_t games = 0;                   // of all variants
    std::unique_ptr<results::Journal> journal; // of the games in the folder; null: none
    results::Failure failure;                  // of writing them, which ended it early

    [[nodiscard]] bool interrupted() const { return stopped || stopped_by_fault || failure; }
};

// All blocks of the schedule, in their order, to `take`; or as many as there is time for.
// Blocks that are in the folder of the settings come from there, and others are written to it.
PlayedVariants play_variants(std::span<const Variant> variants, PreparedRun& run,
                             const ComparedSettings& settings,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             const HostServices& host);

// Keeps an answer in that folder: in `file`, with when and how it was made, which what is printed
// does not say, since that is a function of the seed; and times.csv, where something was measured,
// with the `names` of the variants.
struct ComparedAnswer {
    nlohmann::ordered_json json;
    std::string_view file;
    std::span<const std::string> names;
};
results::Failure keep_answer(const ComparedAnswer& answer, const PlayedVariants& played,
                             const results::RunFacts& facts, const std::string& folder,
                             const HostServices& host);

// When, where, and by which command something was made.
nlohmann::ordered_json made_json(const HostServices& host);

} // namespace croupier::tournaments
