// Actions that take away several fields of the root, by machine code and without it.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <gtest/gtest.h>

#include <string>

namespace croupier::engine {
namespace {

constexpr const char* kErasing = R"({
    "types": {"Card": 40},
    "shape": {"a": "0..9", "b": "0..9", "c": "int", "d": {"$:Card": true}, "e": "bool",
              "f": {"x": "0..9", "y": "0..9"}, "g": "0..9", "h": "0..9", "i": "0..9", "j": "0..9"},
    "play": [
        {"name": "end", "condition": {"a": {}},
         "action": {"a": "@remove", "c": "@remove", "d": "@remove", "f": "@remove", "j": "@remove"}},
        {"name": "again", "condition": {"g": {}, "h": "@absent"},
         "action": {"g": "@remove", "b": "@remove", "a": 3, "e": "@remove", "h": 1}}
    ]
})";

// What the rules leave of the state.
std::string played(const Program& program, const std::string& from, bool by_code) {
    Sources sources;
    Diagnostics diagnostics;
    const auto document = read_json(sources, sources.add("state", from), diagnostics);
    State state = program.initial_state();
    EXPECT_TRUE(document && state.import(*document, diagnostics)) << from;
    Machine machine(program);
    machine.use_code(by_code);
    Random random(1);
    EXPECT_EQ(machine.run(program.group_id("play"), state, random).error, nullptr);
    return write_json(state.export_document(), -1);
}

TEST(erasures, of_several_fields_leave_the_others_in_their_order) {
    const Loaded loaded = load_ruleset_text("test", kErasing);
    ASSERT_TRUE(loaded.ruleset);
    const Program program(*loaded.ruleset);
    const auto expect = [&](const std::string& from, const std::string& left) {
        EXPECT_EQ(played(program, from, true), left) << from;
        EXPECT_EQ(played(program, from, false), left) << from;
    };
    expect(R"({"a": 1})", "{}");
    expect(R"({"b": 1, "a": 1, "i": 2})", R"({"b":1,"i":2})");
    expect(R"({"j": 1, "i": 2, "f": {"y": 1}, "h": 3, "d": {"7": true, "39": true}, "e": true,
               "c": -5, "b": 4, "a": 0})",
           R"({"i":2,"h":3,"e":true,"b":4})");
    expect(R"({"a": 1, "c": 1, "d": {}, "f": {}, "j": 1, "b": 1, "e": false, "i": 1, "h": 1})",
           R"({"b":1,"e":false,"i":1,"h":1})");
    expect(R"({"e": true, "g": 1, "i": 2, "b": 3})", R"({"i":2,"a":3,"h":1})");
    expect(R"({"i": 2, "b": 3})", R"({"i":2,"b":3})");
}

} // namespace
} // namespace croupier::engine
