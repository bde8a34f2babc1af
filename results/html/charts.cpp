// Intervals and bars: a line has its name, a strip that is drawn, and its numbers.
#include "results/html/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

constexpr int kStrip = 26; // height in pixels
constexpr int kMiddle = kStrip / 2;
constexpr int kAxis = 18;
constexpr double kTicks = 5;

std::string px(double value) {
    return fmt::format("{:.6g}", value);
}

void add_vertical(Markup& svg, const char* kind, double place) {
    const std::string x = percent_of(place);
    svg.empty("line", {{"class", kind}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", "100%"}});
}

void add_axis(Markup& figure, const Scale& scale, bool in_percent) {
    figure.open("div", {{"class", "line axis"}, {"aria-hidden", "true"}}).empty("span");
    figure.open("svg", drawing(kAxis));
    for (const double tick : scale.ticks)
        figure.element("text",
                       {{"class", "tick"},
                        {"x", percent_of(scale.place(tick))},
                        {"y", "13"},
                        {"text-anchor", tick_anchor(scale.place(tick))}},
                       tick_text(tick, in_percent));
    figure.close().close();
}

void add_interval(Markup& svg, const IntervalRow& row, const Scale& scale,
                  const std::optional<double>& reference) {
    const std::string y = px(kMiddle);
    if (row.margin > 0 && reference) {
        const double from = scale.place(*reference - row.margin);
        const double to = scale.place(*reference + row.margin);
        svg.empty("rect", {{"class", "margin"},
                           {"x", percent_of(from)},
                           {"width", percent_of(to - from)},
                           {"y", "0"},
                           {"height", "100%"}});
    }
    for (const double tick : scale.ticks)
        add_vertical(svg, "grid", scale.place(tick));
    if (reference) add_vertical(svg, "reference", scale.place(*reference));
    const Estimate& at = row.estimate;
    if (at.low && at.high) {
        const std::string from = percent_of(scale.place(*at.low));
        const std::string to = percent_of(scale.place(*at.high));
        svg.empty("line", {{"class", "reach"}, {"x1", from}, {"x2", to}, {"y1", y}, {"y2", y}});
        for (const std::string& end : {from, to})
            svg.empty("line", {{"class", "reach"},
                               {"x1", end},
                               {"x2", end},
                               {"y1", px(kMiddle - 4)},
                               {"y2", px(kMiddle + 4)}});
    }
    if (at.value)
        svg.empty("circle", {{"class", "point"},
                             {"cx", percent_of(scale.place(*at.value))},
                             {"cy", y},
                             {"r", "4.5"}});
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

std::string tick_text(double value, bool in_percent) {
    // -0 is 0
    return in_percent ? fmt::format("{:.6g} %", 100 * value + 0.0)
                      : fmt::format("{:.6g}", value + 0.0);
}

std::string tick_anchor(double place) {
    return place < 0.06 ? "start" : place > 0.94 ? "end" : "middle";
}

Attributes drawing(double height) {
    return {{"aria-hidden", "true"}, {"width", "100%"}, {"height", px(height)}};
}

Attributes figure(const std::string& kind, const ChartName& name) {
    return {{"class", kind}, {"data-chart", name.id}, {"aria-label", name.title}};
}

std::string interval_chart(const IntervalChart& chart) {
    const Scale scale = scale_of_rows(chart);
    Markup page;
    page.open("figure", figure("plot", chart.name));
    for (const IntervalRow& row : chart.rows) {
        page.open("div",
                  {{"class", row.kind.empty() ? "line interval" : "line interval " + row.kind}});
        page.element("span", {{"class", "label"}}, row.label);
        page.open("svg", drawing(kStrip));
        add_interval(page, row, scale, chart.reference);
        page.close();
        page.element("span", {{"class", "value"}}, dashed(row.value));
        page.element("span", {{"class", "range"}}, row.range);
        page.close();
    }
    add_axis(page, scale, chart.in_percent);
    page.close();
    return page.str();
}

std::string bar_chart(const ChartName& name, const std::vector<BarRow>& rows) {
    double most = 0;
    for (const BarRow& row : rows)
        most = std::max(most, row.value);
    Markup page;
    page.open("figure", figure("plot bars", name));
    for (const BarRow& row : rows) {
        page.open("div", {{"class", row.joined ? "line joined" : "line"}});
        page.open("span", {{"class", "label"}});
        if (row.link.empty())
            page.text(row.label);
        else
            page.element("a", {{"href", row.link}}, row.label);
        page.close();
        page.open("svg", drawing(kStrip));
        page.empty("rect", {{"class", "bar"},
                            {"x", "0"},
                            {"width", percent_of(most > 0 ? row.value / most : 0)},
                            {"y", px(kMiddle - 6)},
                            {"height", "12"}});
        page.close();
        page.element("span", {{"class", "value"}}, row.told);
        page.element("span", {{"class", "range"}}, row.share);
        page.close();
    }
    page.close();
    return page.str();
}

} // namespace croupier::results
