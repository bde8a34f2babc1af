// JSON applied to a state: the same as a rule's action, all or nothing.
#include "engine/catalogue/patch.h"

#include "engine/lang/testing.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {
namespace {

constexpr const char* kShape = R"("types": {"Seat": 3, "Card": ["x", "y", "z"]},
    "constants": {"worth": {"x": 1}},
    "options": {"target": 7},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "turn": "Seat", "n": "0..9",
              "rows": {"$:Card": {"a": "int"}}},
    "state": {"turn": 1, "n": 3, "hands": {"0": {"x": true}, "1": {"y": true}},
              "log": {"a": [1, 2], "b": "old", "c": {"d": {"e": 1}}}})";

// What came of one change.
struct Changed {
    bool clean = false;
    std::string state;
    std::string codes; // with places
};

class Target {
  public:
    Target()
        : loaded_(load_ruleset_text("rules", std::string("{") + kShape + R"(, "rules": []})")) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }

    [[nodiscard]] Changed apply(const std::string& json) const {
        State state = program_->initial_state();
        Loaded given; // for its sources and diagnostics
        Changed changed;
        changed.clean =
            apply_json(*program_, state, "given", json, given.sources, given.diagnostics);
        changed.state = write_json(state.export_document(), -1);
        changed.codes = codes(given);
        return changed;
    }
    [[nodiscard]] std::string before() const {
        return write_json(program_->initial_state().export_document(), -1);
    }

  private:
    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

std::string by_rule(const std::string& action) {
    const Ruleset ruleset =
        load_good(std::string("{") + kShape + R"(, "rules": [{"action": )" + action + "}]}");
    const Program program(ruleset);
    State state = program.initial_state();
    Machine machine(program);
    Random random(1);
    const RunResult result = machine.run(0, state, random);
    EXPECT_FALSE(result.error) << action;
    return write_json(state.export_document(), -1);
}

TEST(patch, does_what_the_action_of_a_rule_does) {
    const Target target;
    for (
        const char* action : {
            R"({})",
            R"({"turn": 2, "n": 0})",
            R"({"hands": {"0": {"y": true, "x": "@remove"}, "2": {"z": true}}})",
            R"({"hands": "@remove", "turn": "@remove"})",
            R"({"log": {"b": {"now": "inner"}, "c": 5, "a": "@remove"}})",
            R"({"log": {"a": [3, {"k": [true, null]}, []]}})",
            R"({"log": {"text": "'<20", "dollar": "'$x", "@@at": 1, "$$d": 2, "twice@2": 3}})",
            R"({"new": {"deep": {"er": {}}}, "rows": {"z": {"a": -4}}})",
            R"({"log": {"@root": {"n": 1}, "c": {"@parent": {"from": "c"}, "d": {"@parent": "@remove"}}}})",
            R"j({"@path(log.c.d.f)": 6, "@path(hands.1)": "@remove", "@path(made.by.path)": [1]})j",
            R"j({"log": {"c": {"@path(log)": "@remove", "back": true}}})j",
            R"({"n": "= options.target"})",
        }) {
        const Changed changed = target.apply(action);
        EXPECT_TRUE(changed.clean) << action << changed.codes;
        EXPECT_EQ(changed.state, by_rule(action)) << action;
    }
}

TEST(patch, changes_and_removes) {
    const Target target;
    const Changed changed = target.apply(
        R"({"turn": 0, "hands": {"1": "@remove", "0": {"z": true}}, "log": {"b": "@remove"}})");
    EXPECT_EQ(changed.state, R"({"turn":0,"n":3,"hands":{"0":{"x":true,"z":true}},)"
                             R"("log":{"a":[1,2],"c":{"d":{"e":1}}}})");
}

TEST(patch, names_every_mistake_and_then_changes_nothing) {
    const Target target;
    struct {
        const char* action;
        const char* codes;
    } const cases[] = {
        {R"({"n": 1, "turn": 3})", "E0410@1:10"},
        {R"({"n": 10, "turn": 9, "hands": {"0": {"w": true}}})", "E0410@1:2 E0410@1:11 E0410@1:38"},
        {R"({"turn": {"x": 1}})", "E0410@1:2"},
        {R"({"hands": 4})", "E0410@1:2"},
        {R"({"worth": {"x": 2}})", "E0315@1:2"},
        {R"({"n": "$this + 1"})", "E0212@1:7"},
        {R"({"log": {"a": ["$X"]}})", "E0212@1:16"},
        {R"({"$X": 1})", "E0501@1:2"},
        {R"({"log": {"a-{$X}": 1}})", "E0501@1:11"},
        {R"({"@rules": [{"action": {"n": 1}}]})", "E0314@1:2"},
        {R"({"@print": "hello"})", "E0314@1:2"},
        {R"({"@parent": {"n": 1}})", "E0311@1:2"},
        {R"({"n": "@remvoe"})", "E0207@1:8"},
        {R"([1, 2])", "E0314@1:1"},
        {R"({"n": )", "E0004@1:7"},
        {R"(7)", "E0314@1:1"},
    };
    for (const auto& each : cases) {
        const Changed changed = target.apply(each.action);
        EXPECT_FALSE(changed.clean) << each.action;
        EXPECT_EQ(changed.codes, each.codes) << each.action;
        EXPECT_EQ(changed.state, target.before()) << each.action;
    }
}

} // namespace
} // namespace croupier::engine
