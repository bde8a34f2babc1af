// The points of a sweep: grids, samples, lists, and what is refused.
#include "tournaments/compare/sweep.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace croupier::tournaments {
namespace {

using Points = std::vector<std::vector<std::uint32_t>>;

AskedSweep vary(std::vector<std::string> texts) {
    AskedSweep asked;
    asked.games = {"belote"};
    asked.vary = std::move(texts);
    return asked;
}

template <class Work>
std::string refusal(const Work& work) {
    try {
        static_cast<void>(work());
    } catch (const UserError& mistake) {
        return mistake.what();
    }
    ADD_FAILURE() << "nothing was wrong";
    return {};
}

TEST(sweep_design, a_grid_has_every_combination_with_the_first_values_first) {
    AskedSweep asked = vary({"a=1,2", "b=10..30/10"});
    asked.games = {"one", "two"};
    const results::SweepDesign design = design_of(asked, 1);
    ASSERT_EQ(design.factors.size(), 3U);
    EXPECT_EQ(design.factors[0], (results::Factor{"game", {"one", "two"}}));
    EXPECT_EQ(design.factors[2], (results::Factor{"b", {"10", "20", "30"}}));
    EXPECT_TRUE(design.grid);
    ASSERT_EQ(design.points.size(), 12U);
    EXPECT_EQ(design.points[0], (std::vector<std::uint32_t>{0, 0, 0}));
    EXPECT_EQ(design.points[1], (std::vector<std::uint32_t>{0, 0, 1}));
    EXPECT_EQ(design.points[11], (std::vector<std::uint32_t>{1, 1, 2}));
    EXPECT_EQ(std::set(design.points.begin(), design.points.end()).size(), 12U);
}

TEST(sweep_design, ranges_end_where_they_say) {
    const auto values = [](const std::string& text) {
        return design_of(vary({"a=" + text}), 1).factors[0].values;
    };
    using Values = std::vector<std::string>;
    EXPECT_EQ(values("1..3"), (Values{"1", "2", "3"}));
    EXPECT_EQ(values("0..0.3/0.1"), (Values{"0", "0.1", "0.2", "0.3"})) << "despite rounding";
    EXPECT_EQ(values("-2..3/2"), (Values{"-2", "0", "2"}));
    EXPECT_EQ(values("5,1..2,word"), (Values{"5", "1", "2", "word"}));
    EXPECT_EQ(values("A K..Q,b"), (Values{"A K..Q", "b"})) << "no numbers, so a word";
}

TEST(sweep_design, a_sample_is_drawn_from_the_seed_and_begins_with_the_first_values) {
    AskedSweep asked = vary({"a=1..100", "b=1..100", "c=1..100"});
    asked.sample = 40;
    const results::SweepDesign design = design_of(asked, 5);
    EXPECT_EQ(design.points.size(), 40U);
    EXPECT_EQ(design.points[0], (std::vector<std::uint32_t>{0, 0, 0}));
    EXPECT_EQ(std::set(design.points.begin(), design.points.end()).size(), 40U);
    EXPECT_FALSE(design.grid);
    EXPECT_EQ(design_of(asked, 5).points, design.points);
    EXPECT_NE(design_of(asked, 6).points, design.points);
    asked.vary = {"a=1,2", "b=1,2"};
    EXPECT_TRUE(design_of(asked, 5).grid) << "there are no more than four";
}

TEST(sweep_design, a_latin_sample_meets_every_part_of_every_factor_once) {
    AskedSweep asked = vary({"a=1..100", "b=1..20"});
    asked.latin = 20;
    const results::SweepDesign design = design_of(asked, 3);
    ASSERT_EQ(design.points.size(), 21U) << "the first values besides";
    std::set<std::uint32_t> fifths; // of a
    std::set<std::uint32_t> all;    // of b
    for (std::size_t i = 1; i < design.points.size(); ++i) {
        fifths.insert(design.points[i][0] / 5);
        all.insert(design.points[i][1]);
    }
    EXPECT_EQ(fifths.size(), 20U);
    EXPECT_EQ(all.size(), 20U);
}

TEST(sweep_design, a_list_of_points_comes_from_a_file) {
    const std::string path = testing::TempDir() + "sweep_points" + std::to_string(getpid());
    const auto listed = [&](const std::string& text) {
        std::ofstream(path) << text;
        AskedSweep asked = vary({});
        asked.points = path;
        return design_of(asked, 1);
    };
    const auto design =
        listed(R"([{"a": 1, "b": "on"}, {"b": "off", "a": 1}, {"a": true, "b": "on"}])");
    EXPECT_EQ(design.factors[0], (results::Factor{"a", {"1", "true"}}));
    EXPECT_EQ(design.factors[1], (results::Factor{"b", {"on", "off"}}));
    EXPECT_EQ(design.points, (Points{{0, 0}, {0, 1}, {1, 0}}));
    const auto wrong = [&](const std::string& text) {
        return refusal([&] { return listed(text); });
    };
    EXPECT_NE(wrong(R"([{"a": 1}])").find("1 points"), std::string::npos);
    EXPECT_NE(wrong(R"([{"a": 1}, {"a": 1}])").find("listed twice"), std::string::npos);
    EXPECT_NE(wrong(R"([{"a": 1}, {"b": 1}])").find("no such member"), std::string::npos);
    EXPECT_NE(wrong(R"([{"a": [1]}, {"a": 2}])").find("a word, a number"), std::string::npos);
    EXPECT_NE(wrong("[{]").find(path), std::string::npos);
    std::filesystem::remove(path);
}

TEST(sweep_design, what_is_no_sweep_is_refused) {
    const auto wrong = [](const AskedSweep& asked) {
        return refusal([&] { return design_of(asked, 1); });
    };
    const auto says = [&](const AskedSweep& asked, const std::string& words) {
        const std::string told = wrong(asked);
        EXPECT_NE(told.find(words), std::string::npos) << told;
    };
    says(vary({}), "one point is no sweep");
    says(vary({"a=1"}), "one point is no sweep");
    says(vary({"a="}), "NAME=VALUE,.. is expected");
    says(vary({"a=1,,2"}), "a value is empty");
    says(vary({"a=1,1"}), "a value is named twice");
    says(vary({"a=1,2", "a=3,4"}), "a is varied twice");
    says(vary({"a=5..1"}), "is not a range");
    says(vary({"a=1..9/0"}), "is not a range");
    says(vary({"a=1..1000000"}), "has 1000000 values");
    says(vary({"a=1..1000", "b=1..1000"}), "1000000 points: 1000 are the most");
    AskedSweep both = vary({"a=1..50"});
    both.sample = both.latin = 5;
    says(both, "exclude each other");
}

TEST(sweep_design, what_is_sought_is_a_metric_and_a_goal) {
    using Goal = results::Sought::Goal;
    const auto sought = parse_sought(
        {"length=least", "win:A=most", "score:taker=-3.5", "seats", "skill", "draws=0.1"});
    ASSERT_EQ(sought.size(), 6U);
    EXPECT_EQ(sought[0].text(), "length=least");
    EXPECT_EQ(sought[1].of, "A");
    EXPECT_EQ(sought[1].goal, Goal::Most);
    EXPECT_EQ(sought[2].text(), "score:taker=-3.5");
    EXPECT_EQ(sought[3].goal, Goal::Least);
    EXPECT_EQ(sought[4].goal, Goal::Most);
    EXPECT_EQ(sought[5].goal, Goal::Near);
    EXPECT_EQ(sought[5].target, 0.1);
    const auto says = [](const std::string& text, const std::string& words) {
        const std::string told = refusal([&] { return parse_sought({text}); });
        EXPECT_NE(told.find(words), std::string::npos) << told;
    };
    says("lenght=least", "did you mean 'length'");
    says("length", "least, most or a number is expected");
    says("length=", "least, most or a number is expected");
    says("win=most", "whose?");
    says("length:A=most", "of all games");
    EXPECT_NE(refusal([] {
                  return parse_sought({"seats", "seats=most"});
              }).find("sought twice"),
              std::string::npos);
}

} // namespace
} // namespace croupier::tournaments
