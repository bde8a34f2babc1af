// Expressions as machine code: what the interpreter gives for the same values, errors included.
#include "engine/lang/testing.h"
#include "engine/run/machine.h"
#include "engine/text/document.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace croupier::engine {
namespace {

// What `expression` of A and B comes to, in a leaf that `shape` describes; or the error.
std::string value_of(const std::string& expression, const std::string& a, const std::string& b,
                     const std::string& shape, bool native) {
    const std::string rules =
        R"({"types": {"Word": ["red", "green", "blue"]},
            "shape": {"a": "any", "b": "any", "x": ")" +
        shape + R"("}, "state": {"a": )" + a + R"(, "b": )" + b +
        R"(}, "rules": [{"condition": {"a": "$A", "b": "$B"}, "action": {"x": ")" + expression +
        R"("}}]})";
    const Loaded loaded = load_ruleset_text("test", rules);
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    const Program program(*loaded.ruleset);
    Machine machine(program);
    machine.use_native(native);
    State state = program.initial_state();
    Random random(1);
    const RunResult result = machine.run(0, state, random);
    if (result.error) {
        return std::string(name_of(result.error->kind)) + ": " + result.error->detail;
    }
    const Document document = state.export_document();
    const Member* const x = document.find("x");
    return x == nullptr ? "none" : write_json(x->value, -1);
}

struct Case {
    const char* expression;
    const char* a;
    const char* b;
    const char* value; // null: it ends in an error
};

void expect_values(std::span<const Case> cases, const char* shape) {
    for (const Case& each : cases) {
        const std::string what = std::string(each.expression) + " of " + each.a + " and " + each.b;
        const std::string expected = value_of(each.expression, each.a, each.b, shape, false);
        EXPECT_EQ(value_of(each.expression, each.a, each.b, shape, true), expected) << what;
        if (each.value != nullptr) {
            EXPECT_EQ(expected, each.value) << what;
        } else {
            EXPECT_NE(expected.find(": "), std::string::npos) << what << expected;
        }
    }
}

TEST(expressions, integers) {
    const Case cases[] = {
        {"$A + $B * ($A - $B)", "7", "3", "19"},
        {"($A - $B) - ($B - $A) * ($A - ($B - $A))", "2", "9", "28"},
        {"0 - ($A - $B)", "3", "10", "7"},
        {"abs($A - $B)", "3", "10", "7"},
        {"min($A, $B, 4)", "5", "6", "4"},
        {"min($A - $B, $B - $A)", "5", "6", "-1"},
        {"max($A, $B * 2, 4)", "5", "6", "12"},
        {"floor($A / 10)", "39", "0", "3"},
        {"floor($A / 10)", "-39", "0", "-4"},
        {"floor($A / 10)", "-40", "0", "-4"},
        {"10 * floor(($A + 5) / 10)", "-6", "0", "-10"},
        // Beyond 2^52 the quotient is a double that may have been rounded up.
        {"floor($A / 2)", "4503599627370495", "0", "2251799813685247"},
        {"floor($A / 2)", "-4503599627370497", "0", "-2251799813685249"},
        {"floor($A / 3)", "9007199254740991", "0", "3002399751580330"},
        {"$A > $B ? $A - $B : $B - $A", "3", "10", "7"},
        {"!($A > $B) && $A != 4 || $B == 0 ? 1 : 2", "3", "10", "1"},
        {"!($A > $B) && $A != 4 || $B == 0 ? 1 : 2", "4", "10", "2"},
        {"!($A > $B) && $A != 4 || $B == 0 ? 1 : 2", "4", "0", "1"},
        {"$A == $B ? 1 : 0", "\"a\"", "\"a\"", "1"},
        {"$A == $B ? 1 : 0", "\"a\"", "\"b\"", "0"},
        {"$A == $B ? 1 : 0", "\"1\"", "1", "0"},
        {"$A != 'b' ? 1 : 0", "\"b\"", "1", "0"},
        {"$A != 'b' ? 1 : 0", "3", "1", "1"},
        {"$A + $B", "9223372036854775807", "1", nullptr},
        {"0 - $A", "-9223372036854775808", "1", nullptr},
        {"abs($A)", "-9223372036854775808", "1", nullptr},
        {"$A * $B", "4294967296", "4294967296", nullptr},
        {"$A - $B", "\"a\"", "1", nullptr},
        {"$A && $B ? 1 : 2", "true", "3", nullptr},
        {"floor($A / 2.5)", "10", "1", "4"},
    };
    expect_values(cases, "int");
}

TEST(expressions, members) {
    const Case cases[] = {
        {"$A > $B ? 'red' : 'blue'", "2", "1", "\"red\""},
        {"$A > $B ? 'red' : $A == $B ? 'green' : 'blue'", "1", "1", "\"green\""},
        {"$A > 'a' ? 'red' : 'blue'", "\"b\"", "1", "\"red\""},
        {"$A == 1 ? $B : 'blue'", "1", "\"green\"", "\"green\""},
        {"$A == 1 ? $B : 'blue'", "1", "\"yellow\"", nullptr},
        {"$A == 1 ? $B : 'blue'", "1", "7", nullptr},
        {"$A == 1 ? 'yellow' : 'blue'", "1", "7", nullptr},
    };
    expect_values(cases, "Word");
}

} // namespace
} // namespace croupier::engine
