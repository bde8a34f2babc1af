// Charts as HTML and SVG. They fit the screen's width, since horizontal positions are percentages;
// names and numbers are page text, which wraps and can be selected.
//
// A chart is a <figure> whose data-chart is its id, by which programs find it in the page.
#pragma once

#include "results/html/markup.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/report/profile_view.h"
#include "results/statistics/histogram.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::results {

// A stop rule's value over the course of a run, thinned to what a chart can show.

class StopCourse {
  public:
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };

    // Adds the rule's status after a block, unless it has no value or no more blocks than the last.
    // Memory does not grow with the number of blocks.
    void add(const StopStatus& status);

    // In block order, always with the last one added. A function of the statuses, not of when they
    // were added.
    [[nodiscard]] std::vector<Point> points() const;
    // The last status added: the rule, its bounds, its verdict.
    [[nodiscard]] const StopStatus& status() const { return last_; }

  private:
    std::vector<Point> points_; // every stride_-th
    std::uint64_t stride_ = 1;
    std::uint64_t added_ = 0;
    Point newest_;
    StopStatus last_;
};

// The ends of an axis, and its grid lines.
struct Scale {
    double low = 0;
    double high = 1;
    std::vector<double> ticks;

    // The position on the axis, from 0 to 1; values beyond an end are at that end.
    [[nodiscard]] double place(double value) const;
};
// An axis that contains both values, with about five round ticks.
Scale scale_of(double low, double high);
// The label of a tick.
std::string tick_text(double value, bool in_percent = false);
// The text anchor of a tick: centred labels at the ends of an axis would stick out.
std::string tick_anchor(double place);

// A chart's id for programs ("win-rates"), and its title for screen readers.
struct ChartName {
    std::string id;
    std::string title;
};
// Attributes of the <svg> inside a figure. The figure's texts say what it shows.
Attributes drawing(double height);
Attributes figure(const std::string& kind, const ChartName& name);

// A row of an interval chart.
struct IntervalRow {
    std::string label;
    Estimate estimate;
    std::string value; // for display
    std::string range; // beside it: the interval, or a verdict
    std::string kind;  // a CSS class: "good", "bad", "even", "open", ""
    double margin = 0; // differences that do not matter, on both sides of the reference
};
struct IntervalChart {
    ChartName name;
    std::vector<IntervalRow> rows;
    std::optional<double> reference; // a line, at 0 or one half
    bool in_percent = false;
};
std::string interval_chart(const IntervalChart& chart);

// Horizontal bars, from 0.
struct BarRow {
    std::string label;
    double value = 0;
    std::string told;
    std::string share = {}; // beside it
    bool joined = false;    // belongs to the bar above
    std::string link = {};  // of the label; empty if none
};
std::string bar_chart(const ChartName& name, const std::vector<BarRow>& rows);

// Vertical columns; `counted` names what they count ("games").
std::string histogram_chart(const ChartName& name, const std::vector<Bin>& bins,
                            const std::string& counted);
std::string spread_chart(const ChartName& name, const std::vector<SpreadBin>& bins,
                         const std::string& counted);

// A number for each pair of values, darker where it is higher; absent where there is none.
struct HeatMap {
    ChartName name;
    std::string down; // what the rows differ in
    std::string across;
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<double>>> values;
    std::function<std::string(double)> told;
};
std::string heat_map(const HeatMap& map);

// Points in a plane, each with a label that is shown if it is on the front.
struct PlanePoint {
    std::string label;
    double x = 0;
    double y = 0;
    bool on_front = false;
};
// `across` and `up` name the axes.
std::string plane_chart(const ChartName& name, const std::vector<PlanePoint>& points,
                        const std::string& across, const std::string& up);

// The value after each block, between the bounds that end the run.
std::string course_chart(const ChartName& name, const StopCourse& course);
// The course of a tuned parameter's value within its range.
std::string value_chart(const TunedValue& value);

// Values over time, from left to right, with their intervals; a line where a revision begins.
struct TimePoint {
    std::string day;
    std::string revision;
    Estimate value;
    std::string told; // the value, as text
    std::string folder;
};
std::string time_chart(const ChartName& name, const std::vector<TimePoint>& points,
                       bool in_percent);

// A flame graph as SVG: callees below callers, time across.

// Omits frames below a thousandth of the time. `games` converts sums into ns per game; with 0 it
// shows sums.
std::string flame_graph(std::span<const Stack> stacks, double games);

} // namespace croupier::results
