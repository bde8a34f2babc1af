// JSON applied to a state acts like a rule's action, all or nothing.
#include "engine/catalogue/catalogue.h"
#include "engine/catalogue/patch.h"
#include "engine/language/print.h"
#include "engine/language/testing.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The result of one change.
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
        catalogue_ = std::make_unique<Catalogue>(*loaded_.ruleset);
    }

    [[nodiscard]] Changed apply(const std::string& json) const {
        State state = catalogue_->initial_state();
        Loaded given; // kept for its sources and diagnostics
        Changed changed;
        const auto action =
            read_json(given.sources, given.sources.add("given", json), given.diagnostics);
        changed.clean =
            action && engine::apply(*catalogue_, state, *action, given.sources, given.diagnostics);
        changed.state = write_json(state.export_document(), -1);
        changed.codes = codes(given);
        return changed;
    }
    [[nodiscard]] std::string before() const {
        return write_json(catalogue_->initial_state().export_document(), -1);
    }

  private:
    Loaded loaded_;
    std::unique_ptr<Catalogue> catalogue_;
};

std::string by_rule(const std::string& action) {
    const Ruleset ruleset =
        load_good(std::string("{") + kShape + R"(, "rules": [{"action": )" + action + "}]}");
    const Program program(ruleset);
    State state = program.catalogue().initial_state();
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

// Changes below a key that may be a member of the map's domain: the fast path and the general one.

namespace {

// Seats and the table are holders; only seats have hands.
std::string ruleset(const std::string& state, const std::string& action) {
    return R"({"types": {"Seat": ["A", "B"], "Holder": {"union": ["Seat", "table"]},
                         "Card": ["x", "y"]},
        "shape": {"drawn": {"$:Card": "Holder"}, "hands": {"$:Seat": {"$:Card": true}},
                  "last": {"$:Seat": {"of": {"$:Seat": "Card"}}}},
        "state": )" +
           state + R"(, "rules": [{"condition": {"drawn": {"$C": "$P"}}, "action": )" + action +
           "}]}";
}

// The state after the rules, or the error: as machine code, node by node, and as written.
std::string ran(const std::string& text) {
    std::string all;
    Observer watcher;
    for (const bool code : {true, false}) {
        for (Observer* const observer : {static_cast<Observer*>(nullptr), &watcher}) {
            const Loaded loaded = load_ruleset_text("test", text);
            EXPECT_TRUE(loaded.ruleset) << shown(loaded);
            const Program program(*loaded.ruleset);
            Machine machine(program);
            machine.use_code(code);
            machine.set_observer(observer);
            State state = program.catalogue().initial_state();
            Random random(1);
            const RunResult result = machine.run(0, state, random);
            const std::string now = (result.error ? loaded.sources.place(result.error->span) + " " +
                                                        result.error->detail + " "
                                                  : std::string()) +
                                    write_json(state.export_document(), -1);
            EXPECT_TRUE(all.empty() || all == now) << text << now;
            all = now;
        }
    }
    return all;
}

TEST(by_member, what_stands_below_a_member_has_its_place) {
    const std::string text =
        ruleset(R"({"drawn": {"x": "B", "y": "A"}})",
                R"({"hands": {"$P": {"$C": true}}, "drawn": {"$C": "@remove"}})");
    EXPECT_EQ(ran(text), R"({"drawn":{},"hands":{"A":{"y":true},"B":{"x":true}}})");
}

TEST(by_member, who_is_none_is_told_where_his_key_stands) {
    const std::string told = ran(
        ruleset(R"({"drawn": {"x": "A", "y": "table"}})", R"({"hands": {"$P": {"$C": true}}})"));
    EXPECT_NE(told.find("hands has no child 'table': its keys are the members of Seat"),
              std::string::npos)
        << told;
    EXPECT_NE(told.find(R"("hands":{"A":{"x":true}})"), std::string::npos) << told;
}

TEST(by_member, one_stands_in_another) {
    EXPECT_EQ(
        ran(ruleset(R"({"drawn": {"x": "B", "y": "A"}})",
                    R"({"last": {"$P": {"of": {"$P": "$C"}}}, "hands": {"$P": {"$C": true}}})")),
        R"({"drawn":{"x":"B","y":"A"},"last":{"A":{"of":{"A":"y"}},"B":{"of":{"B":"x"}}},)"
        R"("hands":{"A":{"y":true},"B":{"x":true}}})");
    const std::string told =
        ran(ruleset(R"({"drawn": {"x": "table"}})", R"({"last": {"A": {"of": {"$P": "$C"}}}})"));
    EXPECT_NE(told.find("last.$Seat.of has no child 'table'"), std::string::npos) << told;
}

TEST(by_member, all_below_one_is_removed) {
    EXPECT_EQ(ran(ruleset(R"({"drawn": {"x": "B"}, "hands": {"A": {"x": true}, "B": {"y": true}}})",
                          R"({"hands": {"$P": "@remove"}})")),
              R"({"drawn":{"x":"B"},"hands":{"A":{"x":true}}})");
    EXPECT_EQ(ran(ruleset(R"({"drawn": {"x": "table"}, "hands": {"A": {"x": true}}})",
                          R"({"hands": {"$P": "@remove"}})")),
              R"({"drawn":{"x":"table"},"hands":{"A":{"x":true}}})");
}

} // namespace

} // namespace croupier::engine
