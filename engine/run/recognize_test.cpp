// Agenda groups: which rules they do not search again, chance, and the events reported.
// cases/language/agendas.json and the differential test check their results.
#include "engine/run/recognize.h"

#include "engine/explain/profile.h"
#include "engine/explain/trace.h"
#include "engine/explain/why.h"
#include "engine/language/testing.h"
#include "engine/run/machine.h"
#include "engine/run/testing.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace croupier::engine {
namespace {

class Target {
  public:
    explicit Target(const char* rules) : loaded_(load_ruleset_text("test", rules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }
    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] const Sources& sources() const { return loaded_.sources; }

    // The lines that a run prints.
    std::string run(std::uint64_t seed = 1, Observer* observer = nullptr) const {
        Machine machine(*program_);
        Lines lines;
        machine.set_log(&lines);
        machine.set_observer(observer);
        State state = program_->catalogue().initial_state();
        Random random(seed);
        EXPECT_FALSE(machine.run(0, state, random).error);
        EXPECT_FALSE(state.has_journal());
        return lines.all;
    }
    [[nodiscard]] const RuleCost& cost(const Profiler& profiler, const char* rule) const {
        return profiler.profile().rules()[program_->catalogue().rule_id(rule)];
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

// 4 draws and 3 counts: each rule is searched at the start and after each change of its nodes.
TEST(recognize, rules_are_searched_only_after_what_they_look_at_was_touched) {
    const Target target(kCounting);
    Profiler profiler(target.program().catalogue());
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

// A condition that names a member of a domain reads only that row, of declared and of undeclared
// nodes.
TEST(recognize, rules_that_name_a_row_are_searched_after_its_changes_alone) {
    const Target target(R"({
        "types": {"Seat": 70},
        "shape": {"n": {"$:Seat": "int"}, "step": "0..9"},
        "state": {"n": {"1": 0, "69": 0}, "open": {"1": 0, "2": 0}, "step": 0},
        "rules": {"strategy": "depth", "rules": [
            {"name": "one", "condition": {"n": {"1": "$N"}}},
            {"name": "last", "condition": {"n": {"69": "$N"}}},
            {"name": "all", "condition": {"n": {"$X": "$N"}}},
            {"name": "open-one", "condition": {"open": {"1": "$N"}}},
            {"name": "change", "condition": {"step": "< 3"},
             "action": {"step": "$this + 1", "n": {"69": "$this + 1"}, "open": {"2": "$this + 1"}}}]}})");
    Profiler profiler(target.program().catalogue());
    target.run(1, &profiler);
    EXPECT_EQ(target.cost(profiler, "one").tried, 1u);
    EXPECT_EQ(target.cost(profiler, "last").tried, 1u + 3);
    EXPECT_EQ(target.cost(profiler, "all").tried, 1u + 3);
    EXPECT_EQ(target.cost(profiler, "open-one").tried, 1u);
}

// More rules than a word has bits: a late rule is found and comes after an early one.
TEST(recognize, groups_of_many_rules) {
    std::string rules =
        R"({"shape": {"a": "0..9", "b": "0..9"}, "state": {"a": 1, "c": 1}, "rules": {
        "strategy": "breadth", "rules": [)";
    for (int i = 0; i < 70; ++i)
        rules += R"({"condition": {"a": 9}, "action": {"@print": "never"}}, )";
    rules += R"({"condition": {"b": "$B"}, "action": {"@print": "b$B"}},
                {"condition": {"c": 1}, "action": {"c": 2, "b": 3, "@print": "c"}}]}})";
    EXPECT_EQ(Target(rules.c_str()).run(), "c b3 ");
}

// Root fields that are present or absent rule out a match without a search, unless a test before
// them could end with an error.
TEST(recognize, what_is_ruled_out_at_a_glance) {
    const Target target(R"({
        "types": {"Seat": 3},
        "shape": {"open": "bool", "shut": "bool", "row": {"$:Seat": "int"}, "n": "int"},
        "state": {"open": true, "row": {"0": 5, "2": 7}, "n": 0},
        "rules": {"strategy": "depth", "rules": [
            {"name": "shut", "salience": 1, "condition": {"row": {"$X": 7}},
             "action": {"open": "@remove", "shut": true, "@print": "shuts"}},
            {"name": "open", "condition": {"row": {"$X": "$N"}, "open": {}, "_": "1 / $N < 1"},
             "action": {"@print": "$N"}},
            {"name": "not-shut", "condition": {"shut": "@absent"}, "action": {"@print": "not-shut"}},
            {"name": "late", "condition": {"shut": {}, "row": {"$X": 5}},
             "action": {"row": "@remove", "@print": "late"}},
            {"name": "never", "condition": {"_": "1 > 2", "n": {}}, "action": {"@print": "never"}}]}})");
    EXPECT_EQ(target.run(), "shuts late ");
    Profiler profiler(target.program().catalogue());
    EXPECT_EQ(target.run(1, &profiler), "shuts late ");
    EXPECT_EQ(target.cost(profiler, "open").tried, 1u + 2); // an observer sees every search
}

