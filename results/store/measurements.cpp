// costs.csv, rules.csv and times.csv: writes them, and reads them back with a check of every cell.
#include "results/store/measurements.h"

#include "results/store/csv_file.h"
#include "results/store/games_file.h"

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

// The rule, what it runs for and for whom; then its cost. Both files have these columns.
constexpr std::size_t kCells = 12;
constexpr std::array<const char*, kCells> kCostColumns = {
    "rule",    "phase",   "seat",     "entry",  "tried",    "passed",
    "matches", "firings", "match_ns", "act_ns", "total_ns", "shared_ns"};

template <std::size_t One, std::size_t Other>
constexpr auto joined(const std::array<const char*, One>& one,
                      const std::array<const char*, Other>& other) {
    std::array<const char*, One + Other> all{};
    std::copy(other.begin(), other.end(), std::copy(one.begin(), one.end(), all.begin()));
    return all;
}

constexpr auto kRowColumns = joined(std::array{"block"}, kCostColumns);

std::optional<std::string> read_index(const char* name, const char* cell, std::size_t count,
                                      std::uint32_t& index) {
    index = kNothing;
    if (*cell == '\0') return std::nullopt;
    if (read_number(cell, index) && index < count) return std::nullopt;
    return fmt::format("there is no {} '{}'", name, cell);
}

// Returns what is wrong with the cells, which begin with kCostColumns[0], or nothing.
std::optional<std::string> read_row(char* const* cells, const ProfileFacts& facts,
                                    std::size_t seats, CostRow& row) {
    auto& [key, cost] = row;
    if (auto wrong = read_index("rule", cells[0], facts.rules.size(), key.rule)) return wrong;
    const auto phase = phase_of(cells[1]);
    if (!phase) return fmt::format("the phase is '{}'", cells[1]);
    key.phase = *phase;
    if (key.rule == kNothing) key.phase = {};
    if (auto wrong = read_index("seat", cells[2], seats, key.seat)) return wrong;
    const std::size_t entries =
        key.rule == kNothing ? kOutsides : facts.rules[key.rule].entries.size();
    if (auto wrong = read_index("entry", cells[3], entries, key.entry)) return wrong;
    std::uint64_t* const numbers[] = {&cost.tried,    &cost.passed,   &cost.matches,
                                      &cost.firings,  &cost.match_ns, &cost.act_ns,
                                      &cost.total_ns, &cost.shared_ns};
    for (std::size_t i = 0; i < std::size(numbers); ++i)
        if (!read_number(cells[4 + i], *numbers[i]))
            return fmt::format("the number under {} is '{}'", kCostColumns[4 + i], cells[4 + i]);
    return std::nullopt;
}

// Runs write a row for each rule of each watched step: a format string would take longer than
// watching.
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

constexpr std::string_view kRulesTitles =
    "rule,owner,group,name,phase,seat,player,entry,text,tried,passed,matches,firings,games,steps,"
    "watched,ticks,cpu_ns,match_ns,act_ns,total_ns,shared_ns,self_ns,ns_per_game,share,low,high\n";

class RulesText {
  public:
    RulesText(const Costs& costs, const RunFacts& facts) : costs_(costs), facts_(facts) {}

    std::string text() {
        const auto& rows = costs_.table.rows();
        auto row = rows.begin();
        for (std::uint32_t rule = 0; rule < costs_.facts.rules.size(); ++rule) {
            const RuleFacts& known = costs_.facts.rules[rule];
            add_times({rule, Phase::Any, kNothing, kNothing});
            for (std::uint32_t entry = 0; entry < known.entries.size(); ++entry)
                add_times({rule, Phase::Any, kNothing, entry});
            for (; row != rows.end() && row->first.rule == rule; ++row)
                if (row->first.phase != Phase::Any) add(row->first, row->second);
        }
        for (std::uint32_t where = 0; where < kOutsides && !costs_.facts.rules.empty(); ++where) {
            const std::uint64_t ns = costs_.table.outside(static_cast<Outside>(where));
            add({kNothing, Phase::Any, kNothing, where}, {.match_ns = ns, .total_ns = ns});
        }
        return std::move(text_);
    }

  private:
    void add_times(const CostKey& key) {
        const auto& rows = costs_.table.rows();
        const auto found = rows.find(key);
        add(key, found == rows.end() ? Cost{} : found->second);
    }

