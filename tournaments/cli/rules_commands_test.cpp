// croupier check and croupier diff as a user meets them.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace croupier::cli {
namespace {

class RulesCommands : public FolderTest {};

TEST_F(RulesCommands, check_says_what_a_good_file_holds) {
    const std::string good =
        write("good.json", R"({"types": {"T": 2}, "moves": [{"action": {"a": 1}}], "play": []})");
    const Ran ran = run_in_process({"check", good});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, good + ": 2 groups, 1 rule, 1 type\n");
    EXPECT_EQ(ran.err, "");
}

TEST_F(RulesCommands, check_plays_some_random_games) {
    const Ran good = run_in_process({"check", "belote:contest", "games/whist/rules.json"});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_EQ(good.err, "");
    EXPECT_NE(good.out.find("whist/rules.json: "), std::string::npos) << good.out;
    const std::string life = std::filesystem::absolute("games/life/rules.json").string();
    const std::string stays = write("stays.json", R"({"@include": ")" + life + R"(",
        "play": [{"name": "pass-turn", "@remove": true}]})");
    const Ran odd = run_in_process({"check", stays});
    EXPECT_EQ(odd.code, 0);
    EXPECT_NE(odd.err.find("warning[W060"), std::string::npos) << odd.err;
    EXPECT_EQ(run_in_process({"check", "--no-play", stays}).err, "");
    const Ran told = run_in_process({"check", "--json", stays});
    EXPECT_EQ(nlohmann::json::parse(told.out).at(0)["severity"], "warning");
    const Ran unknown = run_in_process({"check", "belot"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("did you mean 'belote'?"), std::string::npos) << unknown.err;
}

TEST_F(RulesCommands, check_refuses_an_option_that_nothing_reads) {
    const std::string belote = std::filesystem::absolute("games/belote/rules.json").string();
    const Ran ran =
        run_in_process({"check", write("r.json", R"({"@include": ")" + belote +
                                                     R"(", "options": {"targt": 5}})")});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("error[E0217]"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("did you mean \"target\"?"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("croupier check: 1 error\n"), std::string::npos) << ran.err;
}

TEST_F(RulesCommands, check_shows_mistakes_with_their_lines) {
    const std::string bad = write("bad.json", "[\n  {\"conditon\": {}, \"action\": {}}\n]\n");
    const Ran ran = run_in_process({"check", bad});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(bad + ":2:4: error[E0301]: a rule has no key \"conditon\""),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("\n       ^~~~~~~~~~\n  hint: did you mean \"condition\"?\n"),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("croupier check: 1 error\n"), std::string::npos) << ran.err;
}

TEST_F(RulesCommands, check_reads_agents_for_their_game) {
    const std::string agent = "agents/rules/belote/counting.json";
    const Ran good = run_in_process({"check", "--agent-of", "belote", agent});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_EQ(good.out, agent + ": for belote\n");
    const Ran other = run_in_process({"check", "--agent-of", "life", agent});
    EXPECT_EQ(other.code, 2);
    const Ran no_evaluator = run_in_process({"check", "--evaluator-of", "belote", agent});
    EXPECT_EQ(no_evaluator.code, 2);
    EXPECT_NE(no_evaluator.err.find("there is no evaluator"), std::string::npos)
        << no_evaluator.err;
    EXPECT_EQ(run_in_process({"check", "--together", "--agent-of", "belote", agent}).code, 2);
}

