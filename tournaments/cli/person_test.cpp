// People at the terminal: output, input, and leaving.
#include "games/registry.h"
#include "games/testing/testing.h"
#include "tournaments/cli/terminal.h"
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <sstream>

namespace croupier::cli {

namespace {

using nlohmann::json;

class People : public FolderTest {
  protected:
    // The moves of a record, by name.
    [[nodiscard]] std::vector<std::string> recorded(const std::string& file) const {
        std::vector<std::string> moves;
        for (const std::string& line : lines(text(file))) {
            const json entry = json::parse(line);
            if (entry.contains("move")) moves.push_back(entry["move"]);
        }
        return moves;
    }
    [[nodiscard]] json end_of(const std::string& file) const {
        return json::parse(lines(text(file)).back());
    }
};

Ran play(std::vector<std::string> arguments, const std::string& input,
         const TerminalFacts& facts = {}) {
    arguments.insert(arguments.begin(), "play");
    return run_in_process(arguments, input, facts);
}

const std::vector<std::string> kBelote = {"belote", "--agents", "random,human,random,random",
                                          "--seed", "1"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_F(People, a_table_is_drawn_as_the_seat_sees_it) {
    const Ran ran = play(kBelote, "take\nquit\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "belote, seed 1\n"
                       "  A  random\n"
                       "  B  human\n"
                       "  C  random\n"
                       "  D  random\n"
                       "\n"
                       "  A      5 hidden\n"
                       "> B      J♠  10♥  9♦  9♣ J♣\n"
                       "  C      5 hidden\n"
                       "  D      5 hidden\n"
                       "  deck   11 hidden\n"
                       "  turned 7♣\n"
                       "  dealer A   phase bid\n"
                       "B, your moves:\n"
                       "  1 pass  2 take\n"
                       "B> take\n"
                       "\n"
                       "  B: take\n"
                       "  A      8 hidden\n"
                       "> B      J♠ K♠  10♥  7♦ 9♦  7♣ 9♣ J♣\n"
                       "  C      8 hidden\n"
                       "  D      8 hidden\n"
                       "  turned 7♣\n"
                       "  dealer A   trump ♣   phase play   taker B\n"
                       "  taken AC points 0, tricks 0; BD points 0, tricks 0\n"
                       "B, your moves:\n"
                       "  1 J♠   2 K♠   3 10♥  4 7♦   5 9♦   6 7♣   7 9♣   8 J♣\n"
                       "B> quit\n"
                       "\n"
                       "belote: left after 1 move\n"
                       "  player  agent   score  place\n"
                       "  A       random      0      1\n"
                       "  B       human       0      1\n"
                       "  C       random      0      1\n"
                       "  D       random      0      1\n"
                       "  seed 1\n");
}

TEST_F(People, a_narrow_terminal_is_enough) {
    TerminalFacts narrow;
    narrow.width = 40;
    const Ran ran = play(kBelote, "take\nwhy\n\nmoves\nhint\nhelp\nquit\n", narrow);
    ASSERT_EQ(ran.code, 0) << ran.err;
    for (const std::string& line : lines(ran.out))
        EXPECT_LE(display_width(line), 40U) << line;
    EXPECT_TRUE(contains(ran.out, "5 hidden"));
}

// Moves as input lines.
std::string first_moves(int count) {
    std::string input;
    for (int i = 0; i < count; ++i)
        input += "1\n";
    return input;
}

TEST_F(People, several_see_their_own_hands_and_nobody_elses) {
    const Ran ran = play({"belote", "--agents", "human,random,human,random", "--seed", "3",
                          "--record", path("g.jsonl"), "--states"},
                         first_moves(40));
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    // The hands drawn for each person, between the lines that name the person.
    std::string whose;
    std::size_t hands = 0;
    const std::regex begins("---- ([A-D]) ----");
    const std::regex row("^[> ] ([A-D]) +(.*)$");
    const std::regex hidden("\\d+ hidden");
    for (const std::string& line : lines(ran.out)) {
        std::smatch match;
        if (std::regex_match(line, match, begins)) whose = match[1];
        if (line.find("over after") != std::string::npos) break;
        if (whose.empty() || !std::regex_match(line, match, row)) continue;
        ++hands;
        EXPECT_EQ(match[1] != whose, std::regex_match(match[2].str(), hidden)) << whose << line;
    }
    EXPECT_GT(hands, 40U);
    // The record is like that of any game.
    EXPECT_EQ(run_in_process({"replay", path("g.jsonl"), "--check"}).code, 0);
}

TEST_F(People, the_screen_is_cleared_between_people_where_things_are_hidden) {
    TerminalFacts terminal;
    terminal.out_is_terminal = true;
    terminal.color_unwanted = true;
    const Ran ran = play({"belote", "--agents", "human", "--seed", "1"},
                         "\npass\n\npass\nquit\nquit\n", terminal);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::size_t first = ran.out.find("B, press Enter when no one else can see the screen: ");
    const std::size_t table = ran.out.find("J♠");
    const std::size_t cleared = ran.out.find("\x1b[2J");
    const std::size_t second = ran.out.find("C, press Enter");
    ASSERT_NE(second, std::string::npos) << ran.out;
    EXPECT_LT(first, table) << "nothing is shown before";
    EXPECT_LT(table, cleared);
    EXPECT_LT(cleared, second);
    const Ran open = play({"life", "--agents", "human", "--seed", "1"}, "1\n1\nquit\n", terminal);
    EXPECT_FALSE(contains(open.out, "press Enter")) << "there nothing is hidden";
    EXPECT_FALSE(contains(open.out, "\x1b[2J"));
}

TEST_F(People, moves_go_by_number_name_or_beginning) {
    const std::string state = write("s.json", R"({"phase": "play", "trump": "H", "turn": "A",
        "hands": {"A": {"TS": true, "7S": true, "7H": true, "AH": true}, "B": {"8S": true},
                  "C": {"9S": true}, "D": {"JS": true}}})");
    const auto answer = [&](const std::string& typed) {
        const std::string record = path("m.jsonl");
        const Ran ran = play({"whist", "--agents", "human,random,random,random", "--state", state,
                              "--record", record},
                             typed + "\nquit\n");
        const std::vector<std::string> moves = recorded("m.jsonl");
        return moves.empty() ? ran.out : moves[0];
    };
    EXPECT_EQ(answer("2"), "TS") << "7S TS 7H AH, as the hand is sorted";
    EXPECT_EQ(answer("TS"), "TS");
    EXPECT_EQ(answer("ts"), "TS");
    EXPECT_EQ(answer("10s"), "TS");
    EXPECT_EQ(answer("10♠"), "TS");
    EXPECT_EQ(answer("a"), "AH");
    const std::string several = answer("7");
    EXPECT_TRUE(contains(several, "which of these?\n  1 7♠  3 7♥\n")) << several;
    EXPECT_TRUE(contains(answer("5"), "'5' is not a legal move"));
    EXPECT_TRUE(contains(answer("8s"), "'8s' is not a legal move"));
    EXPECT_TRUE(contains(answer("moves 7"), "A> moves 7\n  1 7♠  3 7♥\n"));
}

TEST_F(People, numbers_that_are_moves_are_names) {
    const Ran ran = play(
        {"subtraction", "--agents", "human,random", "--set", "pile=3", "--record", path("n.jsonl")},
        "3\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(recorded("n.jsonl"), (std::vector<std::string>{"3"}));
    EXPECT_TRUE(contains(ran.out, "A, your moves:\n  1  2  3\n")) << ran.out;
}

TEST_F(People, undo_takes_back_ones_own_last_move_and_all_after_it) {
    const std::vector<std::string> life = {"life", "--agents", "human,random", "--seed",
                                           "1",    "--record", path("u.jsonl")};
    const Ran ran = play(life, "undo\nl10\n1\nundo\nb3\nquit\n");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "there is nothing to undo yet"));
    const std::vector<std::string> moves = recorded("u.jsonl");
    ASSERT_EQ(moves.size(), 4U) << ran.out;
    EXPECT_EQ(moves[0], "l10");
    EXPECT_EQ(moves[2], "b3") << "in place of another, and of what followed";
    EXPECT_TRUE(contains(run_in_process({"replay", path("u.jsonl")}).out, "left after 4 moves"));
    // After undo, the rest of the game is as without it.
    const Ran straight = play(with(life, {}), "l10\nb3\nquit\n");
    EXPECT_EQ(recorded("u.jsonl"), moves);
}

TEST_F(People, chance_is_the_same_after_a_move_was_taken_back) {
    // Race moves at random: a whole game with undo is checked against rules and seed.
    const std::string game = games::kGamesFolder + "/testing/race/rules.json";
    const Ran ran = play(
        {game, "--agents", "human,human,random", "--record", path("c.jsonl")},
        "run\nrun\nundo\nwalk\nrun\nundo\nundo\n" + [] {
            std::string input;
            for (int i = 0; i < 60; ++i)
                input += "run\n";
            return input;
        }());
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    const Ran check = run_in_process({"replay", path("c.jsonl"), "--check"});
    EXPECT_EQ(check.code, 0) << check.out << check.err;
}

TEST_F(People, nothing_is_taken_back_where_something_is_hidden) {
    const Ran ran = play(kBelote, "pass\nundo\nquit\n");
    EXPECT_TRUE(contains(ran.out, "No undo where cards are hidden")) << ran.out;
    EXPECT_EQ(ran.code, 0);
}

TEST_F(People, a_hint_is_what_the_adviser_would_play) {
    for (const std::string agent : {"rules:counting", "rules:naive", "pimc:deals=3"}) {
        const Ran played = play({"belote", "--agents", "random," + agent + ",random,random",
                                 "--seed", "5", "--record", path("h.jsonl")},
                                "");
        ASSERT_EQ(played.code, 0) << played.err;
        if (agent.starts_with("pimc")) continue; // its moves are random
        const std::string first = recorded("h.jsonl")[0];
        const Ran ran = play({"belote", "--agents", "random,human,random,random", "--seed", "5"},
                             "hint " + agent + "\nquit\n");
        EXPECT_TRUE(contains(ran.out, agent + " would play " + first + "\n")) << ran.out;
    }
    const Ran best =
        play(kBelote, "pass\nhint\nhint pimc:deals=3\nhint nobody\nhint human\nquit\n");
    EXPECT_TRUE(contains(best.out, "rules:counting would play ")) << best.out;
    EXPECT_TRUE(contains(best.out, "pimc:deals=3 would play ")) << "with what was seen before";
    EXPECT_TRUE(contains(best.out, "there is no agent 'nobody'"));
    EXPECT_TRUE(contains(best.out, "a person plays at the terminal"));
    EXPECT_EQ(best.code, 0) << best.err;
    const Ran life = play({"life", "--agents", "human,random", "--seed", "1"}, "hint\nquit\n");
    EXPECT_TRUE(contains(life.out, "eval:depth=2,nodes=5000 would play ")) << life.out;
    // Advice is for games that can be solved: the best move is known there.
    const Ran solved =
        play({"subtraction", "--agents", "human,random", "--seed", "1"}, "hint\nquit\n");
    EXPECT_TRUE(contains(solved.out, "tablebase would play ")) << solved.out;
}

TEST_F(People, why_asks_the_rules) {
    const std::string state = write("s.json", R"({"phase": "play", "trump": "H", "turn": "B",
        "trick": {"0": {"player": "A", "card": "KS"}},
        "hands": {"A": {"7D": true}, "B": {"7S": true, "TS": true, "AH": true, "QC": true},
                  "C": {"9S": true}, "D": {"JS": true}}})");
    const Ran ran = play({"whist", "--agents", "random,human,random,random", "--state", state},
                         "why\nwhy ah\nwhy 7s\nwhy ks\nquit\n");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::regex all("B> why\n  follow \\(.*tricks.json:\\d+:\\d+\\)\n"
                         "    Who has the suit led plays a card of it.\n"
                         "    gives 7S TS\n"
                         "B> why ah\nAH is not legal\n");
    EXPECT_TRUE(std::regex_search(ran.out, all)) << ran.out;
    EXPECT_TRUE(contains(ran.out, "    gives 7S TS, and stops at \"$C\": \"$L\" with L = S, P = B, "
                                  "C = AH: suit.AH is\n    \"H\", not \"S\"\n"))
        << ran.out;
    EXPECT_TRUE(contains(ran.out, "  lead stops at \"led\": \"@absent\": led is there: \"S\"\n"));
    EXPECT_TRUE(contains(ran.out, "  discard stops at \"moves\": \"@absent\": moves is there\n"));
    EXPECT_TRUE(contains(ran.out, "7S is legal\n"));
    EXPECT_TRUE(contains(ran.out, "KS is not legal\n"));
}

