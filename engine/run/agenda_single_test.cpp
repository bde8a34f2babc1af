// Rules of an agenda that have one match or none, which machine code keeps without a helper; and
// what it does itself of sizes, shuffles and fields that go.
#include "engine/run/agenda_testing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::engine {
namespace {

std::string agenda(const std::string& strategy, const std::string& rules) {
    return R"({"types": {"Card": 4}, "shape": {"a": "0..9", "b": "0..9", "c": "0..9", "step": "0..9",
                "deck": {"$:Card": "0..9"}, "laid": {"$:Card": true}},
        "state": {"a": 1, "b": 2, "c": 3, "step": 0, "deck": {"1": 5}},
        "rules": {"strategy": ")" +
           strategy + R"(", "rules": [)" + rules + "]}}";
}

const std::vector<std::string> kStrategies = {"depth",      "breadth", "simplicity",
                                              "complexity", "random",  "lex"};

TEST(agenda_single, what_has_fired_does_not_fire_again_while_it_stays) {
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

// It waits with a low salience, and its nodes change, or go, before its turn comes.
TEST(agenda_single, what_waits_is_what_it_is_when_its_turn_comes) {
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

// One match, then several, then one again; those that stay keep what they are.
TEST(agenda_single, a_rule_may_come_to_have_several) {
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

// Of the same salience: by when they came, whoever keeps them.
TEST(agenda_single, what_came_at_other_moments_fires_in_its_order) {
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
    for (const std::string& strategy : kStrategies) {
        for (std::uint64_t seed = 1; seed < 8; ++seed) {
            AgendaSubject(agenda(strategy, rules)).run(seed);
        }
    }
}

// The rule's own salience decides; that of another has to be computed, and may be higher or lower.
TEST(agenda_single, a_computed_salience_stands_above_or_below_a_fixed_one) {
    for (const char* salience : {"$A + 0", "$A + 1", "$A + 2"}) {
        AgendaSubject subject(
            agenda("depth", R"(
            {"name": "fixed", "salience": 2, "condition": {"b": "$B"}, "action": {"@print": "fixed"}},
            {"name": "made", "salience": ")" +
                                std::string(salience) +
                                R"(", "condition": {"a": "$A"}, "action": {"@print": "made"}})"));
        const bool is_above = std::string(salience) == "$A + 2"; // of the same, the first
        EXPECT_EQ(subject.run(), is_above ? "made fixed " : "fixed made ") << salience;
    }
}

// It writes in a way that only the journal knows, between firings that do not.
TEST(agenda_single, undeclared_nodes_change_what_a_match_stands_on) {
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

TEST(agenda_single, limit_counts_every_firing) {
    AgendaSubject subject(R"({"shape": {"n": "0..99"}, "state": {"n": 0},
        "rules": {"strategy": "depth", "limit": 2, "rules": [
        {"salience": 1, "condition": {"n": "$N", "_": "$N < 50"}, "action": {"n": "$N + 1", "@print": "$N"}},
        {"condition": {"n": {}}, "action": {"@print": "last"}}]}})");
    EXPECT_EQ(subject.run(), "0 1 ");
}

// Children that are there have been written, even one alone; of none nobody is told.
TEST(agenda_single, a_shuffle_is_told_to_who_looks_at_the_children) {
    for (const char* row : {R"({"0": 1, "1": 2, "2": 3})", R"({"1": 4, "3": 5})", R"({"2": 1})",
                            R"({"0": 1, "1": 2, "2": 3, "3": 4})", "{}"}) {
        for (const char* looks :
             {R"x("row": {"$I": "$V"})x", R"x("row": {"1": "$V"}, "_": "$I = 1")x",
              R"x("_": "$I = size(row)", "_@2": "$V = 0")x",
              R"x("row": {}, "_": "$I = 0", "_@2": "$V = 0")x"}) {
            AgendaSubject subject(R"({"types": {"Slot": 4, "Card": 9},
                "shape": {"row": {"$:Slot": "Card"}, "step": "0..9", "seen": {"$:Slot": "Card"}},
                "state": {"step": 0, "row": )" +
                                  std::string(row) + R"(},
                "rules": {"strategy": "depth", "rules": [
                {"name": "see", "salience": 2, "condition": {)" +
                                  looks + R"(}, "action": {"@print": "$I:$V"}},
                {"name": "mix", "condition": {"step": "$S", "_": "$S < 4"}, "action": [
                    {"name": "next", "action": {"step": "$S + 1"}},
                    {"name": "call", "action": {"@call": {"shuffle": {"of": "row"}}}}]}]}})");
            for (std::uint64_t seed = 1; seed < 5; ++seed) {
                subject.run(seed);
            }
        }
    }
}

// A copy of the row would be lost on who compares with what was there before.
TEST(agenda_single, a_shuffle_changes_what_a_match_stands_on) {
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

// The first, one in the middle, the last, and the only one.
TEST(agenda_single, a_removed_field_leaves_the_others_in_their_order) {
    for (const std::string gone : {"a", "b", "c", "d"}) {
        AgendaSubject subject(R"({"shape": {"a": "0..9", "b": "0..9", "c": "0..9", "d": "0..9"},
            "state": {"a": 1, "b": 2, "c": 3, "d": 4}, "rules": {"strategy": "depth", "limit": 50, "rules": [
            {"name": "see", "salience": -1, "condition": {"$K": {}}, "action": {"@print": "$K"}},
            {"name": "one", "condition": {")" +
                              gone + R"(": "> 0"}, "action": {")" + gone + R"(": "@remove"}},
            {"name": "back", "salience": -2, "condition": {"a": "@absent"}, "action": {"a": 0}},
            {"name": "all", "salience": -3, "condition": {"d": "@absent"},
             "action": {"a": "@remove", "b": "@remove", "c": "@remove", "d": 1}}]}})");
        std::string left;
        for (const std::string each : {"a", "b", "c", "d"}) {
            left += each == gone ? "" : each + " ";
        }
        EXPECT_EQ(subject.run().substr(0, 6), left);
    }
}

// Sizes of maps of bytes, which are counted sixteen at a time; what lies behind is not counted.
TEST(agenda_single, sizes_of_maps_of_any_number_of_rows) {
    const std::string rules = R"x("rules": {"strategy": "depth", "rules": [
        {"condition": {"_": "$N = size(row)"}, "action": {"@print": "$N"}},
        {"condition": {"_": "$N = size(after)"}, "action": {"@print": "$N"}},
        {"condition": {"rows": {"$P": {}}, "_": "$N = size(rows.$P)"}, "action": {"@print": "$P$N"}},
        {"condition": {"_": "$N = size(rows.C)"}, "action": {"@print": "$N"}}]})x";
    for (const int rows : {1, 2, 15, 16, 17, 31, 32, 33, 53, 64, 65, 100}) {
        for (const bool sparse : {false, true}) {
            std::string row;
            int count = 0;
            for (int i = 0; i < rows; ++i) {
                if (!sparse || i == 0 || i + 1 == rows || i % 7 == 3) {
                    row += (row.empty() ? "\"" : ", \"") + std::to_string(i) + "\": 2";
                    ++count;
                }
            }
            AgendaSubject subject(R"({"types": {"Slot": )" + std::to_string(rows) +
                                  R"(, "Card": 3, "Seat": ["A", "B", "C"]},
                "shape": {"before": {"$:Slot": "Card"}, "row": {"$:Slot": "Card"},
                    "after": {"$:Slot": "Card"}, "rows": {"$:Seat": {"$:Slot": "Card"}}},
                "state": {"before": {"0": 1}, "row": {)" +
                                  row + R"(}, "rows": {"A": {"0": 1}, "B": {)" + row + "}}}, " +
                                  rules + "}");
            const std::string n = std::to_string(count);
            EXPECT_EQ(subject.run(), n + " 0 A1 B" + n + " 0 ") << rows;
        }
    }
}

} // namespace
} // namespace croupier::engine
