// Rules that put what they find into a set, all at once by machine code and one by one without it.
#include "engine/emit/code.h"
#include "engine/emit/testing.h"
#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/lang/reader.h"
#include "engine/run/interpreter.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

namespace croupier::engine {
namespace {

// Seventy cards, which are two words of rows; as moves they stand behind two others.
std::string names(const std::string& first) {
    std::string all = first;
    for (int i = 0; i < 70; ++i) {
        all += (all.empty() ? "\"c" : ", \"c") + std::to_string(i) + "\"";
    }
    return "[" + all + "]";
}

constexpr const char* kFollowSuit = R"({
    "name": "follow", "condition": {"moves": "@absent", "led": "$L", "hand": {"$C": true},
                                    "red": {"$C": "$L"}},
    "action": {"moves": {"$C": true}}
})";
constexpr const char* kAnyCard = R"({
    "name": "any", "condition": {"moves": "@absent", "hand": {"$C": true}},
    "action": {"moves": {"$C": true}}
})";
constexpr const char* kOnceMore = R"({
    "name": "once-more", "condition": {"moves": "@absent", "hand": {"$C": true}},
    "action": {"moves": {"$C": true}}
})";

class Play {
  public:
    explicit Play(const std::string& rules)
        : loaded_(load_ruleset_text("play", R"({"types": {"Card": )" + names("") + R"(, "Move": )" +
                                                names(R"("pass", "show")") +
                                                R"(}, "constants": {"red": {"c1": true,
                "c63": true, "c64": true}}, "shape": {"hand": {"$:Card": true},
                "moves": {"$:Move": true}, "led": "bool", "n": "int"}, "moves": [)" +
                                                rules + "]}")),
          catalogue_(*loaded_.ruleset), module_(ir::build(catalogue_)) {
        for (const ir::Pass& pass : ir::passes()) {
            for (ir::Function& function : module_->functions) {
                pass.run(*module_, function);
            }
        }
        code_ = emit::emit(*module_);
    }

    Made run(const std::string& from, const Budgets& budgets = {}) {
        Made walked = run_by(nullptr, from, budgets);
        if (code_ != nullptr) {
            EXPECT_EQ(run_by(code_.get(), from, budgets), walked) << "by machine code";
        }
        return walked;
    }

  private:
    Made run_by(const emit::Code* code, const std::string& from, const Budgets& budgets) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", from), diagnostics);
        State state = catalogue_.initial_state();
        EXPECT_TRUE(document && catalogue_.import(state, *document, diagnostics)) << from;
        Interpreter interpreter(*module_, budgets, code);
        Random random(1);
        const RunResult result = interpreter.run(catalogue_.group_id("moves"), state, random);
        Made made;
        made.state = write_json(state.export_document(), -1);
        made.add(result);
        return made;
    }

    Loaded loaded_;
    Catalogue catalogue_;
    std::unique_ptr<ir::Module> module_;
    std::shared_ptr<const emit::Code> code_;
};

TEST(images, rows_of_all_words_come_to_be) {
    Play play(kAnyCard);
    const Made made = play.run(
        R"({"hand": {"c0": true, "c61": true, "c62": true, "c63": true, "c64": true, "c69": true}})");
    EXPECT_EQ(made.state,
              R"({"hand":{"c0":true,"c61":true,"c62":true,"c63":true,"c64":true,"c69":true},)"
              R"("moves":{"c0":true,"c61":true,"c62":true,"c63":true,"c64":true,"c69":true}})");
    EXPECT_EQ(made.matches, 6u);
    EXPECT_EQ(made.firings, 6u);
}

TEST(images, nothing_found_makes_nothing) {
    Play play(kAnyCard);
    EXPECT_EQ(play.run(R"({"hand": {}})").state, R"({"hand":{}})");
    EXPECT_EQ(play.run("{}").state, "{}");
    Play otherwise(R"({"condition": {"hand": {"$C": true}}, "action": {"moves": {"$C": true}},
                       "else": {"moves": {"pass": true}}})");
    EXPECT_EQ(otherwise.run(R"({"hand": {}})").state, R"({"hand":{},"moves":{"pass":true}})");
    EXPECT_EQ(otherwise.run(R"({"hand": {"c3": true}})").state,
              R"({"hand":{"c3":true},"moves":{"c3":true}})");
}