TEST_F(People, who_resigns_has_lost_once_asked_again) {
    const Ran ran = play(with(kBelote, {"--record", path("r.jsonl")}), "resign\nno\nresign\nyes\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "B and D would lose, and the game ends for all.")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "not resigned\n"));
    EXPECT_TRUE(contains(ran.out, "belote: resigned after 0 moves")) << ran.out;
    EXPECT_EQ(end_of("r.jsonl")["end"], "resigned");
    EXPECT_EQ(end_of("r.jsonl")["player"], "B");
    EXPECT_EQ(play(kBelote, "resign\n").code, 1) << "the input ends before the answer";
}

TEST_F(People, a_game_that_is_left_has_the_score_so_far_and_no_winner) {
    const Ran quit = play(with(kBelote, {"--record", path("q.jsonl")}), "pass\nquit\n");
    EXPECT_EQ(quit.code, 0);
    EXPECT_EQ(end_of("q.jsonl")["end"], "left");
    EXPECT_EQ(end_of("q.jsonl")["player"], "B");
    const Ran check = run_in_process({"replay", path("q.jsonl"), "--check"});
    EXPECT_EQ(check.code, 0) << check.out;
    EXPECT_TRUE(contains(check.out, "belote: left after 2 moves")) << check.out;
    const Ran ended = play(kBelote, "pass\n");
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(contains(ended.err, "the input ended before the game did")) << ended.err;
}

TEST_F(People, a_seat_goes_to_an_agent_and_back) {
    const Ran ran = play(with(kBelote, {"--record", path("l.jsonl")}),
                         "take\nleave random 0\nleave nobody\nleave rules:naive 2\n1\nleave\n");
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    EXPECT_TRUE(contains(ran.out, "leave AGENT N: N is at least 1\n"));
    EXPECT_TRUE(contains(ran.out, "there is no agent 'nobody'"));
    EXPECT_TRUE(contains(ran.out, "rules:naive plays for B, 2 moves\n"));
    EXPECT_TRUE(contains(ran.out, "B is back\n"));
    EXPECT_TRUE(contains(ran.out, "rules:counting plays for B\n")) << "the best that is there";
    std::vector<std::string> played;
    for (const std::string& line : lines(text("l.jsonl"))) {
        const json entry = json::parse(line);
        if (entry.value("player", "") == "B" && entry.contains("move"))
            played.push_back(entry.value("agent", "human"));
    }
    EXPECT_EQ(played, (std::vector<std::string>{
                          "human", "rules:naive", "rules:naive", "human", "rules:counting",
                          "rules:counting", "rules:counting", "rules:counting", "rules:counting"}));
    const std::string who = "human, rules:naive from move ";
    EXPECT_TRUE(contains(ran.out, who)) << ran.out;
    const Ran check = run_in_process({"replay", path("l.jsonl"), "--check"});
    EXPECT_EQ(check.code, 0) << check.out << check.err;
    EXPECT_TRUE(contains(check.out, who)) << check.out;
    const json told = json::parse(run_in_process({"replay", path("l.jsonl"), "--json"}).out);
    ASSERT_EQ(told["changes"].size(), 3U);
    EXPECT_EQ(told["changes"][1]["agent"], "human");
    std::string damaged = text("l.jsonl");
    damaged.replace(damaged.find("\"rules:naive\""), 13, "5");
    write("damaged.jsonl", damaged);
    EXPECT_TRUE(contains(run_in_process({"replay", path("damaged.jsonl")}).err, "is a text"));
}

TEST_F(People, whoever_stays_brings_a_player_back) {
    const Ran ran = play({"life", "--agents", "human", "--seed", "1", "--record", path("b.jsonl")},
                         "l10\nleave random\nb3\nback W\nback B\nback x\n1\nundo\n2\nleave\nleave "
                         "random\n");
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    EXPECT_TRUE(contains(ran.out, "random plays for W\n"));
    EXPECT_TRUE(contains(ran.out, "W is back\n"));
    EXPECT_TRUE(contains(ran.out, "'B' has not\n")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "'x' has not\n"));
    std::vector<std::string> first;
    for (const std::string& line : lines(text("b.jsonl")))
        if (const json entry = json::parse(line); entry.contains("move") && first.size() < 4)
            first.push_back(entry.value("agent", "human"));
    EXPECT_EQ(first, (std::vector<std::string>{"human", "random", "human", "human"}))
        << "undo keeps who made the moves before";
    const Ran check = run_in_process({"replay", path("b.jsonl"), "--check"});
    EXPECT_EQ(check.code, 0) << check.out << check.err;
}

