// Comparisons of a loop's key: as a mask and row by row they let the same rows through.
#include "engine/lang/testing.h"
#include "engine/plan/program.h"
#include "engine/run/machine.h"
#include "engine/run/testing.h"

#include <gtest/gtest.h>

#include <string>

namespace croupier::engine {
namespace {

std::string ran(const Ruleset& ruleset, bool rows) {
    const Program program(ruleset, CompileOptions{.rows = rows});
    if (rows) {
        for (const Op& op : program.code) {
            EXPECT_NE(op.code, OpCode::Compare); // else nothing is tested here
        }
    }
    Machine machine(program);
    Lines lines;
    machine.set_log(&lines);
    State state = program.initial_state();
    Random random(1);
    EXPECT_FALSE(machine.run(0, state, random).error);
    return lines.all;
}

// What the condition prints with each comparison in turn.
std::string told(const std::string& shape_and_state, const std::string& loops, const std::string& a,
                 const std::string& b) {
    std::string all;
    for (const char* const comparison : {"<", "<=", ">", ">=", "==", "!="}) {
        const std::string test = a + " " + comparison + " " + b;
        const Loaded loaded = load_ruleset_text(
            "test", "{" + shape_and_state + R"(, "rules": [{"condition": {)" + loops +
                        R"(, "_": ")" + test + R"("}, "action": {"@print": ")" + a + "," + b +
                        R"("}}]})");
        EXPECT_TRUE(loaded.ruleset) << shown(loaded);
        const std::string by_rows = ran(*loaded.ruleset, true);
        EXPECT_EQ(by_rows, ran(*loaded.ruleset, false)) << test;
        all += comparison + (": " + by_rows);
    }
    return all;
}

// Texts by their letters, of which some spell numbers; two such are numbers.
TEST(compare_keys, keys_of_two_loops) {
    const std::string sets =
        R"("types": {"Card": ["b", "10", "9", "a", "2x"], "Few": ["9", "c", "10"]},
        "shape": {"p": {"$:Card": true}, "q": {"$:Few": true}},
        "state": {"p": {"b": true, "10": true, "9": true, "2x": true}, "q": {"9": true, "10": true, "c": true}})";
    EXPECT_EQ(told(sets, R"("p": {"$C": {}}, "q": {"$D": {}})", "$C", "$D"),
              "<: b,c 10,c 9,c 9,10 2x,9 2x,c "
              "<=: b,c 10,c 10,10 9,9 9,c 9,10 2x,9 2x,c "
              ">: b,9 b,10 10,9 2x,10 "
              ">=: b,9 b,10 10,9 10,10 9,9 2x,10 "
              "==: 10,10 9,9 "
              "!=: b,9 b,c b,10 10,9 10,c 9,c 9,10 2x,9 2x,c 2x,10 ");
    EXPECT_EQ(told(sets, R"("q": {"$D": {}}, "p": {"$C": {}})", "$C", "$D").substr(0, 31),
              "<: 2x,9 b,c 10,c 9,c 2x,c 9,10 ");
}

TEST(compare_keys, keys_of_two_loops_over_several_words) {
    const std::string sets = R"("types": {"Row": 130}, "shape": {"p": {"$:Row": true}},
        "state": {"p": {"0": true, "9": true, "63": true, "64": true, "100": true, "128": true, "129": true}})";
    const std::string all = told(sets, R"("p": {"$C": {}}, "p@again": {"$D": {}})", "$C", "$D");
    EXPECT_TRUE(all.starts_with("<: 0,9 0,63 0,64 0,100 0,128 0,129 9,63 ")) << all;
    EXPECT_NE(all.find("128,129 <=: "), std::string::npos) << all;
    EXPECT_NE(all.find("==: 0,0 9,9 63,63 64,64 100,100 128,128 129,129 !=: "), std::string::npos)
        << all;
}

// A number, inside the keys and outside; and what is no integer, to which the key is what it is.
TEST(compare_keys, a_number_and_what_is_none) {
    const auto with = [](const std::string& bound, const std::string& type = "number") {
        return told(R"("types": {"Row": 5}, "shape": {"p": {"$:Row": true}, "n": ")" + type + R"("},
            "state": {"p": {"0": true, "2": true, "3": true}, "n": )" +
                        bound + "}",
                    R"("n": "$N", "p": {"$C": {}})", "$C", "$N");
    };
    EXPECT_EQ(with("2"), "<: 0,2 <=: 0,2 2,2 >: 3,2 >=: 2,2 3,2 ==: 2,2 !=: 0,2 3,2 ");
    EXPECT_EQ(with("1"), "<: 0,1 <=: 0,1 >: 2,1 3,1 >=: 2,1 3,1 ==: !=: 0,1 2,1 3,1 ");
    EXPECT_EQ(with("-7"), "<: <=: >: 0,-7 2,-7 3,-7 >=: 0,-7 2,-7 3,-7 ==: !=: 0,-7 2,-7 3,-7 ");
    EXPECT_EQ(with("99").substr(0, 19), "<: 0,99 2,99 3,99 <");
    EXPECT_EQ(with("2.5").substr(0, 15), "<: 0,2.5 2,2.5 ");
    EXPECT_EQ(with(R"("2")", "string"),
              "<: 0,2 <=: 0,2 2,2 >: 3,2 >=: 2,2 3,2 ==: 2,2 !=: 0,2 3,2 ");
    EXPECT_EQ(with(R"("20")", "string").substr(0, 15), "<: 0,20 2,20 <=");
}

TEST(compare_keys, a_number_turned_round_and_over_several_words) {
    const std::string all =
        told(R"("types": {"Row": 130}, "shape": {"p": {"$:Row": true}, "n": "0..200"},
        "state": {"p": {"0": true, "63": true, "64": true, "127": true, "128": true, "129": true}, "n": 127})",
             R"("n": "$N", "p": {"$C": {}})", "$N", "$C");
    EXPECT_EQ(all, "<: 127,128 127,129 <=: 127,127 127,128 127,129 >: 127,0 127,63 127,64 "
                   ">=: 127,0 127,63 127,64 127,127 ==: 127,127 "
                   "!=: 127,0 127,63 127,64 127,128 127,129 ");
}

} // namespace
} // namespace croupier::engine
