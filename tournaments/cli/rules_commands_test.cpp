// croupier check and croupier diff for their users.
#include "engine/api/program.h"
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

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
    EXPECT_TRUE(contains(told("\"shape\"", "\"options\": {\"most\": 2}, \"shape\""),
                         "warning[W0607]: the option most has no doc"));
    EXPECT_EQ(told("\"shape\"", "\"options\": {\"most\": 2}, \"option_values\": {\"most\": "
                                "{\"doc\": \"So many.\"}}, \"shape\""),
              "");
    const std::string walks = told("{\"$:Take\": true}", "\"any\"");
    EXPECT_TRUE(contains(walks, "warning[W0608]: moves is reached node by node: the shape leaves "
                                "open what it holds (rule may)"))
        << walks;
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

// match, apply, why and plan for their users.

namespace {

namespace fs = std::filesystem;

class Rules : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  ("croupier-rules-" +
                   std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::create_directories(folder_);
        state_ = file("state.json", R"({"player": {
            "1": {"gold": 5, "name": "ann", "target": "2"},
            "2": {"gold": 25, "name": "bob"},
            "3": {"gold": 12, "name": "cyd"}}, "z": 1, "a": [1, 2]})");
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& text) {
        const fs::path path = folder_ / name;
        std::ofstream(path) << text;
        return path.string();
    }

    fs::path folder_;
    std::string state_;
};

TEST_F(Rules, match_prints_a_line_for_each_match_in_order) {
    const std::string pattern =
        file("p.json", R"({"player": {"$X": {"gold": "<20", "name": "$NAME"}}})");
    const Ran ran = run_in_process({"match", pattern, state_});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "X = 1, NAME = ann\nX = 3, NAME = cyd\n");
}

TEST_F(Rules, match_as_json_keeps_kinds_and_takes_the_condition_of_a_rule) {
    const Ran ran = run_in_process({"match", "--json", "-", state_},
                                   R"({"condition": {"player": {"$X": {"gold": "$G = $this + 1"}},
                                       "_": "$G > 12"}, "action": {"z": 2}})");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(nlohmann::json::parse(ran.out),
              nlohmann::json::parse(R"([{"X": "2", "G": 26}, {"X": "3", "G": 13}])"));
}

TEST_F(Rules, match_without_variables_or_matches) {
    const std::string yes = file("yes.json", R"({"z": 1})");
    const std::string no = file("no.json", R"({"z": 2})");
    EXPECT_EQ(nlohmann::json::parse(run_in_process({"match", "--json", yes, state_}).out),
              nlohmann::json::parse("[{}]"));
    const Ran none = run_in_process({"match", "--json", no, state_});
    EXPECT_EQ(none.code, 1);
    EXPECT_EQ(nlohmann::json::parse(none.out), nlohmann::json::parse("[]"));
    EXPECT_EQ(run_in_process({"match", no, state_}).out, "");
}

TEST_F(Rules, apply_keeps_the_order_of_keys_and_prints_to_standard_error) {
    const std::string rules = file("r.json", R"([
        {"condition": {"player": {"$X": {"gold": "> 20", "name": "$N"}}},
         "action": {"player": {"$X": {"gold": "$this - 1"}}, "z": "@remove", "rich": "$X",
                    "@print": "$N has {$X + 0}"}}])");
    const Ran ran = run_in_process({"apply", rules, state_});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "bob has 2\n");
    const auto after = nlohmann::ordered_json::parse(ran.out);
    EXPECT_EQ(after.dump(), R"({"player":{"1":{"gold":5,"name":"ann","target":"2"},)"
                            R"("2":{"gold":24,"name":"bob"},"3":{"gold":12,"name":"cyd"}},)"
                            R"("a":[1,2],"rich":"2"})");
}

