// croupier advice for its users: explaining one position, verifying all positions, and errors in
// tables.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace croupier::cli {
namespace {

using nlohmann::json;

class AdviceCommand : public FolderTest {
  protected:
    static Ran advice(std::vector<std::string> arguments, const std::string& input = "") {
        arguments.insert(arguments.begin(), "advice");
        return run_in_process(arguments, input);
    }
    static json advice_json(std::vector<std::string> arguments, const std::string& input = "") {
        arguments.emplace_back("--json");
        const Ran ran = advice(std::move(arguments), input);
        EXPECT_EQ(ran.err, "");
        return json::parse(ran.out);
    }
    // For the subtraction game: takes as much as possible, without knowledge.
    std::string ignorant() const {
        return write("ignorant.json", R"({
            "game": "subtraction",
            "define": {"theirs": {"us": "$U", "turn": "!= $U"}},
            "rules": [{"name": "always", "if": "true", "try": ["wait"]}],
            "advice": {"wait": {"goal": "theirs", "them": "none"}}
        })");
    }
    // A table for krk with one piece of advice, under one rule.
    std::string krk(const std::string& condition, const std::string& parts) const {
        return write("krk.json", R"({"game": "krk", "define": {"mate": {"end": "mate"}},
            "rules": [{"name": "only", "if": ")" +
                                     condition + R"(", "try": ["win"]}],
            "advice": {"win": )" + parts +
                                     "}}");
    }
};

constexpr const char* kMateInOne =
    R"({"wk": {"x": 7, "y": 6}, "wr": {"x": 1, "y": 1}, "bk": {"x": 8, "y": 8}})";

TEST_F(AdviceCommand, explains_a_position_as_text_and_as_json) {
    const Ran text = advice({"fixed", "--game", "krk", "--state", "-"}, kMateInOne);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_EQ(text.out, "rule edge_rule\n"
                        "advice mate_in_2 (6 nodes)\n"
                        "tree Kg6f7 {kh8h7 Ra1h1 *}\n"
                        "6 nodes in all\n");
    const json same = advice_json({"fixed", "--game", "krk", "--state", "-"}, kMateInOne);
    EXPECT_EQ(same, (json{{"rule", "edge_rule"},
                          {"advice", "mate_in_2"},
                          {"nodes", 6},
                          {"tree", "Kg6f7 {kh8h7 Ra1h1 *}"},
                          {"tried", json::array()}}));
}

TEST_F(AdviceCommand, explains_positions_of_the_other_games) {
    const Ran piles = advice({"fours", "--game", "subtraction", "--set", "pile=8"});
    EXPECT_EQ(piles.code, 0) << piles.err;
    EXPECT_EQ(piles.out,
              "rule always\n"
              "not leave_fours (4 nodes), after 1, at depth 1: the goal is missed, fours does not "
              "hold\n"
              "advice wait (2 nodes)\n"
              "tree 1 *\n"
              "6 nodes in all\n");
    // The kings are opposed, and the pawn loses a move.
    const std::string opposed =
        R"({"wk": {"x": 5, "y": 6}, "wp": {"x": 5, "y": 4}, "bk": {"x": 5, "y": 8}})";
    const json key = advice_json({"keys", "--game", "kpk", "--state", "-"}, opposed);
    EXPECT_EQ(key["rule"], "contested");
    EXPECT_EQ(key["advice"], "step_in_1");
    EXPECT_EQ(key["tree"], "Pe4e5 *");
    EXPECT_EQ(key["tried"][0]["advice"], "promote_in_1");
    EXPECT_EQ(key["tried"][0]["why"],
              "after Pe4e5, at depth 1: the goal is missed, promoted does not hold");
}