    void add(const CostKey& key, const Cost& cost) {
        const CostTable& table = costs_.table;
        fmt::format_to(std::back_inserter(text_), "{},", number_or_nothing(key.rule));
        if (key.rule == kNothing) {
            const auto where = static_cast<Outside>(key.entry);
            fmt::format_to(std::back_inserter(text_), ",,{},,,,{},{},", name_of(where), key.entry,
                           csv_cell(std::string(meaning_of(where))));
        } else {
            const RuleFacts& rule = costs_.facts.rules[key.rule];
            const bool entry = key.entry != kNothing;
            fmt::format_to(
                std::back_inserter(text_), "{},{},{},{},{},{},{},{},",
                csv_cell(owner_of(rule, facts_.game, facts_.agents)), csv_cell(rule.group),
                csv_cell(rule.name), name_of(key.phase), number_or_nothing(key.seat),
                key.seat == kNothing ? "" : csv_cell(facts_.players[key.seat]),
                number_or_nothing(key.entry), entry ? csv_cell(rule.entries[key.entry].text) : "");
        }
        // Times are last, so that they can be cut off to compare counts.
        const Estimate share = table.share(cost.self_ns());
        fmt::format_to(std::back_inserter(text_),
                       "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.1f},{:.5f},{:.5f},{:.5f}\n",
                       cost.tried, cost.passed, cost.matches, cost.firings, table.games(),
                       table.steps(), table.watched(), table.ticks(), table.cpu_ns(), cost.match_ns,
                       cost.act_ns, cost.total_ns, cost.shared_ns, cost.self_ns(),
                       table.per_game(cost.self_ns()).value_or(0), share.value.value_or(0),
                       share.low.value_or(0), share.high.value_or(1));
    }

    const Costs& costs_;
    const RunFacts& facts_;
    std::string text_{kRulesTitles};
};

constexpr auto kRulesColumns = joined(joined(std::array{"games", "steps", "watched"}, kCostColumns),
                                      std::array{"ticks", "cpu_ns"});
using RulesFile = CsvFile<kRulesColumns.size()>;

// Columns for people come first, those for sums last.
constexpr std::string_view kTitles =
    "agent,seat,player,decisions,measured,mean_ns,p99_ns,max_ns,cpu_ns,games,weight,wall_sum_ns,"
    "cpu_weight,cpu_sum_ns,histogram\n";

// "40:2 41:256": buckets that are not empty.
std::string histogram_text(const DecisionTimes& times) {
    std::string text;
    for (std::size_t i = 0; i < times.buckets().size(); ++i)
        if (times.buckets()[i] > 0)
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", i, times.buckets()[i]);
    return text;
}

std::string number_cell(std::optional<double> value) {
    return value ? fmt::format("{:.0f}", *value) : std::string();
}

constexpr std::array kTimesColumns = {"agent",      "seat",      "decisions",   "measured",
                                      "max_ns",     "weight",    "wall_sum_ns", "cpu_weight",
                                      "cpu_sum_ns", "histogram", "games"};
using TimesFile = CsvFile<kTimesColumns.size()>;

bool read_histogram(std::string_view text,
                    std::array<std::uint64_t, DecisionTimes::kBuckets>& buckets) {
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::size_t colon = one.find(':');
        std::size_t bucket = 0;
        if (colon == std::string_view::npos || !read_number(one.substr(0, colon), bucket) ||
            bucket >= buckets.size() || !read_number(one.substr(colon + 1), buckets[bucket]))
            return false;
    }
    return true;
}

// Returns what is wrong with the row, or nothing.
std::optional<std::string> read_row(const TimesFile::Cells& cells, const RunFacts& facts,
                                    TimeTable& times) {
    const auto agent = std::ranges::find(facts.agents, cells[0]);
    if (agent == facts.agents.end()) return fmt::format("the run has no agent '{}'", cells[0]);
    std::size_t seat = 0;
    if (!read_number(cells[1], seat) || seat >= facts.players.size())
        return fmt::format("there is no seat '{}'", cells[1]);
    DecisionTimes::Sums sums;
    std::uint64_t* const numbers[] = {&sums.decisions, &sums.measured,   &sums.most, &sums.weight,
                                      &sums.wall,      &sums.cpu_weight, &sums.cpu};
    for (std::size_t i = 0; i < std::size(numbers); ++i)
        if (!read_number(cells[2 + i], *numbers[i]))
            return fmt::format("'{}' is not a number", cells[2 + i]);
    std::uint64_t games = 0;
    if (!read_number(cells[10], games)) return fmt::format("'{}' is not a number", cells[10]);
    times.set_games(games); // equal in all rows
    std::array<std::uint64_t, DecisionTimes::kBuckets> buckets{};
    if (!read_histogram(cells[9], buckets)) return std::string("the histogram is damaged");
    times.at(static_cast<std::size_t>(agent - facts.agents.begin()), seat)
        .add(DecisionTimes(sums, buckets));
    return std::nullopt;
}

