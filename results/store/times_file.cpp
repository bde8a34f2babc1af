// What people read comes first in a row, what sums are made of last.
#include "results/store/times_file.h"

#include "results/store/csv_file.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

namespace croupier::results {
namespace {

constexpr std::string_view kTitles =
    "agent,seat,player,decisions,measured,mean_ns,p99_ns,max_ns,cpu_ns,games,weight,wall_sum_ns,"
    "cpu_weight,cpu_sum_ns,histogram\n";

// "40:2 41:256": buckets that have something.
std::string histogram_text(const DecisionTimes& times) {
    std::string text;
    for (std::size_t i = 0; i < times.buckets().size(); ++i) {
        if (times.buckets()[i] > 0)
            text += fmt::format("{}{}:{}", text.empty() ? "" : " ", i, times.buckets()[i]);
    }
    return text;
}

std::string number_cell(std::optional<double> value) {
    return value ? fmt::format("{:.0f}", *value) : std::string();
}

class TimesFile : public CsvFile<11> {
  public:
    explicit TimesFile(const std::string& path)
        : CsvFile(path,
                  {"agent", "seat", "decisions", "measured", "max_ns", "weight", "wall_sum_ns",
                   "cpu_weight", "cpu_sum_ns", "histogram", "games"},
                  ~std::uint64_t{0}, 1) {} // older files do not say of how many games
};

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

// What is wrong with the row, or nothing.
std::optional<std::string> read_row(const TimesFile::Cells& cells, const RunFacts& facts,
                                    TimeTable& times) {
    const auto agent = std::find(facts.agents.begin(), facts.agents.end(), cells[0]);
    if (agent == facts.agents.end()) return fmt::format("the run has no agent '{}'", cells[0]);
    std::size_t seat = 0;
    if (!read_number(cells[1], seat) || seat >= facts.players.size())
        return fmt::format("there is no seat '{}'", cells[1]);
    DecisionTimes::Sums sums;
    std::uint64_t* const numbers[] = {&sums.decisions, &sums.measured,   &sums.most, &sums.weight,
                                      &sums.wall,      &sums.cpu_weight, &sums.cpu};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!read_number(cells[2 + i], *numbers[i]))
            return fmt::format("'{}' is not a number", cells[2 + i]);
    }
    std::uint64_t games = 0;
    if (cells[10] != nullptr && !read_number(cells[10], games))
        return fmt::format("'{}' is not a number", cells[10]);
    times.set_games(games); // the same in all rows
    std::array<std::uint64_t, DecisionTimes::kBuckets> buckets{};
    if (!read_histogram(cells[9], buckets)) return std::string("the histogram is damaged");
    times.at(static_cast<std::size_t>(agent - facts.agents.begin()), seat)
        .add(DecisionTimes(sums, buckets));
    return std::nullopt;
}

} // namespace

namespace {

// `before`: the cells that each row begins with.
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
    TimesFile file(path.string());
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