TEST_F(Rules, apply_asks_which_group_and_suggests_the_nearest) {
    const std::string rules =
        file("r.json", R"({"setup": [{"action": {"z": 7}}], "play": [{"action": {"z": 8}}]})");
    const Ran which = run_in_process({"apply", rules, state_});
    EXPECT_EQ(which.code, 2);
    EXPECT_NE(which.err.find("--group"), std::string::npos) << which.err;
    EXPECT_NE(which.err.find("setup, play"), std::string::npos) << which.err;
    const Ran mistyped = run_in_process({"apply", rules, state_, "--group", "setpu"});
    EXPECT_EQ(mistyped.code, 2);
    EXPECT_NE(mistyped.err.find("did you mean 'setup'"), std::string::npos) << mistyped.err;
    const Ran good = run_in_process({"apply", rules, state_, "--group", "play"});
    EXPECT_EQ(nlohmann::json::parse(good.out)["z"], 8);
}

TEST_F(Rules, apply_runs_agendas_and_shows_their_firings) {
    const std::string rules = file("r.json", R"({"rules": {"strategy": "depth", "rules": [
        {"name": "poor", "condition": {"player": {"$X": {"gold": "< 6"}}},
         "action": {"player": {"$X": {"gold": "$this + 1"}}}},
        {"name": "first", "salience": 5, "condition": {"z": 1}, "action": {"z": 2}}]}})");
    const Ran ran = run_in_process({"apply", rules, state_, "--trace"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto after = nlohmann::json::parse(ran.out);
    EXPECT_EQ(after["player"]["1"]["gold"], 6);
    EXPECT_EQ(after["z"], 2);
    const std::size_t first = ran.err.find("acts\n    z: 1 -> 2");
    const std::size_t poor = ran.err.find("acts with X = 1\n    player.1.gold: 5 -> 6");
    EXPECT_NE(first, std::string::npos) << ran.err;
    EXPECT_NE(poor, std::string::npos) << ran.err;
    EXPECT_LT(first, poor);
    const Ran why = run_in_process({"why", rules, "poor", state_});
    EXPECT_EQ(why.code, 0) << why.err;
    EXPECT_NE(why.out.find("fires: 1 match"), std::string::npos) << why.out;
}

TEST_F(Rules, apply_shows_what_rules_cost) {
    const std::string rules = file("r.json", R"([
        {"name": "poor", "condition": {"player": {"$X": {"gold": "< 20"}}},
         "action": {"poor": {"$X": true}}},
        {"name": "idle", "condition": {"nobody": {}}}])");
    const Ran plain = run_in_process({"apply", rules, state_});
    const Ran ran = run_in_process({"apply", rules, state_, "--profile", "--runs", "10", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(nlohmann::ordered_json::parse(ran.out), nlohmann::ordered_json::parse(plain.out));
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1);
    const auto profile = nlohmann::json::parse(ran.err);
    ASSERT_EQ(profile["rows"].size(), 2u);
    const auto& poor = profile["rows"][0];
    EXPECT_EQ(poor["name"], "poor");
    EXPECT_EQ(poor["tried"], 10);
    EXPECT_EQ(poor["passed"], 10);
    EXPECT_EQ(poor["matches"], 20);
    EXPECT_EQ(poor["firings"], 20);
    EXPECT_EQ(profile["rows"][1]["tried"], 10);
    EXPECT_EQ(profile["rows"][1]["firings"], 0);
    const auto& gold = profile["entries"][2];
    EXPECT_EQ(gold["text"], R"("gold": "< 20")");
    EXPECT_EQ(gold["depth"], 2);
    EXPECT_EQ(gold["tried"], 30);
    EXPECT_EQ(gold["passed"], 20);
    // A busy machine may give few ticks.
    EXPECT_TRUE(profile["times"].contains("ticks")) << profile;

    const Ran shown = run_in_process({"apply", rules, state_, "--profile"});
    EXPECT_NE(shown.err.find("Counts are exact, of 1 run."), std::string::npos) << shown.err;
    EXPECT_NE(shown.err.find("\"gold\": \"< 20\""), std::string::npos) << shown.err;
    const Ran none = run_in_process({"apply", file("none.json", "[]"), state_, "--profile"});
    EXPECT_EQ(none.code, 0);
    EXPECT_NE(none.err.find("There are no rules."), std::string::npos) << none.err;
    EXPECT_EQ(run_in_process({"apply", rules, state_, "--runs", "3"}).code, 2);
}

TEST_F(Rules, apply_is_a_function_of_its_seed) {
    const std::string rules = file("r.json", R"j({"action": {"n": "= random(1000000)"}})j");
    const std::string one = run_in_process({"apply", rules, state_, "--seed", "7"}).out;
    EXPECT_EQ(one, run_in_process({"apply", rules, state_, "--seed", "7"}).out);
    EXPECT_NE(one, run_in_process({"apply", rules, state_, "--seed", "8"}).out);
}

TEST_F(Rules, errors_of_a_run_name_rule_and_place) {
    const std::string rules = file("r.json", R"j([{"name": "half", "condition": {"z": "$Z"},
  "action": {"z": "$this / ($Z - 1)"}}])j");
    const Ran ran = run_in_process({"apply", rules, state_});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    for (const char* part : {"r.json:2:", "half", "division by zero"})
        EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
}