// `before`: the cells at the beginning of each row.
std::string rows_of(const TimeTable& times, const RunFacts& facts, const std::string& before) {
    std::string text;
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        for (std::size_t seat = 0; seat < times.seats(); ++seat) {
            const DecisionTimes& cell = times.at(agent, seat);
            if (cell.decisions() == 0) continue;
            const DecisionTimes::Sums sums = cell.sums();
            text += fmt::format("{}{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", before,
                                csv_cell(facts.agents[agent]), seat, csv_cell(facts.players[seat]),
                                sums.decisions, sums.measured, number_cell(cell.mean()),
                                number_cell(cell.quantile(0.99)), sums.most,
                                number_cell(cell.cpu()), times.games(), sums.weight, sums.wall,
                                sums.cpu_weight, sums.cpu, histogram_text(cell));
        }
    }
    return text;
}

} // namespace

// ---- costs.csv ----------------------------------------------------------------------------------

void append_cost_rows(std::uint64_t block, std::span<const CostRow> rows, std::string& into) {
    for (const auto& [key, cost] : rows) {
        CostCells cells(into);
        (cells << block).index(key.rule)
            << (key.rule == kNothing ? std::string_view() : name_of(key.phase));
        cells.index(key.seat).index(key.entry)
            << cost.tried << cost.passed << cost.matches << cost.firings << cost.match_ns
            << cost.act_ns << cost.total_ns << cost.shared_ns;
        cells.end();
    }
}

class CostReader::Rows : public CsvFile<kRowColumns.size()> {
  public:
    using CsvFile::CsvFile;
};

CostReader::CostReader(const std::string& path, const ProfileFacts& facts, std::size_t seats,
                       std::uint64_t bytes, std::uint64_t from)
    : facts_(facts), seats_(seats),
      rows_(std::make_unique<Rows>(path, kRowColumns, bytes, 0, from)) {}

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

std::string rules_text(const Costs& costs, const RunFacts& facts) {
    return RulesText(costs, facts).text();
}

Failure read_rules_file(const std::string& folder, const RunFacts& facts, Costs& costs) {
    RulesFile file((std::filesystem::path(folder) / kRulesFile).string(), kRulesColumns);
    RulesFile::Cells cells{};
    costs.table = {};
    std::uint64_t extent[5] = {};
    while (file.next(cells)) {
        for (std::size_t i = 0; i < 5; ++i) {
            const char* const cell = cells[i < 3 ? i : kCells + i];
            if (!read_number(cell, extent[i])) {
                file.fail(fmt::format("'{}' is not a number of games, steps or ticks", cell));
                return file.failure();
            }
        }
        CostRow row;
        if (const auto wrong = read_row(&cells[3], costs.facts, facts.players.size(), row)) {
            file.fail(*wrong);
            return file.failure();
        }
        // A row without a phase and times only states that the rule exists.
        const bool empty =
            row.key.phase == Phase::Any && row.cost.total_ns == 0 && row.cost.self_ns() == 0;
        if (!empty) costs.table.add(row);
    }
    if (!file.failure()) {
        costs.table.set_extent(extent[0], extent[1], extent[2]);
        costs.table.set_time(extent[3], extent[4]);
    }
    return file.failure();
}

std::string times_text(const TimeTable& times, const RunFacts& facts) {
    return std::string(kTitles) + rows_of(times, facts, "");
}

std::string variant_times_text(std::span<const VariantTimes> variants, const RunFacts& facts) {
    std::string text = "variant," + std::string(kTitles);
    for (const VariantTimes& each : variants)
        text += rows_of(each.times, facts, csv_cell(each.variant) + ",");
    return text;
}

Failure read_times_file(const std::string& folder, const RunFacts& facts, TimeTable& times) {
    times = TimeTable(facts.agents.size(), facts.players.size());
    const auto path = std::filesystem::path(folder) / kTimesFile;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return {};
    TimesFile file(path.string(), kTimesColumns);
    TimesFile::Cells cells{};
    while (file.next(cells)) {
        if (const auto wrong = read_row(cells, facts, times)) {
            file.fail(*wrong);
            break;
        }
    }
    return file.failure();
}

} // namespace croupier::results
