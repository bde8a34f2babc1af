// croupier stats: published values from counts, and invalid counts.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace croupier::cli {
namespace {

nlohmann::json json_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "stats");
    arguments.emplace_back("--json");
    const Ran ran = run_in_process(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
}

TEST(stats, of_pairs_is_as_published) {
    const auto answer =
        json_of({"--penta", "365,16618,36229,16974,390", "--elo0", "0", "--elo1", "2"});
    EXPECT_NEAR(answer["sprt"]["llr"].get<double>(), 2.25, 0.005);
    EXPECT_EQ(answer["sprt"]["verdict"], "undecided");
    EXPECT_EQ(answer["games"], 141152);
    const auto logistic = json_of({"--penta", "223,9863,21279,10037,246", "--elo0", "0.5", "--elo1",
                                   "2.5", "--model", "logistic"});
    EXPECT_NEAR(logistic["sprt"]["llr"].get<double>(), -3.07, 0.005);
    EXPECT_EQ(logistic["sprt"]["verdict"], "H0 accepted");
}

TEST(stats, of_single_games_is_as_published) {
    const std::string text = run_in_process({"stats", "--wdl", "136,111,96"}).out;
    EXPECT_TRUE(contains(text, "40.70 +/- 30.43")) << text;
    EXPECT_TRUE(contains(text, "49.77 +/- 36.77")) << text;
    EXPECT_TRUE(contains(text, "99.60 %")) << text;
    EXPECT_FALSE(contains(text, "LLR")) << "nobody asked for a test";
}

TEST(stats, of_8_wins_in_10_is_as_wilson_published) {
    const auto wins = json_of({"--wdl", "8,0,2"})["wins"];
    EXPECT_NEAR(wins["low"].get<double>(), 0.490162, 5e-7);
    EXPECT_NEAR(wins["high"].get<double>(), 0.943318, 5e-7);
    EXPECT_TRUE(contains(run_in_process({"stats", "--wdl", "8,0,2"}).out, "80.0 %"));
    EXPECT_FALSE(json_of({"--penta", "1,2,3,4,5"}).contains("wins"));
    EXPECT_FALSE(json_of({"--wdl", "0,0,0"}).contains("wins"));
}

TEST(stats, without_variance_or_games_is_undefined) {
    for (const std::string counts : {"0,0,0", "10,0,0", "0,10,0"}) {
        const Ran ran = run_in_process({"stats", "--wdl", counts, "--elo0", "0", "--elo1", "5"});
        EXPECT_EQ(ran.code, 0);
        EXPECT_TRUE(contains(ran.out, "undefined")) << ran.out;
        EXPECT_FALSE(contains(ran.out, "nan")) << ran.out;
        EXPECT_FALSE(contains(ran.out, "+/- 0.00")) << ran.out;
    }
    EXPECT_TRUE(json_of({"--wdl", "0,0,0"})["elo"]["value"].is_null());
}

TEST(stats, takes_negative_hypotheses) {
    const auto answer = json_of({"--wdl", "50,100,50", "--elo0", "-5", "--elo1", "0"});
    EXPECT_GT(answer["sprt"]["llr"].get<double>(), 0);
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    std::vector<std::string> all{"stats"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ran ran = run_in_process(all);
    EXPECT_EQ(ran.code, 2) << part;
    EXPECT_EQ(ran.out, "") << part;
    EXPECT_TRUE(contains(ran.err, part)) << ran.err << "lacks: " << part;
}

TEST(stats, names_the_place_of_a_bad_count) {
    expect_refused({"--penta", "1,2,x,4,5"},
                   "--penta 1,2,x,4,5: character 5: expected a count for EVEN, found 'x'");
    expect_refused({"--penta", "1,2,3,4"}, "character 8: expected a count for WW");
    expect_refused({"--penta", "1,2,3,4,5,6"}, "character 11: '6' is one count too many");
    expect_refused({"--wdl", "1,-2,3"}, "character 3: expected a count for DRAWS, found '-2'");
    expect_refused({"--wdl", "1,2.5,3"}, "found '2.5'");
    expect_refused({"--wdl", "1,,3"}, "character 3: expected a count for DRAWS, found ''");
    expect_refused({"--wdl", "1,2,99999999999999999999"}, "found '99999999999999999999'");
}

TEST(stats, refuses_what_is_no_test) {
    expect_refused({}, "give --penta or --wdl");
    expect_refused({"--wdl", "1,2,3", "--penta", "1,2,3,4,5"}, "--wdl");
    expect_refused({"--wdl", "1,2,3", "--elo0", "1"}, "both --elo0 and --elo1");
    expect_refused({"--wdl", "1,2,3", "--elo0", "1", "--elo1", "1"}, "elo0 must be below elo1");
    expect_refused({"--wdl", "1,2,3", "--elo0", "0", "--elo1", "1", "--alpha", "1"}, "alpha");
    expect_refused({"--wdl", "1,2,3", "--model", "logistc"}, "did you mean 'logistic'?");
}

} // namespace
} // namespace croupier::cli
