// costs.csv, what each block adds to the costs of rules, rules.csv, what they come to, and
// times.csv, how long agents thought.
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

// ---- costs.csv: kept while a run is played, and by shards ---------------------------------------

inline constexpr std::string_view kCostsFile = "costs.csv";
inline constexpr std::string_view kCostTitles =
    "block,rule,phase,seat,entry,tried,passed,matches,firings,match_ns,act_ns,total_ns,shared_ns\n";

// The rows of one block, each ended by a newline.
void append_cost_rows(std::uint64_t block, std::span<const CostRow> rows, std::string& into);

// Reads costs.csv back, block after block.
class CostReader {
  public:
    // The facts must outlive the reader. `bytes` and `from` as those of GamesReader.
    CostReader(const std::string& path, const ProfileFacts& facts, std::size_t seats,
               std::uint64_t bytes = ~std::uint64_t{0}, std::uint64_t from = 0);
    ~CostReader();
    CostReader(const CostReader&) = delete;
    CostReader& operator=(const CostReader&) = delete;

    // The rows of that block, in place of what stood there; blocks are asked for in the order in
    // which they were written. False where the file cannot be read on: there is a failure then.
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

// For each rule a row with its times, then one for each phase and player with what was counted; the
// same for each entry, where entries are known. Last what took time besides rules. Which rows there
// are does not depend on times, and times come last in each.
std::string rules_text(const Costs& costs, const RunFacts& facts);

// Reads rules.csv of a run's folder into the table of `costs`, whose facts are those of the run's
// file. The failure names file and line.
Failure read_rules_file(const std::string& folder, const RunFacts& facts, Costs& costs);

// times.csv: how long agents took for their decisions, as far as it was measured.

inline constexpr std::string_view kTimesFile = "times.csv";

// A row for each agent on each seat that has made a decision.
std::string times_text(const TimeTable& times, const RunFacts& facts);

// The same of several rulesets or agents that were played on the same deals: a column `variant`
// comes first.
struct VariantTimes {
    std::string variant;
    TimeTable times;
};
std::string variant_times_text(std::span<const VariantTimes> variants, const RunFacts& facts);

// Reads the folder's file into a table of all agents and seats; without a file nothing was
// measured. The failure names file and line.
Failure read_times_file(const std::string& folder, const RunFacts& facts, TimeTable& times);

} // namespace croupier::results