TEST_F(AdviceCommand, says_where_nothing_can_be_advised) {
    // A rook pawn with its king far away: a draw.
    const std::string lost =
        R"({"wk": {"x": 8, "y": 1}, "wp": {"x": 1, "y": 2}, "bk": {"x": 1, "y": 8}})";
    const Ran none = advice({"race", "--game", "kpk", "--state", "-"}, lost);
    EXPECT_EQ(none.code, 1);
    EXPECT_TRUE(contains(none.out, "none of its advice can be followed\n")) << none.out;
    const std::string table = krk("mate", R"({"goal": "mate", "us": "depth < 1"})");
    const Ran unruled = advice({table, "--game", "krk"});
    EXPECT_EQ(unruled.code, 1);
    EXPECT_EQ(unruled.out, "no rule applies\n0 nodes in all\n");
    const json nothing = advice_json({table, "--game", "krk"});
    EXPECT_EQ(nothing, (json{{"rule", nullptr},
                             {"advice", nullptr},
                             {"nodes", 0},
                             {"tree", nullptr},
                             {"tried", json::array()}}));
}

// From 21 stones, one in four positions is lost for the player to move.
TEST_F(AdviceCommand, verify_goes_through_all_positions) {
    const Ran text = advice({"fours", "--game", "subtraction", "--verify", "--list", "2"});
    EXPECT_EQ(text.code, 1);
    EXPECT_EQ(text.out, "secured        31 of 40 positions (77.5000 %)\n"
                        "moves          6 at most, 3.0968 on average\n"
                        "random defence 3.0968 on average\n"
                        "nodes          6 at most, 3.6500 on average, per decision\n"
                        "  leave_fours  31\n"
                        "  wait         9\n"
                        "  won          31\n"
                        "  lost         9\n"
                        "lost: {\"turn\":\"B\",\"pile\":20}\n"
                        "lost: {\"turn\":\"A\",\"pile\":16}\n");
}

TEST_F(AdviceCommand, verify_tells_how_many_can_be_won_at_all) {
    const json all =
        advice_json({"fours", "--game", "subtraction", "--verify", "--solve", "--list", "100"});
    EXPECT_EQ(all["won"], 31);
    EXPECT_EQ(all["secured"], 31);
    EXPECT_EQ(all["failures"].size(), 9U);
    for (const json& failure : all["failures"])
        EXPECT_EQ(failure["state"]["pile"].get<int>() % 4, 0) << failure;
    const Ran text = advice({ignorant(), "--game", "subtraction", "--verify", "--solve"});
    EXPECT_TRUE(contains(text.out, "of those won   6.45 % of 31\n")) << text.out;
}

TEST_F(AdviceCommand, verify_all_won_is_good) {
    const Ran good = advice({"fours", "--game", "subtraction", "--set", "pile=3", "--verify"});
    EXPECT_EQ(good.code, 0) << good.out;
    EXPECT_TRUE(contains(good.out, "secured        4 of 4 positions (100.0000 %)\n")) << good.out;
}

TEST_F(AdviceCommand, verify_against_lists_where_another_table_fares_otherwise) {
    const std::string poor = ignorant();
    const Ran text =
        advice({poor, "--game", "subtraction", "--verify", "--against", "fours", "--list", "1"});
    EXPECT_EQ(text.code, 1);
    EXPECT_TRUE(contains(text.out, "\nfours\nsecured        31 of 40")) << text.out;
    EXPECT_TRUE(contains(text.out, "29 positions are secured only by fours, 0 only by " + poor))
        << text.out;
    const json both =
        advice_json({"fours", "--game", "subtraction", "--verify", "--against", poor});
    EXPECT_EQ(both["only_here"], 29);
    EXPECT_EQ(both["only_against"], 0);
    EXPECT_EQ(both["differences"].size(), 10U);
    EXPECT_EQ(both["differences"][0]["outcome"], "won");
    EXPECT_EQ(both["differences"][0]["against"], "lost");
    const Ran alone = advice({"fours", "--game", "subtraction", "--against", poor});
    EXPECT_EQ(alone.code, 2);
    EXPECT_TRUE(contains(alone.err, "--against needs --verify")) << alone.err;
}