TEST_F(Rules, a_rule_that_explodes_ends_with_the_budgets_error) {
    std::string many = "{";
    for (int i = 0; i < 200; ++i)
        many += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1";
    const std::string state = file("many.json", many + "}");
    const std::string rules =
        file("r.json",
             R"([{"name": "boom", "condition": {"$A": 1, "$B": 1, "$C": 1, "_": "$A != $B"}}])");
    const Ran ran = run_in_process({"apply", rules, state});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("boom"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("budget: matches"), std::string::npos) << ran.err;
}

TEST_F(Rules, deep_nesting_is_a_diagnostic) {
    const Ran ran = run_in_process({"match", "-", state_}, std::string(100'000, '['));
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("error[E0"), std::string::npos) << ran.err.substr(0, 300);
}

TEST_F(Rules, why_tells_programs_what_became_of_a_rule_on_the_agenda) {
    const std::string rules =
        file("agenda.json", R"({"rules": {"strategy": "depth", "limit": 3, "rules": [
        {"name": "up", "salience": 5, "condition": {"n": "$N", "_": "$N < 3"}, "action": {"n": "$N + 1"}},
        {"name": "once", "condition": {"m": {"$M": {}}}, "action": {"done": {"$M": true}}}]}})");
    const std::string state = file("at.json", R"({"n": 1, "m": {"x": 1, "y": 2}})");
    const Ran ran = run_in_process({"why", rules, "once", state, "--json"});
    const auto agenda = nlohmann::json::parse(ran.out)["agenda"];
    EXPECT_EQ(agenda["strategy"], "depth");
    EXPECT_EQ(agenda["firings"], 3);
    EXPECT_EQ(agenda["limit_reached"], true);
    ASSERT_EQ(agenda["fired"].size(), 1U) << ran.out;
    EXPECT_EQ(agenda["fired"][0]["number"], 3);
    EXPECT_EQ(agenda["outranked_by"][0]["rule"], "up");
    EXPECT_EQ(agenda["outranked_by"][0]["times"], 2);
    EXPECT_EQ(agenda["outranked_by"][0]["salience"], 5);
    EXPECT_EQ(agenda["waiting"], 1);
}

TEST_F(Rules, why_names_the_value_that_stopped_the_furthest_match) {
    const std::string rules = file("r.json", R"([{"name": "aim", "condition": {
        "player": {"$X": {"gold": "> 10", "target": "$Y"}}}}])");
    const Ran ran = run_in_process({"why", rules, "aim", state_, "--json"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    const auto why = nlohmann::json::parse(ran.out);
    EXPECT_FALSE(why["fires"].get<bool>());
    EXPECT_EQ(why["entries"][2]["reached"], 3);
    EXPECT_EQ(why["entries"][2]["passed"], 2);
    EXPECT_EQ(why["entries"][3]["reached"], 2);
    EXPECT_EQ(why["entries"][3]["passed"], 0);
    EXPECT_EQ(why["furthest"]["entry"], R"("target": "$Y")");
    EXPECT_EQ(why["furthest"]["bound"]["X"], "2");
    const Ran unknown = run_in_process({"why", rules, "aym", state_});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("did you mean 'aim'"), std::string::npos) << unknown.err;
}

