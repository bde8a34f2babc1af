// What charts draw is where the numbers say, and no name breaks out.
#include "results/html/charts.h"

#include "results/html/flame.h"
#include "results/html/markup.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace croupier::results {
namespace {

// The values of an attribute, in order, of elements of that class.
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
    chart.reference = 0;
    chart.rows = {{"one", {10.0, 1.0, 0.0, 20.0}, "10", "good", 5},
                  {"two", {40.0, {}, {}, {}}, "40", "", 0}};
    const std::string svg = interval_chart(chart); // from -10 to 40 by tens
    EXPECT_EQ(values(svg, "point", "cx"), (Texts{"40.00%", "100.00%"}));
    EXPECT_EQ(values(svg, "reach", "x1"), (Texts{"20.00%", "20.00%", "60.00%"}));
    EXPECT_EQ(values(svg, "reach", "x2"), (Texts{"60.00%", "20.00%", "60.00%"}));
    EXPECT_EQ(values(svg, "grid", "x1"),
              (Texts{"0.00%", "20.00%", "40.00%", "60.00%", "80.00%", "100.00%"}));
    EXPECT_EQ(values(svg, "reference", "x1"), (Texts{"20.00%"}));
    EXPECT_EQ(values(svg, "margin", "width"), (Texts{"20.00%"})) << "5 to both sides";
    EXPECT_EQ(values(svg, "interval good", "class").size(), 1U);
}

TEST(charts, bars_are_shares_of_the_longest) {
    const std::string svg = bar_chart("costs", {{"a", 200, "200 ns"}, {"b", 50, "50 ns"}});
    EXPECT_EQ(values(svg, "bar", "width"), (Texts{"100.00%", "25.00%"}));
    EXPECT_NE(svg.find(">50 ns</text>"), std::string::npos);
}

TEST(charts, times_have_few_digits) {
    EXPECT_EQ(short_time(45.4), "45 ns");
    EXPECT_EQ(short_time(2871649), "2872 us");
    EXPECT_EQ(short_time(12345678), "12.35 ms");
}

TEST(charts, columns_are_as_high_as_their_counts) {
    const std::string svg =
        histogram_chart("lengths", {{0, 9, 10}, {10, 19, 40}, {20, 29, 0}}, "games");
    EXPECT_EQ(values(svg, "column", "height"), (Texts{"45", "180", "0"}));
    EXPECT_NE(svg.find("<title>10 to 19: 40 games</title>"), std::string::npos) << svg;
    EXPECT_EQ(values(svg, "tick", "text-anchor").size(), 3U);
}

TEST(charts, the_flame_graph_adds_up_stacks_with_the_same_beginning) {
    const std::vector<Stack> stacks = {{{"game", "moves", "cheap"}, 100},
                                       {{"game", "play", "dear"}, 600},
                                       {{"game", "moves", "other"}, 299},
                                       {{"game", "moves", "speck"}, 0}};
    const std::string graph = flame_graph(stacks, 10);
    const auto told = values(graph, "frame hue[0-9]", "data-told");
    const auto x = values(graph, "frame hue[0-9]", "x");
    const auto y = values(graph, "frame hue[0-9]", "y");
    EXPECT_EQ(told, (Texts{"all rules: 100.0 %, 100 ns a game", "game: 100.0 %, 100 ns a game",
                           "play: 60.1 %, 60 ns a game", "dear: 60.1 %, 60 ns a game",
                           "moves: 39.9 %, 40 ns a game", "other: 29.9 %, 30 ns a game",
                           "cheap: 10.0 %, 10 ns a game"}));
    EXPECT_EQ(x[4], "60.06%") << "beside its wider sister";
    EXPECT_EQ(y[4], y[2]);
    EXPECT_EQ(x[6], "89.99%");
    EXPECT_EQ(flame_graph({}, 10), "");
}

TEST(charts, names_cannot_break_out) {
    const std::string evil = "<b onclick=\"x\">'&\x01";
    const std::string svg = bar_chart(evil, {{evil, 1, evil}});
    EXPECT_EQ(svg.find("<b"), std::string::npos) << svg;
    EXPECT_NE(svg.find("&lt;b onclick=&quot;x&quot;&gt;&#39;&amp;\\x01"), std::string::npos) << svg;
    EXPECT_EQ(script_json("{\"a\":\"</script>\"}"), "{\"a\":\"\\u003c/script>\"}");
}

} // namespace
} // namespace croupier::results
