// Profiles: counts worked out by hand, and sums of profiles.
#include "engine/explain/profile.h"
#include "engine/language/testing.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace croupier::engine {

namespace {

class Watched {
  public:
    explicit Watched(const char* rules) : loaded_(load_ruleset_text("test", rules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }

    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] const Sources& sources() const { return loaded_.sources; }

    RunResult run(Profiler& profiler, std::uint64_t seed = 1) const {
        Machine machine(*program_);
        machine.set_observer(&profiler);
        State state = program_->catalogue().initial_state();
        Random random(seed);
        return machine.run(0, state, random);
    }
    [[nodiscard]] Profile profile(bool entries = true) const {
        Profiler profiler(program_->catalogue(), entries);
        EXPECT_FALSE(run(profiler).error);
        return profiler.profile();
    }

  private:
    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

const RuleCost& cost(const Watched& watched, const Profile& profile, const char* rule) {
    return profile.rules()[watched.program().catalogue().rule_id(rule)];
}

using Counts = std::array<std::uint64_t, 4>;

// Tried, passed, matches, firings.
Counts counts(const RuleCost& rule) {
    return {rule.tried, rule.passed, rule.matches, rule.firings};
}

using EntryCounts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// Tried and passed, entry by entry in the order written.
EntryCounts entries(const RuleCost& rule) {
    EntryCounts all;
    for (const EntryCost& entry : rule.entries)
        all.emplace_back(entry.tried, entry.passed);
    return all;
}

constexpr const char* kRules = R"({
    "state": {"limit": 4, "item": {"a": {"n": 1}, "b": {"n": 5}, "c": {"n": 7}}},
    "rules": [
        {"name": "outer", "condition": {"limit": "$L", "item": {"$X": {"n": "> $L"}}}, "action": [
            {"name": "inner", "condition": {"item": {"$X": {"n": "$N"}}},
             "action": {"seen": {"$X": "$N"}}}]},
        {"name": "none above", "condition": {"@not": {"item": {"$_": {"n": "> 9"}}},
            "@count": {"of": {"item": {"$Y": {"n": "> 4"}}}, "into": "$C"}},
         "action": {"count": "$C"}},
        {"name": "up", "repeat": 3, "condition": {"count": "< 4"}, "action": {"count": "$this + 1"}},
        {"name": "missing", "condition": {"nothing": {"at": "all"}}, "else": {"else": true}},
        {"name": "silent", "condition": {"item": {"$_": {}}}}
    ]})";

TEST(profile, counts_every_rule) {
    const Watched watched(kRules);
    const Profile profile = watched.profile();
    EXPECT_EQ(counts(cost(watched, profile, "outer")), (Counts{1, 1, 2, 2}));
    EXPECT_EQ(counts(cost(watched, profile, "inner")), (Counts{2, 2, 2, 2}));
    EXPECT_EQ(counts(cost(watched, profile, "none above")), (Counts{1, 1, 1, 1}));
    EXPECT_EQ(counts(cost(watched, profile, "up")), (Counts{3, 2, 2, 2}));
    EXPECT_EQ(counts(cost(watched, profile, "missing")), (Counts{1, 0, 0, 1}));
    EXPECT_EQ(counts(cost(watched, profile, "silent")), (Counts{1, 1, 3, 0}));
}

TEST(profile, counts_every_entry_also_inside_not_and_count) {
    const Watched watched(kRules);
    const Profile profile = watched.profile();
    // limit, item, $X, n
    EXPECT_EQ(entries(cost(watched, profile, "outer")),
              (EntryCounts{{1, 1}, {1, 2}, {1, 2}, {3, 2}}));
    // item, $X, n; searched twice, each time with X bound
    EXPECT_EQ(entries(cost(watched, profile, "inner")), (EntryCounts{{2, 2}, {2, 2}, {2, 2}}));
    // @not, item, $_, n; @count, item, $Y, n
    EXPECT_EQ(entries(cost(watched, profile, "none above")),
              (EntryCounts{{1, 1}, {1, 0}, {1, 0}, {3, 0}, {1, 1}, {1, 2}, {1, 2}, {3, 2}}));
    EXPECT_EQ(entries(cost(watched, profile, "up")), (EntryCounts{{3, 2}}));
    EXPECT_EQ(entries(cost(watched, profile, "missing")), (EntryCounts{{1, 0}, {0, 0}}));
}