TEST_F(Rules, why_asks_a_rule_inside_others_in_each_of_its_runs) {
    const std::string rules = file("r.json", R"([{"name": "each", "condition": {
        "player": {"$X": {"gold": "$G"}}}, "action": [
            {"name": "poor", "condition": {"_": "$G < 10"}, "action": {"poor": {"$X": true}}}]}])");
    const Ran ran = run_in_process({"why", rules, "poor", state_, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto why = nlohmann::json::parse(ran.out);
    // One of 5, 25 and 12 is below 10.
    EXPECT_EQ(why["matches"], nlohmann::json::parse(R"([{"X": "1", "G": 5}])"));
    EXPECT_EQ(why["times_run"], 3);
    EXPECT_EQ(why["inside"], nlohmann::json::parse(R"(["each"])"));
    EXPECT_EQ(why["runs"][1]["stop"]["says"], "`$G < 10` does not hold: 25 < 10");
    EXPECT_EQ(run_in_process({"why", rules, "rules/each", state_}).code, 0);
}

TEST_F(Rules, why_warns_of_the_rule_that_is_asked_alone) {
    const std::string rules = file("r.json", R"([
        {"name": "one", "condition": {"z": "$A"}}, {"name": "two", "condition": {"z": "$B"}},
        {"name": "three", "condition": {"z": "$C"}}])");
    const Ran ran = run_in_process({"why", rules, "two", state_});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find("nothing uses the variable $B"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find("variable $A"), std::string::npos) << ran.err;
    EXPECT_TRUE(ran.err.ends_with("2 warnings of other rules: croupier check " + rules + '\n'))
        << ran.err;
    const std::string broken = file("b.json", R"([{"name": "two", "condition": {"z": 1}},
        {"name": "bad", "condition": {"_": "$Y > 1"}}])");
    EXPECT_NE(run_in_process({"why", broken, "two", state_}).err.find("error[E"), std::string::npos)
        << "errors are of all";
}

TEST_F(Rules, log_words_switch_the_trace_on_for_one_rule) {
    const std::string rules = file("r.json", R"([
        {"name": "quiet", "condition": {"z": 1}, "action": {"q": 1}},
        {"name": "loud", "@log": true, "condition": {"z": "> 3"}, "else": {"q": 2}}])");
    const Ran ran = run_in_process({"apply", rules, state_});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err.find("quiet"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("rule loud"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("found 1"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("q: 1 -> 2"), std::string::npos) << ran.err;
    const Ran all = run_in_process({"apply", rules, state_, "--trace"});
    EXPECT_NE(all.err.find("rule quiet"), std::string::npos) << all.err;
    EXPECT_EQ(all.out, ran.out);
}

TEST_F(Rules, plan_shows_layout_and_form) {
    const std::string rules = file("r.json", R"({
        "types": {"Card": ["x", "y"]}, "shape": {"hand": {"$:Card": true}, "top": "Card"},
        "rules": [{"name": "same", "condition": {"top": "$T", "hand": {"$T": {}}}}]})");
    const Ran ran = run_in_process({"plan", rules});
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* part :
         {"hand.$Card", "member of Card", "rule same", "$T", "test Present(hand[$T])"})
        EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
}

