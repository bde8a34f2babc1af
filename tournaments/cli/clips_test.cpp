// croupier clips for its users.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace croupier::cli {
namespace {

constexpr const char* kOldMaid = "games/oldmaid/oldmaid.clp";

class clips_command : public FolderTest {};

TEST_F(clips_command, runs_a_program_from_standard_input) {
    const Ran ran = run_in_process({"clips", "-"}, "(defrule hello => (printout t hello crlf))");
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, "hello\n");
    EXPECT_EQ(ran.err, "");
}

TEST_F(clips_command, the_seed_decides_what_the_random_strategy_does) {
    const auto play = [](const char* seed) {
        return run_in_process({"clips", kOldMaid, "--strategy", "random", "--seed", seed}).out;
    };
    EXPECT_EQ(play("7"), play("7"));
    EXPECT_NE(play("7"), play("8"));
    EXPECT_NE(play("7").find(" loses\n"), std::string::npos);
}

TEST_F(clips_command, games_are_counted_by_their_last_facts) {
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

TEST_F(clips_command, games_do_not_depend_on_the_workers_nor_on_the_games_before) {
    // Facts left behind, names from gensym, and rules made by a game would make a difference.
    const std::string program =
        write("history.clp",
              "(deffacts f (n 0) (go))\n"
              "(defrule up ?f <- (n ?x) (test (< ?x 3)) => (retract ?f) (assert (n (+ ?x (random 1 "
              "2)))))\n"
              "(defrule left (not (go)) => (assert (left)))\n"
              "(defrule name (n ?x&3|4) => (assert (named (gensym) ?x)))\n"
              "(defrule grow (n 4) => (build \"(defrule grown (n 3) => (assert (grown)))\"))\n");
    const auto counts = [&](const char* threads) {
        const Ran ran =
            run_in_process({"clips", program, "--strategy", "random", "--games", "300", "--threads",
                            threads, "--count", "(named $?)", "--count", "(grown)", "--json"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto report = nlohmann::json::parse(ran.out);
        EXPECT_EQ(report["games"], 300);
        return report["counts"];
    };
    const auto alone = counts("1");
    EXPECT_EQ(alone.size(), 2U) << alone;
    EXPECT_EQ(alone["(named gen1 3)"].get<int>() + alone["(named gen1 4)"].get<int>(), 300)
        << alone;
    EXPECT_EQ(counts("3"), alone);
}

TEST_F(clips_command, a_game_that_ends_clips_is_counted_and_the_others_are_played) {
    const std::string program =
        write("crash.clp", "(deffunction deeper (?x) (deeper (+ ?x 1)))\n"
                           "(defrule r (initial-fact) => (if (= (random 1 3) 1) then (deeper 1)))\n"
                           "(defrule s (initial-fact) => (assert (played)))\n");
    const Ran ran = run_in_process(
        {"clips", program, "--games", "12", "--threads", "2", "--count", "(played)", "--json"});
    EXPECT_EQ(ran.code, 1);
    const auto report = nlohmann::json::parse(ran.out);
    EXPECT_EQ(report["games"], 12);
    EXPECT_GT(report["crashed"], 0);
    EXPECT_LT(report["crashed"], 12);
    EXPECT_EQ(report["counts"]["(played)"].get<int>() + report["crashed"].get<int>(), 12);
    EXPECT_NE(ran.err.find("of the games ended CLIPS"), std::string::npos) << ran.err;
}

TEST_F(clips_command, a_pattern_binds_variables_and_finds_slots_in_any_order) {
    const std::string program =
        write("slots.clp",
              "(deftemplate card (slot suit) (slot rank) (multislot seen))\n"
              "(deffacts f (card (suit heart) (rank 7) (seen a b)) (card (suit club) (rank 7))\n"
              "            (pair 1 1) (pair 1 2) (text \"a (b\"))\n");
    const auto counted = [&](const char* pattern) {
        const Ran ran =
            run_in_process({"clips", program, "--games", "1", "--count", pattern, "--json"});
        EXPECT_EQ(ran.code, 0) << ran.err;
        return nlohmann::json::parse(ran.out)["counts"].size();
    };
    EXPECT_EQ(counted("(card (rank 7) (suit ?))"), 2U);
    EXPECT_EQ(counted("(card (seen $? b))"), 1U);
    EXPECT_EQ(counted("(card (rank 8))"), 0U);
    EXPECT_EQ(counted("(pair ?x ?x)"), 1U);
    EXPECT_EQ(counted("(pair $?)"), 2U);
    EXPECT_EQ(counted("(pair ?)"), 0U);
    EXPECT_EQ(counted("(text \"a (b\")"), 1U);
    for (const char* bad : {"(a", "a", "(a))", "(a ?x&~b)", ""})
        EXPECT_EQ(run_in_process({"clips", program, "--games", "1", "--count", bad}).code, 2)
            << bad;
}

TEST_F(clips_command, mistakes_have_places_and_code_2) {
    const Ran ran =
        run_in_process({"clips", "-"}, "(deffacts f (a))\n(defrule r (a) => (prinout t x))");
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("-:2:\n[EXPRNPSR3] Missing function declaration for prinout."),
              std::string::npos)
        << ran.err;
}

TEST_F(clips_command, what_a_program_may_not_have_is_taken_away) {
    const std::string other = path("elsewhere");
    write("elsewhere/secret.txt", "secret\n");
    const std::string program = write(
        "own/outside.clp", "(defrule r (initial-fact) =>\n"
                           " (printout t (open \"" +
                               other +
                               "/secret.txt\" s \"r\") (open \"/etc/passwd\" p) crlf)\n"
                               " (printout t (load \"/etc/passwd\") crlf))\n"
                               "(defrule w (declare (salience -1)) (initial-fact) => (save \"" +
                               other +
                               "/made\"))\n"
                               "(defrule v (declare (salience -2)) (initial-fact) => (open \"" +
                               other + "/made\" m \"w\"))\n");
    const Ran ran = run_in_process({"clips", program});
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out, "FALSEFALSE\nFALSE\n");
    EXPECT_NE(ran.err.find("Function save is taken away from programs."), std::string::npos)
        << ran.err;
    EXPECT_FALSE(std::filesystem::exists(other + "/made"));
}

TEST_F(clips_command, a_limit_tells_where_it_stood) {
    const Ran ran =
        run_in_process({"clips", "-", "--limit", "10"},
                       "(defrule r ?f <- (n ?x) => (retract ?f) (assert (n (+ ?x 1))))\n"
                       "(deffacts f (n 0))");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.err.find("stopped after 10 firings; next: r: f-11"), std::string::npos)
        << ran.err;
}

