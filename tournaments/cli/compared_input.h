// What is compared on the same deals, as the user asked for it.
#pragma once

#include "results/compare/metrics.h"
#include "results/compare/revisions.h"
#include "results/store/file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/form.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_input.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace croupier::cli {

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

} // namespace croupier::cli
