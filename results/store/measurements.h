// costs.csv, the costs of rules by block; rules.csv, their totals; and times.csv, the decision
// times of agents.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/store/file.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// ---- costs.csv: kept during a run, and by shards ------------------------------------------------

inline constexpr std::string_view kCostsFile = "costs.csv";
inline constexpr std::string_view kCostTitles =
    "block,rule,phase,seat,entry,tried,passed,matches,firings,match_ns,act_ns,total_ns,shared_ns\n";

// The rows of one block, each ended by a newline.
void append_cost_rows(std::uint64_t block, std::span<const CostRow> rows, std::string& into);

// Reads costs.csv back, block by block.
class CostReader {
  public:
    // The facts must outlive the reader. `bytes` and `from` as for GamesReader.
    CostReader(const std::string& path, const ProfileFacts& facts, std::size_t seats,
               std::uint64_t bytes = ~std::uint64_t{0}, std::uint64_t from = 0);
    ~CostReader();
    CostReader(const CostReader&) = delete;
    CostReader& operator=(const CostReader&) = delete;

    // Replaces `rows` by those of that block; call in the order of writing. False after a failure.
    bool read(std::uint64_t block, std::vector<CostRow>& rows);
    [[nodiscard]] const Failure& failure() const;

  private:
    class Rows;

    bool read_ahead();

    const ProfileFacts& facts_;
    std::size_t seats_;
    std::unique_ptr<Rows> rows_;
    CostRow ahead_;
    std::uint64_t ahead_block_ = 0;
    bool has_ahead_ = false;
};

// ---- rules.csv ----------------------------------------------------------------------------------

inline constexpr std::string_view kRulesFile = "rules.csv";

// A row with times for each rule, then rows with counts by phase and player; the same for each
// entry, if entries are known; last, time outside rules. Which rows there are is independent of
// times, and times are the last columns.
std::string rules_text(const Costs& costs, const RunFacts& facts);

// Reads rules.csv of a run's folder into the table of `costs`, whose facts are from the run's file.
// The failure names file and line.
Failure read_rules_file(const std::string& folder, const RunFacts& facts, Costs& costs);

// times.csv: the decision times of agents, as far as measured.

inline constexpr std::string_view kTimesFile = "times.csv";

// A row for each agent and seat with decisions.
std::string times_text(const TimeTable& times, const RunFacts& facts);

// The same for several rulesets or agents on the same deals: with a first column `variant`.
struct VariantTimes {
    std::string variant;
    TimeTable times;
};
std::string variant_times_text(std::span<const VariantTimes> variants, const RunFacts& facts);

// Reads the folder's file into a table of all agents and seats; without a file the table is empty.
// The failure names file and line.
Failure read_times_file(const std::string& folder, const RunFacts& facts, TimeTable& times);

} // namespace croupier::results