TEST_F(Rules, plan_shows_the_intermediate_form_after_a_pass) {
    const std::string rules = file("r.json", R"({"groups": {
        "a": [{"name": "one", "condition": {"z": "$_Z"}, "action": {"q": {"@rules": [{"name": "two"}]}}}],
        "b": [{"name": "three", "action": {"r": 1}}]}})");
    const std::vector<std::string> after = {"plan", rules, "--after", "build"};
    const auto shown = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = after;
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run_in_process(words);
        EXPECT_EQ(ran.code, more.empty() || ran.err.empty() ? 0 : 2) << ran.err;
        return ran.out + ran.err;
    };
    const std::string three = "    rule three {\n        yield\n    } do {\n        Inner(@root)\n"
                              "        @root.r = 1\n    }\n";
    const std::string all = shown({});
    EXPECT_EQ(all.rfind("group a {\n", 0), 0U) << all;
    EXPECT_EQ(all.substr(all.find("group b")), "group b {\n" + three + "}\n");
    EXPECT_EQ(shown({"--group", "b"}), "group b {\n" + three + "}\n");
    EXPECT_EQ(shown({"--group", "one/@rules"}),
              "group one/@rules {\n    rule two {\n        yield\n    } do {\n    }\n}\n");
    EXPECT_EQ(shown({"--rule", "two"}), "rule two {\n    yield\n} do {\n}\n");
    EXPECT_NE(shown({"--group", "on/@rules"}).find("did you mean 'one/@rules'?"),
              std::string::npos);
    EXPECT_NE(shown({"--rule", "thre"}).find("did you mean 'three'?"), std::string::npos);
    EXPECT_NE(shown({"--json"}).find("--after excludes --json"), std::string::npos)
        << shown({"--json"});
    const Ran unknown = run_in_process({"plan", rules, "--after", "buid"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("did you mean 'build'?"), std::string::npos) << unknown.err;
    const Ran alone = run_in_process({"plan", rules, "--group", "b"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_NE(alone.err.find("--after"), std::string::npos) << alone.err;
}

TEST_F(Rules, plan_shows_machine_code_with_what_it_comes_from) {
    const std::string rules = file("r.json", R"({
        "types": {"Card": ["x", "y"]}, "shape": {"hand": {"$:Card": true}, "top": "Card"},
        "rules": [{"name": "same", "condition": {"top": "$T", "hand": {"$T": {}}}},
                  {"name": "drop", "action": {"top": "@remove"}}]})");
    const Ran ran = run_in_process({"plan", rules, "--asm", "--rule", "drop"});
    if (!engine::runs_machine_code()) {
        EXPECT_NE(ran.err.find("there is no machine code here"), std::string::npos) << ran.err;
        return;
    }
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("; rule drop {")) << ran.out;
    EXPECT_NE(ran.out.find("; erase top"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("    mov "), std::string::npos) << ran.out;
    const Ran both = run_in_process({"plan", rules, "--asm"});
    EXPECT_LT(both.out.find("; rule same {"), both.out.find("; rule drop {")) << both.out;
    EXPECT_EQ(run_in_process({"plan", rules, "--asm", "--after", "fold"}).code, 2);
    EXPECT_EQ(run_in_process({"plan", rules, "--asm", "--json"}).code, 2);
}

TEST_F(Rules, plan_lists_passes) {
    const Ran ran = run_in_process({"plan", "--passes"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(
        ran.out.starts_with("build        rules as they are written, in their general way\n"))
        << ran.out;
    EXPECT_NE(ran.out.find("\nresolve "), std::string::npos) << ran.out;
    EXPECT_LT(ran.out.find("\ntabulate "), ran.out.find("\nsets ")) << ran.out;
    const Ran none = run_in_process({"plan"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("RULES is missing"), std::string::npos) << none.err;
}

TEST_F(Rules, relations_too_large_for_a_table_hold_where_they_hold) {
    const std::string near = file("near.json", R"({
        "types": {"Cell": {"grid": [19, 19], "near": "king"}}, "shape": {"c": "Cell", "d": "Cell"},
        "rules": [{"condition": {"c": "$C", "d": "$D", "near": {"$C": {"$D": true}}},
                   "action": {"hit": true}}]})");
    const Ran beside = run_in_process({"apply", near, "-"}, R"({"c": "a1", "d": "b2"})");
    EXPECT_TRUE(nlohmann::json::parse(beside.out).contains("hit")) << beside.out;
    const Ran far = run_in_process({"apply", near, "-"}, R"({"c": "s19", "d": "b2"})");
    EXPECT_FALSE(nlohmann::json::parse(far.out).contains("hit")) << far.out;
}

TEST_F(Rules, a_state_that_names_a_constant_is_refused) {
    const std::string rules =
        file("r.json", R"({"constants": {"z": 3}, "rules": [{"action": {"q": 1}}]})");
    const Ran ran = run_in_process({"apply", rules, state_});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("E0411"), std::string::npos) << ran.err;
}

} // namespace

} // namespace croupier::cli
