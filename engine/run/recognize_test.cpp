// Agenda groups: what they leave alone, chance, and what is told of them. What they do is in
// cases/language/agendas.json and the differential test.
#include "engine/run/recognize.h"

#include "engine/explain/profile.h"
#include "engine/explain/trace.h"
#include "engine/explain/why.h"
#include "engine/lang/testing.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace croupier::engine {
namespace {

class Lines : public Log {
  public:
    void line(const std::string& text) override { all += text + ' '; }
    std::string all;
};

class Target {
  public:
    explicit Target(const char* rules, bool twin = false)
        : loaded_(load_ruleset_text("test", rules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset, CompileOptions{.observed = twin});
    }
    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] const Sources& sources() const { return loaded_.sources; }

    // The lines that a run prints.
    std::string run(std::uint64_t seed = 1, Observer* observer = nullptr) const {
        Machine machine(*program_);
        Lines lines;
        machine.set_log(&lines);
        machine.set_observer(observer);
        State state = program_->initial_state();
        Random random(seed);
        EXPECT_FALSE(machine.run(0, state, random).error);
        EXPECT_FALSE(state.has_journal());
        return lines.all;
    }
    [[nodiscard]] const RuleCost& cost(const Profiler& profiler, const char* rule) const {
        return profiler.profile().rules()[program_->rule_id(rule)];
    }

  private:
    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

constexpr const char* kCounting = R"({
    "types": {"Card": 8},
    "shape": {"deck": {"$:Card": true}, "hand": {"$:Card": true}, "n": "int"},
    "state": {"deck": {"0": true, "1": true, "2": true, "3": true}, "n": 0, "open": {"a": 1}},
    "rules": {"strategy": "breadth", "rules": [
        {"name": "draw", "condition": {"deck": {"$C": {}}},
         "action": {"deck": {"$C": "@remove"}, "hand": {"$C": true}}},
        {"name": "count", "condition": {"n": "< 3"}, "action": {"n": "$this + 1"}},
        {"name": "holds", "condition": {"hand": {"$C": {}}, "_": "size(open) > 0"}},
        {"name": "open", "condition": {"open": {"a": "$A"}}},
        {"name": "any", "condition": {"@not": {"open": {"$K": {"deep": 1}}}}}]}})";

// 4 draws and 3 counts: each rule is searched at the start and after what touches its nodes.
TEST(recognize, rules_are_searched_only_after_what_they_look_at_was_touched) {
    const Target target(kCounting);
    Profiler profiler(target.program());
    target.run(1, &profiler);
    EXPECT_EQ(target.cost(profiler, "draw").tried, 1u + 4);
    EXPECT_EQ(target.cost(profiler, "count").tried, 1u + 3);
    EXPECT_EQ(target.cost(profiler, "holds").tried, 1u + 4);
    EXPECT_EQ(target.cost(profiler, "open").tried, 1u);
    EXPECT_EQ(target.cost(profiler, "any").tried, 1u);
    EXPECT_EQ(target.cost(profiler, "draw").firings, 4u);
    EXPECT_EQ(target.cost(profiler, "draw").matches, 4u + 3 + 2 + 1);
    EXPECT_EQ(target.cost(profiler, "holds").firings, 0u); // it has no action
}

TEST(recognize, random_picks_every_activation_equally_often) {
    const Target target(R"({"state": {"n": {"a": 1, "b": 1, "c": 1, "d": 2}}, "rules": {
        "strategy": "random", "limit": 1, "rules": [
            {"condition": {"n": {"$X": 1}}, "action": {"@print": "$X"}},
            {"condition": {"n": {"$X": "> 1"}}, "action": {"@print": "$X"}},
            {"salience": -1, "action": {"@print": "low"}}]}})");
    std::map<std::string, int> times;
    constexpr int kRuns = 4000;
    for (int seed = 0; seed < kRuns; ++seed) {
        ++times[target.run(static_cast<std::uint64_t>(seed))];
    }
    ASSERT_EQ(times.size(), 4u);
    double chi_square = 0;
    for (const auto& [line, count] : times) {
        const double off = count - kRuns / 4.0;
        chi_square += off * off / (kRuns / 4.0);
    }
    EXPECT_LT(chi_square, 16.3); // 3 degrees of freedom, one run in a thousand
}

TEST(recognize, the_next_run_knows_nothing_of_the_one_before) {
    const Target target(R"({"state": {"n": {"a": 1, "b": 1}}, "rules": {
        "strategy": "lex", "rules": [{"condition": {"n": {"$X": 1}}, "action": {"n": {"$X": 2}, "@print": "$X"}}]}})");
    Machine machine(target.program());
    Lines lines;
    machine.set_log(&lines);
    for (int i = 0; i < 3; ++i) {
        State state = target.program().initial_state();
        Random random(1);
        machine.run(0, state, random);
    }
    EXPECT_EQ(lines.all, "a b a b a b ");
}

TEST(recognize, an_error_ends_the_journal) {
    const Target target(R"({"state": {"n": 0}, "rules": {"strategy": "depth", "rules": [
        {"condition": {"n": "$N"}, "action": {"n": "1 / $N"}}]}})");
    Machine machine(target.program());
    State state = target.program().initial_state();
    Random random(1);
    EXPECT_TRUE(machine.run(0, state, random).error);
    EXPECT_FALSE(state.has_journal());
}

constexpr const char* kWild =
    R"({"state": {"n": {"a": 1, "b": 2}}, "rules": {"strategy": "depth", "rules": [
    {"name": "some", "condition": {"n": {"$_": "> 1"}}, "action": {"m": 1}}]}})";

TEST(recognize, trace_and_why_do_not_show_hidden_names) {
    const Target target(kWild, true);
    std::string log;
    Trace trace(target.program(), target.sources(), true,
                [&](const std::string& line) { log += line + '\n'; });
    target.run(1, &trace);
    EXPECT_EQ(log, R"(rule some (test:2:5)
  try "n": {"$_": "> 1"}
    try "$_": "> 1"
      cut at test:2:42
  1 match
rule some (test:2:5)
  acts
    m: new, 1
)");
    State state = target.program().initial_state();
    Random random(1);
    const Why why = explain(target.program(), target.program().rule_id("some"), state, random);
    ASSERT_EQ(why.matches.size(), 1u);
    EXPECT_TRUE(why.matches[0].empty());
}

} // namespace
} // namespace croupier::engine
