// What `why` reports on rules that do not fire, and on nested rules. The expected texts follow from
// the rules and states below, which are small enough to play through by hand.
#include "engine/explain/why.h"
#include "engine/language/testing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {

namespace {

// Asks why a rule with that condition does not fire on that state.
std::string sentence(const std::string& condition, const std::string& state) {
    const std::string text = R"({"options": {"most": 3},
        "constants": {"suit": {"c7": "club", "d8": "diamond"}},
        "rules": [{"name": "asked", "condition": )" +
                             condition + "}]}";
    const Loaded loaded = load_ruleset_text("test", text);
    if (!loaded.ruleset) return shown(loaded);
    const Program program(*loaded.ruleset);
    Sources sources;
    Diagnostics diagnostics;
    const auto document = read_json(sources, sources.add("state", state), diagnostics);
    State tree = program.catalogue().initial_state();
    if (!document || !program.catalogue().import(tree, *document, diagnostics)) return "no state";
    Random random(1);
    const Why why = explain(program, program.catalogue().rule_id("asked"), tree, random);
    if (why.error) return "error: " + why.error->detail;
    if (!why.furthest) return why.fires() ? "fires" : "nothing";
    const std::string bound = to_text(why.furthest->bound);
    return to_sentence(*why.furthest, loaded.sources) + (bound.empty() ? "" : " [" + bound + "]");
}

// ---- values ------------------------------------------------------------------------------------

TEST(WhyStopped, a_value_is_named_with_its_node_and_with_what_it_should_be) {
    EXPECT_EQ(sentence(R"({"turn": "A"})", R"({"turn": "B"})"), R"(turn is "B", not "A")");
    EXPECT_EQ(sentence(R"({"a": {"n": "> 3"}})", R"({"a": {"n": 2}})"), "a.n is 2, not > 3");
    EXPECT_EQ(sentence(R"({"n": "!= 2"})", R"({"n": 2})"), "n is 2, which it must not be");
    EXPECT_EQ(sentence(R"({"n": "$N", "m": "$N"})", R"({"n": 2, "m": 5})"),
              "m is 5, not 2 [N = 2]");
    EXPECT_EQ(sentence(R"({"n": "$N", "m": "$N * 2"})", R"({"n": 2, "m": 5})"),
              "m is 5, not 4 [N = 2]");
    EXPECT_EQ(sentence(R"({"n": "<= options.most"})", R"({"n": 4})"), "n is 4, not <= 3");
    EXPECT_EQ(sentence(R"({"n": [1, "x"]})", R"({"n": 4})"), R"(n is 4, not 1 or "x")");
    EXPECT_EQ(sentence(R"({"n": "$N:int"})", R"({"n": "x"})"), R"(n is "x", not of type int)");
    EXPECT_EQ(sentence(R"({"n": null})", R"({"n": 0})"), "n is 0, not null");
    EXPECT_EQ(sentence(R"({"suit": {"c7": "heart"}})", "{}"), R"(suit.c7 is "club", not "heart")")
        << "constants are places as all others";
}

TEST(WhyStopped, a_node_that_is_missing_is_named) {
    EXPECT_EQ(sentence(R"({"a": {"b": {"c": 1}}})", R"({"a": {"b": {}}})"), "there is no a.b.c");
    EXPECT_EQ(sentence(R"({"n": "$N", "a": {"$N": 1}})", R"({"n": "x", "a": {}})"),
              "there is no a.x [N = x]");
    EXPECT_EQ(sentence(R"({"n": "$N", "a-{$N}": 1})", R"({"n": 7})"), "there is no a-7 [N = 7]");
    EXPECT_EQ(sentence(R"j({"@path(a.b.c)": 1})j", R"({"a": {}})"), "there is no a.b");
    EXPECT_EQ(sentence(R"({"a": 1})", R"({"a": {"b": 1}})"), "a has no value");
    EXPECT_EQ(sentence(R"({"a": {"$X": 1}})", R"({"a": {}})"), "a has no children");
    EXPECT_EQ(sentence(R"({"a": {"$X:int": {}}})", R"({"a": {"b": 1}})"),
              "no child of a is of type int");
}

TEST(WhyStopped, a_node_that_must_be_absent_is_named_with_its_value) {
    EXPECT_EQ(sentence(R"({"moves": "@absent"})", R"({"moves": {"x": true}})"), "moves is there");
    EXPECT_EQ(sentence(R"({"a": {"$X": {"b": "@absent"}}})", R"({"a": {"x": {"b": 3}}})"),
              "a.x.b is there: 3 [X = x]");
}

TEST(WhyStopped, an_expression_is_shown_with_its_two_sides) {
    EXPECT_EQ(sentence(R"({"a": "$A", "b": "$B", "_": "$A + $B > 40"})", R"({"a": 12, "b": 20})"),
              "`$A + $B > 40` does not hold: 32 > 40 [A = 12, B = 20]");
    EXPECT_EQ(sentence(R"({"a": "$A", "_": "$A > 3 && $A != 5 && $A < 9"})", R"({"a": 5})"),
              "`$A != 5` does not hold: 5 != 5 [A = 5]")
        << "the part that fails";
    EXPECT_EQ(sentence(R"({"a": "$A", "_": "$A < 3 || $A > 9"})", R"({"a": 5})"),
              "`$A < 3 || $A > 9` does not hold [A = 5]");
    EXPECT_EQ(sentence(R"({"a": "$this > 3 && $this < 9"})", R"({"a": 9})"), "a is 9, not < 9");
    EXPECT_EQ(sentence(R"({"a": "$this % 2 == 0"})", R"({"a": 9})"),
              "a is 9: `$this % 2 == 0` does not hold: 1 == 0");
    EXPECT_EQ(sentence(R"({"a": "$A", "_": "$A = 3 + 1"})", R"({"a": 9})"),
              "`$A = 3 + 1` does not hold: 9 == 4 [A = 9]");
}

// ---- inner searches ----------------------------------------------------------------------------

TEST(WhyStopped, not_names_what_is_there) {
    EXPECT_EQ(
        sentence(
            R"({"@not": {"hand": {"$C": {"suit": "heart", "rank": "> 5"}}}})",
            R"({"hand": {"h3": {"suit": "heart", "rank": 3}, "s9": {"suit": "spade", "rank": 9},
                                    "h8": {"suit": "heart", "rank": 8}}})"),
        "a forbidden match exists: hand.h8.rank is 8 with C = h8");
    EXPECT_EQ(
        sentence(R"({"board": {"@not": {"$_": "W"}}})", R"({"board": {"a1": "B", "b2": "W"}})"),
        R"(a forbidden match exists: board.b2 is "W")");
    EXPECT_EQ(
        sentence(R"({"@not": {"a": {"$X": "$N"}, "_": "$N > 2"}})", R"({"a": {"x": 1, "y": 3}})"),
        "a forbidden match exists: X = y, N = 3");
}

