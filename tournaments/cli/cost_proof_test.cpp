// The reported cost of rules is what removing them saves; also on a machine with other load.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace croupier::cli {
namespace {

using nlohmann::json;

// Beside sampling errors: removing rules leaves registers and caches to the others, and `compare`
// measures whole games, including their start and some watched steps.
constexpr double kSlack = 0.2;

class CostProof : public FolderTest {
  protected:
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    void SetUp() override {
        FolderTest::SetUp();
        GTEST_SKIP() << "sanitizers take most of the time";
    }
#endif

    // A game of forty moves, each of which runs these rules of `play`; every item is worth 1.
    void write_game(const std::string& name, const std::vector<std::string>& rules) const {
        std::string items;
        std::string more;
        for (int i = 0; i < 12; ++i)
            items += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
        for (int i = 0; i < 24; ++i)
            more += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
        std::string all;
        for (const std::string& rule : rules)
            all += rule + ",";
        write(name, R"({
            "game": {"name": "planted", "players": ["A", "B"]},
            "shape": {"turn": ["A", "B"], "n": "int", "moves": {"$:Move": true}, "move": "Move",
                      "over": "bool", "score": {"$": "int"}, "item": {"$:Item": "int"},
                      "more": {"$:More": "int"}, "found": "int"},
            "types": {"Move": ["one"], "Item": 12, "More": 24},
            "state": {"turn": "A", "n": 0, "found": 0, "item": {)" +
                        items + R"(}, "more": {)" + more + R"(}},
            "moves": [{"name": "may", "action": {"moves": {"one": true}}}],
            "play": [)" +
                        all + R"(
                {"name": "add", "condition": {"n": "$N"}, "action": {"n": "$N + 1"}},
                {"name": "end", "condition": {"n": ">= 40"}, "action": {"over": true}}
            ],
            "score": [{"name": "tie", "action": {"score": {"A": 1, "B": 1}}}]
        })");
    }

    // Times from `croupier profile`.
    json times_of(const std::string& name) const {
        const Ran ran = run_in_process({"profile", path(name), "--games", "2", "--json"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        return json::parse(ran.out)["times"];
    }
    static json rule(const json& times, const std::string& name) {
        for (const json& each : times["rules"])
            if (each["name"] == name) return each;
        return {{"share", 0}, {"low", 0}, {"high", 0}, {"ns_per_game", 0}};
    }
    // The interval of the share of the time of `with` that `without` saves.
    std::pair<double, double> saved(const std::string& with, const std::string& without) const {
        const Ran ran = run_in_process({"compare", path(with), path(without), "--games", "54",
                                        "--metric", "length", "--json"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        const json whole = json::parse(ran.out)["rule_costs"][0];
        EXPECT_EQ(whole["rule"], "whole game");
        return {1 - whole["high"].get<double>(), 1 - whole["low"].get<double>()};
    }
    void expect_saving(const std::string& planted, const std::string& name, double least) const {
        const std::vector<std::string> others{pairs("work", "item", "item@2")};
        std::vector<std::string> all = others;
        all.push_back(planted);
        write_game("with.json", all);
        write_game("without.json", others);
        const json share = rule(times_of("with.json"), name);
        const auto [from, to] = saved("with.json", "without.json");
        EXPECT_GE(share["share"].get<double>(), least);
        EXPECT_GT(share["high"].get<double>() + kSlack, from) << share << " " << from << " " << to;
        EXPECT_LT(share["low"].get<double>() - kSlack, to) << share << " " << from << " " << to;
    }
    static std::string pairs(const std::string& name, const std::string& one,
                             const std::string& other) {
        return R"({"name": ")" + name + R"(", "condition": {"n": "$N", ")" + one +
               R"(": {"$X": "$A"}, ")" + other + R"(": {"$Y": "$B"}, "_": "$A * $B + $N > 1000"},
                "action": {"found": 1}})";
    }
};

TEST_F(CostProof, a_cubic_join_costs_what_leaving_it_out_saves) {
    expect_saving(R"({"name": "cube", "condition": {"n": "$N", "item": {"$X": "$A"},
                      "item@2": {"$Y": "$B"}, "item@3": {"$Z": "$C"}, "_": "$A * $B * $C + $N > 1000"},
                      "action": {"found": 2}})",
                  "cube", 0.5);
}

TEST_F(CostProof, a_rule_that_never_matches_costs_next_to_nothing) {
    expect_saving(R"({"name": "never", "condition": {"n": "> 100000"}, "action": {"found": 3}})",
                  "never", 0);
    const json share = rule(times_of("with.json"), "never");
    EXPECT_LT(share["share"].get<double>(), 0.05) << share;
}

TEST_F(CostProof, an_expensive_not_costs_what_leaving_it_out_saves) {
    expect_saving(R"({"name": "none", "condition": {"n": "$N", "@not": {
                      "more": {"$X": "$A"}, "more@2": {"$Y": "$B"}, "_": "$A * $B + $N > 1000"}},
                      "action": {"found": 4}})",
                  "none", 0.3);
}

TEST_F(CostProof, four_times_the_pairs_take_four_times_the_time) {
    write_game("two.json", {pairs("less", "item", "item@2"), pairs("most", "more", "more@2")});
    const json times = times_of("two.json");
    const json less = rule(times, "less");
    const json most = rule(times, "most");
    EXPECT_LT(most["low"].get<double>(), 4.6 * less["high"].get<double>()) << times;
    EXPECT_GT(most["high"].get<double>(), 3.4 * less["low"].get<double>()) << times;
    EXPECT_EQ(most["rank"], 1);
    EXPECT_EQ(less["rank"], 2);
    // All of the games' time is in some row.
    double sum = 0;
    for (const json& each : times["rules"])
        sum += each["share"].get<double>();
    for (const json& each : times["outside"])
        sum += each["share"].get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
}

// Two texts of the same rules: their difference is too small to be reported.
TEST_F(CostProof, equal_rules_are_not_called_slower_or_faster) {
    write_game("one.json", {pairs("work", "item", "item@2")});
    write_game("other.json", {pairs("labour", "item", "item@2")});
    const auto [from, to] = saved("one.json", "other.json");
    EXPECT_LT(from, 0.02);
    EXPECT_GT(to, -0.02);
}

// Searches triples of twelve items on every move, with little other work.
TEST_F(CostProof, what_got_slower_since_a_run_is_called_slower) {
    write_game("game.json", {});
    const Ran old = run_in_process({"run", "--game", path("game.json"), "--agents", "random",
                                    "--games", "20", "--profile", "full", "--out", path("old")});
    ASSERT_EQ(old.code, 0) << old.err;
    write_game("game.json", {R"({"name": "triples", "condition": {"item": {"$X": "$A"},
                                 "item@2": {"$Y": "$B"}, "item@3": {"$Z": "$C"}},
                                 "action": {"found": 5}})"});
    const Ran ran = run_in_process(
        {"profile", path("game.json"), "--compare", path("old"), "--games", "18", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json changes = json::parse(ran.out);
    EXPECT_EQ(changes[0]["name"], "whole game");
    EXPECT_EQ(changes[0]["verdict"], "slower") << changes[0];
    EXPECT_EQ(changes[1]["name"], "all rules");
    EXPECT_EQ(changes[1]["verdict"], "slower") << changes[1];
    EXPECT_EQ(changes[2]["name"], "triples") << "the dearest comes first";
}

} // namespace
} // namespace croupier::cli
