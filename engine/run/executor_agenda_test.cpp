// Agenda groups run by the intermediate form, also when machine code calls the executor for them.
// cases/language and the differential test check more of it.
#include "engine/run/testing.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace croupier::engine {

namespace {

// The same rules on declared nodes of each kind of column, and on undeclared ones.
const std::vector<std::string> kShapes = {
    R"("shape": {"n": "0..9", "step": "0..9"},)",
    R"("shape": {"n": "int", "step": "int"},)",
    R"("shape": {"n": "0..999", "step": "0..9"},)",
    R"("shape": {"n": "number", "step": "0..9"},)",
    R"("shape": {"step": "0..9"},)",
    "",
};

// Writing a node's present value is no change, nor is a change that a later entry reverts.
TEST(executor_agenda, a_match_fires_again_only_if_its_node_has_another_value_after_a_firing) {
    for (const std::string& shape : kShapes) {
        AgendaSubject subject("{" + shape + R"("state": {"n": 5, "step": 0},
            "rules": {"strategy": "depth", "rules": [
            {"name": "see", "salience": 1, "condition": {"n": "$N"}, "action": {"@print": "$N"}},
            {"name": "same", "condition": {"step": 0}, "action": {"n": 5, "step": 1, "@print": "same"}},
            {"name": "back", "condition": {"step": 1},
             "action": {"n": 6, "step": 2, "n@again": 5, "@print": "back"}},
            {"name": "made", "condition": {"step": 2},
             "action": {"n": "@remove", "step": 3, "n@again": 5, "@print": "made"}},
            {"name": "other", "condition": {"step": 3}, "action": {"n": 6, "step": 4, "@print": "other"}},
            {"name": "gone", "condition": {"step": 4}, "action": {"n": "@remove", "step": 5, "@print": "gone"}},
            {"name": "here", "condition": {"step": 5}, "action": {"n": 6, "step": 6, "@print": "here"}}]}})");
        EXPECT_EQ(subject.run(), "5 same back made other 6 gone here 6 ") << shape;
        EXPECT_EQ(subject.run(), "5 same back made other 6 gone here 6 ") << "a second run";
    }
}

// The match has the same values before and after, but a row it stands on changed in between.
TEST(executor_agenda, a_changed_row_fires_those_alone_that_stand_on_it) {
    for (const char* shape : {R"("shape": {"n": {"$:Seat": "0..9"}, "step": "0..9"},)", ""}) {
        AgendaSubject subject(std::string(R"({"types": {"Seat": 3},)") + shape + R"(
            "state": {"n": {"0": 1, "1": 2, "2": 3}, "step": 0},
            "rules": {"strategy": "depth", "rules": [
            {"name": "see", "salience": 1, "condition": {"n": {"$X": {}}}, "action": {"@print": "$X"}},
            {"name": "one", "condition": {"step": 0},
             "action": {"step": 1, "n": {"1": "$this + 1", "2": "$this + 0"}}},
            {"name": "out", "condition": {"step": 1},
             "action": {"step": 2, "n": "@remove", "n@again": {"0": 1, "1": 5, "2": 3}}}]}})");
        EXPECT_EQ(subject.run(), "0 1 2 1 1 ");
    }
}

TEST(executor_agenda, a_firing_takes_away_what_other_matches_of_its_rule_stand_on) {
    for (const char* shape :
         {R"("shape": {"deck": {"$:Card": true}, "laid": {"$:Card": true}},)",
          R"("shape": {"deck": {"$:Card": "0..3"}, "laid": {"$:Card": true}},)", ""}) {
        const bool numbers = std::string(shape).find("0..3") != std::string::npos;
        const std::string has = numbers ? "1" : "true";
        AgendaSubject subject(R"({"types": {"Card": 6},)" + std::string(shape) + R"(
            "state": {"deck": {"0": )" +
                              has + R"(, "1": )" + has + R"(, "2": )" + has + R"(, "3": )" + has +
                              R"(, "5": )" + has + R"(}},
            "rules": {"strategy": "breadth", "rules": [
            {"name": "pair", "condition": {"deck": {"$A": {}}, "deck@2": {"$B": {}}, "_": "$A < $B"},
             "action": {"deck": {"$A": "@remove", "$B": "@remove"}, "laid": {"$A": true, "$B": true},
                        "@print": "$A$B"}},
            {"name": "rest", "salience": -1, "condition": {"deck": {"$A": {}}}, "action": {"@print": "rest $A"}}]}})");
        EXPECT_EQ(subject.run(), "01 23 rest 5 ");
    }
}

