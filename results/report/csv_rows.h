// Rows of the CSV that reports are: one number a row, so that a new number is no new column.
#pragma once

#include "results/statistics/accumulator.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace croupier::results {

// What a report says of one run, and which run that is.
struct RunText {
    std::string run;
    std::string text;
};

// Several reports in CSV as one: one header, with a column `run` before the others.
std::string csv_of_runs(std::span<const RunText> runs);

class CsvRows {
  public:
    void add(const std::string& section, const std::string& name, const std::string& other,
             const std::string& metric, const Estimate& estimate);
    void add(const std::string& section, const std::string& name, const std::string& other,
             const std::string& metric, std::optional<double> value) {
        add(section, name, other, metric, Estimate{value, {}, {}, {}});
    }
    void count(const std::string& section, const std::string& name, const std::string& other,
               const std::string& metric, std::uint64_t value);
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_ = "section,name,other,metric,value,error,low,high\n";
};

} // namespace croupier::results