TEST(WhyStopped, not_around_a_search_names_what_that_found_or_missed) {
    const std::string hand = R"({"a": {}, "n": 4, "hand": {"s9": "spade", "h2": "heart"}})";
    EXPECT_EQ(sentence(R"({"@not": {"@not": {"hand": {"$C": "club"}}}})", hand),
              R"(nothing there fits; nearest with C = s9: hand.s9 is "spade", not "club")");
    EXPECT_EQ(sentence(R"({"@not": {"@log": true, "@not": {"b": {}}}})", hand),
              "nothing there fits; nearest: there is no b");
    EXPECT_EQ(sentence(R"({"@not": {"a": {"@not": {"b": {}}}}})", hand),
              "a forbidden match exists: a is there, and nothing fits the @not inside; "
              "nearest: there is no a.b");
    EXPECT_EQ(sentence(R"({"@not": {"@not": {"@not": {"hand": {"$C": "heart"}}}}})", hand),
              "nothing there fits; nearest: a forbidden match exists: "
              R"(hand.h2 is "heart" with C = h2)");
    EXPECT_EQ(sentence(R"({"@not": {"@exists": {"hand": {"$C": "heart"}}}})", hand),
              R"(a forbidden match exists: hand.h2 is "heart" with C = h2)");
    EXPECT_EQ(sentence(R"({"@not": {"hand": {"@any": [{"$C": "club"}, {"$D": "heart"}]}}})", hand),
              R"(a forbidden match exists: hand.h2 is "heart" with D = h2)")
        << "C is of the other alternative";
    EXPECT_EQ(sentence(R"({"n": "$N", "@not": {"_": "$N > 2"}})", hand),
              "`$N > 2` holds, which it must not [N = 4]");
    EXPECT_EQ(
        sentence(R"({"@not": {"$X": {"@count": {"of": {"$_": {}}, "into": "> 1"}}}})", hand),
        R"(`"@count": {"of": {"$_": {}}, "into": "> 1"}` holds with X = hand, which it must not)");
    EXPECT_EQ(sentence(R"({"n": {"@not": [3, 4]}})", hand), "a forbidden match exists: n is 4");
}