TEST(executor_agenda, limit_ends_the_run) {
    AgendaSubject subject(
        R"({"shape": {"n": "0..99"}, "state": {"n": 0}, "rules": {"strategy": "depth", "limit": 3,
        "rules": [{"condition": {"n": "$N"}, "action": {"n": "$N + 1", "@print": "$N"}}]}})");
    EXPECT_EQ(subject.run(), "0 1 2 ");
}

// `walked` must draw the same numbers for the same choices.
TEST(executor_agenda, random_picks_among_the_highest_salience) {
    AgendaSubject subject(R"({"types": {"Card": 5}, "shape": {"deck": {"$:Card": true}},
        "state": {"deck": {"0": true, "1": true, "2": true, "4": true}, "open": {"a": 1, "b": 2}},
        "rules": {"strategy": "random", "rules": [
        {"salience": "$C == 2 ? 2 : 1", "condition": {"deck": {"$C": {}}},
         "action": {"deck": {"$C": "@remove"}, "@print": "$C"}},
        {"salience": 1, "condition": {"open": {"$K": "$V"}}, "action": {"@print": "$K"}}]}})");
    std::set<std::string> seconds;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::string line = subject.run(seed);
        EXPECT_EQ(line[0], '2');
        EXPECT_EQ(line.size(), 12u);
        seconds.insert(line.substr(2, 1));
    }
    EXPECT_EQ(seconds, (std::set<std::string>{"0", "1", "4", "a", "b"}));
}

TEST(executor_agenda, each_strategy_orders_what_came_at_once_and_what_came_later) {
    const auto run = [](const std::string& strategy) {
        AgendaSubject subject(
            R"({"types": {"Card": 4}, "shape": {"deck": {"$:Card": "0..9"}, "more": "bool"},
            "state": {"deck": {"0": 1, "2": 1}, "more": true}, "rules": {"strategy": ")" +
            strategy +
            R"(", "rules": [
            {"name": "any", "condition": {"deck": {"$C": {}}}, "action": {"@print": "any$C"}},
            {"name": "more", "condition": {"more": true},
             "action": {"more": false, "deck": {"1": 1, "2": 3}, "@print": "more"}},
            {"name": "one", "condition": {"deck": {"$C": 1}, "@exists": {"deck": {"0": {}}}},
             "action": {"@print": "one$C"}}]}})");
        return subject.run();
    };
    EXPECT_EQ(run("depth"), "any0 any2 more any1 any2 one1 one0 ");
    EXPECT_EQ(run("breadth"), "any0 any2 more one0 any1 any2 one1 ");
    EXPECT_EQ(run("simplicity"), "any0 any2 more any1 any2 one0 one1 ");
    EXPECT_EQ(run("complexity"), "one0 one2 more one1 any0 any1 any2 ");
    // Recency: all equal until `more` fires, which makes two nodes newer. The longer list of nodes
    // comes first, then the more specific rule.
    EXPECT_EQ(run("lex"), run("mea"));
    EXPECT_EQ(run("lex").substr(0, 10), "one0 one2 ");
}