TEST_F(RulesCommands, check_says_what_other_files_are) {
    const auto told = [](const std::string& file, int code) {
        const Ran ran = run_in_process({"check", file});
        EXPECT_EQ(ran.code, code) << ran.err;
        return ran.out + ran.err;
    };
    const std::string table = "games/subtraction/advice/fours.json";
    const std::string advice = told(table, 2);
    EXPECT_TRUE(contains(advice, "error[E0617]: this is a table of advice, not a game")) << advice;
    EXPECT_TRUE(contains(advice, "check it with: croupier advice " + table + " --game subtraction"))
        << advice;
    EXPECT_TRUE(contains(advice, "croupier check: 1 error\n")) << advice;
    const std::string agent = told("agents/rules/life/greedy.json", 2);
    EXPECT_TRUE(contains(agent, "check it with: croupier check --agent-of life agents/")) << agent;
    const std::string small = told(
        write("a.json", R"({"game": "life", "choose": [{"action": {"prefer": {"a1": 1}}}]})"), 0);
    EXPECT_TRUE(contains(small, ": the rules of an agent; croupier check --agent-of life "))
        << small;
}

TEST_F(RulesCommands, check_strict_knows_what_a_game_needs) {
    const auto told = [&](const std::string& before, const std::string& after) {
        std::string rules = R"({"game": {"name": "pile", "players": ["A", "B"]},
            "types": {"Seat": {"members": ["A", "B"], "order": "cyclic"}, "Take": ["1", "2"]},
            "shape": {"pile": "0..9", "turn": "Seat", "moves": {"$:Take": true}, "move": "Take",
                      "over": "bool", "score": {"$:Seat": "number"}},
            "state": {"turn": "A", "pile": 5},
            "constants": {"take": {"1": 1, "2": 2}},
            "moves": [{"name": "may", "condition": {"pile": "$N", "take": {"$M": "<= $N"}},
                       "action": {"moves": {"$M": true}}}],
            "play": [{"name": "take", "condition": {"move": "$M", "take": {"$M": "$K"}},
                      "action": {"pile": "$this - $K"}},
                     {"name": "pass", "condition": {"turn": "$P", "next": {"$P": "$Q"}},
                      "action": {"turn": "$Q"}},
                     {"name": "last", "condition": {"pile": 0}, "action": {"over": true}}],
            "score": [{"name": "who", "condition": {"turn": "$Q", "next": {"$P": "$Q"}},
                       "action": {"score": {"$P": 1, "$Q": 0}}}]})";
        const std::size_t at = rules.find(before);
        EXPECT_NE(at, std::string::npos) << before;
        rules.replace(at, before.size(), after);
        return run_in_process({"check", "--strict", "--no-play", write("pile.json", rules)}).err;
    };
    EXPECT_EQ(told("score", "score"), "");
    EXPECT_TRUE(contains(told("\"score\": [{\"name\": \"who\"", "\"derive\": [{\"name\": \"who\""),
                         "there is no score"));
    const std::string near = told("{\"over\": true}", "{\"ovr\": true}");
    EXPECT_TRUE(contains(near, "warning[W0605]: \"ovr\" is written and not declared; nothing "
                               "writes \"over\"\n"))
        << near;
    EXPECT_TRUE(contains(near, "did you mean \"over\"?")) << near;
    EXPECT_TRUE(contains(told("\"turn\": \"Seat\"", "\"trun\": \"Seat\""),
                         "\"turn\" is written and not declared; nothing writes \"trun\""));
    EXPECT_TRUE(contains(told("\"action\": {\"score\": {", "\"action\": {\"scor\": {"),
                         "did you mean \"score\"?"));
    EXPECT_TRUE(contains(
        told("\"action\": {\"score\": {\"$P\": 1, \"$Q\": 0}}", "\"action\": {\"pile\": 0}"),
        "warning[W0606]: no rule writes score"));
}

TEST_F(RulesCommands, check_json_is_an_array_of_diagnostics) {
    const std::string bad =
        write("bad.json", R"([{"name": "r", "condition": {"a": "> $B", "c": "$C"}}])");
    const Ran ran = run_in_process({"check", "--json", bad});
    EXPECT_EQ(ran.code, 2);
    const auto all = nlohmann::json::parse(ran.out);
    ASSERT_EQ(all.size(), 1U) << ran.out;
    EXPECT_EQ(all[0]["code"], "E0501");
    EXPECT_EQ(all[0]["file"], bad);
    EXPECT_EQ(all[0]["line"], 1);
    EXPECT_EQ(all[0]["column"], 38);
    EXPECT_EQ(all[0]["rule"], "r");
    EXPECT_EQ(all[0]["severity"], "error");
    EXPECT_EQ(all[0]["hint"], "nothing is bound here yet");
    EXPECT_EQ(all[0]["message"], "the variable $B is used before anything binds it");
    EXPECT_EQ(run_in_process({"check", "--json", write("good.json", "[]")}).out, "[]\n");
}

