// croupier clips as a user meets it.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace croupier::cli {
namespace {

constexpr const char* kOldMaid = "games/oldmaid/oldmaid.clp";

std::string file(const std::string& name, const std::string& text) {
    std::string path = testing::TempDir() + "/croupier_clips_" + name;
    std::ofstream(path) << text;
    return path;
}

TEST(clips_command, runs_a_program_from_standard_input) {
    const Ran ran = run_in_process({"clips", "-"}, "(defrule hello => (printout t hello crlf))");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, "hello\n");
    EXPECT_EQ(ran.err, "");
}

TEST(clips_command, the_seed_decides_what_the_random_strategy_does) {
    const auto play = [](const char* seed) {
        return run_in_process({"clips", kOldMaid, "--strategy", "random", "--seed", seed}).out;
    };
    EXPECT_EQ(play("7"), play("7"));
    EXPECT_NE(play("7"), play("8"));
    EXPECT_NE(play("7").find(" loses\n"), std::string::npos);
}

TEST(clips_command, games_are_counted_by_their_last_facts) {
    const Ran ran = run_in_process({"clips", kOldMaid, "--strategy", "random", "--games", "200",
                                    "--count", "(player ? loses the game)", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto report = nlohmann::json::parse(ran.out);
    EXPECT_EQ(report["games"], 200);
    int losers = 0;
    for (const char* player : {"A", "B", "C", "D"})
        losers +=
            report["counts"][std::string("(player ") + player + " loses the game)"].get<int>();
    EXPECT_EQ(losers, 200);
}

TEST(clips_command, mistakes_have_places_and_code_2) {
    const Ran ran =
        run_in_process({"clips", "-"}, "(deffacts f (a))\n(defrule r (a) => (prinout t x))");
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("-:2:20: error[E0905]"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("did you mean printout?"), std::string::npos) << ran.err;
}

TEST(clips_command, a_limit_tells_where_it_stood) {
    const Ran ran =
        run_in_process({"clips", "-", "--limit", "10"},
                       "(defrule r ?f <- (n ?x) => (retract ?f) (assert (n (+ ?x 1))))\n"
                       "(deffacts f (n 0))");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.err.find("limit reached after 10 firings; next: r: f-11"), std::string::npos)
        << ran.err;
}

TEST(clips_command, numbers_out_of_range_are_refused) {
    for (const char* option : {"--games", "--limit", "--seed"}) {
        const Ran ran = run_in_process({"clips", kOldMaid, option, "-3"});
        EXPECT_EQ(ran.code, 2) << option;
        EXPECT_NE(ran.err.find(std::string(option) + ": '-3' is not a whole number from "),
                  std::string::npos)
            << ran.err;
    }
}

TEST(clips_command, batch_ends_with_the_code_of_exit) {
    const std::string path =
        file("exit.clp", "(printout t a crlf)\n(exit 5)\n(printout t b crlf)\n");
    const Ran ran = run_in_process({"clips", "--batch", path});
    EXPECT_EQ(ran.code, 5);
    EXPECT_EQ(ran.out, "a\n");
}

TEST(clips_command, why_suggests_the_rule_that_was_meant) {
    const Ran ran = run_in_process({"clips", kOldMaid, "--why", "losre"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("did you mean 'loser'?"), std::string::npos) << ran.err;
}

TEST(clips_command, steps_follow_a_script) {
    const std::string program =
        file("step.clp", "(deffacts f (a 1) (a 2))\n(defrule r (a ?x) => )\n");
    const Ran ran = run_in_process({"clips", program, "--step"}, "agenda\n\nwhy r\nrun\nquit\n");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("0      r: f-2\n         f-2     (a 2)\n"
                           "0      r: f-1\n         f-1     (a 1)\n2 activations, depth\n"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("FIRE    1 r: f-2\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("1 fired\nnext:\n0      r: f-1\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("it fires next"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("1 fired\nthe agenda is empty\n"), std::string::npos) << ran.out;
}

TEST(clips_command, steps_show_what_changes_and_name_what_is_mistyped) {
    const std::string program =
        file("change.clp", "(deffacts f (n 1))\n"
                           "(defrule up ?f <- (n ?x) => (retract ?f) (assert (n (+ ?x 1))))\n");
    const Ran ran = run_in_process({"clips", program, "--step"},
                                   "run 2\nfacts n\nfacts m\nrun two\nwhy upp\nnxt\nnext\n");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("<== f-2     (n 2)\n==> f-3     (n 3)\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("f-3     (n 3)\n1 fact\n0 facts\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("'two' is not a number of firings"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("there is no rule 'upp' (did you mean 'up'?)"), std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("unknown command 'nxt' (did you mean 'next'?)"), std::string::npos)
        << ran.out;
}

TEST(clips_command, a_profile_has_a_line_for_each_condition) {
    const Ran ran =
        run_in_process({"clips", "-", "--profile"},
                       "(deffacts f (a 1) (a 2) (b 2))\n(defrule r (a ?x) (b ?x) => )\n");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("\nr: 1, 0, 1, "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\n    (b ?x): "), std::string::npos) << ran.out;
}

TEST(clips_command, a_profile_for_programs_is_all_of_standard_output) {
    const std::string program = "(deffacts f (a 1) (a 2) (b 2))\n"
                                "(defrule r (a ?x) (b ?x) => (printout t \"hit \" ?x crlf))\n"
                                "(defrule s (a ?x) => )\n";
    const Ran ran = run_in_process({"clips", "-", "--profile", "--json"}, program);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "hit 2\n");
    const auto profile = nlohmann::json::parse(ran.out);
    EXPECT_EQ(profile["firings"], 3);
    ASSERT_EQ(profile["rules"].size(), 2U);
    const bool r_first = profile["rules"][0]["rule"] == "r";
    const auto& r = profile["rules"][r_first ? 0 : 1];
    EXPECT_EQ(r["activations"], 1);
    EXPECT_EQ(r["withdrawn"], 0);
    EXPECT_EQ(r["firings"], 1);
    EXPECT_GE(r["match_ns"].get<double>(), 0);
    ASSERT_EQ(r["conditions"].size(), 2U);
    EXPECT_EQ(r["conditions"][0]["shared_by"], 2) << r;
    EXPECT_EQ(r["conditions"][1]["text"], "(b ?x)");
    EXPECT_EQ(r["conditions"][1]["passed"], 1);
    EXPECT_EQ(profile["rules"][r_first ? 1 : 0]["firings"], 2);
}

TEST(clips_command, lint_for_programs_names_places) {
    const std::string program = "(deffacts f (a 1))\n(defrule r (b ?x) => )\n";
    const Ran text = run_in_process({"clips", "-", "--lint"}, program);
    EXPECT_EQ(text.code, 1);
    const Ran ran = run_in_process({"clips", "-", "--lint", "--json"}, program);
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "");
    const auto all = nlohmann::json::parse(ran.out);
    ASSERT_FALSE(all.empty());
    for (const auto& each : all) {
        EXPECT_NE(text.err.find("-:" + std::to_string(each["line"].get<int>()) + ":" +
                                std::to_string(each["column"].get<int>()) + ": warning[" +
                                each["code"].get<std::string>() + "]"),
                  std::string::npos)
            << text.err << each;
        EXPECT_NE(text.err.find(each["message"].get<std::string>()), std::string::npos);
    }
    const Ran good =
        run_in_process({"clips", "-", "--lint", "--json"},
                       "(deffacts f (a 1))\n(defrule r (a ?x) => (printout t ?x crlf))\n");
    EXPECT_EQ(good.code, 0);
    EXPECT_EQ(good.out, "[]\n") << good.err;
    const Ran broken = run_in_process({"clips", "-", "--lint", "--json"}, "(defrule r (a) =>");
    EXPECT_EQ(broken.code, 2);
    EXPECT_EQ(nlohmann::json::parse(broken.out)[0]["severity"], "error");
}

TEST(clips_command, json_is_for_what_has_an_answer) {
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--json"}).code, 2);
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--profile", "--json", "--why", "lose"}).code, 2);
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--profile", "--json", "--step"}).code, 2);
}

} // namespace
} // namespace croupier::cli
