// Charts as HTML and SVG: as wide as the screen, since places across are percentages, while names
// and numbers are text of the page that wraps, can be selected, and keeps its size.
//
// A chart is a <figure> with its id as data-chart, for who looks for it in the page.
#pragma once

#include "results/html/markup.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/report/profile_view.h"
#include "results/statistics/histogram.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// How a stop rule's value went while a run was played, thinned to what a chart can show.

class StopCourse {
  public:
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };

    // The rule's status after a block. A status without a value, or with as many blocks as the one
    // before, adds nothing. Memory does not grow with the number of blocks.
    void add(const StopStatus& status);

    // In the order of blocks; the last one that was added is always among them. A function of what
    // was added, not of when.
    [[nodiscard]] std::vector<Point> points() const;
    // As it was added last: the rule, its bounds, its verdict.
    [[nodiscard]] const StopStatus& status() const { return last_; }

  private:
    std::vector<Point> points_; // each stride_-th
    std::uint64_t stride_ = 1;
    std::uint64_t added_ = 0;
    Point newest_;
    StopStatus last_;
};

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
// A number of an axis.
std::string tick_text(double value, bool in_percent = false);
// Numbers at the ends of an axis would stick out if they stood on their middle.
std::string tick_anchor(double place);

// What a chart is called by programs ("win-rates"), and for screen readers.
struct ChartName {
    std::string id;
    std::string title;
};
// Attributes of the <svg> inside a figure, whose texts say what it shows.
Attributes drawing(double height);
Attributes figure(const std::string& kind, const ChartName& name);

// A line of a chart of intervals.
struct IntervalRow {
    std::string label;
    Estimate estimate;
    std::string value; // as people read it
    std::string range; // beside it: the interval, or a verdict
    std::string kind;  // a class of the style sheet: "good", "bad", "even", "open", ""
    double margin = 0; // what is too small to matter, to both sides of the reference
};
struct IntervalChart {
    ChartName name;
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
    std::string share = {}; // beside it
    bool joined = false;    // belongs to the bar above
    std::string link = {};  // of the label; empty: none
};
std::string bar_chart(const ChartName& name, const std::vector<BarRow>& rows);

// Columns side by side; what they count is said by `counted` ("games").
std::string histogram_chart(const ChartName& name, const std::vector<Bin>& bins,
                            const std::string& counted);
std::string spread_chart(const ChartName& name, const std::vector<SpreadBin>& bins,
                         const std::string& counted);

// The value block by block, between the bounds that end the run.
std::string course_chart(const ChartName& name, const StopCourse& course);
// Where the value of a tuned parameter went, over the range that it may have.
std::string value_chart(const TunedValue& value);

// A flame graph as SVG: who calls whom downwards, time across.

// Frames of less than a thousandth of the time are left out; `games` turns sums into ns a game
// (0: sums are told).
std::string flame_graph(std::span<const Stack> stacks, double games);

} // namespace croupier::results
