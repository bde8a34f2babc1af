// Distributions as columns, and the course of a stop rule as a line.
#include "results/html/charts.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::results {
namespace {

constexpr int kColumnsHeight = 140; // of the highest column
constexpr int kAbove = 18;          // for the number that it stands for
constexpr int kBelow = 20;          // for the axis
constexpr int kToBaseline = 14;
constexpr std::size_t kWidest = 8; // columns are no wider than if there were so many
constexpr std::size_t kNames = 6;  // for as many there is room on a narrow screen
constexpr int kCourseHeight = 180;
constexpr int kSide = 1000; // of the square that a course is drawn in
constexpr std::size_t kMostDots = 500;

std::string pixels(double value) {
    return fmt::format("{:.6g}", value);
}

void add_tick(Markup& svg, const std::string& x, double y, const std::string& anchor,
              const std::string& text) {
    svg.element("text", {{"class", "tick"}, {"x", x}, {"y", pixels(y)}, {"text-anchor", anchor}},
                text);
}

void add_across(Markup& svg, const char* kind, double y) {
    svg.empty("line",
              {{"class", kind}, {"x1", "0"}, {"x2", "100%"}, {"y1", pixels(y)}, {"y2", pixels(y)}});
}

// A drawing of a line, as wide as the screen: `up` goes from its lower to its upper edge, `last` is
// the block at its right.
class LineDrawing {
  public:
    LineDrawing(const std::string& kind, const ChartName& name, Scale up, std::uint64_t last)
        : up_(std::move(up)), last_(static_cast<double>(last)) {
        page_.open("figure", figure(kind, name));
        page_.open("svg", {{"role", "img"},
                           {"aria-label", name.title},
                           {"width", "100%"},
                           {"height", pixels(kCourseHeight + kBelow)}});
        const Scale across = scale_of(0, last_);
        for (const double tick : across.ticks) {
            if (tick > last_) continue; // the line goes to the edge
            const std::string x = percent_of(tick / last_);
            page_.empty("line", {{"class", "grid"},
                                 {"x1", x},
                                 {"x2", x},
                                 {"y1", "0"},
                                 {"y2", pixels(kCourseHeight)}});
            add_tick(page_, x, kCourseHeight + kToBaseline, tick_anchor(tick / last_),
                     tick_text(tick) + (tick == 0 ? " blocks" : ""));
        }
    }

    void across(const char* kind, double value) { add_across(page_, kind, y_of(value)); }
    void words(double value, const std::string& words, double below) {
        add_tick(page_, "0", y_of(value) + below, "start", words);
    }
    void point(std::uint64_t blocks, double value) {
        places_ += fmt::format("{}{:.4g},{:.4g}", places_.empty() ? "" : " ",
                               kSide * static_cast<double>(blocks) / last_,
                               kSide * (1 - up_.place(value)));
    }
    std::string finish() {
        // Stretched to the width of the screen; the style sheet keeps the line from being so.
        page_.open("svg", {{"viewBox", fmt::format("0 0 {} {}", kSide, kSide)},
                           {"preserveAspectRatio", "none"},
                           {"width", "100%"},
                           {"height", pixels(kCourseHeight)}});
        page_.empty("polyline", {{"class", "way"}, {"points", places_}});
        page_.close();
        page_.close().close();
        return page_.str();
    }

  private:
    [[nodiscard]] double y_of(double value) const { return kCourseHeight * (1 - up_.place(value)); }

    Markup page_;
    Scale up_;
    double last_;
    std::string places_;
};

} // namespace

std::string histogram_chart(const ChartName& name, const std::vector<Bin>& bins,
                            const std::string& counted) {
    std::vector<SpreadBin> spread;
    spread.reserve(bins.size());
    for (const Bin& bin : bins)
        spread.push_back({static_cast<double>(bin.low), static_cast<double>(bin.high), bin.count});
    return spread_chart(name, spread, counted);
}