TEST_F(RulesCommands, check_passes_with_warnings) {
    const Ran ran = run_in_process({"check", write("odd.json", R"([{"condition": {"a": "$A"}}])")});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.err.find("warning[W0001]"), std::string::npos);
}

TEST_F(RulesCommands, check_reads_standard_input_and_missing_files) {
    EXPECT_EQ(run_in_process({"check", "-"}, "[]").out, "<stdin>: 1 group, 0 rules\n");
    const Ran ran = run_in_process({"check", "-"}, "[");
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("<stdin>:1:2: error[E0004]"), std::string::npos) << ran.err;
    const Ran missing = run_in_process({"check", "/nowhere/at.all"});
    EXPECT_EQ(missing.code, 2);
    EXPECT_NE(missing.err.find("error[E0001]"), std::string::npos) << missing.err;
    EXPECT_EQ(run_in_process({"check", "/"}).code, 2);
}

TEST_F(RulesCommands, check_takes_several_files_apart_or_together) {
    const std::string rules = write("rules.json", R"([{"name": "a", "action": {"x": 1}}])");
    const std::string revision =
        write("revision.json", R"([{"name": "b", "after": "a", "action": {"x": 2}}])");
    EXPECT_EQ(run_in_process({"check", rules, revision}).code, 2);
    const Ran together = run_in_process({"check", "--together", rules, revision});
    EXPECT_EQ(together.code, 0) << together.err;
    EXPECT_EQ(together.out, rules + " + " + revision + ": 1 group, 2 rules\n");
}

TEST_F(RulesCommands, diff_lists_rules_entries_and_parts) {
    const std::string before = write("a.json", R"({"options": {"target": 1000}, "moves": [
        {"name": "lead", "condition": {"trick": {"led": "@absent"}}, "action": {"a": 1}},
        {"name": "old", "action": {"a": 1}}]})");
    const std::string after = write("b.json", R"({"options": {"target": 501}, "moves": [
        {"name": "lead", "condition": {"trick": {"led": null}}, "action": {"a": 1}},
        {"name": "new", "action": {"a": 1}}]})");
    const Ran ran = run_in_process({"diff", before, after});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "~ options.target: 1000 -> 501\n"
                       "changed rule lead in moves\n"
                       "    ~ condition.trick.led: \"@absent\" -> null\n"
                       "removed rule old in moves\n"
                       "added rule new in moves\n");
    const auto told = nlohmann::json::parse(run_in_process({"diff", "--json", before, after}).out);
    EXPECT_EQ(told["rules"].size(), 3U);
    EXPECT_EQ(told["rules"][0]["entries"][0]["path"],
              (nlohmann::json{"condition", "trick", "led"}));
    EXPECT_EQ(told["parts"][0]["part"], "options");
    EXPECT_EQ(run_in_process({"diff", before, before}).out, "no difference\n");
}

TEST_F(RulesCommands, diff_lays_a_revision_over_its_ruleset) {
    const std::string rules = write("rules.json", R"([{"name": "a", "action": {"x": 1}}])");
    const std::string revision = write("revision.json", R"([{"name": "a", "@remove": true}])");
    const Ran ran = run_in_process({"diff", "--revision", rules, revision});
    EXPECT_EQ(ran.out, "removed rule a in rules\n") << ran.err;
    EXPECT_EQ(run_in_process({"diff", rules, revision}).code, 2);
}

} // namespace
} // namespace croupier::cli
