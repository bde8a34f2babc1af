// The formats for programs; render() is what everybody else calls.
#pragma once

#include "results/report/report.h"
#include "results/statistics/means.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace croupier::results {

// What a report says of one run, and which run that is.
struct RunText {
    std::string run;
    std::string text;
};

// Several reports in CSV as one: one header, with a column `run` before the others.
std::string csv_of_runs(std::span<const RunText> runs);

// Rows of the CSV that reports are: one number a row, so that a new number is not a new column.
// Names are quoted where they must be.
class CsvRows {
  public:
    // A number, null or a truth; or an estimate, of which it takes value, error, low and high.
    void add(std::string_view section, const std::string& name, const std::string& other,
             std::string_view metric, const nlohmann::ordered_json& value);
    // A row for each of these members that there is, called as they are.
    void take(std::string_view section, const std::string& name, const std::string& other,
              const nlohmann::ordered_json& from, std::initializer_list<const char*> members);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_ = "section,name,other,metric,value,error,low,high\n";
};

// Numbers as JSON has them: what is undefined is null.

template <class Number>
nlohmann::ordered_json number_json(const std::optional<Number>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json estimate_json(const Estimate& value) {
    nlohmann::ordered_json object{{"value", number_json(value.value)},
                                  {"error", number_json(value.error)},
                                  {"low", number_json(value.low)},
                                  {"high", number_json(value.high)}};
    if (value.one_sided) object["one_sided"] = true;
    if (value.doubtful) object["doubtful"] = true;
    return object;
}

// One object, indented; what is undefined is null. The members are listed in results/README.md.
std::string as_json(const Report& report);

// One number a row, so that a new number is no new column: see results/README.md.
std::string as_csv(const Report& report);

} // namespace croupier::results
