// Intervals, bars and columns.
#include "results/html/charts.h"

#include "results/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

constexpr int kRow = 40;           // of pixels: a line of text and what is drawn below it
constexpr int kText = 15;          // down to the line that text stands on
constexpr int kDrawn = 27;         // down to the middle of what is drawn
constexpr int kAxis = 24;          // below all rows
constexpr int kColumns = 180;      // height of the highest column
constexpr std::size_t kWidest = 8; // columns are no wider than if there were so many
constexpr double kTicks = 5;

std::string px(double value) {
    return fmt::format("{:.6g}", value);
}

std::string number(double value, bool in_percent) {
    // -0 is 0
    return in_percent ? fmt::format("{:.6g} %", 100 * value + 0.0)
                      : fmt::format("{:.6g}", value + 0.0);
}

Attributes chart_of(const std::string& title, double height) {
    return {{"class", "chart"},
            {"role", "img"},
            {"aria-label", title},
            {"width", "100%"},
            {"height", px(height)}};
}

// Numbers at the ends would stick out if they stood on their middle.
std::string anchor(double place) {
    return place < 0.06 ? "start" : place > 0.94 ? "end" : "middle";
}

void add_axis(Markup& svg, const Scale& scale, double bottom, bool in_percent) {
    for (const double tick : scale.ticks) {
        const std::string x = percent_of(scale.place(tick));
        svg.empty("line",
                  {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", px(bottom)}});
        svg.element("text",
                    {{"class", "tick"},
                     {"x", x},
                     {"y", px(bottom + kText)},
                     {"text-anchor", anchor(scale.place(tick))}},
                    number(tick, in_percent));
    }
}

// The label to the left, cut where the numbers to the right of it begin.
void add_words(Markup& svg, double top, const std::string& label, const std::string& told) {
    svg.open("svg", {{"x", "0"}, {"y", px(top)}, {"width", "55%"}, {"height", "20"}});
    svg.element("text", {{"class", "label"}, {"x", "0"}, {"y", px(kText)}}, label);
    svg.close();
    svg.element("text",
                {{"class", "told"}, {"x", "100%"}, {"y", px(top + kText)}, {"text-anchor", "end"}},
                told);
}

void add_interval(Markup& svg, const IntervalRow& row, const Scale& scale,
                  const std::optional<double>& reference, double top) {
    const std::string y = px(top + kDrawn);
    svg.open("g", {{"class", "interval " + row.kind}});
    svg.element("title", {}, row.label + ": " + row.told);
    if (row.margin > 0 && reference) {
        const double from = scale.place(*reference - row.margin);
        const double to = scale.place(*reference + row.margin);
        svg.empty("rect", {{"class", "margin"},
                           {"x", percent_of(from)},
                           {"width", percent_of(to - from)},
                           {"y", px(top + kDrawn - 8)},
                           {"height", "16"}});
    }
    const Estimate& at = row.estimate;
    if (at.low && at.high) {
        const std::string from = percent_of(scale.place(*at.low));
        const std::string to = percent_of(scale.place(*at.high));
        svg.empty("line", {{"class", "reach"}, {"x1", from}, {"x2", to}, {"y1", y}, {"y2", y}});
        for (const std::string& end : {from, to})
            svg.empty("line", {{"class", "reach"},
                               {"x1", end},
                               {"x2", end},
                               {"y1", px(top + kDrawn - 5)},
                               {"y2", px(top + kDrawn + 5)}});
    }
    if (at.value)
        svg.empty("circle", {{"class", "point"},
                             {"cx", percent_of(scale.place(*at.value))},
                             {"cy", y},
                             {"r", "4.5"}});
    svg.close();
}

Scale scale_of_rows(const IntervalChart& chart) {
    double low = chart.reference.value_or(0);
    double high = low;
    bool any = chart.reference.has_value();
    const auto take = [&](std::optional<double> value) {
        if (!value) return;
        low = any ? std::min(low, *value) : *value;
        high = any ? std::max(high, *value) : *value;
        any = true;
    };
    for (const IntervalRow& row : chart.rows) {
        take(row.estimate.value);
        take(row.estimate.low);
        take(row.estimate.high);
        if (row.margin > 0 && chart.reference) {
            take(*chart.reference - row.margin);
            take(*chart.reference + row.margin);
        }
    }
    return scale_of(low, high);
}

} // namespace

double Scale::place(double value) const {
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Scale scale_of(double low, double high) {
    if (!(high > low)) { // one value: in the middle
        const double room = low == 0 ? 1 : std::abs(low) / 10;
        low -= room;
        high += room;
    }
    const double raw = (high - low) / kTicks;
    const double unit = std::pow(10, std::floor(std::log10(raw)));
    const double step = raw / unit <= 1   ? unit
                        : raw / unit <= 2 ? 2 * unit
                        : raw / unit <= 5 ? 5 * unit
                                          : 10 * unit;
    Scale scale;
    const auto first = static_cast<long long>(std::floor(low / step + 1e-9));
    const auto last = static_cast<long long>(std::ceil(high / step - 1e-9));
    scale.low = static_cast<double>(first) * step;
    scale.high = static_cast<double>(last) * step;
    for (long long tick = first; tick <= last; ++tick)
        scale.ticks.push_back(static_cast<double>(tick) * step);
    return scale;
}

std::string interval_chart(const IntervalChart& chart) {
    const Scale scale = scale_of_rows(chart);
    const double bottom = static_cast<double>(chart.rows.size()) * kRow;
    Markup svg;
    svg.open("svg", chart_of(chart.title, bottom + kAxis));
    add_axis(svg, scale, bottom, chart.in_percent);
    if (chart.reference) {
        const std::string x = percent_of(scale.place(*chart.reference));
        svg.empty("line",
                  {{"class", "reference"}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", px(bottom)}});
    }
    double top = 0;
    for (const IntervalRow& row : chart.rows) {
        add_words(svg, top, row.label, row.told);
        add_interval(svg, row, scale, chart.reference, top);
        top += kRow;
    }
    svg.close();
    return svg.str();
}

std::string bar_chart(const std::string& title, const std::vector<BarRow>& rows) {
    double most = 0;
    for (const BarRow& row : rows)
        most = std::max(most, row.value);
    Markup svg;
    svg.open("svg", chart_of(title, static_cast<double>(rows.size()) * kRow));
    double top = 0;
    for (const BarRow& row : rows) {
        add_words(svg, top, row.label, row.told);
        svg.empty("rect", {{"class", "bar"},
                           {"x", "0"},
                           {"width", percent_of(most > 0 ? row.value / most : 0)},
                           {"y", px(top + kDrawn - 6)},
                           {"height", "11"}});
        top += kRow;
    }
    svg.close();
    return svg.str();
}

std::string histogram_chart(const std::string& title, const std::vector<Bin>& bins,
                            const std::string& counted) {
    std::vector<SpreadBin> spread;
    spread.reserve(bins.size());
    for (const Bin& bin : bins)
        spread.push_back({static_cast<double>(bin.low), static_cast<double>(bin.high), bin.count});
    return spread_chart(title, spread, counted);
}

std::string spread_chart(const std::string& title, const std::vector<SpreadBin>& bins,
                         const std::string& counted) {
    std::uint64_t most = 1;
    for (const SpreadBin& bin : bins)
        most = std::max(most, bin.count);
    const double width = 1 / static_cast<double>(std::max(bins.size(), kWidest));
    Markup svg;
    svg.open("svg", chart_of(title, kColumns + kAxis + 16));
    svg.element("text", {{"class", "tick"}, {"x", "0"}, {"y", "11"}},
                fmt::format("{} {}", most, counted));
    constexpr double kTop = 16;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const SpreadBin& bin = bins[i];
        const double height = kColumns * static_cast<double>(bin.count) / static_cast<double>(most);
        const std::string from = number(bin.low, false);
        const std::string name =
            bin.low == bin.high ? from : fmt::format("{} to {}", from, number(bin.high, false));
        svg.open("rect", {{"class", "column"},
                          {"x", percent_of(width * (static_cast<double>(i) + 0.04))},
                          {"width", percent_of(width * 0.92)},
                          {"y", px(kTop + kColumns - height)},
                          {"height", px(height)}});
        svg.element("title", {}, fmt::format("{}: {} {}", name, bin.count, counted));
        svg.close();
        // So many names as there is room for on a narrow screen.
        const std::size_t every = (bins.size() + 5) / 6;
        if (i % every == 0)
            svg.element("text",
                        {{"class", "tick"},
                         {"x", percent_of(width * (static_cast<double>(i) + 0.5))},
                         {"y", px(kTop + kColumns + kText)},
                         {"text-anchor", i == 0 ? "start" : "middle"}},
                        from);
    }
    svg.close();
    return svg.str();
}

} // namespace croupier::results
