// Charts as SVG: as wide as the screen, since places across are percentages and text keeps its
// size.
#pragma once

#include "results/report/numbers.h"
#include "results/statistics/accumulator.h"
#include "results/statistics/histogram.h"
#include "results/statistics/spread.h"

#include <optional>
#include <string>
#include <vector>

namespace croupier::results {

// From where to where an axis goes, and where it has lines.
struct Scale {
    double low = 0;
    double high = 1;
    std::vector<double> ticks;

    // Where on the axis, 0 to 1; what is beyond an end stands there.
    [[nodiscard]] double place(double value) const;
};
// With about five round ticks, from one to the other; both values lie on it.
Scale scale_of(double low, double high);

// A line of a chart of intervals.
struct IntervalRow {
    std::string label;
    Estimate estimate;
    std::string told;  // the numbers, as people read them
    std::string kind;  // a class of the style sheet: "good", "bad", "even", ""
    double margin = 0; // what is too small to matter, to both sides of the reference
};
struct IntervalChart {
    std::string title; // for who cannot see it
    std::vector<IntervalRow> rows;
    std::optional<double> reference; // a line: 0, or one half
    bool in_percent = false;
};
std::string interval_chart(const IntervalChart& chart);

// Bars one below the other, from 0.
struct BarRow {
    std::string label;
    double value = 0;
    std::string told;
};
std::string bar_chart(const std::string& title, const std::vector<BarRow>& rows);

// Columns side by side; what they count is said by `counted` ("games").
std::string histogram_chart(const std::string& title, const std::vector<Bin>& bins,
                            const std::string& counted);
std::string spread_chart(const std::string& title, const std::vector<SpreadBin>& bins,
                         const std::string& counted);

} // namespace croupier::results