TEST(images, rows_are_added_to_those_that_are_there) {
    Play play(R"({"condition": {"hand": {"$C": true}}, "action": {"moves": {"$C": true}}})");
    EXPECT_EQ(
        play.run(R"({"n": 1, "moves": {"show": true, "c4": true}, "hand": {"c3": true}})").state,
        R"({"n":1,"moves":{"show":true,"c3":true,"c4":true},"hand":{"c3":true}})");
}

// One that has matched leaves out those that are for where there are no moves, and no others.
TEST(images, rules_behind_a_match_are_left_out_if_they_cannot_match) {
    const std::string count =
        R"({"name": "count", "condition": {"moves": {"$M": true}}, "action": {"n": "$this + 1"}})";
    const std::string otherwise =
        R"({"name": "other", "condition": {"moves": "@absent"}, "action": {"n": 7}, "else": {"n": 3}})";
    Play play(std::string(kFollowSuit) + "," + kAnyCard + "," + otherwise + "," + kOnceMore + "," +
              count);
    EXPECT_EQ(play.run(R"({"led": true, "hand": {"c1": true, "c2": true, "c64": true}})").state,
              R"({"led":true,"hand":{"c1":true,"c2":true,"c64":true},)"
              R"("moves":{"c1":true,"c64":true},"n":5})");
    EXPECT_EQ(play.run(R"({"led": true, "hand": {"c2": true}})").state,
              R"({"led":true,"hand":{"c2":true},"moves":{"c2":true},"n":4})");
    EXPECT_EQ(play.run(R"({"hand": {}})").state, R"({"hand":{},"n":7})");
}

TEST(images, bounds_end_a_run_in_the_middle) {
    Play play(kAnyCard);
    const std::string from = R"({"hand": {"c0": true, "c1": true, "c69": true}})";
    Budgets budgets;
    budgets.firings = 2;
    const Made fired = play.run(from, budgets);
    EXPECT_EQ(fired.error, "budget: firings in any");
    EXPECT_EQ(fired.state,
              R"({"hand":{"c0":true,"c1":true,"c69":true},"moves":{"c0":true,"c1":true}})");
    budgets = {};
    budgets.matches_per_rule = 2;
    const Made matched = play.run(from, budgets);
    EXPECT_EQ(matched.error, "budget: matches in any");
    EXPECT_EQ(matched.state, R"({"hand":{"c0":true,"c1":true,"c69":true}})");
    budgets.matches_per_rule = 3;
    budgets.firings = 3;
    EXPECT_EQ(play.run(from, budgets).error, "");
}

// Three rules ask for `led` before anything else: where it is what none of them takes, they are
// left out together, and what stands around them is not.
TEST(guards, rules_that_all_fail_are_left_out_together) {
    const auto rule = [](const std::string& name, const std::string& condition,
                         const std::string& action) {
        return R"({"name": ")" + name + R"(", "condition": {)" + condition + R"(}, "action": {)" +
               action + "}}";
    };
    const std::string first = rule("first", R"("led": "@absent")", R"("n": "$this + 1")");
    const std::string a = rule("a", R"("led": true, "hand": {"c1": true})", R"("n": "$this + 10")");
    const std::string b = rule("b", R"("led": true)", R"("n": "$this + 100", "led": false)");
    const std::string c = rule("c", R"("led": false)", R"("n": "$this + 1000")");
    const std::string last = rule("last", R"("hand": {"c2": true})", R"("n": "$this + 10000")");
    Play play(first + "," + a + "," + b + "," + c + "," + last);
    EXPECT_EQ(play.run(R"({"n": 0, "hand": {"c1": true, "c2": true}})").state,
              R"({"n":10001,"hand":{"c1":true,"c2":true}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": true, "hand": {"c1": true}})").state,
              R"({"n":1110,"led":false,"hand":{"c1":true}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": false, "hand": {"c2": true}})").state,
              R"({"n":11000,"led":false,"hand":{"c2":true}})");
}

// The second of them acts where it does not match.
TEST(guards, rules_with_something_else_to_do_are_not_left_out) {
    Play play(R"({"condition": {"led": true}, "action": {"n": 1}},
                 {"condition": {"led": true}, "action": {"n": 2}, "else": {"n": 3}},
                 {"condition": {"led": true}, "action": {"n": "$this + 4"}},
                 {"condition": {"led": true}, "action": {"n": "$this + 8"}},
                 {"condition": {"led": true}, "action": {"n": "$this + 16"}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": false})").state, R"({"n":3,"led":false})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": true})").state, R"({"n":30,"led":true})");
    EXPECT_EQ(play.run(R"({"n": 0})").state, R"({"n":3})");
}

} // namespace
} // namespace croupier::engine
