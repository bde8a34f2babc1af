// Facts about rules: numbers, texts, variables, and the readers of options.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "tournaments/runner/run_facts.h"

#include <gtest/gtest.h>

namespace croupier::tournaments {

namespace {

using results::kNothing;
using Names = std::vector<std::string>;
using Uses = std::vector<results::OptionFacts::Use>;

constexpr const char* kRules = R"json({
    "game": {"name": "test", "players": ["A", "B"]},
    "options": {"target": 3, "bonus": 2, "start": 1, "nobody": 0},
    "setup": [
        {"name": "begin", "action": {"n": "= options.start"}}
    ],
    "play": [
        {"name": "grow", "condition": {
            "n": "< options.target",
            "item": {"$X": {"size": "$S"}},
            "@not": {"item": {"$Y": {"size": "> $S"}}},
            "@count": {"of": {"item": {"$Y": {}}}, "into": "$C"},
            "_": "$C > $S"
         }, "action": {"n": "$this + 1"}},
        {"name": "silent", "condition": {"options": {"bonus": "$B"}}}
    ]})json";

class RuleFactsTest : public testing::Test {
  protected:
    RuleFactsTest() {
        loaded_ = engine::load_ruleset_text("rules.json", kRules);
        EXPECT_TRUE(loaded_.ruleset);
        program_ = std::make_unique<engine::Program>(*loaded_.ruleset);
        add_rule_facts(*program_, loaded_.sources, {}, true, facts_);
        add_option_facts(program_->catalogue(), facts_);
    }

    const results::RuleFacts& rule(const std::string& name) {
        return facts_.rules[program_->catalogue().rule_id(name)];
    }

    engine::Loaded loaded_;
    std::unique_ptr<engine::Program> program_;
    results::ProfileFacts facts_;
};

TEST_F(RuleFactsTest, rules_stand_at_their_ids_with_group_and_place) {
    ASSERT_EQ(facts_.rules.size(), program_->catalogue().rules.size());
    EXPECT_EQ(rule("begin").group, "setup");
    EXPECT_EQ(rule("grow").group, "play");
    EXPECT_EQ(rule("grow").place.find("rules.json:8:"), 0u) << rule("grow").place;
    EXPECT_TRUE(rule("grow").acts);
    EXPECT_FALSE(rule("silent").acts);
    EXPECT_TRUE(rule("begin").entries.empty());
}

TEST_F(RuleFactsTest, entries_say_what_they_bind_and_use) {
    const auto& entries = rule("grow").entries;
    ASSERT_GE(entries.size(), 9u);
    EXPECT_TRUE(entries[0].uses.empty());
    EXPECT_EQ(entries[2].text, "\"$X\": {\"size\": \"$S\"}");
    EXPECT_EQ(entries[2].binds, (Names{"X"}));
    EXPECT_EQ(entries[2].depth, 1u);
    EXPECT_EQ(entries[3].binds, (Names{"S"}));
    // Inside @not: $Y is its own, $S comes from before.
    EXPECT_FALSE(entries[4].inverted);
    EXPECT_TRUE(entries[6].inverted);
    EXPECT_EQ(entries[6].binds, (Names{"Y"}));
    EXPECT_EQ(entries[7].uses, (Names{"S"}));
    // The count's $Y is another variable.
    bool again = false;
    for (std::size_t i = 8; i < entries.size(); ++i)
        again = again || entries[i].binds == Names{"Y"};
    EXPECT_TRUE(again);
    EXPECT_EQ(entries.back().uses, (Names{"C", "S"}));
}

TEST_F(RuleFactsTest, options_know_who_looks_at_them) {
    ASSERT_EQ(facts_.options.size(), 4u);
    const std::uint32_t grow = program_->catalogue().rule_id("grow");
    const std::uint32_t silent = program_->catalogue().rule_id("silent");
    EXPECT_EQ(facts_.options[0].name, "target");
    EXPECT_EQ(facts_.options[0].value, "3");
    EXPECT_EQ(facts_.options[0].uses, (Uses{{grow, 0}}));
    EXPECT_EQ(facts_.options[1].uses, (Uses{{silent, 1}}));
    EXPECT_EQ(facts_.options[2].uses, (Uses{{program_->catalogue().rule_id("begin"), kNothing}}));
    EXPECT_TRUE(facts_.options[3].uses.empty());
}

TEST_F(RuleFactsTest, rules_of_agents_come_behind_and_without_entries_where_none_are_watched) {
    const std::size_t own = facts_.rules.size();
    add_rule_facts(*program_, loaded_.sources, 1, false, facts_);
    ASSERT_EQ(facts_.rules.size(), 2 * own);
    EXPECT_EQ(facts_.rules[own].agent, 1u);
    EXPECT_TRUE(facts_.rules[own + 1].entries.empty());
}

} // namespace

} // namespace croupier::tournaments
