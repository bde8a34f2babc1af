// costs.csv and rules.csv: written, and read back with every cell checked.
#include "results/store/cost_rows.h"

#include "results/store/csv_file.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>

namespace croupier::results {
namespace {

std::string number_or_nothing(std::uint32_t value) {
    return value == kNothing ? std::string() : std::to_string(value);
}

// Which rule, for what and for whom; then what it cost. Both files have these columns.
constexpr std::size_t kCells = 11;
constexpr std::array<const char*, kCells> kCostColumns = {
    "rule",    "phase",   "seat",     "entry",  "tried",   "passed",
    "matches", "firings", "match_ns", "act_ns", "total_ns"};

std::optional<std::string> read_index(const char* name, const char* cell, std::size_t count,
                                      std::uint32_t& index) {
    index = kNothing;
    if (*cell == '\0') return std::nullopt;
    if (read_number(cell, index) && index < count) return std::nullopt;
    return fmt::format("there is no {} '{}'", name, cell);
}

// What is wrong with the cells, the first of which is kCostColumns[0], or nothing.
std::optional<std::string> read_row(char* const* cells, const ProfileFacts& facts,
                                    std::size_t seats, CostRow& row) {
    auto& [key, cost] = row;
    if (auto wrong = read_index("rule", cells[0], facts.rules.size(), key.rule)) return wrong;
    const auto phase = phase_of(cells[1]);
    if (!phase && cells[1][0] != '\0') return fmt::format("the phase is '{}'", cells[1]);
    key.phase = phase.value_or(Phase::Setup);
    if (auto wrong = read_index("seat", cells[2], seats, key.seat)) return wrong;
    const std::size_t entries = key.rule == kNothing ? 0 : facts.rules[key.rule].entries.size();
    if (auto wrong = read_index("entry", cells[3], entries, key.entry)) return wrong;
    std::uint64_t* const numbers[] = {&cost.tried,    &cost.passed, &cost.matches, &cost.firings,
                                      &cost.match_ns, &cost.act_ns, &cost.total_ns};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!read_number(cells[4 + i], *numbers[i]))
            return fmt::format("the number under {} is '{}'", kCostColumns[4 + i], cells[4 + i]);
    }
    return std::nullopt;
}

} // namespace

// ---- costs.csv ----------------------------------------------------------------------------------

namespace {

// Runs write a row for each rule of each step that they watch: a format string would take longer
// than watching.
class CostCells {
  public:
    explicit CostCells(std::string& into) : into_(into) {}

    CostCells& operator<<(std::uint64_t number) {
        const fmt::format_int digits(number);
        return *this << std::string_view(digits.data(), digits.size());
    }
    CostCells& operator<<(std::string_view text) {
        if (!first_) into_ += ',';
        first_ = false;
        into_ += text;
        return *this;
    }
    CostCells& index(std::uint32_t number) {
        return number == kNothing ? *this << std::string_view() : *this << number;
    }
    void end() { into_ += '\n'; }

  private:
    std::string& into_;
    bool first_ = true;
};

} // namespace

void append_cost_rows(std::uint64_t block, std::span<const CostRow> rows, std::string& into) {
    for (const auto& [key, cost] : rows) {
        CostCells cells(into);
        (cells << block).index(key.rule) << name_of(key.phase);
        cells.index(key.seat).index(key.entry)
            << cost.tried << cost.passed << cost.matches << cost.firings << cost.match_ns
            << cost.act_ns << cost.total_ns;
        cells.end();
    }
}

class CostReader::Rows : public CsvFile<kCells + 1> {
  public:
    Rows(const std::string& path, std::uint64_t bytes) : CsvFile(path, names(), bytes) {}

  private:
    static Names names() {
        Names names{"block"};
        std::copy(kCostColumns.begin(), kCostColumns.end(), names.begin() + 1);
        return names;
    }
};

CostReader::CostReader(const std::string& path, const ProfileFacts& facts, std::size_t seats,
                       std::uint64_t bytes)
    : facts_(facts), seats_(seats), rows_(std::make_unique<Rows>(path, bytes)) {}

CostReader::~CostReader() = default;

const Failure& CostReader::failure() const {
    return rows_->failure();
}

