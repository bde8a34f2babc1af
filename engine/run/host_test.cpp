// Host functions: the arguments they get, where their result goes, and their possible errors.
#include "engine/language/testing.h"
#include "engine/run/machine.h"
#include "engine/state/state.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace croupier::engine {
namespace {

// Arguments passed to `price`; the state after the group "rules", or an error: "3:20 sale: ..".
struct Played {
    std::vector<Scalar> told;
    std::string after;
};

Played play(const std::string& rules, HostResult (*answer)(std::span<const Scalar>),
            bool native = true) {
    Played played;
    LoadSettings settings;
    settings.functions = {{"price", {"of", "count"}, [&](std::span<const Scalar> values) {
                               played.told.insert(played.told.end(), values.begin(), values.end());
                               return answer(values);
                           }}};
    const Loaded loaded = load_ruleset_text("f", rules, {}, settings);
    EXPECT_TRUE(loaded.ruleset) << shown(loaded);
    if (!loaded.ruleset) return played;
    const Program program(*loaded.ruleset);
    State state = program.catalogue().initial_state();
    Machine machine(program);
    machine.use_code(native);
    Random random(1);
    const RunResult result = machine.run(program.catalogue().group_id("rules"), state, random);
    if (result.error) {
        const auto place = loaded.sources.place(result.error->span);
        played.after = place + " " + result.error->rule + ": " + result.error->detail;
        EXPECT_EQ(result.error->kind, RunErrorKind::Call);
    } else {
        played.after = write_json(state.export_document(), -1);
    }
    return played;
}

const char* const kSale = R"({
    "shape": {"stock": {"$": "int"}, "price": {"$": "int"}, "total": "int"},
    "state": {"stock": {"7": 3, "wood": 2}, "price": {}, "total": 0},
    "rules": [
        {"name": "sale", "condition": {"stock": {"$G": "$N"}},
         "action": {"@call": {"price": {"count": "$N + 1", "of": "$G", "into": "price.$G"}}}},
        {"name": "sum", "condition": {"price": {"$_": "$P"}}, "action": {"total": "$this + $P"}}
    ]})";

TEST(host, a_result_goes_where_the_rule_says_and_is_seen_by_what_follows) {
    const auto tens = [](std::span<const Scalar> values) {
        return HostResult{.value = std::get<std::int64_t>(values[1]) * 10};
    };
    for (const bool native : {false, true}) {
        const Played played = play(kSale, tens, native);
        EXPECT_EQ(played.after,
                  R"({"stock":{"7":3,"wood":2},"price":{"7":40,"wood":30},"total":70})");
        // In the order of the parameters; keys are passed as texts.
        EXPECT_EQ(played.told, (std::vector<Scalar>{std::string("7"), std::int64_t{4},
                                                    std::string("wood"), std::int64_t{3}}));
    }
}

TEST(host, without_into_the_state_stays_as_it_was) {
    const Played played = play(R"({"state": {"a": 1}, "rules": [
        {"action": {"@call": {"price": {"of": null, "count": 2.5}}}}]})",
                               [](std::span<const Scalar>) { return HostResult{}; });
    EXPECT_EQ(played.after, R"({"a":1})");
    EXPECT_EQ(played.told, (std::vector<Scalar>{std::monostate(), 2.5}));
}

TEST(host, what_goes_wrong_is_an_ending_with_its_rule_and_place) {
    for (const bool native : {false, true}) {
        const auto after = [&](HostResult (*answer)(std::span<const Scalar>)) {
            return play(kSale, answer, native).after;
        };
        EXPECT_EQ(after([](auto) { return HostResult{.error = "nothing is sold on Sundays"}; }),
                  "f:6:31 sale: price: nothing is sold on Sundays");
        EXPECT_EQ(after([](auto) -> HostResult { throw std::runtime_error("no link"); }),
                  "f:6:31 sale: price: no link");
        EXPECT_EQ(after([](auto) { return HostResult{}; }), "f:6:31 sale: price: gives no value");
        EXPECT_EQ(after([](auto) {
                      return HostResult{.value = std::numeric_limits<double>::infinity()};
                  }),
                  "f:6:31 sale: price: gives a number that is not finite");
        EXPECT_EQ(after([](auto) { return HostResult{.value = std::string("\xC3")}; }),
                  "f:6:31 sale: price: gives a text that is not UTF-8");
    }
}

TEST(host, a_result_must_fit_the_shape) {
    LoadSettings settings;
    settings.functions = {
        {"word", {}, [](auto) { return HostResult{.value = std::string("seven")}; }},
        {"empty", {}}};
    const auto kind = [&](const char* call) {
        const Loaded loaded =
            load_ruleset_text("f",
                              R"({"shape": {"total": "int"}, "rules": [{"action": {"@call": )" +
                                  std::string(call) + "}}]}",
                              {}, settings);
        EXPECT_TRUE(loaded.ruleset) << shown(loaded);
        const Program program(*loaded.ruleset);
        State state = program.catalogue().initial_state();
        Machine machine(program);
        Random random(1);
        const RunResult result = machine.run(program.catalogue().group_id("rules"), state, random);
        return result.error ? result.error->kind : RunErrorKind::Overflow;
    };
    EXPECT_EQ(kind(R"({"word": {"into": "total"}})"), RunErrorKind::Shape);
    EXPECT_EQ(kind(R"({"empty": {}})"), RunErrorKind::Call); // no body
}

} // namespace
} // namespace croupier::engine