// Recency: `lex` compares the newest node of each match, `mea` the node of its first entry.
TEST(executor_agenda, lex_and_mea_ask_for_different_nodes) {
    const auto run = [](const std::string& strategy) {
        AgendaSubject subject(R"({"shape": {"a": "0..9", "b": "0..9", "c": "0..9", "step": "0..9"},
            "state": {"a": 1, "b": 1, "c": 1, "step": 0}, "rules": {"strategy": ")" +
                              strategy +
                              R"(", "rules": [
            {"name": "first", "salience": 1, "condition": {"step": 0}, "action": {"a": 2, "step": 1}},
            {"name": "second", "salience": 1, "condition": {"step": 1}, "action": {"b": 2, "step": 2}},
            {"name": "ac", "condition": {"a": "$A", "c": "$C"}, "action": {"@print": "ac"}},
            {"name": "cb", "condition": {"c": "$C", "b": "$B"}, "action": {"@print": "cb"}},
            {"name": "ab", "condition": {"a": "$A", "b": "$B", "c": {}}, "action": {"@print": "ab"}}]}})");
        return subject.run();
    };
    EXPECT_EQ(run("lex"), "ab cb ac ");
    EXPECT_EQ(run("mea"), "ab ac cb ");
}

// It is computed when a match appears, and again when a node of the match changes.
TEST(executor_agenda, salience_is_that_of_the_moment_in_which_the_activation_was_made) {
    const auto run = [](const char* touched) {
        AgendaSubject subject(
            R"({"types": {"Card": 4}, "shape": {"low": {"$:Card": "0..9"}, "step": "0..9", "more": {"$:Card": true}},
            "state": {"low": {"0": 1, "1": 1}, "step": 0}, "rules": {"strategy": "depth", "rules": [
            {"name": "low", "salience": "size(more) * 10 + $C - 5", "condition": {"low": {"$C": {}}}, "action": {"@print": "low$C"}},
            {"name": "more", "condition": {"step": 0},
             "action": {"step": 1, "more": {"0": true, "1": true}, "low": {)" +
            std::string(touched) + R"(}}},
            {"name": "then", "condition": {"step": 1}, "action": {"@print": "then"}}]}})");
        return subject.run();
    };
    EXPECT_EQ(run(R"("1": 1)"), "then low1 low0 ");
    EXPECT_EQ(run(R"("0": 2)"), "low0 then low1 ");
}

TEST(executor_agenda, errors_and_where_they_are) {
    const std::string rules = R"({"shape": {"n": "0..3", "m": "int"}, "state": {"n": 0, "m": 2},
        "rules": {"strategy": "depth", "rules": [
        {"name": "up", "condition": {"n": "$N"}, "action": {"n": "$N + 1", "m": "$this - 1"}},
        {"name": "divide", "salience": -1, "condition": {"m": "6 / $this > 0"}, "action": {"@print": "d"}}]}})";
    AgendaSubject condition(rules);
    EXPECT_NE(condition.run().find("division by zero divide @"), std::string::npos);
    EXPECT_NE(condition.run().find("division by zero divide @"), std::string::npos) << "once more";
    AgendaSubject salience(
        R"({"state": {"n": {"a": 1, "b": "x"}}, "rules": {"strategy": "depth", "rules": [
        {"name": "up", "salience": "$N", "condition": {"n": {"$K": "$N"}}, "action": {"@print": "$K"}}]}})");
    EXPECT_NE(salience.run().find("type up @"), std::string::npos);
    AgendaSubject action(
        R"({"shape": {"n": "0..3"}, "state": {"n": 0}, "rules": {"strategy": "depth", "rules": [
        {"name": "up", "condition": {"n": "$N"}, "action": {"n": "$N + 1", "@print": "$N"}}]}})");
    EXPECT_EQ(action.run().substr(0, 15), "0 1 2 shape up ");
}