TEST(WhyStopped, not_inside_an_alternative_names_what_is_there) {
    EXPECT_EQ(sentence(R"({"@any": [{"n": 1}, {"t": "$T", "@not": {
                            "suit": {"$X": "$T"}, "gone": {"$X": "@absent"}}}]})",
                       R"({"n": 2, "t": "club", "gone": {}})"),
              "no alternative holds: n is 2, not 1; nor: a forbidden match exists: "
              "gone.c7 is not there with T = club, X = c7");
}

TEST(WhyStopped, exists_shows_the_nearest_inside) {
    EXPECT_EQ(
        sentence(
            R"({"hand": {"@exists": {"$C": {"suit": "heart", "rank": "> 7"}}}})",
            R"({"hand": {"s9": {"suit": "spade", "rank": 9}, "h3": {"suit": "heart", "rank": 3},
                                    "h6": {"suit": "heart", "rank": 6}}})"),
        "nothing there fits; nearest with C = h6: hand.h6.rank is 6, not > 7");
    EXPECT_EQ(sentence(R"({"hand": {"@exists": {"$_": {}}}})", R"({"hand": {}})"),
              "nothing there fits; nearest: hand has no children");
}

TEST(WhyStopped, unique_shows_the_nearest_or_how_many_there_are) {
    const char* const hearts = R"({"hand": {"@unique": {"$C": {"suit": "heart"}}}})";
    EXPECT_EQ(sentence(hearts, R"({"hand": {"s9": {"suit": "spade"}}})"),
              "nothing there fits; nearest with C = s9: hand.s9.suit is \"spade\", not \"heart\"");
    EXPECT_EQ(sentence(hearts, R"({"hand": {"h3": {"suit": "heart"}, "h4": {"suit": "heart"}}})"),
              "the number of matches is 2, not 1");
    EXPECT_EQ(sentence(R"({"@not": {"hand": {"@unique": {"$C": {"suit": "heart"}}}}})",
                       R"({"hand": {"h3": {"suit": "heart"}}})"),
              "a forbidden match exists: hand.h3.suit is \"heart\" with C = h3");
}

TEST(WhyStopped, forall_names_the_one_that_fails) {
    EXPECT_EQ(
        sentence(
            R"({"@forall": {"of": {"hand": {"$C": {"suit": "heart"}}},
                                       "holds": {"hand": {"$C": {"rank": ">= 7"}}}}})",
            R"({"hand": {"s2": {"suit": "spade", "rank": 2}, "h9": {"suit": "heart", "rank": 9},
                                    "h4": {"suit": "heart", "rank": 4}}})"),
        "it does not hold for C = h4: hand.h4.rank is 4, not >= 7");
}