TEST_F(clips_command, numbers_out_of_range_are_refused) {
    for (const char* option : {"--games", "--limit", "--seed"}) {
        const Ran ran = run_in_process({"clips", kOldMaid, option, "-3"});
        EXPECT_EQ(ran.code, 2) << option;
        EXPECT_NE(ran.err.find(std::string(option) + ": '-3' is not a whole number from "),
                  std::string::npos)
            << ran.err;
    }
}

TEST_F(clips_command, batch_ends_with_the_code_of_exit) {
    const std::string path =
        write("exit.clp", "(printout t a crlf)\n(exit 5)\n(printout t b crlf)\n");
    const Ran ran = run_in_process({"clips", "--batch", path});
    EXPECT_EQ(ran.code, 5);
    EXPECT_EQ(ran.out, "a\n");
}

TEST_F(clips_command, why_suggests_the_rule_that_was_meant) {
    const Ran ran = run_in_process({"clips", kOldMaid, "--why", "losre"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_NE(ran.err.find("did you mean 'loser'?"), std::string::npos) << ran.err;
}

TEST_F(clips_command, why_tells_what_a_rule_waits_for) {
    const std::string program =
        write("why.clp", "(deffacts f (a 1) (a 2) (b 2) (c 3))\n"
                         "(defrule fired (a ?x) (b ?x) (test (> ?x 1)) (not (c ?x)) =>)\n"
                         "(defrule none \"a (comment\" (declare (salience 2)) (a ?x) (d ?x) =>)\n"
                         "(defrule together (a ?x) (c ?x) =>)\n"
                         "(defrule ruled-out (a ?x) (not (c 3)) =>)\n"
                         "(defrule first-not (not (c ?)) (a ?) =>)\n"
                         "(defrule alone (declare (salience 9)) (not (e)) =>)\n"
                         "(defrule waits (declare (salience -1)) (a ?x) =>)\n");
    const auto why = [&](const char* rule) {
        return run_in_process({"clips", program, "--limit", "2", "--why", rule}).out;
    };
    EXPECT_EQ(why("fired"), "fired: it has fired for all that it matches: f-2,f-3,*\n");
    EXPECT_EQ(why("none"), "none: condition 2, (d ?x), matches nothing; the conditions before it "
                           "hold for f-1; f-2\n");
    EXPECT_EQ(why("together"), "together: condition 2, (c ?x), matches none of these, but f-4; the "
                               "conditions before it hold for f-1; f-2\n");
    EXPECT_EQ(why("ruled-out"), "ruled-out: condition 2, (not (c 3)), rules these out by f-4; the "
                                "conditions before it hold for f-1; f-2\n");
    EXPECT_EQ(why("first-not"), "first-not: condition 1, (not (c ?)), rules it out by f-4\n");
    EXPECT_EQ(why("alone"), "alone: it has fired\n");
    EXPECT_EQ(why("waits"), "waits: it fires next, for f-2; f-1\n");
}

TEST_F(clips_command, steps_follow_a_script) {
    const std::string program =
        write("step.clp", "(deffacts f (a 1) (a 2))\n(defrule r (a ?x) => )\n");
    const Ran ran = run_in_process({"clips", program, "--step"},
                                   "agenda\n\nwhy r\nrun\n(printout t (+ 1 2) crlf)\nquit\n");
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("0      r: f-2\n         f-2     (a 2)\n"
                           "0      r: f-1\n         f-1     (a 1)\n2 activations\n"),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("FIRE    1 r: f-2\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("1 fired\nnext:\n0      r: f-1\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("it fires next"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("1 fired\nthe agenda is empty\n3\n"), std::string::npos) << ran.out;
}

TEST_F(clips_command, steps_show_what_changes_and_name_what_is_mistyped) {
    const std::string program =
        write("change.clp", "(deffacts f (n 1))\n"
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

TEST_F(clips_command, a_profile_for_programs_is_all_of_standard_output) {
    const std::string program =
        "(deffacts f (a 1) (a 2) (b 2))\n"
        "(deffunction twice (?x) (* 2 ?x))\n"
        "(defrule r (a ?x) (b ?x) => (printout t \"hit \" (twice ?x) crlf))\n"
        "(defrule s (a ?x) => )\n";
    EXPECT_NE(run_in_process({"clips", "-", "--profile"}, program).out.find("defrule s"),
              std::string::npos);
    const Ran ran = run_in_process({"clips", "-", "--profile", "--json"}, program);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "hit 4\n");
    const auto profile = nlohmann::json::parse(ran.out);
    EXPECT_EQ(profile["firings"], 3);
    std::map<std::string, int> entries;
    for (const auto& one : profile["constructs"]) {
        entries[one["kind"].get<std::string>() + " " + one["name"].get<std::string>()] =
            one["entries"];
        EXPECT_GE(one["total_ns"], one["self_ns"]);
    }
    EXPECT_EQ(entries, (std::map<std::string, int>{
                           {"defrule r", 1}, {"defrule s", 2}, {"deffunction twice", 1}}));
}

TEST_F(clips_command, programs_are_games_for_other_commands) {
    const Ran run = run_in_process({"run", "--game", "games/examples/nim.clp", "--agents",
                                    "random,random", "--games", "100", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Ran again =
        run_in_process({"run", "--game", "games/examples/nim.clp", "--agents", "random,random",
                        "--games", "100", "--threads", "3", "--json"});
    const auto standings = [](const Ran& ran) {
        return nlohmann::json::parse(ran.out)["standings"];
    };
    EXPECT_EQ(standings(run), standings(again));
    // Agents that search on copies are refused, with the reason.
    const Ran refused =
        run_in_process({"run", "--game", "games/examples/nim.clp", "--agents", "mcts,random"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("copied by playing all moves again"), std::string::npos)
        << refused.err;
    EXPECT_NE(run_in_process({"games"}).out.find("as-written.clp"), std::string::npos);
    EXPECT_EQ(run_in_process({"check", "games/examples/nim.clp"}).code, 2);
}

TEST_F(clips_command, json_is_for_what_has_an_answer) {
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--json"}).code, 2);
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--profile", "--json", "--why", "lose"}).code, 2);
    EXPECT_EQ(run_in_process({"clips", kOldMaid, "--profile", "--json", "--step"}).code, 2);
}

} // namespace
} // namespace croupier::cli
