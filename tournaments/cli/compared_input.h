// What is compared on the same deals, as the user asked for it.
#pragma once

#include "results/compare/metrics.h"
#include "results/compare/revisions.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/form.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_input.h"

#include <cstdint>
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

// Makes the folder of --out, if there is to be one. Throws Mistake if it holds an answer already.
void prepare_out(const ComparedOptions& options);

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