TEST(profile, counts_are_those_of_the_run) {
    const Watched watched(kRules);
    Profiler profiler(watched.program().catalogue(), true);
    const RunResult result = watched.run(profiler);
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;
    for (const RuleCost& rule : profiler.profile().rules()) {
        matches += rule.matches;
        firings += rule.firings;
    }
    EXPECT_EQ(matches, result.matches);
    EXPECT_EQ(firings, result.firings);
}

TEST(profile, counts_are_the_same_without_entries) {
    const Watched watched(kRules);
    const Profile counted = watched.profile();
    const Profile played = watched.profile(false);
    for (RuleId id = 0; id < watched.program().catalogue().rules.size(); ++id)
        EXPECT_EQ(counts(counted.rules()[id]), counts(played.rules()[id])) << id;
    EXPECT_EQ(entries(cost(watched, played, "up")), (EntryCounts{{0, 0}}));
}

TEST(profile, rows_are_in_the_order_written) {
    const Watched watched(R"({
        "state": {"item": {"a": {"n": 1}, "b": {"n": 5}, "c": {"n": 7}}},
        "rules": [{"name": "r", "condition": {"item": {"$X": {"n": "> 4"}}}}]})");
    const std::vector<RuleRow> all = rows(watched.program().catalogue(), watched.profile());
    ASSERT_EQ(all.size(), 1u);
    ASSERT_EQ(all[0].entries.size(), 3u);
    const EntryRow& number = all[0].entries[2];
    EXPECT_EQ(number.depth, 2u);
    EXPECT_EQ(number.cost, (EntryCost{3, 2}));
    const std::string_view text = watched.sources().text(number.span.file);
    EXPECT_EQ(text.substr(number.span.begin, number.span.end - number.span.begin), R"("n": "> 4")");
    EXPECT_EQ(all[0].group, "rules");
}

TEST(profile, a_run_that_fails_counts_as_far_as_it_came) {
    const Watched watched(R"({"state": {"z": 0}, "rules": [
        {"name": "outer", "condition": {"z": "$Z"}, "action": [
            {"name": "inner", "condition": {"_": "1 / $Z == 1"}}]}]})");
    Profiler profiler(watched.program().catalogue(), true);
    ASSERT_TRUE(watched.run(profiler).error);
    const Profile once = profiler.profile();
    EXPECT_EQ(counts(cost(watched, once, "outer")), (Counts{1, 1, 1, 1}));
    EXPECT_EQ(counts(cost(watched, once, "inner")), (Counts{1, 0, 0, 0}));
    EXPECT_EQ(entries(cost(watched, once, "inner")), (EntryCounts{{1, 0}}));
    ASSERT_TRUE(watched.run(profiler).error);
    EXPECT_EQ(counts(cost(watched, profiler.profile(), "outer")), (Counts{2, 2, 2, 2}));
    EXPECT_EQ(counts(cost(watched, profiler.profile(), "inner")), (Counts{2, 0, 0, 0}));
}

constexpr const char* kChance = R"({
    "types": {"Die": 6},
    "shape": {"left": {"$:Die": true}, "kept": {"$:Die": true}},
    "state": {"left": {"0": true, "1": true, "2": true, "3": true, "4": true, "5": true}},
    "rules": [{"name": "keep", "condition": {"left": {"$D": {}}, "_": "random(2) == 1"},
               "action": {"kept": {"$D": true}}},
              {"name": "drop", "condition": {"kept": {"$D": {}}, "left": {"$D@2": {}}},
               "action": {"left": {"$D": "@remove"}}}]})";

