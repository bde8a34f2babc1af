// The state of a group between two firings, and the nodes its matches stand on.
#include "engine/explain/stepping.h"

#include "engine/language/testing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {
namespace {

constexpr const char* kSteppedRules = R"({
    "state": {"hand": {"7S": 7, "9H": 9}, "sum": 0, "low": 5},
    "play": [
        {"name": "idle", "condition": {"sum": 0}},
        {"name": "add", "condition": {"hand": {"$C": "$N"}, "sum": "$S"},
         "action": {"sum": "$S + $N", "seen": {"$C": true}}},
        {"name": "done", "condition": {"sum": "> 0"}, "action": {"over": true}},
        {"name": "never", "condition": {"low": 6}, "action": {"low": 0}, "else": {"low": 4}}],
    "agenda": {"strategy": "depth", "rules": [
        {"name": "small", "condition": {"hand": {"$C": "$N"}, "_": "$N < 8"},
         "action": {"hand": {"$C": "@remove"}}},
        {"name": "large", "salience": 5, "condition": {"hand": {"$C": "$N"}},
         "action": {"hand": {"$C": "@remove"}}}]}})";

class Stepping : public testing::Test {
  protected:
    Stepping() : loaded_(load_ruleset_text("test", kSteppedRules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }
    Stand after(std::uint64_t firings, std::vector<RuleId> until = {}, const char* group = "play") {
        state_ = std::make_unique<State>(program_->catalogue().initial_state());
        return stand_after(*program_, program_->catalogue().group_id(group), *state_, Random(1),
                           firings, until, {});
    }
    std::string name(const Stand& stand) const {
        return stand.next ? program_->catalogue().rules[stand.next->rule].name : "";
    }
    std::string sum() const {
        const Document all = state_->export_document();
        return scalar_json(all.find("sum")->value.scalar);
    }

    Loaded loaded_;
    std::unique_ptr<Program> program_;
    std::unique_ptr<State> state_;
};

TEST_F(Stepping, each_firing_is_told_before_it_is_made) {
    Stand stand = after(0);
    EXPECT_EQ(name(stand), "add") << "a rule without an action does not fire";
    EXPECT_EQ(to_text(stand.next->match), "C = 7S, N = 7, S = 0");
    EXPECT_EQ(sum(), "0");
    stand = after(1);
    EXPECT_EQ(stand.firings, 1U);
    EXPECT_EQ(to_text(stand.next->match), "C = 9H, N = 9, S = 0");
    EXPECT_EQ(sum(), "7");
    stand = after(3);
    EXPECT_EQ(name(stand), "never");
    EXPECT_TRUE(stand.next->otherwise);
    EXPECT_FALSE(stand.ended);
}

TEST_F(Stepping, the_end_is_the_end_however_many_are_asked_for) {
    for (const std::uint64_t firings : {4, 5, 1000}) {
        const Stand stand = after(firings);
        EXPECT_EQ(stand.firings, 4U);
        EXPECT_TRUE(stand.ended);
        EXPECT_FALSE(stand.next);
        EXPECT_FALSE(stand.error);
    }
}

TEST_F(Stepping, a_breakpoint_stops_before_its_rule_and_lets_it_go_on) {
    const RuleId done = program_->catalogue().rule_id("done");
    Stand stand = after(0, {done});
    EXPECT_EQ(stand.firings, 2U);
    EXPECT_EQ(name(stand), "done");
    stand = after(2, {done});
    EXPECT_TRUE(stand.ended) << "it is not stopped at again";
}

TEST_F(Stepping, an_agenda_lists_what_waits) {
    const Stand stand = after(0, {}, "agenda");
    EXPECT_EQ(name(stand), "large");
    ASSERT_EQ(stand.agenda.size(), 3U);
    EXPECT_EQ(stand.agenda[0].rule, program_->catalogue().rule_id("small"));
    EXPECT_EQ(stand.agenda[2].salience, 5);
}

TEST_F(Stepping, matches_stand_on_nodes) {
    State state = program_->catalogue().initial_state();
    const Standing standing =
        standing_matches(*program_, program_->catalogue().rule_id("add"), state, Random(1), 10, {});
    ASSERT_EQ(standing.count, 2U);
    EXPECT_EQ(standing.matches[1].nodes, (std::vector<std::string>{"hand", "hand.9H", "sum"}));
}

} // namespace
} // namespace croupier::engine