TEST(WhyStopped, a_count_is_told) {
    const std::string state = R"({"hand": {"s2": 2, "h9": 9, "h4": 4}})";
    EXPECT_EQ(sentence(R"({"hand": {"@count": {"of": {"$_": "> 3"}, "into": 3}}})", state),
              "the count is 2, not 3");
    EXPECT_EQ(sentence(R"({"hand": {"@sum": {"of": {"$_": "$R"}, "value": "$R", "into": "> 20"}}})",
                       state),
              "the sum is 15, not > 20");
    EXPECT_EQ(sentence(R"({"hand": {"@max": {"of": {"$_": "$R"}, "value": "$R", "into": "< 9"}}})",
                       state),
              "the maximum is 9, not < 9");
    EXPECT_EQ(
        sentence(R"({"hand": {"@min": {"of": {"$_": {"x": "$R"}}, "value": "$R", "into": "$M"}}})",
                 state),
        "there is nothing to take the minimum of");
}

TEST(WhyStopped, every_alternative_says_why_not) {
    EXPECT_EQ(
        sentence(R"({"hand": {"$C": {"@any": [{"suit": "heart"}, {"rank": "> 9"}]}}})",
                 R"({"hand": {"s2": {"suit": "spade", "rank": 2}}})"),
        R"(no alternative holds: hand.s2.suit is "spade", not "heart"; nor: hand.s2.rank is 2, not > 9 [C = s2])");
    EXPECT_EQ(sentence(R"({"n": {"@any": [1, "> 9"]}})", R"({"n": 4})"),
              "no alternative holds: n is 4, not 1; nor: n is 4, not > 9");
}

TEST(WhyStopped, an_alternative_knows_nothing_of_what_others_have_bound) {
    EXPECT_EQ(sentence(R"({"@any": [{"a": {"$X": 1}}, {"b": {"$X": 2}}]})",
                       R"({"a": {"p": 3}, "b": {}})"),
              "no alternative holds: a.p is 3, not 1; nor: b has no children");
    EXPECT_EQ(sentence(R"({"@any": [{"a": {"$X": 1}}, {"b": {"$X": 2}}], "c": {"$X": {}}})",
                       R"({"a": {"p": 3}, "b": {"q": 2}, "c": {}})"),
              "there is no c.q [X = q]");
    EXPECT_EQ(sentence(R"({"@not": {"a": {"$X": 1}}, "b": {"$X": 2}})",
                       R"({"a": {"p": 1}, "b": {"q": 2}})"),
              "a forbidden match exists: a.p is 1 with X = p")
        << "before another X is bound";
}

// ---- nearness ----------------------------------------------------------------------------------

TEST(WhyStopped, the_nearest_of_many_is_shown) {
    const std::string state = R"({"d": {"a": 1, "b": 6, "c": 4, "d": -30}})";
    EXPECT_EQ(sentence(R"({"d": {"$X": "> 7"}})", state), "d.b is 6, not > 7 [X = b]");
    EXPECT_EQ(sentence(R"({"d": {"$X": "< -50"}})", state), "d.d is -30, not < -50 [X = d]");
    EXPECT_EQ(sentence(R"({"d": {"$_": 5}})", state), "d.b is 6, not 5");
    EXPECT_EQ(sentence(R"({"d": {"$X": {}, "$Y": "= $X"}})", R"({"d": {"ab": "abd", "cd": "x"}})"),
              R"(d.ab is "abd", not "ab" [X = ab, Y = ab])");
    EXPECT_EQ(sentence(R"({"d": {"$X": {"s": "heart", "r": "> 5", "t": true}}})",
                       R"({"d": {"a": {"s": "spade", "r": 2}, "b": {"s": "club", "r": 9, "t": true},
                                 "c": {"s": "hear", "r": 9}}})"),
              R"(d.b.s is "club", not "heart" [X = b])")
        << "b shares r and t with what is sought";
    EXPECT_EQ(sentence(R"({"d": {"$X": {"m": 1}}})",
                       R"({"d": {"a": {"m": {}}, "b": {}, "c": {"m": 3}}})"),
              "d.c.m is 3, not 1 [X = c]");
}

// ---- rules inside rules ------------------------------------------------------------------------

