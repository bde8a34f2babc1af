// Cells and their quoting; see csv_rows.h.
#include "results/report/csv_rows.h"

#include <fmt/format.h>

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