TEST(executor_agenda, budgets) {
    const std::string rules =
        R"({"types": {"Card": 40}, "shape": {"deck": {"$:Card": true}, "n": "int"},
        "state": {"n": 0, "deck": {"1": true, "2": true, "3": true, "4": true}},
        "rules": {"strategy": "depth", "rules": [
        {"name": "up", "condition": {"n": "$N"}, "action": {"n": "$N + 1"}},
        {"name": "cards", "salience": 1, "condition": {"deck": {"$A": {}}}, "action": {"@print": "$A"}}]}})";
    Budgets firings;
    firings.firings = 20;
    EXPECT_EQ(AgendaSubject(rules, firings).run().substr(0, 8), "1 2 3 4 ");
    Budgets matches;
    matches.matches_per_rule = 3;
    EXPECT_NE(AgendaSubject(rules, matches).run().find(" cards @"), std::string::npos);
}

// Two matches with the same values on the same nodes are separate activations.
TEST(executor_agenda, matches_that_are_the_same) {
    for (const char* shape : {R"("shape": {"a": "0..9", "b": "0..9"},)", ""}) {
        AgendaSubject subject("{" + std::string(shape) + R"("state": {"a": 1, "b": 0},
            "rules": {"strategy": "depth", "rules": [
            {"name": "twice", "condition": {"a": "$A", "@any": [{"b": "< 2"}, {"b": "< 1"}]},
             "action": {"@print": "t"}},
            {"name": "once", "salience": -1, "condition": {"b": 0}, "action": {"b": 1, "@print": "once"}},
            {"name": "again", "salience": -1, "condition": {"b": 1}, "action": {"b": 2, "a@x": 1, "@print": "again"}},
            {"name": "back", "salience": -1, "condition": {"b": 2}, "action": {"b": 3, "@print": "back"}}]}})");
        EXPECT_EQ(subject.run(), "t t once again back ");
    }
}

// Written by a function, by a computed path, in a nested group, with children.
TEST(executor_agenda, what_is_written_in_other_ways_is_seen) {
    AgendaSubject subject(R"x({"types": {"Card": 4},
        "shape": {"row": {"$:Card": "0..9"}, "out": {"$:Card": true}, "step": "0..9"},
        "state": {"row": {"0": 1, "1": 2, "2": 3}, "step": 0, "bag": {"x": 1}},
        "rules": {"strategy": "depth", "rules": [
        {"name": "see", "salience": 2, "condition": {"row": {"0": "$A"}}, "action": {"@print": "row"}},
        {"name": "bag", "salience": 2, "condition": {"bag": {"$K": "$V"}}, "action": {"@print": "$K$V"}},
        {"name": "out", "salience": 2, "condition": {"out": {"$C": true}}, "action": {"@print": "out$C"}},
        {"name": "shuffle", "condition": {"step": 0}, "action": [
            {"name": "turn", "action": {"step": 1, "row": {"0": 3, "1": 1, "2": 2}}},
            {"name": "mix", "action": {"@call": {"shuffle": {"of": "row"}}}}]},
        {"name": "path", "condition": {"step": 1, "_": "$W = 'bag'"},
         "action": {"step": 2, "@path({$W}.y)": 7, "bag": {"x": 1}}},
        {"name": "each", "condition": {"step": 2}, "action": [
            {"name": "lay", "condition": {"row": {"$C": {}}}, "action": {"out": {"$C": true}}},
            {"name": "next", "action": {"step": 3}}]},
        {"name": "data", "condition": {"step": 3},
         "action": {"step": 4, "bag": {"x": {"z": 1}}, "row": "@remove"}}]}})x");
    const std::string all = subject.run(3);
    EXPECT_EQ(all.substr(0, 7), "row x1 ");
    EXPECT_NE(all.find("y7 out0 out1 out2 "), std::string::npos) << all;
    EXPECT_EQ(all.find("x1", 7), std::string::npos) << all;
    for (std::uint64_t seed = 10; seed < 20; ++seed)
        subject.run(seed);
}

// Rules with at most one match.
std::string agenda(const std::string& strategy, const std::string& rules) {
    return R"({"types": {"Card": 4}, "shape": {"a": "0..9", "b": "0..9", "c": "0..9", "step": "0..9",
                "deck": {"$:Card": "0..9"}, "laid": {"$:Card": true}},
        "state": {"a": 1, "b": 2, "c": 3, "step": 0, "deck": {"1": 5}},
        "rules": {"strategy": ")" +
           strategy + R"(", "rules": [)" + rules + "]}}";
}