class WhyInside : public testing::Test {
  protected:
    void load(const char* text) {
        loaded_ = load_ruleset_text("test", text);
        ASSERT_TRUE(loaded_.ruleset) << shown(loaded_);
        program_ = std::make_unique<Program>(*loaded_.ruleset);
    }
    Why why(const char* rule) {
        State state = program_->catalogue().initial_state();
        Random random(1);
        return explain(*program_, program_->catalogue().rule_id(rule), state, random);
    }
    std::string first_line(const Why& why) {
        const std::string text = to_text(why, loaded_.sources);
        return text.substr(0, text.find('\n'));
    }

    Loaded loaded_;
    std::unique_ptr<Program> program_;
};

constexpr const char* kHands = R"({
    "state": {"hand": {"n": {"c1": 5, "c2": 2}, "s": {"c3": 1}, "e": {"c4": 9}}, "least": 3},
    "rules": [
      {"name": "each", "condition": {"least": "$L", "hand": {"$P": {}}},
       "action": {"hand": {"$P": {"@rules": [
           {"name": "drop", "condition": {"$C": "> $L"}, "action": {"$C": "@remove"}},
           {"name": "empty", "condition": {"@not": {"$_": {}}}, "action": {"@root": {"out": {"$P": true}}}}]}}}},
      {"name": "none", "condition": {"hand": {"w": {}}}, "action": [
           {"name": "never", "action": {"x": 1}}], "else": [
           {"name": "instead", "condition": {"least": 4}, "action": {"y": 1}}]},
      {"name": "late", "condition": {"out": {"$P": true}}, "action": {"z": "$P"}}]})";

TEST_F(WhyInside, an_inner_rule_is_asked_in_each_of_its_runs) {
    load(kHands);
    const Why why = this->why("drop");
    ASSERT_EQ(why.matches.size(), 2U) << "n's c1 and e's c4";
    EXPECT_EQ(to_text(why.matches[0]), "L = 3, P = n, C = c1");
    EXPECT_EQ(to_text(why.matches[1]), "L = 3, P = e, C = c4");
    EXPECT_EQ(why.times_run, 3U);
    EXPECT_EQ(why.times_without, 1U);
    ASSERT_EQ(why.runs.size(), 3U);
    ASSERT_TRUE(why.runs[1].stop);
    EXPECT_EQ(to_sentence(*why.runs[1].stop, loaded_.sources), "hand.s.c3 is 1, not > 3");
    EXPECT_EQ(why.entries[0].reached, 3U);
    EXPECT_EQ(why.entries[0].passed, 2U);
    EXPECT_TRUE(first_line(why).ends_with("fires: 2 matches, in 2 of 3 runs inside each"))
        << first_line(why);
    EXPECT_NE(to_text(why, loaded_.sources).find("  with L = 3, P = s: hand.s.c3 is 1, not > 3\n"),
              std::string::npos);
}

TEST_F(WhyInside, what_inner_rules_before_have_done_counts) {
    load(kHands);
    const Why why = this->why("empty");
    ASSERT_EQ(why.matches.size(), 1U) << "e has dropped its only card";
    EXPECT_EQ(to_text(why.matches[0]), "L = 3, P = e");
    ASSERT_TRUE(why.runs[0].stop);
    EXPECT_EQ(to_sentence(*why.runs[0].stop, loaded_.sources),
              "a forbidden match exists: hand.n.c2 is 2");
}

TEST_F(WhyInside, a_rule_that_is_not_run_names_the_rule_around_it) {
    load(kHands);
    const Why never = this->why("never");
    EXPECT_FALSE(never.fires());
    EXPECT_TRUE(first_line(never).ends_with("is not run: none, which contains it, does not fire"));
    ASSERT_TRUE(never.outside && never.outside->stop);
    EXPECT_EQ(to_sentence(*never.outside->stop, loaded_.sources), "there is no hand.w");
    const Why instead = this->why("instead");
    ASSERT_TRUE(instead.furthest);
    EXPECT_EQ(to_sentence(*instead.furthest, loaded_.sources), "least is 3, not 4");
}

