// Intervals and bars: a row has a name, a drawn strip, and numbers.
#include "results/html/charts.h"

#include "results/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

namespace {

constexpr std::size_t kMaxPoints = 512; // more than the pixels of a screen

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

void add_tick(Markup& svg, const std::string& x, double y, const std::string& anchor,
              const std::string& text) {
    svg.element("text", {{"class", "tick"}, {"x", x}, {"y", px(y)}, {"text-anchor", anchor}}, text);
}

// Screen readers announce its title.
void open_picture(Markup& page, const std::string& title, double height) {
    page.open("svg",
              {{"role", "img"}, {"aria-label", title}, {"width", "100%"}, {"height", px(height)}});
}

void add_axis(Markup& figure, const Scale& scale, bool in_percent) {
    figure.open("div", {{"class", "line axis"}, {"aria-hidden", "true"}}).empty("span");
    figure.open("svg", drawing(kAxis));
    for (const double tick : scale.ticks)
        add_tick(figure, percent_of(scale.place(tick)), 13, tick_anchor(scale.place(tick)),
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

constexpr int kColumnsHeight = 140; // of the highest column
constexpr int kAbove = 18;          // room for the number above
constexpr int kBelow = 20;          // room for the axis
constexpr int kToBaseline = 14;
constexpr std::size_t kWidest = 8; // columns are at most as wide as with this number
constexpr std::size_t kNames = 6;  // labels that fit on a narrow screen
constexpr int kCourseHeight = 180;
constexpr int kSide = 1000; // side of the square in which a course is drawn
constexpr std::size_t kMaxDots = 500;

void add_across(Markup& svg, const char* kind, double y) {
    svg.empty("line", {{"class", kind}, {"x1", "0"}, {"x2", "100%"}, {"y1", px(y)}, {"y2", px(y)}});
}

// A place as shares of width and height, and a line through such.
std::string place_on_way(double right, double up) {
    return fmt::format(" {:.4g},{:.4g}", kSide * right, kSide * (1 - up));
}
void add_way(Markup& page, const std::string& places, int above) {
    // Stretched to the screen's width; the style sheet keeps the line's thickness.
    page.open("svg", {{"viewBox", fmt::format("0 0 {} {}", kSide, kSide)},
                      {"preserveAspectRatio", "none"},
                      {"width", "100%"},
                      {"y", px(above)},
                      {"height", px(kCourseHeight)}});
    page.empty("polyline", {{"class", "way"}, {"points", places.substr(1)}});
    page.close();
}

// Draws a line as wide as the screen: `up` is the range from the lower to the upper edge, `last` is
// the block at the right edge.
class LineDrawing {
  public:
    LineDrawing(const std::string& kind, const ChartName& name, Scale up, std::uint64_t last)
        : up_(std::move(up)), last_(static_cast<double>(last)) {
        page_.open("figure", figure(kind, name));
        open_picture(page_, name.title, kCourseHeight + kBelow);
        const Scale across = scale_of(0, last_);
        for (const double tick : across.ticks) {
            if (tick > last_) continue; // the line reaches the edge
            const std::string x = percent_of(tick / last_);
            page_.empty(
                "line",
                {{"class", "grid"}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", px(kCourseHeight)}});
            add_tick(page_, x, kCourseHeight + kToBaseline, tick_anchor(tick / last_),
                     tick_text(tick) + (tick == 0 ? " blocks" : ""));
        }
    }

    void across(const char* kind, double value) { add_across(page_, kind, y_of(value)); }
    void words(double value, const std::string& words, double below) {
        add_tick(page_, "0", y_of(value) + below, "start", words);
    }
    void point(std::uint64_t blocks, double value) {
        places_ += place_on_way(static_cast<double>(blocks) / last_, up_.place(value));
    }
    std::string finish() {
        add_way(page_, places_, 0);
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

constexpr int kFrame = 20; // pixels
constexpr double kLeast = 0.001;
constexpr unsigned kHues = 6; // in the style sheet

struct Frame {
    std::string name;
    double ns = 0;
    std::vector<Frame> inner;
};

void add(Frame& root, const Stack& stack) {
    Frame* at = &root;
    const auto ns = static_cast<double>(stack.ns);
    at->ns += ns;
    for (const std::string& name : stack.frames) {
        auto found = std::ranges::find(at->inner, name, &Frame::name);
        if (found == at->inner.end()) found = at->inner.insert(found, Frame{name, 0, {}});
        at = &*found;
        at->ns += ns;
    }
}

void sort(Frame& frame) {
    std::ranges::stable_sort(frame.inner, std::ranges::greater{}, &Frame::ns);
    for (Frame& each : frame.inner)
        sort(each);
}

// Frames with the same name have the same colour everywhere.
unsigned hue_of(const std::string& name) {
    unsigned sum = 0;
    for (const char c : name)
        sum = 31 * sum + static_cast<unsigned char>(c);
    return sum % kHues;
}

class Drawing {
  public:
    Drawing(double all, double games) : all_(all), games_(games) {}

    void draw(const Frame& frame, double from, int depth) {
        const double width = frame.ns / all_;
        if (width < kLeast) return;
        deepest_ = std::max(deepest_, depth);
        const std::string told =
            games_ > 0 ? fmt::format("{}: {:.1f} %, {:.0f} ns a game", frame.name, 100 * width,
                                     frame.ns / games_)
                       : fmt::format("{}: {:.1f} %, {:.0f} ns", frame.name, 100 * width, frame.ns);
        // The script reads positions and texts from here: a page may have a thousand frames.
        svg_.open("svg", {{"class", fmt::format("frame hue{}", hue_of(frame.name))},
                          {"x", fmt::format("{:.4f}%", 100 * from)},
                          {"y", std::to_string(depth * kFrame)},
                          {"width", fmt::format("{:.4f}%", 100 * width)},
                          {"height", std::to_string(kFrame - 1)}});
        svg_.element("title", {}, told);
        svg_.empty("rect", {});
        svg_.element("text", {{"x", "3"}, {"y", "14"}}, frame.name);
        svg_.close();
        for (const Frame& inner : frame.inner) {
            draw(inner, from, depth + 1);
            from += inner.ns / all_;
        }
    }

    [[nodiscard]] std::string finished() const {
        Markup graph;
        graph.open("figure", {{"class", "flame"},
                              {"data-chart", "flames"},
                              {"tabindex", "0"},
                              {"aria-label", "Flame graph of rule costs"}});
        open_picture(graph, "Flame graph of rule costs", (deepest_ + 1) * kFrame);
        graph.raw(svg_.str());
        graph.close();
        graph.element("p", {{"class", "detail"}, {"aria-live", "polite"}},
                      "Touch a frame to see what it took, and to widen it; or move with the arrow "
                      "keys, widen with Enter, and go back with Escape.");
        graph.close();
        return graph.str();
    }

  private:
    double all_;
    double games_;
    int deepest_ = 0;
    Markup svg_;
};

} // namespace

// Keeps every n-th value, and doubles n when there are too many.
void StopCourse::add(const StopStatus& status) {
    last_ = status;
    if (!status.value || (added_ > 0 && status.blocks == newest_.blocks)) return;
    newest_ = {status.blocks, *status.value};
    if (added_++ % stride_ == 0) points_.push_back(newest_);
    if (points_.size() < kMaxPoints) return;
    for (std::size_t i = 0; 2 * i < points_.size(); ++i)
        points_[i] = points_[2 * i];
    points_.resize((points_.size() + 1) / 2);
    stride_ *= 2;
}

std::vector<StopCourse::Point> StopCourse::points() const {
    std::vector<Point> all = points_;
    if (added_ > 0 && all.back() != newest_) all.push_back(newest_);
    return all;
}

double Scale::place(double value) const {
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Scale scale_of(double low, double high) {
    if (!(high > low)) { // a single value is in the middle
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
    // Turns -0 into 0.
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
    // One number shows the scale; each column shows its own when touched.
    open_picture(page, name.title, kAbove + kColumnsHeight + kBelow);
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
                           {"y", px(kAbove + kColumnsHeight - height)},
                           {"height", px(height)}});
        page.element("title", {}, fmt::format("{}: {} {}", numbers, bin.count, counted));
        page.close();
        // A column that is a single number is labelled below its middle; a bin at its beginning.
        if (i % every == 0)
            add_tick(page, percent_of(alone ? left + width / 2 : left + 0.04 * width),
                     kAbove + kColumnsHeight + kToBaseline, alone ? "middle" : "start", from);
    }
    add_across(page, "ground", kAbove + kColumnsHeight);
    page.close().close();
    return page.str();
}

std::string heat_map(const HeatMap& map) {
    constexpr double kShades = 9; // the style sheet has .heat0 to .heat9
    std::optional<std::pair<double, double>> ends;
    for (const auto& row : map.values)
        for (const auto& value : row)
            if (value)
                ends =
                    ends ? std::pair(std::min(ends->first, *value), std::max(ends->second, *value))
                         : std::pair(*value, *value);
    Markup page;
    page.open("figure", figure("heat", map.name));
    page.open("div", {{"class", "wide"}}).open("table");
    page.open("thead").open("tr");
    page.element("th", {}, fmt::format("{} \\ {}", map.down, map.across));
    for (const std::string& column : map.columns)
        page.element("th", {{"class", "number"}}, column);
    page.close().close().open("tbody");
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        page.open("tr");
        page.element("th", {{"scope", "row"}}, map.rows[row]);
        for (const std::optional<double>& value : map.values[row]) {
            const double span = ends ? ends->second - ends->first : 0;
            const double shade = value && span > 0 ? (*value - ends->first) / span : 0;
            page.element(
                "td",
                {{"class", fmt::format("number heat{:.0f}", std::floor(shade * kShades + 0.5))}},
                value ? map.told(*value) : "-");
        }
        page.close();
    }
    page.close().close().close().close();
    return page.str();
}

std::string plane_chart(const ChartName& name, const std::vector<PlanePoint>& points,
                        const std::string& across, const std::string& up) {
    if (points.empty()) return {};
    constexpr int kHeight = 320;
    const auto scale = [&](double PlanePoint::*of) {
        const auto [least, most] = std::ranges::minmax(points, {}, of);
        return scale_of(least.*of, most.*of);
    };
    const Scale x = scale(&PlanePoint::x);
    const Scale y = scale(&PlanePoint::y);
    const auto height_of = [&](double value) { return kAbove + kHeight * (1 - y.place(value)); };
    Markup page;
    page.open("figure", figure("plane", name));
    open_picture(page, name.title, kHeight + kAbove + kBelow);
    for (const double tick : x.ticks) {
        const std::string at = percent_of(x.place(tick));
        page.empty("line", {{"class", "grid"},
                            {"x1", at},
                            {"x2", at},
                            {"y1", px(kAbove)},
                            {"y2", px(kHeight + kAbove)}});
        add_tick(page, at, kHeight + kAbove + kToBaseline, tick_anchor(x.place(tick)),
                 tick_text(tick) + (tick == x.ticks.front() ? " " + across : ""));
    }
    for (const double tick : y.ticks) {
        add_across(page, "grid", height_of(tick));
        add_tick(page, "0", height_of(tick) - 4, "start",
                 tick_text(tick) + (tick == y.ticks.back() ? " " + up : ""));
    }
    for (const PlanePoint& point : points) {
        const std::string at = percent_of(x.place(point.x));
        page.open("circle", {{"class", point.on_front ? "dot front" : "dot"},
                             {"cx", at},
                             {"cy", px(height_of(point.y))},
                             {"r", point.on_front ? "5" : "3.5"}});
        page.element("title", {}, point.label);
        page.close();
        if (point.on_front)
            add_tick(page, at, height_of(point.y) - 8, tick_anchor(x.place(point.x)), point.label);
    }
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
    const double room = (high - low) / 12; // for the labels of the bounds
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
    // At most as many dots as a screen can show.
    const std::size_t stride = value.course.size() / kMaxDots + 1;
    for (std::size_t i = 0; i < value.course.size(); ++i)
        if (i % stride == 0 || i + 1 == value.course.size())
            drawing.point(value.course[i].blocks, value.course[i].value);
    return drawing.finish();
}

std::string time_chart(const ChartName& name, const std::vector<TimePoint>& points,
                       bool in_percent) {
    IntervalChart all;
    for (const TimePoint& point : points)
        all.rows.push_back({{}, point.value, {}, {}, {}, 0});
    const Scale scale = scale_of_rows(all);
    const auto height_of = [&](double value) {
        return kAbove + kCourseHeight * (1 - scale.place(value));
    };
    const auto count = static_cast<double>(points.size());
    const std::size_t every = (points.size() + kNames - 1) / kNames;
    Markup page;
    std::string places;
    double room = 0;
    page.open("figure", figure("times", name));
    open_picture(page, name.title, kAbove + kCourseHeight + kBelow);
    for (const double tick : scale.ticks) {
        add_across(page, "grid", height_of(tick));
        add_tick(page, "0", height_of(tick) - 3, "start", tick_text(tick, in_percent));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const TimePoint& point = points[i];
        const double place = (static_cast<double>(i) + 0.5) / count;
        places += place_on_way(place, scale.place(*point.value.value));
        const std::string x = percent_of(place);
        const auto upright = [&](const char* kind, const std::string& at, double from, double to) {
            page.empty("line",
                       {{"class", kind}, {"x1", at}, {"x2", at}, {"y1", px(from)}, {"y2", px(to)}});
        };
        if (i > 0 && points[i - 1].revision != point.revision) {
            const double begins = static_cast<double>(i) / count;
            upright("bound", percent_of(begins), kAbove, kAbove + kCourseHeight);
            if (begins >= room) // for its name
                add_tick(page, percent_of(begins), 11, tick_anchor(begins), point.revision);
            if (begins >= room) room = begins + 1.0 / kNames;
        }
        if (i % every == 0)
            add_tick(page, x, kAbove + kCourseHeight + kToBaseline, tick_anchor(place), point.day);
        if (point.value.low && point.value.high)
            upright("spread", x, height_of(*point.value.low), height_of(*point.value.high));
        page.open("circle", {{"class", "dot front"},
                             {"cx", x},
                             {"cy", px(height_of(*point.value.value))},
                             {"r", "4"}});
        page.element(
            "title", {},
            fmt::format("{}, {}, {}: {}", point.day, point.revision, point.folder, point.told));
        page.close();
    }
    add_way(page, places, kAbove);
    page.close().close();
    return page.str();
}

// Stacks with the same beginning share frames; siblings are sorted by width.
std::string flame_graph(std::span<const Stack> stacks, double games) {
    Frame root{"all rules", 0, {}};
    for (const Stack& stack : stacks)
        add(root, stack);
    if (!(root.ns > 0)) return {};
    sort(root);
    Drawing drawing(root.ns, games);
    drawing.draw(root, 0, 0);
    return drawing.finished();
}

} // namespace croupier::results
