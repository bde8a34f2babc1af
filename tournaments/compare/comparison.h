// Plays variants on the same deals, and stores the results.
#pragma once

#include "results/compare/comparison.h"
#include "results/report/compared.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/session.h"
#include "tournaments/runner/runner.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// Written when a comparison begins: what was asked.
inline constexpr std::string_view kAskedFile = "asked.json";

// The options, unparsed.
struct ComparedSettings {
    std::string games;
    std::string blocks;
    std::string seed;
    std::string faults;
    std::string cut;
    std::string starts;
    std::size_t playouts = 0; // before each move, for metrics of the lead; 0 for none
    std::size_t coverage = 0; // deals in which the game's rules are watched; 0 for none
    std::string games_folder;
    std::string agents_folder;
    std::size_t threads = 0; // 0 for as many as can run at once
    bool no_costs = false;
    std::string out;      // folder for games and answer; empty if none
    bool resumes = false; // continues in that folder
};

// One side of a comparison.
struct ComparedSide {
    std::string game;
    std::vector<std::string> agents;
    std::vector<std::string> set; // "name=value"
    bool gauntlet = false;        // the first agent plays in every game
};

// Throws UserError if the folder holds a comparison, or other results.
void refuse_answer(const std::string& folder);
// Hires the processes of the cluster. Locks the folder and writes there what `croupier resume`
// needs: the command, and all that the runs depend on. When resuming, throws UserError if these
// have changed.
results::File begin_compared(const ComparedSettings& settings,
                             std::span<const PreparedRun* const> runs, Cluster& cluster,
                             const HostServices& host);
// Whether the folder holds a comparison, and whether it is complete.
bool is_comparison(const std::string& folder);
bool is_complete_comparison(const std::string& folder);
// The file with its answer, which may not be complete; empty if there is none.
std::string answer_in(const std::string& folder);
// What its runs depend on, one for each side that was prepared; and the command line that began it.
// Throw UserError.
std::vector<nlohmann::ordered_json> identities_of_comparison(const std::string& folder);
std::vector<std::string> words_of_comparison(const std::string& folder);

// Throws UserError after reporting all errors.
PreparedRun prepare_side(const ComparedSide& side, const ComparedSettings& settings,
                         const HostServices& host);

// Throws UserError unless both have the same seats and teams.
void refuse_other_seats(const results::RunFacts& a, const results::RunFacts& b);

// Copies of one agent need no separate numbers.
bool agents_vary(const PreparedRun& run);

// All specs of texts such as "A,B".
std::vector<std::string> split_agents(const std::vector<std::string>& texts);

// Parses "0.02" (for rates) or "length=3". Throws UserError.
results::Margins parse_margins(const std::vector<std::string>& words);
// Parses the words of --metric.
std::vector<results::MetricKind> parse_metrics(const std::vector<std::string>& words);
std::vector<std::string> metric_names();

struct PlayedVariants {
    std::vector<double> seconds_per_game;      // by variant, in its last blocks
    std::vector<results::TimeTable> times;     // of the variant's decisions; empty with no_costs
    bool stopped = false;                      // ended early on request
    bool stopped_by_fault = false;             // by an agent's fault, with `faults` stop
    bool nothing_but_faults = false;           // no game was played to its end
    std::uint64_t games = 0;                   // over all variants
    std::unique_ptr<results::Journal> journal; // of the games in the folder; null if none
    std::string lost;                          // the process that stopped answering
    results::Failure failure;                  // of writing the games; ended the comparison early

    [[nodiscard]] bool interrupted() const { return stopped || stopped_by_fault || failure; }
};

// The variants that play, in order, up to a block where that may change.
struct Round {
    std::vector<std::uint32_t> variants;
    std::uint64_t end = 0;
};

// The part of a comparison. `owner` holds all that variants and runs refer to.
std::unique_ptr<Part> part_of(std::vector<Variant> variants, std::vector<const PreparedRun*> runs,
                              std::shared_ptr<void> owner, const ComparedSettings& settings,
                              const HostServices& host);

// Passes all blocks of the schedule to `take`, in order, or as many as time allows. Reads blocks
// from the settings' folder if they are there, and writes others to it. `round` is asked at the
// beginning, and at each end; without it all variants play all blocks.
PlayedVariants play_variants(std::span<const Variant> variants, PreparedRun& run,
                             const ComparedSettings& settings,
                             const std::function<void(std::span<const results::GameRecord>)>& take,
                             Cluster& cluster, const HostServices& host,
                             const std::function<Round()>& round = {});

// An answer to store in that folder: in `file`, with time and command, which are not printed
// because the output is a function of the seed; and times.csv, if something was measured, with the
// `names` of the variants.
struct ComparedAnswer {
    nlohmann::ordered_json json;
    std::string_view file;
    std::span<const std::string> names;
};
// The same of an answer that is not complete, for those who look at the folder meanwhile.
results::Failure keep_so_far(const ComparedAnswer& answer, const std::string& folder,
                             const HostServices& host);
results::Failure keep_answer(const ComparedAnswer& answer, const PlayedVariants& played,
                             const results::RunFacts& facts, const std::string& folder,
                             const HostServices& host);

// When, where, and by which command something was made.
nlohmann::ordered_json made_json(const HostServices& host);

} // namespace croupier::tournaments
