// What `why` says of rules that fire, wait, lose their matches and come too late.
#include "engine/explain/why_agenda.h"

#include "engine/lang/testing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {
namespace {

constexpr const char* kTasks = R"({
    "state": {"n": 0, "task": {"a": {"due": 3}, "b": {"due": 1}}},
    "rules": {"strategy": "depth", "limit": 4, "rules": [
        {"name": "work", "condition": {"task": {"$T": {"due": "$D"}}, "_": "$D > 0"},
         "action": {"task": {"$T": {"due": "$D - 1"}}}},
        {"name": "stop", "salience": 10, "condition": {"task": {"$T": {"due": 0}}},
         "action": {"task": {"$T": "@remove"}}},
        {"name": "note", "salience": -1, "condition": {"task": {"$T": {"due": "$D"}}},
         "action": {"@print": "$T $D"}},
        {"name": "again", "condition": {"task": {"$T": {"due": "$D"}}, "_": "$D > 2"},
         "action": {"@print": "$T $D"}},
        {"name": "begin", "salience": 50, "condition": {"n": 0}, "action": {"begun": true}},
        {"name": "never", "condition": {"task": {"$_": {"due": "> 7"}}}, "action": {"n": 1}}]}})";

class WhyAgenda : public testing::Test {
  protected:
    WhyAgenda() : loaded_(load_ruleset_text("test", kTasks)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }
    Why why(const char* rule) {
        State state = program_->initial_state();
        Random random(1);
        return explain(*program_, program_->rule_id(rule), state, random);
    }
    // From the line on that speaks of the agenda.
    std::string text(const char* rule) {
        const std::string all = to_text(why(rule), loaded_.sources);
        return all.substr(all.find("the agenda group"));
    }

  private:
    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

TEST_F(WhyAgenda, firings_are_numbered_and_the_limit_leaves_a_match) {
    const Why why = this->why("work");
    ASSERT_TRUE(why.agenda);
    EXPECT_TRUE(why.fires());
    ASSERT_EQ(why.agenda->fired.size(), 3U);
    EXPECT_EQ(why.agenda->fired[0].number, 2U);
    EXPECT_TRUE(why.agenda->limit_reached);
    EXPECT_EQ(text("work"),
              "the agenda group rules (depth), run from this state: 4 firings, which is its limit\n"
              "  fired as number 2: T = a, D = 3\n"
              "  fired as number 3: T = a, D = 2\n"
              "  fired as number 4: T = a, D = 1\n"
              "  outranked once by begin, salience 50 against 0\n"
              "  1 match still waiting when the limit was reached\n");
}

TEST_F(WhyAgenda, what_outranks_a_rule_may_take_its_matches_away) {
    EXPECT_FALSE(why("note").fires());
    EXPECT_EQ(text("note"),
              "the agenda group rules (depth), run from this state: 4 firings, which is its limit\n"
              "  this rule did not fire\n"
              "  outranked once by begin, salience 50 against -1\n"
              "  outranked 3 times by work, salience 0 against -1\n"
              "  3 matches removed by work before its turn, first by firing 2\n"
              "  2 matches still waiting when the limit was reached\n");
}

TEST_F(WhyAgenda, equal_saliences_are_for_the_strategy) {
    EXPECT_EQ(text("again"),
              "the agenda group rules (depth), run from this state: 4 firings, which is its limit\n"
              "  this rule did not fire\n"
              "  outranked once by begin, salience 50 against 0\n"
              "  outranked once by work, by the strategy depth\n"
              "  1 match removed by work before its turn, first by firing 2\n");
}

TEST_F(WhyAgenda, a_match_that_has_fired_does_not_fire_again) {
    EXPECT_EQ(text("begin"),
              "the agenda group rules (depth), run from this state: 4 firings, which is its limit\n"
              "  fired as number 1\n"
              "  fired already: 1 match at the end, not to fire again while it holds\n");
}

TEST_F(WhyAgenda, the_nearest_miss_is_shown_before) {
    const Why why = this->why("never");
    ASSERT_TRUE(why.furthest);
    ASSERT_TRUE(why.furthest->found);
    EXPECT_EQ(std::get<std::int64_t>(*why.furthest->found), 3);
    EXPECT_EQ(why.agenda->fired.size(), 0U);
    EXPECT_EQ(why.agenda->waiting, 0U);
}

} // namespace
} // namespace croupier::engine
