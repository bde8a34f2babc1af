// Changes below a key that may be a member of the map's domain: the short way and the general one.
#include "engine/catalogue/catalogue.h"
#include "engine/lang/print.h"
#include "engine/lang/testing.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace croupier::engine {
namespace {

// Holders are the seats and the table, hands are the seats' alone.
std::string ruleset(const std::string& state, const std::string& action) {
    return R"({"types": {"Seat": ["A", "B"], "Holder": {"union": ["Seat", "table"]},
                         "Card": ["x", "y"]},
        "shape": {"drawn": {"$:Card": "Holder"}, "hands": {"$:Seat": {"$:Card": true}},
                  "last": {"$:Seat": {"of": {"$:Seat": "Card"}}}},
        "state": )" +
           state + R"(, "rules": [{"condition": {"drawn": {"$C": "$P"}}, "action": )" + action +
           "}]}";
}

// The state after the rules, or the error; as machine code, node by node, and as they are written.
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
            State state = program.initial_state();
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