// Without its memory the rook's table repeats positions, as a small sample shows.
TEST_F(AdviceCommand, a_sample_shows_what_replanning_breaks) {
    const json kept =
        advice_json({"fixed", "--game", "krk", "--verify", "--every", "200000", "--list", "0"});
    EXPECT_EQ(kept["secured"], kept["roots"]);
    EXPECT_GT(kept["roots"], 100);
    EXPECT_LE(kept["max"], 34);
    EXPECT_LE(kept["nodes_max"], 1359);
    const json replanned = advice_json(
        {"fixed", "--game", "krk", "--verify", "--replan", "--every", "200000", "--list", "0"});
    EXPECT_GT(replanned["outcomes"]["circle"], replanned["roots"].get<int>() / 2);
    const Ran none = advice({"fixed", "--game", "krk", "--verify", "--every", "0"});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "--every takes a number from 1")) << none.err;
}

TEST_F(AdviceCommand, tables_that_are_no_good_are_refused) {
    const auto said = [&](const std::string& table, const std::string& game = "krk") {
        const Ran ran = advice({table, "--game", game});
        EXPECT_EQ(ran.code, 2);
        return ran.err;
    };
    const std::string unknown = said(krk("true", R"({"goal": "mat", "us": "depth < 1"})"));
    EXPECT_TRUE(contains(unknown, "error[E0713]: nothing is defined as \"mat\"")) << unknown;
    EXPECT_TRUE(contains(unknown, "did you mean \"mate\"?")) << unknown;
    const std::string nothing = said(write("none.json", R"({"game": "krk",
        "rules": [{"name": "r", "if": "true", "try": ["wim"]}],
        "advice": {"win": {"goal": "true", "them": "none"}}})"));
    EXPECT_TRUE(contains(nothing, "there is no advice \"wim\"")) << nothing;
    EXPECT_TRUE(contains(nothing, "did you mean \"win\"?")) << nothing;
    const std::string other = said("../krk/advice/fixed.json", "subtraction");
    EXPECT_TRUE(contains(other, "cannot be read") || contains(other, "E0701")) << other;
    const std::string another = said("games/krk/advice/fixed.json", "kpk");
    EXPECT_TRUE(contains(another, "this is for krk, and kpk is played")) << another;
    const std::string missing = said("fixt");
    EXPECT_TRUE(contains(missing, "advice/fixt.json")) << missing;
}

// Without a depth limit the search is capped, and the output says so.
TEST_F(AdviceCommand, an_unbounded_search_is_capped_and_says_so) {
    const std::string table = krk("true", R"({"goal": "mate", "plies": 3})");
    const Ran bounded = advice({table, "--game", "krk", "--state", "-"},
                               R"({"wk": {"x": 1, "y": 1}, "wr": {"x": 5, "y": 5},
                                   "bk": {"x": 8, "y": 8}})");
    EXPECT_EQ(bounded.code, 1);
    EXPECT_TRUE(contains(bounded.out, "the advice looks no further, mate does not hold"))
        << bounded.out;
    EXPECT_EQ(bounded.err, "");
    const std::string loose = write("loose.json", R"({
        "game": "subtraction",
        "define": {"won": {"over": true}},
        "rules": [{"name": "always", "if": "true", "try": ["win"]}],
        "advice": {"win": {"goal": "won"}}
    })");
    const Ran warned = advice({loose, "--game", "subtraction", "--set", "pile=4"});
    EXPECT_EQ(warned.code, 0);
    EXPECT_TRUE(contains(warned.out, "tree 1 {1 1 {1 *}; 2 1 *; 3 *}\n")) << warned.out;
    EXPECT_TRUE(contains(warned.err, "warning[W0711]: nothing bounds the advice win; it looks 64 "
                                     "plies ahead and no further"))
        << warned.err;
}

TEST_F(AdviceCommand, a_table_for_one_side_says_so) {
    const Ran black = advice({"fixed", "--game", "krk", "--state", "-"},
                             R"({"wk": {"x": 1, "y": 1}, "wr": {"x": 5, "y": 5},
                                 "bk": {"x": 8, "y": 8}, "turn": "B"})");
    EXPECT_EQ(black.code, 2);
    EXPECT_TRUE(contains(black.err, "the table is for W, and B is to move")) << black.err;
}

} // namespace
} // namespace croupier::cli