bool CostReader::read_ahead() {
    Rows::Cells cells{};
    if (!rows_->next(cells)) return false;
    if (!read_number(cells[0], ahead_block_))
        return rows_->fail(fmt::format("the block is '{}'", cells[0]));
    if (const auto wrong = read_row(&cells[1], facts_, seats_, ahead_)) return rows_->fail(*wrong);
    return true;
}

bool CostReader::read(std::uint64_t block, std::vector<CostRow>& rows) {
    rows.clear();
    if (failure()) return false;
    if (!has_ahead_) has_ahead_ = read_ahead();
    while (has_ahead_ && ahead_block_ <= block) {
        if (ahead_block_ < block)
            return rows_->fail(
                fmt::format("block {} stands where block {} should", ahead_block_, block));
        rows.push_back(ahead_);
        has_ahead_ = read_ahead();
    }
    return !failure();
}

// ---- rules.csv ----------------------------------------------------------------------------------

namespace {

constexpr std::string_view kRulesTitles =
    "rule,owner,group,name,phase,seat,player,entry,text,tried,passed,matches,firings,games,steps,"
    "watched,match_ns,act_ns,total_ns,self_ns,ns_per_game,share\n";

class RulesText {
  public:
    RulesText(const Costs& costs, const RunFacts& facts)
        : costs_(costs), facts_(facts), all_(static_cast<double>(costs.table.self_ns())) {}

    std::string text() {
        const auto& rows = costs_.table.rows();
        auto row = rows.begin();
        for (std::uint32_t rule = 0; rule < costs_.facts.rules.size(); ++rule) {
            if (row == rows.end() || row->first.rule != rule) add({rule}, {}, false);
            for (; row != rows.end() && row->first.rule == rule; ++row)
                add(row->first, row->second, true);
        }
        return std::move(text_);
    }

  private:
    void add(const CostKey& key, const Cost& cost, bool tried) {
        const RuleFacts& rule = costs_.facts.rules[key.rule];
        const bool entry = key.entry != kNothing;
        const CostTable& table = costs_.table;
        const double self = static_cast<double>(cost.self_ns());
        // Times are last, so that who compares counts can cut them off.
        fmt::format_to(
            std::back_inserter(text_),
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{:.5f}\n", key.rule,
            csv_cell(owner_of(rule, facts_.game, facts_.agents)), csv_cell(rule.group),
            csv_cell(rule.name), tried ? name_of(key.phase) : "", number_or_nothing(key.seat),
            key.seat == kNothing ? "" : csv_cell(facts_.players[key.seat]),
            number_or_nothing(key.entry), entry ? csv_cell(rule.entries[key.entry].text) : "",
            cost.tried, cost.passed, cost.matches, cost.firings, table.games(), table.steps(),
            table.watched(), cost.match_ns, cost.act_ns, cost.total_ns, cost.self_ns(),
            table.per_game(cost.self_ns()).value_or(0), all_ > 0 && !entry ? self / all_ : 0);
    }

    const Costs& costs_;
    const RunFacts& facts_;
    double all_;
    std::string text_{kRulesTitles};
};

class RulesFile : public CsvFile<kCells + 3> {
  public:
    explicit RulesFile(const std::string& path) : CsvFile(path, names()) {}

  private:
    static Names names() {
        Names names{"games", "steps", "watched"};
        std::copy(kCostColumns.begin(), kCostColumns.end(), names.begin() + 3);
        return names;
    }
};

} // namespace

std::string rules_text(const Costs& costs, const RunFacts& facts) {
    return RulesText(costs, facts).text();
}

Failure read_rules_file(const std::string& folder, const RunFacts& facts, Costs& costs) {
    RulesFile file((std::filesystem::path(folder) / kRulesFile).string());
    RulesFile::Cells cells{};
    costs.table = {};
    std::uint64_t extent[3] = {};
    while (file.next(cells)) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (!read_number(cells[i], extent[i])) {
                file.fail(fmt::format("'{}' is not a number of games or steps", cells[i]));
                return file.failure();
            }
        }
        CostRow row;
        if (const auto wrong = read_row(&cells[3], costs.facts, facts.players.size(), row)) {
            file.fail(*wrong);
            return file.failure();
        }
        if (*cells[4] != '\0') costs.table.add(row);
    }
    if (!file.failure()) costs.table.set_extent(extent[0], extent[1], extent[2]);
    return file.failure();
}

} // namespace croupier::results
