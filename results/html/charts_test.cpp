// Charts draw what the numbers say, and names cannot break out of the markup.
#include "results/html/charts.h"
#include "results/html/markup.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

// The values of an attribute, in order, of elements with that class.
std::vector<std::string> values(const std::string& markup, const std::string& kind,
                                const std::string& attribute) {
    std::vector<std::string> found;
    const std::regex element("<[a-z]+ class=\"" + kind + "\"[^>]*>");
    for (std::sregex_iterator at(markup.begin(), markup.end(), element), end; at != end; ++at) {
        std::smatch value;
        const std::string text = at->str();
        if (std::regex_search(text, value, std::regex(" " + attribute + "=\"([^\"]*)\"")))
            found.push_back(value[1]);
    }
    return found;
}

using Texts = std::vector<std::string>;

TEST(charts, scales_end_at_round_numbers_around_the_data) {
    const Scale scale = scale_of(-0.013, 0.049);
    EXPECT_DOUBLE_EQ(scale.low, -0.02);
    EXPECT_DOUBLE_EQ(scale.high, 0.06);
    ASSERT_EQ(scale.ticks.size(), 5U);
    EXPECT_DOUBLE_EQ(scale.ticks[1], 0);
    EXPECT_DOUBLE_EQ(scale.place(0.02), 0.5);
    EXPECT_DOUBLE_EQ(scale.place(7), 1) << "what is beyond stands at the end";
    const Scale point = scale_of(3, 3);
    EXPECT_NEAR(point.place(3), 0.5, 1e-9);
    const Scale whole = scale_of(0, 5);
    EXPECT_EQ(whole.ticks, (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(charts, intervals_stand_where_their_numbers_are) {
    IntervalChart chart;
    chart.name = {"test", "A test"};
    chart.reference = 0;
    chart.rows = {{"one", {10.0, 1.0, 0.0, 20.0}, "10", "[0, 20]", "good", 5},
                  {"two", {40.0, {}, {}, {}}, "undefined", "", "", 0}};
    const std::string svg = interval_chart(chart); // from -10 to 40 by tens
    EXPECT_NE(svg.find("data-chart=\"test\" aria-label=\"A test\""), std::string::npos) << svg;
    EXPECT_EQ(values(svg, "point", "cx"), (Texts{"40.00%", "100.00%"}));
    EXPECT_EQ(values(svg, "reach", "x1"), (Texts{"20.00%", "20.00%", "60.00%"}));
    EXPECT_EQ(values(svg, "reach", "x2"), (Texts{"60.00%", "20.00%", "60.00%"}));
    const Texts grid{"0.00%", "20.00%", "40.00%", "60.00%", "80.00%", "100.00%"};
    Texts both = grid; // each row has its own
    both.insert(both.end(), grid.begin(), grid.end());
    EXPECT_EQ(values(svg, "grid", "x1"), both);
    EXPECT_EQ(values(svg, "tick", "x"), grid) << "the numbers once, below all rows";
    EXPECT_EQ(values(svg, "reference", "x1"), (Texts{"20.00%", "20.00%"}));
    EXPECT_EQ(values(svg, "margin", "width"), (Texts{"20.00%"})) << "5 to both sides";
    EXPECT_EQ(values(svg, "line interval good", "class").size(), 1U);
    EXPECT_NE(svg.find(">[0, 20]</span>"), std::string::npos) << svg;
    EXPECT_NE(svg.find(">–</span>"), std::string::npos) << "what is absent is a dash";
    EXPECT_EQ(svg.find("undefined"), std::string::npos);
}

TEST(charts, bars_are_shares_of_the_longest) {
    const std::string svg =
        bar_chart({"costs", "Costs"}, {{"a", 200, "200 ns"}, {"b", 50, "50 ns"}});
    EXPECT_EQ(values(svg, "bar", "width"), (Texts{"100.00%", "25.00%"}));
    EXPECT_NE(svg.find(">50 ns</span>"), std::string::npos);
}

TEST(charts, times_have_few_digits) {
    EXPECT_EQ(short_time(45.4), "45 ns");
    EXPECT_EQ(short_time(2871649), "2872 us");
    EXPECT_EQ(short_time(12345678), "12.35 ms");
}

TEST(charts, columns_are_as_high_as_their_counts) {
    const std::string svg =
        histogram_chart({"lengths", "Lengths"}, {{0, 9, 10}, {10, 19, 40}, {20, 29, 0}}, "games");
    EXPECT_EQ(values(svg, "column", "height"), (Texts{"35", "140", "0"}));
    EXPECT_NE(svg.find("<title>10 to 19: 40 games</title>"), std::string::npos) << svg;
    EXPECT_EQ(values(svg, "tick", "text-anchor"), (Texts{"start", "start", "start", "start"}))
        << "the height's number, and where each column of several begins";
    const std::string single = histogram_chart({"lengths", "Lengths"}, {{7, 7, 1}}, "games");
    EXPECT_EQ(values(single, "tick", "text-anchor"), (Texts{"start", "middle"}));
    EXPECT_EQ(values(single, "tick", "x"), (Texts{"0", "6.25%"})) << "the middle of an eighth";
}

StopStatus llr_of(std::uint64_t blocks, std::optional<double> value) {
    return {"sprt", false, "undecided", value, -2, 2, blocks};
}

TEST(charts, the_course_of_a_test_goes_from_bound_to_bound) {
    StopCourse course;
    EXPECT_EQ(course_chart({"llr", "LLR"}, course), "") << "nothing was played";
    course.add(llr_of(0, {}));
    for (const double value : {0.0, 1.0, -1.0, 2.0})
        course.add(llr_of(course.points().size() + 1, value));
    course.add(llr_of(4, 2.0)); // a block without a score
    ASSERT_EQ(course.points().size(), 4U);
    const std::string svg = course_chart({"llr", "LLR"}, course);
    // A twelfth of the room above and below the bounds: 180 pixels are for 14 twelfths of 4.
    EXPECT_EQ(values(svg, "bound", "y1"), (Texts{"12.8571", "167.143"}));
    EXPECT_EQ(values(svg, "reference", "y1"), (Texts{"90"}));
    EXPECT_EQ(values(svg, "way", "points"), (Texts{"250,500 500,285.7 750,714.3 1000,71.43"}));
    EXPECT_NE(svg.find("H1 accepted from 2.00"), std::string::npos) << svg;
}

TEST(charts, a_long_course_is_thinned_and_keeps_its_end) {
    StopCourse course;
    for (std::uint64_t block = 1; block <= 10007; ++block)
        course.add(llr_of(block, static_cast<double>(block) / 100));
    const auto points = course.points();
    EXPECT_GT(points.size(), 256U);
    EXPECT_LE(points.size(), 513U);
    EXPECT_EQ(points.front(), (StopCourse::Point{1, 0.01}));
    EXPECT_EQ(points.back(), (StopCourse::Point{10007, 100.07}));
    const std::uint64_t step = points[1].blocks - points[0].blocks;
    for (std::size_t i = 2; i + 1 < points.size(); ++i)
        EXPECT_EQ(points[i].blocks - points[i - 1].blocks, step) << i;
}

TEST(charts, the_flame_graph_adds_up_stacks_with_the_same_beginning) {
    const std::vector<Stack> stacks = {{{"game", "moves", "cheap"}, 100},
                                       {{"game", "play", "dear"}, 600},
                                       {{"game", "moves", "other"}, 299},
                                       {{"game", "moves", "speck"}, 0}};
    const std::string graph = flame_graph(stacks, 10);
    Texts told;
    const std::regex title("<title>([^<]*)</title>");
    for (std::sregex_iterator at(graph.begin(), graph.end(), title), end; at != end; ++at)
        told.push_back((*at)[1]);
    const auto x = values(graph, "frame hue[0-9]", "x");
    const auto y = values(graph, "frame hue[0-9]", "y");
    EXPECT_EQ(told, (Texts{"all rules: 100.0 %, 100 ns a game", "game: 100.0 %, 100 ns a game",
                           "play: 60.1 %, 60 ns a game", "dear: 60.1 %, 60 ns a game",
                           "moves: 39.9 %, 40 ns a game", "other: 29.9 %, 30 ns a game",
                           "cheap: 10.0 %, 10 ns a game"}));
    EXPECT_EQ(x[4], "60.0601%") << "beside its wider sister";
    EXPECT_EQ(y[4], y[2]);
    EXPECT_EQ(x[6], "89.9900%");
    EXPECT_EQ(flame_graph({}, 10), "");
    EXPECT_NE(graph.find(">cheap</text>"), std::string::npos) << "the page cuts what does not fit";
}

TEST(charts, names_cannot_break_out) {
    const std::string evil = "<b onclick=\"x\">'&\x01";
    const std::string svg = bar_chart({evil, evil}, {{evil, 1, evil}});
    EXPECT_EQ(svg.find("<b"), std::string::npos) << svg;
    EXPECT_NE(svg.find("&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;\\x01"), std::string::npos) << svg;
    EXPECT_EQ(script_json("{\"a\":\"</script>\"}"), "{\"a\":\"\\u003c/script>\"}");
}

} // namespace
} // namespace croupier::results