TEST(profile, runs_add_up) {
    const Watched watched(kChance);
    constexpr std::uint64_t kGames = 160;
    Profiler profiler(watched.program().catalogue());
    for (std::uint64_t seed = 0; seed < kGames; ++seed)
        watched.run(profiler, seed);
    EXPECT_EQ(cost(watched, profiler.profile(), "keep").tried, kGames);
    const std::uint64_t kept = cost(watched, profiler.profile(), "keep").firings;
    EXPECT_EQ(cost(watched, profiler.profile(), "drop").firings, kept); // every die kept is dropped
    EXPECT_GT(kept, 0u);
    EXPECT_LT(kept, kGames * 6);
}

} // namespace

// Gauges: what they count, and that they never affect the game they watch.

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
        return profile.rules()[program_.catalogue().rule_id(rule)];
    }

    Loaded loaded_;
    Program program_;
};

TEST_F(GaugeTest, a_run_is_measured_and_state_and_chance_stay_as_they_were) {
    const State before = program_.catalogue().initial_state();
    const Random random(5);
    Profile profile(program_.catalogue());
    Gauge gauge(program_, {}, false);
    gauge.measure(0, before, random, profile);
    EXPECT_TRUE(before.equals(program_.catalogue().initial_state()));
    EXPECT_EQ(random.counter(), 0u);
    EXPECT_EQ(cost(profile, "draw").tried, 1u);
    EXPECT_EQ(cost(profile, "draw").firings, 1u);

    // The matches counted are those that the game itself will find with that random stream.
    State played = before;
    Random chance(5);
    Machine machine(program_);
    const RunResult result = machine.run(0, played, chance);
    EXPECT_EQ(cost(profile, "draw").matches + cost(profile, "pick").matches, result.matches);
    EXPECT_EQ(cost(profile, "draw").firings + cost(profile, "pick").firings, result.firings);
}

TEST_F(GaugeTest, entries_are_counted_once_a_run_only_where_they_are_wanted) {
    Profile without(program_.catalogue());
    Gauge(program_, {}, false).measure(0, program_.catalogue().initial_state(), Random(5), without);
    EXPECT_EQ(cost(without, "pick").entries[0].tried, 0u);

    Profile with(program_.catalogue());
    Gauge gauge(program_, {}, true);
    for (int run = 1; run <= 3; ++run) {
        gauge.measure(0, program_.catalogue().initial_state(), Random(5), with);
        EXPECT_EQ(cost(with, "pick").tried, static_cast<std::uint64_t>(run));
        // "n", "pool", "$X"
        EXPECT_EQ(cost(with, "pick").entries[0].tried, static_cast<std::uint64_t>(run));
        EXPECT_EQ(cost(with, "pick").entries[1].tried, static_cast<std::uint64_t>(run));
        EXPECT_EQ(cost(with, "pick").entries[2].passed, cost(with, "pick").matches);
    }
    EXPECT_EQ(cost(with, "pick").matches, 3 * cost(without, "pick").matches);
}

TEST_F(GaugeTest, states_with_texts_and_nodes_of_their_own_are_measured_too) {
    State state = program_.catalogue().initial_state();
    const Symbol made_up = state.symbols().intern("made up on the way");
    const NodeRef pool = state.child(state.root(), state.symbols().find("pool"));
    state.set_child(pool, made_up, Value::number(std::int64_t{0}));
    Profile profile(program_.catalogue());
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
    Profile profile(program.catalogue());
    Gauge gauge(program, {}, true);
    gauge.measure(0, program.catalogue().initial_state(), Random(1), profile);
    gauge.measure(0, program.catalogue().initial_state(), Random(1), profile);
    EXPECT_EQ(profile.rules()[program.catalogue().rule_id("first")].firings, 2u);
    EXPECT_EQ(profile.rules()[program.catalogue().rule_id("breaks")].tried, 2u);
    EXPECT_EQ(profile.rules()[program.catalogue().rule_id("never")].tried, 0u);
}

TEST_F(GaugeTest, a_cleared_profile_is_a_new_one) {
    Profile profile(program_.catalogue());
    Gauge(program_, {}, true).measure(0, program_.catalogue().initial_state(), Random(5), profile);
    EXPECT_FALSE(profile == Profile(program_.catalogue()));
    profile.clear();
    EXPECT_EQ(profile, Profile(program_.catalogue()));
}

} // namespace

} // namespace croupier::engine