const std::vector<std::string> kStrategies = {"depth",      "breadth", "simplicity",
                                              "complexity", "random",  "lex"};

TEST(executor_agenda, what_has_fired_does_not_fire_again_while_it_stays) {
    for (const std::string& strategy : kStrategies) {
        AgendaSubject subject(agenda(strategy, R"(
            {"name": "see", "salience": 3, "condition": {"a": "$A", "b": {}}, "action": {"@print": "see$A"}},
            {"name": "same", "salience": 2, "condition": {"step": 0}, "action": {"step": 1, "a": 1}},
            {"name": "other", "salience": 2, "condition": {"step": 1}, "action": {"step": 2, "b": 5}},
            {"name": "gone", "salience": 2, "condition": {"step": 2}, "action": {"step": 3, "a": "@remove"}},
            {"name": "back", "salience": 2, "condition": {"step": 3}, "action": {"step": 4, "a": 1}},
            {"name": "end", "condition": {"step": 4}, "action": {"@print": "end"}})"));
        EXPECT_EQ(subject.run(), "see1 see1 see1 end ") << strategy;
        EXPECT_EQ(subject.run(), "see1 see1 see1 end ") << "a second run, " << strategy;
    }
}

// Its activation waits at low salience, and its nodes change or disappear before its turn.
TEST(executor_agenda, what_waits_is_what_it_is_when_its_turn_comes) {
    for (const std::string& strategy : kStrategies) {
        AgendaSubject subject(agenda(strategy, R"(
            {"name": "late", "salience": 1, "condition": {"a": "$A"}, "action": {"@print": "a$A"}},
            {"name": "lost", "salience": 1, "condition": {"b": "$B"}, "action": {"@print": "b$B"}},
            {"name": "up", "salience": 2, "condition": {"step": "$S", "_": "$S < 3"},
             "action": {"step": "$S + 1", "a": "$S + 4"}},
            {"name": "off", "salience": 2, "condition": {"step": 3}, "action": {"b": "@remove", "step": 4}})"));
        EXPECT_EQ(subject.run(), "a6 ") << strategy;
    }
}

// One match, then several, then one again; the remaining ones keep their state.
TEST(executor_agenda, a_rule_may_come_to_have_several) {
    for (const std::string& strategy : kStrategies) {
        AgendaSubject subject(agenda(strategy, R"(
            {"name": "card", "salience": 5, "condition": {"deck": {"$C": "$N"}}, "action": {"@print": "$C:$N"}},
            {"name": "more", "salience": 4, "condition": {"step": 0}, "action": {"step": 1, "deck": {"3": 7}}},
            {"name": "less", "salience": 4, "condition": {"step": 1}, "action": {"step": 2, "deck": {"3": "@remove"}}},
            {"name": "none", "salience": 4, "condition": {"step": 2}, "action": {"step": 3, "deck": {"1": "@remove"}}},
            {"name": "again", "salience": 4, "condition": {"step": 3}, "action": {"step": 4, "deck": {"1": 5}}})"));
        EXPECT_EQ(subject.run(), "1:5 3:7 1:5 ") << strategy;
    }
}

// Matches of equal salience fire in the order in which they appeared.
TEST(executor_agenda, what_came_at_other_moments_fires_in_its_order) {
    const std::string rules = R"(
        {"name": "a", "condition": {"a": "$A"}, "action": {"@print": "a"}},
        {"name": "cards", "condition": {"deck": {"$C": {}}}, "action": {"@print": "d$C"}},
        {"name": "laid", "condition": {"laid": {"$C": true}}, "action": {"@print": "l$C"}},
        {"name": "b", "condition": {"b": "> 4", "c": {}}, "action": {"@print": "b"}},
        {"name": "first", "salience": 1, "condition": {"step": 0},
         "action": {"step": 1, "laid": {"2": true}}},
        {"name": "second", "salience": 1, "condition": {"step": 1},
         "action": {"step": 2, "b": 5, "deck": {"0": 1}}},
        {"name": "up", "salience": "$C - 1", "condition": {"c": "$C", "step": 2, "_": "$C > 0"},
         "action": {"c": "$C - 1", "@print": "up"}})";
    EXPECT_EQ(AgendaSubject(agenda("depth", rules)).run(), "up up b up b d0 l2 a d1 ");
    EXPECT_EQ(AgendaSubject(agenda("breadth", rules)).run(), "up up a d1 l2 d0 b up b ");
}

// One salience is fixed, the other is computed and may be higher or lower.
TEST(executor_agenda, a_computed_salience_stands_above_or_below_a_fixed_one) {
    for (const char* salience : {"$A + 0", "$A + 1", "$A + 2"}) {
        AgendaSubject subject(
            agenda("depth", R"(
            {"name": "fixed", "salience": 2, "condition": {"b": "$B"}, "action": {"@print": "fixed"}},
            {"name": "made", "salience": ")" +
                                std::string(salience) +
                                R"(", "condition": {"a": "$A"}, "action": {"@print": "made"}})"));
        const bool is_above = std::string(salience) == "$A + 2"; // at equal salience the first rule
        EXPECT_EQ(subject.run(), is_above ? "made fixed " : "fixed made ") << salience;
    }
}

// Writes to undeclared nodes, between firings that do not.
TEST(executor_agenda, undeclared_nodes_change_what_a_match_stands_on) {
    AgendaSubject subject(R"({"shape": {"step": "0..9", "n": "0..9"},
        "state": {"step": 0, "n": 1, "bag": {"x": 1}}, "rules": {"strategy": "depth", "rules": [
        {"name": "see", "salience": 2, "condition": {"n": 1, "bag": {"x": {}}}, "action": {"@print": "see"}},
        {"name": "same", "salience": 1, "condition": {"step": 0}, "action": {"step": 1, "bag": {"x": 1}}},
        {"name": "plain", "salience": 1, "condition": {"step": 1}, "action": {"step": 2, "n": 1}},
        {"name": "new", "salience": 1, "condition": {"step": 2}, "action": {"step": 3, "bag": {"x": 2}}},
        {"name": "still", "salience": 1, "condition": {"step": 3}, "action": {"step": 4, "n": 1}},
        {"name": "old", "salience": 1, "condition": {"step": 4}, "action": {"step": 5, "bag": {"x": 2}}},
        {"name": "end", "condition": {"step": 5}, "action": {"@print": "end"}}]}})");
    EXPECT_EQ(subject.run(), "see see end ");
}

// The shuffle happens to keep the order, so nothing changes.
TEST(executor_agenda, a_shuffle_changes_what_a_match_stands_on) {
    AgendaSubject subject(R"({"types": {"Slot": 2, "Card": 9},
        "shape": {"row": {"$:Slot": "Card"}, "step": "0..9"},
        "state": {"step": 0, "row": {"0": 1, "1": 2}}, "rules": {"strategy": "depth", "rules": [
        {"name": "see", "salience": 2, "condition": {"row": {"$I": {}}}, "action": {"@print": "$I"}},
        {"name": "mix", "condition": {"step": 0}, "action": [
            {"name": "next", "action": {"step": 1}},
            {"name": "call", "action": {"@call": {"shuffle": {"of": "row"}}}}]}]}})");
    std::string all;
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        const std::string lines = subject.run(seed);
        EXPECT_TRUE(lines == "0 1 " || lines == "0 1 0 1 ") << lines;
        all += lines + "/";
    }
    EXPECT_NE(all.find("0 1 /"), std::string::npos) << "the order stays, by chance";
    EXPECT_NE(all.find("0 1 0 1 /"), std::string::npos);
}

} // namespace

} // namespace croupier::engine