TEST_F(People, what_a_seat_was_shown_is_checked_with_the_opened_game_behind_it) {
    const std::string first = R"({"seats":["B"],"game":"belote","revision":"","options":{},)"
                              R"("shares":[],"share":"x"})"
                              "\n";
    const std::string alone = write("alone.jsonl", first);
    const auto refused = [&](const std::vector<std::string>& arguments) {
        const Ran ran = run_in_process(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(contains(refused({"replay", alone, "--check"}), "which the host opens"));
    EXPECT_TRUE(contains(refused({"replay", alone}), "it takes --check alone"));
    play(with(kBelote, {"--record", path("o.jsonl")}), "pass\nquit\n");
    std::string fewer = text("o.jsonl");
    fewer.replace(fewer.find(R"("players":["A",)"), 15, R"("players":[)");
    fewer.replace(fewer.find(R"("agents":["random",)"), 19, R"("agents":[)");
    write("fewer.jsonl", fewer);
    EXPECT_TRUE(contains(refused({"replay", path("fewer.jsonl")}), "4 seats, and the record 3"));
    const std::string strange = write("strange.jsonl", first + text("o.jsonl"));
    const Ran check = run_in_process({"replay", strange, "--check"});
    EXPECT_EQ(check.code, 1) << check.err;
    EXPECT_TRUE(contains(check.out, "the opened share of B is not the one that was given"))
        << check.out;
    std::string shares = text("o.jsonl");
    shares.replace(shares.find("\"agents\""), 8,
                   R"("shares":[{"by":"host","hash":"0","share":"y"}],"agents")");
    const std::string forged = write("forged.jsonl", shares);
    const Ran told = run_in_process({"replay", forged, "--check"});
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(contains(told.out, "the share of host does not fit its hash")) << told.out;
    shares.replace(shares.find("\"hash\":\"0\""), 10, "\"hash\":7");
    write("malformed.jsonl", shares);
    EXPECT_TRUE(contains(refused({"replay", path("malformed.jsonl")}), "by, hash and share"));
}

TEST_F(People, a_game_begins_where_it_is_told_to) {
    const std::string starts = write("starts.json", R"([{"moves": ["l10", "k12"]}])");
    const Ran ran = play({"life", "--agents", "human,random", "--starts", starts, "--record",
                          path("b.jsonl"), "--set", "max_plies=4"},
                         "undo\nb3\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "there is nothing to undo yet")) << "the start is given";
    EXPECT_EQ(recorded("b.jsonl")[2], "b3");
    EXPECT_EQ(run_in_process({"replay", path("b.jsonl"), "--check"}).code, 0);
}

TEST_F(People, other_commands_know_no_people) {
    const std::string why = "a person plays at the terminal, in a game of croupier play";
    const Ran run = run_in_process({"run", "--game", "life", "--agents", "human,random", "--games",
                                    "2", "--out", path("run")});
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(contains(run.err, why)) << run.err;
    const Ran compare = run_in_process(
        {"compare", "life", "life:torus", "--agents", "Ann=human,Bob=human", "--games", "2"});
    EXPECT_EQ(compare.code, 2);
    EXPECT_TRUE(contains(compare.err, why)) << compare.err;
    const auto refused = [&](const std::vector<std::string>& more) {
        const Ran ran = play(with(kBelote, more), "quit\n");
        EXPECT_EQ(ran.code, 2) << ran.out;
        return ran.err;
    };
    EXPECT_TRUE(contains(refused({"--show"}), "--show draws what every player holds"));
    EXPECT_TRUE(contains(refused({"--record", "-"}), "standard output"));
    EXPECT_TRUE(contains(refused({"--json"}), "--json is the only output"));
    EXPECT_TRUE(contains(refused({"--log"}), "--log shows what agents hold"));
    const Ran named = play({"life", "--agents", "Ann=human,Bob=human"}, "l10\nquit\n");
    EXPECT_EQ(named.code, 0) << named.err;
    EXPECT_TRUE(contains(named.out, "  B  Ann=human\n  W  Bob=human\n"));
}

} // namespace

} // namespace croupier::cli