TEST_F(WhyInside, a_rule_that_is_not_run_names_an_else_further_out_or_an_error) {
    load(R"({"state": {"n": 0}, "rules": [
        {"name": "zero", "condition": {"n": 0}, "else": [
            {"name": "between", "action": [{"name": "deep", "action": {"m": 1}}]}]},
        {"name": "around", "action": [
            {"name": "bad", "action": {"m": "= 1 / 0"}}, {"name": "behind", "action": {"m": 2}}]}]})");
    EXPECT_TRUE(first_line(why("deep"))
                    .ends_with("is not run: it is in the else of zero, which has a match"))
        << first_line(why("deep"));
    EXPECT_TRUE(first_line(why("behind")).ends_with("behind (test:5:58) is not run"))
        << first_line(why("behind")) << ": the error of bad, which is told below, ends the run";
}

TEST_F(WhyInside, a_rule_sees_what_the_rules_before_it_have_done) {
    load(kHands);
    const Why why = this->why("late");
    EXPECT_TRUE(why.fires());
    ASSERT_TRUE(why.at_first);
    EXPECT_EQ(*why.at_first, 0U) << "no hand is empty in the state as it was";
    EXPECT_EQ(why.before, (std::vector<std::string>{"each"}));
}

TEST_F(WhyInside, only_what_is_bound_there_is_named) {
    load(R"({"state": {"a": {"x": {"n": 1}}, "b": {}, "d": {"y": "text"}}, "rules": [
        {"name": "before", "condition": {"a": {"$X": {"n": 1}}}, "action": {"seen": "$X"}},
        {"name": "empty", "condition": {"b": {"$Y": {}}}},
        {"name": "typed", "condition": {"d": {"$Y": "$M:int"}}}]})");
    ASSERT_TRUE(why("empty").furthest);
    EXPECT_EQ(to_text(why("empty").furthest->bound), "") << "x is of the rule before";
    EXPECT_EQ(to_text(why("typed").furthest->bound), "Y = y") << "M is bound by integers alone";
}

TEST_F(WhyInside, groups_at_once_see_the_state_before_any_of_them_acts) {
    load(R"({"state": {"board": {"a": 1}}, "rules": [{"name": "step", "action": {"@rules": {
        "at_once": true, "rules": [
          {"name": "death", "condition": {"board": {"$C": 1}}, "action": {"board": {"$C": "@remove"}}},
          {"name": "birth", "condition": {"board": {"a": {}, "b": "@absent"}}, "action": {"board": {"b": 1}}}
        ]}}}]})");
    EXPECT_TRUE(why("birth").fires());
    EXPECT_TRUE(why("death").fires());
}

TEST_F(WhyInside, repeated_rounds_are_runs) {
    load(R"({"state": {"n": 0}, "rules": [
        {"name": "up", "condition": {"n": "< 3"}, "repeat": 9, "action": {"n": "$this + 1"}}]})");
    const Why why = this->why("up");
    EXPECT_EQ(why.matches.size(), 3U);
    EXPECT_TRUE(why.fires());
}

TEST_F(WhyInside, an_error_before_the_rule_leaves_the_state_as_it_was_to_ask) {
    load(R"({"state": {"n": 0}, "rules": [
        {"name": "bad", "action": {"m": "= 1 / 0"}}, {"name": "asked", "condition": {"n": 1}}]})");
    const Why why = this->why("asked");
    ASSERT_TRUE(why.group_error);
    EXPECT_EQ(why.group_error->rule, "bad");
    EXPECT_TRUE(why.alone);
    EXPECT_FALSE(why.error);
    ASSERT_TRUE(why.furthest);
    EXPECT_EQ(to_sentence(*why.furthest, loaded_.sources), "n is 0, not 1");
}

} // namespace

// What `why` reports on rules that fire, wait, lose their matches or come too late.

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
        State state = program_->catalogue().initial_state();
        Random random(1);
        return explain(*program_, program_->catalogue().rule_id(rule), state, random);
    }
    // The text from the line on that describes the agenda.
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

// Which rule gives a node which child, and what stops the others.

namespace {

// Following suit, and a rule that takes back what another has given.
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
        State state = program_->catalogue().initial_state();
        Random random(1);
        return explain_children(*program_, program_->catalogue().group_id("moves"), state, random,
                                "moves", child);
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