std::string spread_chart(const ChartName& name, const std::vector<SpreadBin>& bins,
                         const std::string& counted) {
    std::uint64_t most = 1;
    for (const SpreadBin& bin : bins)
        most = std::max(most, bin.count);
    const double width = 1 / static_cast<double>(std::max(bins.size(), kWidest));
    const std::size_t every = (bins.size() + kNames - 1) / kNames;
    Markup page;
    page.open("figure", figure("columns", name));
    // The one number that gives the height a measure; each column tells its own when it is touched.
    page.open("svg", {{"role", "img"},
                      {"aria-label", name.title},
                      {"width", "100%"},
                      {"height", pixels(kAbove + kColumnsHeight + kBelow)}});
    add_tick(page, "0", 11, "start", fmt::format("{} {}", most, counted));
    add_across(page, "grid", kAbove);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const SpreadBin& bin = bins[i];
        const double height =
            kColumnsHeight * static_cast<double>(bin.count) / static_cast<double>(most);
        const double left = width * static_cast<double>(i);
        const std::string from = tick_text(bin.low);
        const bool alone = bin.low == bin.high;
        const std::string numbers =
            alone ? from : fmt::format("{} to {}", from, tick_text(bin.high));
        page.open("rect", {{"class", "column"},
                           {"x", percent_of(left + 0.04 * width)},
                           {"width", percent_of(0.92 * width)},
                           {"y", pixels(kAbove + kColumnsHeight - height)},
                           {"height", pixels(height)}});
        page.element("title", {}, fmt::format("{}: {} {}", numbers, bin.count, counted));
        page.close();
        // One number stands below its column; of several the first, where the column begins.
        if (i % every == 0)
            add_tick(page, percent_of(alone ? left + width / 2 : left + 0.04 * width),
                     kAbove + kColumnsHeight + kToBaseline, alone ? "middle" : "start", from);
    }
    add_across(page, "ground", kAbove + kColumnsHeight);
    page.close().close();
    return page.str();
}

std::string course_chart(const ChartName& name, const StopCourse& course) {
    const std::vector<StopCourse::Point> points = course.points();
    if (points.size() < 2) return {};
    const StopStatus& status = course.status();
    const bool test = status.rule == "sprt";
    double low = std::min(test ? status.low : 0, status.high);
    double high = status.high;
    for (const StopCourse::Point& point : points) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
    }
    const double room = (high - low) / 12; // for the words at the bounds
    LineDrawing drawing("course", name, {low - room, high + room, {}}, points.back().blocks);
    if (test) drawing.across("reference", 0);
    const auto bound = [&](double value, const std::string& words, double below) {
        drawing.across("bound", value);
        drawing.words(value, words, below);
    };
    if (test) {
        bound(status.high, fmt::format("H1 accepted from {:.2f}", status.high), -5);
        bound(status.low, fmt::format("H0 accepted from {:.2f}", status.low), 13);
    } else {
        bound(status.high, fmt::format("Wanted: {:.4g}", status.high), 13);
    }
    for (const StopCourse::Point& point : points)
        drawing.point(point.blocks, point.value);
    return drawing.finish();
}

std::string value_chart(const TunedValue& value) {
    if (value.course.empty()) return {};
    LineDrawing drawing("value", {"value-" + value.name, value.name},
                        {value.least, value.greatest, {}}, value.course.back().blocks);
    drawing.across("reference", value.start);
    drawing.words(value.greatest, tick_text(value.greatest), 13);
    drawing.words(value.least, tick_text(value.least), -5);
    drawing.point(0, value.start);
    // As many as a screen can show.
    const std::size_t stride = value.course.size() / kMostDots + 1;
    for (std::size_t i = 0; i < value.course.size(); ++i) {
        if (i % stride == 0 || i + 1 == value.course.size())
            drawing.point(value.course[i].blocks, value.course[i].value);
    }
    return drawing.finish();
}

} // namespace croupier::results