TEST(recognize, an_error_before_what_rules_out_remains_one) {
    for (const auto& [condition, fails] :
         {std::pair{R"("n": "$N", "_": "1 / $N > 0", "go": {})", true},
          std::pair{R"("n": "$N", "go": {}, "_": "1 / $N > 0")", false},
          std::pair{R"("n": "= 1 / 0", "go": {})", true}, std::pair{R"("go": "= 1 / 0")", false}}) {
        const std::string rules =
            std::string(R"({"shape": {"n": "int", "go": "bool"}, "state": {"n": 0},
            "rules": {"strategy": "depth", "rules": [{"condition": {)") +
            condition + "}}]}}";
        const Loaded loaded = load_ruleset_text("test", rules);
        ASSERT_TRUE(loaded.ruleset) << shown(loaded);
        const Program program(*loaded.ruleset);
        Machine machine(program);
        State state = program.catalogue().initial_state();
        Random random(1);
        EXPECT_EQ(static_cast<bool>(machine.run(0, state, random).error), fails) << condition;
    }
}

// A shuffle of bytes journals changes of declared leaves like any other change.
TEST(recognize, a_shuffle_is_noticed) {
    const Target target(R"({
        "types": {"Slot": 5, "Card": ["a", "b", "c", "d", "e"]},
        "shape": {"row": {"$:Slot": "Card"}, "go": "bool"},
        "state": {"row": ["a", "b", "c", "d"], "go": true},
        "rules": {"strategy": "breadth", "rules": [
            {"name": "tell", "salience": 1, "condition": {"row": {"$I": "$C"}}, "action": {"@print": "$I$C"}},
            {"name": "mix", "condition": {"go": {}},
             "action": {"go": "@remove", "@call": {"shuffle": {"of": "row"}}}}]}})");
    const std::string lines = target.run(7);
    ASSERT_TRUE(lines.starts_with("0a 1b 2c 3d ")) << lines;
    // The rules fire again for moved cards, and only for those.
    std::string again = lines.substr(12);
    std::map<std::string, int> cards;
    for (; again.size() >= 3; again = again.substr(3)) {
        EXPECT_NE(again[0] - '0', again[1] - 'a') << lines;
        ++cards[again.substr(1, 1)];
    }
    EXPECT_GE(cards.size(), 2u) << lines;
    for (const auto& [card, times] : cards)
        EXPECT_EQ(times, 1) << card;
}

TEST(recognize, random_picks_every_activation_equally_often) {
    const Target target(R"({"state": {"n": {"a": 1, "b": 1, "c": 1, "d": 2}}, "rules": {
        "strategy": "random", "limit": 1, "rules": [
            {"condition": {"n": {"$X": 1}}, "action": {"@print": "$X"}},
            {"condition": {"n": {"$X": "> 1"}}, "action": {"@print": "$X"}},
            {"salience": -1, "action": {"@print": "low"}}]}})");
    std::map<std::string, int> times;
    constexpr int kRuns = 4000;
    for (int seed = 0; seed < kRuns; ++seed)
        ++times[target.run(static_cast<std::uint64_t>(seed))];
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
        State state = target.program().catalogue().initial_state();
        Random random(1);
        machine.run(0, state, random);
    }
    EXPECT_EQ(lines.all, "a b a b a b ");
}

TEST(recognize, an_error_ends_the_journal) {
    const Target target(R"({"state": {"n": 0}, "rules": {"strategy": "depth", "rules": [
        {"condition": {"n": "$N"}, "action": {"n": "1 / $N"}}]}})");
    Machine machine(target.program());
    State state = target.program().catalogue().initial_state();
    Random random(1);
    EXPECT_TRUE(machine.run(0, state, random).error);
    EXPECT_FALSE(state.has_journal());
}

constexpr const char* kWild =
    R"({"state": {"n": {"a": 1, "b": 2}}, "rules": {"strategy": "depth", "rules": [
    {"name": "some", "condition": {"n": {"$_": "> 1"}}, "action": {"m": 1}}]}})";

TEST(recognize, trace_and_why_do_not_show_hidden_names) {
    const Target target(kWild);
    std::string log;
    Trace trace(target.program().catalogue(), target.sources(), true,
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
    State state = target.program().catalogue().initial_state();
    Random random(1);
    const Why why =
        explain(target.program(), target.program().catalogue().rule_id("some"), state, random);
    ASSERT_EQ(why.matches.size(), 1u);
    EXPECT_TRUE(why.matches[0].empty());
}

} // namespace
} // namespace croupier::engine
