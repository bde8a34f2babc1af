// Cells and their quoting; see csv_rows.h.
#include "results/report/csv_rows.h"

#include <fmt/format.h>

#include <string_view>

namespace croupier::results {
namespace {

// Quoted only where it must be.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

} // namespace

std::string csv_of_runs(std::span<const RunText> runs) {
    std::string result;
    for (const RunText& each : runs) {
        const std::size_t rows = each.text.find('\n') + 1;
        if (result.empty()) result = "run," + each.text.substr(0, rows);
        bool begins = true;
        bool quoted = false; // a cell may have lines of its own
        for (const char c : std::string_view(each.text).substr(rows)) {
            if (begins) result += cell(each.run) + ",";
            result += c;
            if (c == '"') quoted = !quoted;
            begins = c == '\n' && !quoted;
        }
    }
    return result;
}

void CsvRows::add(const std::string& section, const std::string& name, const std::string& other,
                  const std::string& metric, const Estimate& estimate) {
    text_ += fmt::format("{},{},{},{},{},{},{},{}\n", section, cell(name), cell(other), metric,
                         number(estimate.value), number(estimate.error), number(estimate.low),
                         number(estimate.high));
}

void CsvRows::count(const std::string& section, const std::string& name, const std::string& other,
                    const std::string& metric, std::uint64_t value) {
    text_ += fmt::format("{},{},{},{},{},,,\n", section, cell(name), cell(other), metric, value);
}

} // namespace croupier::results
