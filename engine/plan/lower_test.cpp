// Conditions that need no walk from node to node, and what they come to.
#include "engine/lang/testing.h"
#include "engine/plan/program.h"
#include "engine/run/machine.h"
#include "engine/text/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace croupier::engine {
namespace {

struct Outcome {
    bool walks = false; // some op finds a node by its key
    std::string state;  // afterwards
};

Outcome run(const std::string& rules) {
    const Loaded loaded = load_ruleset_text("test", rules);
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    if (!loaded.ruleset) {
        return {};
    }
    const Program program(*loaded.ruleset);
    Machine machine(program);
    State state = program.initial_state();
    Random random(1);
    const RunResult result = machine.run(0, state, random);
    EXPECT_FALSE(result.error);
    const bool walks = std::any_of(program.code.begin(), program.code.end(), [](const Op& op) {
        return op.code == OpCode::Child || op.code == OpCode::ChildKey || op.code == OpCode::Each;
    });
    return {walks, write_json(state.export_document(), -1)};
}

TEST(lower, an_integer_is_a_key_of_the_constants) {
    const Outcome done = run(R"({
        "types": {"Seat": ["A", "B", "C", "D"], "Slot": 32},
        "constants": {"points": {"3": 20, "4": 50, "5": 100}},
        "shape": {"run": {"$:Seat": "0..8"}, "worth": {"$:Seat": "int"}},
        "state": {"run": {"A": 3, "B": 2, "C": 5, "D": 4}},
        "rules": [{"condition": {"run": {"$P": "$N"}, "points": {"$N": "$V"}},
                   "action": {"worth": {"$P": "$V"}}}]})");
    EXPECT_FALSE(done.walks);
    EXPECT_NE(done.state.find(R"("worth":{"A":20,"C":100,"D":50})"), std::string::npos)
        << done.state;
}

TEST(lower, what_options_decide_is_a_key) {
    const Outcome done = run(R"({
        "types": {"Rank": ["K", "T"]}, "options": {"order": "old", "same": "yes"},
        "constants": {"height": {"old": {"K": 1, "T": 2}, "new": {"T": 1, "K": 2}}},
        "shape": {"has": {"$:Rank": true}, "best": {"$:Rank": "int"}},
        "state": {"has": {"T": true}},
        "rules": [{"condition": {
                "has": {"$R": true}, "_": "$ORDER = options.order",
                "@any": [{"_": "options.same == 'yes' || $R == 'K'", "height": {"$ORDER": {"$R": "$H"}}},
                         {"_": "options.same == 'no' && $R != 'K'", "height": {"new": {"$R": "$H"}}}]},
            "action": {"best": {"$R": "$H"}}}]})");
    EXPECT_FALSE(done.walks);
    EXPECT_NE(done.state.find(R"("best":{"T":2})"), std::string::npos) << done.state;
}

TEST(lower, sums_and_the_least_go_by_rows) {
    const Outcome done = run(R"({
        "types": {"Card": ["a", "b", "c", "d"]},
        "constants": {"worth": {"a": 1, "b": 10, "c": 100, "d": 1000}},
        "shape": {"pile": {"$:Card": true}, "none": {"$:Card": true},
                  "sum": "int", "least": "int", "most": "int", "empty": "int", "wrong": "bool"},
        "state": {"pile": {"b": true, "c": true, "d": true}},
        "rules": [
            {"condition": {
                "@sum": {"of": {"pile": {"$C": true}, "worth": {"$C": "$V"}}, "value": "$V + 1", "into": "$S"},
                "@min": {"of": {"pile": {"$C": true}, "worth": {"$C": "$V"}}, "value": "$V", "into": "$L"},
                "@max": {"of": {"pile": {"$C": true}, "worth": {"$C": "$V"}}, "value": "$V", "into": "$M"},
                "@sum@none": {"of": {"none": {"$C": true}, "worth": {"$C": "$V"}}, "value": "$V", "into": "$E"}},
             "action": {"sum": "$S", "least": "$L", "most": "$M", "empty": "$E"}},
            {"condition": {
                "@min": {"of": {"none": {"$C": true}, "worth": {"$C": "$V"}}, "value": "$V", "into": "$L"}},
             "action": {"wrong": true}}]})");
    EXPECT_FALSE(done.walks);
    EXPECT_NE(done.state.find(R"("sum":1113,"least":10,"most":1000,"empty":0)"), std::string::npos)
        << done.state;
    EXPECT_EQ(done.state.find("wrong"), std::string::npos) << "there is no least of nothing";
}

TEST(lower, numbers_of_a_map_are_rows_whatever_their_range) {
    const Outcome done = run(R"({
        "types": {"Team": ["AC", "BD"]}, "constants": {"other": {"AC": "BD", "BD": "AC"}},
        "shape": {"marks": {"$:Team": "0..5000"}, "total": {"$:Team": "0..5000"}, "won": "Team"},
        "state": {"marks": {"AC": 300, "BD": 412}, "won": "BD"},
        "rules": [
            {"condition": {"marks": {"$M": "$X"}, "won": "$W", "other": {"$W": "$L"},
                           "_": "$TO = $X > 400 ? $W : $L"},
             "action": {"total": {"$TO": "$X"}}}]})");
    EXPECT_FALSE(done.walks);
    EXPECT_NE(done.state.find(R"("total":{"AC":300,"BD":412})"), std::string::npos) << done.state;
}

} // namespace
} // namespace croupier::engine
