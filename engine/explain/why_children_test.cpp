// Which rule has given a node which child, and what kept the others from it.
#include "engine/explain/why_children.h"

#include "engine/lang/testing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {
namespace {

// To follow suit, and a rule that takes back what another has given.
constexpr const char* kFollow = R"({
    "constants": {"suit": {"7S": "S", "8S": "S", "7H": "H", "9H": "H"}},
    "state": {"led": "S", "hand": {"7S": true, "7H": true, "9H": true, "8S": true}},
    "moves": [
        {"name": "lead", "condition": {"led": "@absent", "hand": {"$C": true}},
         "action": {"moves": {"$C": true}}},
        {"name": "follow", "condition": {"led": "$L", "hand": {"$C": true}, "suit": {"$C": "$L"}},
         "action": {"moves": {"$C": true}}},
        {"name": "not-seven", "condition": {"moves": {"7S": true}},
         "action": {"moves": {"7S": "@remove"}}},
        {"name": "any", "condition": {"moves": "@absent", "hand": {"$C": true}},
         "action": {"moves": {"$C": true}}}]})";

class WhyChildrenOf : public testing::Test {
  protected:
    WhyChildrenOf() : loaded_(load_ruleset_text("test", kFollow)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }
    WhyChildren why(const char* child) {
        State state = program_->initial_state();
        Random random(1);
        return explain_children(*program_, program_->group_id("moves"), state, random, "moves",
                                child);
    }
    std::string entry(const ChildrenGiven& rule) {
        return rule.stop ? excerpt(loaded_.sources, rule.stop->span) : "";
    }

    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

TEST_F(WhyChildrenOf, rules_have_given_and_taken) {
    const WhyChildren why = this->why("");
    ASSERT_EQ(why.rules.size(), 4U);
    EXPECT_EQ(entry(why.rules[0]), R"("led": "@absent")");
    EXPECT_TRUE(why.rules[0].added.empty());
    EXPECT_EQ(why.rules[1].added, (std::vector<std::string>{"7S", "8S"}));
    EXPECT_FALSE(why.rules[1].stop) << "it has fired";
    EXPECT_EQ(why.rules[2].removed, (std::vector<std::string>{"7S"}));
    EXPECT_EQ(entry(why.rules[3]), R"("moves": "@absent")");
}

TEST_F(WhyChildrenOf, a_child_that_is_missing_is_followed_through_the_conditions) {
    const WhyChildren why = this->why("9H");
    EXPECT_FALSE(why.rules[0].about) << "it never came to a card";
    ASSERT_TRUE(why.rules[1].about);
    EXPECT_EQ(entry(why.rules[1]), R"("$C": "$L")");
    EXPECT_EQ(why.rules[1].stop->found, Scalar(std::string("H")));
    EXPECT_EQ(why.rules[1].added.size(), 2U) << "and what it has given besides";
    const WhyChildren given = this->why("8S");
    EXPECT_FALSE(given.rules[1].about) << "it was given";
}

} // namespace
} // namespace croupier::engine
