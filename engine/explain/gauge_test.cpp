// Gauges: what they count, and that the game whose rules they watch never notices.
#include "engine/explain/gauge.h"

#include "engine/lang/testing.h"

#include <gtest/gtest.h>

namespace croupier::engine {
namespace {

constexpr const char* kGaugedRules = R"json({
    "state": {"n": 0, "pool": {"a": 1, "b": 2, "c": 3}},
    "rules": [
        {"name": "draw", "condition": {"n": "$N"}, "action": {"n": "$N + 1 + random(6)"}},
        {"name": "pick", "condition": {"n": "$N", "pool": {"$X": "< $N"}},
         "action": {"picked": {"$X": true}}},
        {"name": "broken", "condition": {"n": "> 1000"}, "action": {"n": "= 1 / 0"}}
    ]})json";

class GaugeTest : public testing::Test {
  protected:
    GaugeTest() : loaded_(load_ruleset_text("test", kGaugedRules)), program_(*loaded_.ruleset) {}

    [[nodiscard]] const RuleCost& cost(const Profile& profile, const char* rule) const {
        return profile.rules()[program_.rule_id(rule)];
    }

    Loaded loaded_;
    Program program_;
};

TEST_F(GaugeTest, a_run_is_measured_and_state_and_chance_stay_as_they_were) {
    const State before = program_.initial_state();
    const Random random(5);
    Profile profile(program_);
    Gauge gauge(program_, {}, false);
    gauge.measure(0, before, random, profile);
    EXPECT_TRUE(before.equals(program_.initial_state()));
    EXPECT_EQ(random.counter(), 0u);
    EXPECT_EQ(cost(profile, "draw").tried, 1u);
    EXPECT_EQ(cost(profile, "draw").firings, 1u);

    // What it says of matches is what the game itself will find with that chance.
    State played = before;
    Random chance(5);
    Machine machine(program_);
    const RunResult result = machine.run(0, played, chance);
    EXPECT_EQ(cost(profile, "draw").matches + cost(profile, "pick").matches, result.matches);
    EXPECT_EQ(cost(profile, "draw").firings + cost(profile, "pick").firings, result.firings);
}

TEST_F(GaugeTest, entries_are_counted_once_a_run_only_where_they_are_wanted) {
    Profile without(program_);
    Gauge(program_, {}, false).measure(0, program_.initial_state(), Random(5), without);
    EXPECT_EQ(cost(without, "pick").entries[0].tried, 0u);

    Profile with(program_);
    Gauge gauge(program_, {}, true);
    for (int run = 1; run <= 3; ++run) {
        gauge.measure(0, program_.initial_state(), Random(5), with);
        EXPECT_EQ(cost(with, "pick").tried, static_cast<std::uint64_t>(run));
        // "n", "pool", "$X"
        EXPECT_EQ(cost(with, "pick").entries[0].tried, static_cast<std::uint64_t>(run));
        EXPECT_EQ(cost(with, "pick").entries[1].tried, static_cast<std::uint64_t>(run));
        EXPECT_EQ(cost(with, "pick").entries[2].passed, cost(with, "pick").matches);
    }
    EXPECT_EQ(cost(with, "pick").matches, 3 * cost(without, "pick").matches);
}

TEST_F(GaugeTest, states_with_texts_and_nodes_of_their_own_are_measured_too) {
    State state = program_.initial_state();
    const Symbol made_up = state.symbols().intern("made up on the way");
    const NodeRef pool = state.child(state.root(), state.symbols().find("pool"));
    state.set_child(pool, made_up, Value::number(std::int64_t{0}));
    Profile profile(program_);
    Gauge gauge(program_, {}, true);
    gauge.measure(0, state, Random(5), profile);
    EXPECT_EQ(cost(profile, "pick").entries[2].passed, cost(profile, "pick").matches);
    EXPECT_GE(cost(profile, "pick").matches, 1u);
}

TEST_F(GaugeTest, a_run_that_fails_counts_as_far_as_it_came) {
    const Loaded loaded = load_ruleset_text("test", R"({"rules": [
        {"name": "first", "action": {"a": 1}},
        {"name": "breaks", "action": {"b": "= 1 / 0"}},
        {"name": "never", "action": {"c": 1}}]})");
    const Program program(*loaded.ruleset);
    Profile profile(program);
    Gauge gauge(program, {}, true);
    gauge.measure(0, program.initial_state(), Random(1), profile);
    gauge.measure(0, program.initial_state(), Random(1), profile);
    EXPECT_EQ(profile.rules()[program.rule_id("first")].firings, 2u);
    EXPECT_EQ(profile.rules()[program.rule_id("breaks")].tried, 2u);
    EXPECT_EQ(profile.rules()[program.rule_id("never")].tried, 0u);
}

TEST_F(GaugeTest, a_cleared_profile_is_a_new_one) {
    Profile profile(program_);
    Gauge(program_, {}, true).measure(0, program_.initial_state(), Random(5), profile);
    EXPECT_FALSE(profile == Profile(program_));
    profile.clear();
    EXPECT_EQ(profile, Profile(program_));
}

} // namespace
} // namespace croupier::engine
