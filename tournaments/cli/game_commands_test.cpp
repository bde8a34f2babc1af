// games, play, replay, moves, tick and score for their users.
#include "tournaments/cli/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace croupier::cli {
namespace {

using nlohmann::json;

class GameCommands : public FolderTest {};

TEST_F(GameCommands, games_lists_names_players_and_options) {
    const json all = json::parse(run_in_process({"games", "--json"}).out);
    std::vector<std::string> revisions;
    for (const json& game : all) {
        if (game["game"] != "life") continue;
        revisions.push_back(game["revision"]);
        const json players = game["revision"] == "three"  ? json{"B", "W", "R"}
                             : game["revision"] == "four" ? json{"B", "W", "R", "G"}
                                                          : json{"B", "W"};
        EXPECT_EQ(game["players"], players);
        EXPECT_EQ(game["options"]["max_plies"], 2000);
        EXPECT_FALSE(game["hides"]);
    }
    EXPECT_EQ(revisions, (std::vector<std::string>{
                             "", "actions", "axiom", "cumulative", "four", "law", "laws", "mortal",
                             "mutant", "open", "shapes", "stable", "three", "torus", "written"}));
    const Ran text = run_in_process({"games"});
    EXPECT_TRUE(contains(text.out, "life:torus\n")) << text.out;
    EXPECT_TRUE(contains(text.out, "    options max_plies=2000\n")) << text.out;
    EXPECT_TRUE(contains(text.out, "    options limit=1000\n")) << "what life:cumulative adds";
    EXPECT_TRUE(contains(text.out, "    options annonces=\"off\"\n")) << "what belote:contest sets";
    const Ran none = run_in_process({"games", "--games-folder", path("nowhere")});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "there are no games in '" + path("nowhere") + "'")) << none.err;
}

TEST_F(GameCommands, games_lists_the_others_where_one_is_broken) {
    const std::string rules = R"({"game": {"name": "NAME", "players": ["A", "B"]},
        "state": {"turn": "A"}, "moves": [], "play": [], "score": []})";
    write("games/a/rules.json", R"({"game": {"players": ["A"]}, "moves": 3})");
    write("games/b/rules.json", rules);
    const Ran ran = run_in_process({"games", "--games-folder", path("games")});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.out, "b\n    players A B\n")) << ran.out;
    EXPECT_TRUE(contains(ran.err, "a/rules.json:1:")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "1 file of rules with errors")) << ran.err;
    const json all =
        json::parse(run_in_process({"games", "--games-folder", path("games"), "--json"}).out);
    EXPECT_EQ(all.size(), 1U) << all;
}

TEST_F(GameCommands, games_tells_of_one_what_its_options_may_be) {
    const Ran text = run_in_process({"games", "oldmaid:queen"});
    EXPECT_EQ(text.code, 0) << text.err;
    const std::vector<std::string> shown = lines(text.out);
    ASSERT_GE(shown.size(), 6U) << text.out;
    EXPECT_EQ(shown.front(), "oldmaid:queen");
    const auto odd = std::find_if(shown.begin(), shown.end(), [](const std::string& line) {
        return line.starts_with("    odd ");
    });
    ASSERT_NE(odd, shown.end()) << text.out;
    EXPECT_TRUE(contains(*odd, "\"queen\"  ")) << *odd;
    EXPECT_TRUE(odd->ends_with("\"joker\", \"queen\", \"unknown\"")) << *odd;
    const json facts = json::parse(run_in_process({"games", "belote", "--json"}).out);
    EXPECT_EQ(facts["option_values"]["litige"], (json{"carry", "fail", "success", "replay"}));
    EXPECT_EQ(facts["option_values"]["deals"], "0..1000000");
    EXPECT_EQ(facts["option_docs"]["capot_points"], "All tricks are worth so many points.");
    const std::string told = run_in_process({"games", "belote", "--options"}).out;
    EXPECT_TRUE(contains(told, "    capot_points\n        All tricks are worth so many points.\n"
                               "        default 252, may be 252, 250, 162\n"))
        << told;
    const std::string own = run_in_process({"games", "--options"}).out;
    EXPECT_TRUE(contains(own, "    annonces\n        Runs and fours of a kind")) << own;
    const Ran none = run_in_process({"games", "belot"});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(contains(none.err, "belote")) << none.err;
}

TEST_F(GameCommands, every_option_of_a_shipped_game_says_what_it_may_be) {
    const json all = json::parse(run_in_process({"games", "--json"}).out);
    std::size_t options = 0;
    for (const json& game : all) {
        for (const auto& [name, value] : game["options"].items()) {
            EXPECT_TRUE(game["option_values"].contains(name)) << game["game"] << " " << name;
            ++options;
        }
    }
    EXPECT_GT(options, 100U);
}

// The game of a seed is fixed forever, on every machine.
TEST_F(GameCommands, a_seed_is_a_game_for_ever) {
    const std::string record = path("game.jsonl");
    const Ran ran = run_in_process(
        {"play", "life", "--agents", "random,random", "--seed", "1", "--record", record});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "life: over after 24 moves\n"
                       "  player  agent   score  place\n"
                       "  B       random      0      2\n"
                       "  W       random      1      1\n"
                       "  seed 1\n");
    std::ifstream in(record);
    std::string moves;
    for (std::string line; std::getline(in, line);) {
        const json entry = json::parse(line);
        if (entry.contains("move")) moves += entry["move"].get<std::string>() + " ";
    }
    EXPECT_EQ(moves, "l10 k12 b3 o2 j10 m13 q5 q18 k15 g5 h6 b17 d1 r3 k8 o5 p16 n10 j8 q8 j10 "
                     "l7 k11 q16 ");
}

TEST_F(GameCommands, a_record_is_a_header_moves_and_an_end) {
    const Ran ran = run_in_process(
        {"play", "life:torus", "--seed", "5", "--set", "max_plies=3", "--record", "-", "--states"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto all = lines(ran.out);
    ASSERT_EQ(all.size(), 5U);
    const json header = json::parse(all[0]);
    EXPECT_EQ(header["game"], "life");
    EXPECT_EQ(header["revision"], "torus");
    EXPECT_EQ(header["ruleset"].get<std::string>().size(), 16U);
    EXPECT_EQ(header["options"], (json{{"max_plies", 3}}));
    EXPECT_EQ(header["seed"], 5);
    EXPECT_EQ(header["agents"], (json{"random", "random"}));
    EXPECT_EQ(header["players"], (json{"B", "W"}));
    const json second = json::parse(all[2]);
    EXPECT_EQ(second["ply"], 1);
    EXPECT_EQ(second["player"], "W");
    EXPECT_EQ(second["state"]["turn"], "W");
    const json& legal = second["legal"];
    EXPECT_NE(std::find(legal.begin(), legal.end(), second["move"]), legal.end());
    const json end = json::parse(all[4]);
    EXPECT_EQ(end["end"], "unfinished");
    EXPECT_EQ(end["scores"], (json{{"B", 0.5}, {"W", 0.5}}));
    EXPECT_EQ(end["plies"], 3);
    EXPECT_EQ(end["state"]["turn"], "W");
}

TEST_F(GameCommands, a_replay_checks_every_byte) {
    for (const bool states : {false, true}) {
        std::vector<std::string> play = {"play",  "life:cumulative", "--seed",   "3",
                                         "--set", "limit=60",        "--record", path("g.jsonl")};
        if (states) play.emplace_back("--states");
        const Ran played = run_in_process(play);
        ASSERT_EQ(played.code, 0) << played.err;
        const Ran good = run_in_process({"replay", path("g.jsonl"), "--check"});
        EXPECT_EQ(good.code, 0) << good.out << good.err;
        EXPECT_TRUE(contains(good.out, "the record is what the rules and the seed give"));
        EXPECT_EQ(good.out.substr(0, good.out.find("the record")),
                  played.out.substr(0, played.out.find("  seed")));
    }
    std::ifstream in(path("g.jsonl"));
    std::stringstream text;
    text << in.rdbuf();
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string copy = text.str();
        const std::size_t at = copy.find(from);
        EXPECT_NE(at, std::string::npos);
        copy.replace(at, from.size(), to);
        return run_in_process({"replay", write("changed.jsonl", copy), "--check"});
    };
    const Ran score = changed(R"("scores":{"B":)", R"("scores":{"B":7)");
    EXPECT_EQ(score.code, 1);
    EXPECT_TRUE(contains(score.out, "differs\n  recorded {\"end\":")) << score.out;
    const Ran illegal = changed(R"("move":")", R"("move":"z)");
    EXPECT_EQ(illegal.code, 2);
    EXPECT_TRUE(contains(illegal.err, "changed.jsonl:2: \"z")) << illegal.err;
    EXPECT_TRUE(contains(illegal.err, "is not legal for B at ply 0; legal are c2, d2"))
        << illegal.err;
    const Ran header = changed(R"("seed":3)", R"("seed":"three")");
    EXPECT_EQ(header.code, 2);
    EXPECT_TRUE(contains(header.err, "the first line of a record holds game")) << header.err;
    const Ran hash = changed(R"("ruleset":")", R"("ruleset":"0)");
    EXPECT_EQ(hash.code, 1);
    const Ran cut = run_in_process({"replay", write("cut.jsonl", lines(text.str())[0] + "\n")});
    EXPECT_TRUE(contains(cut.out, "the record stops after 0 moves")) << cut.out;
    EXPECT_EQ(run_in_process({"replay", write("bad.jsonl", "x\n")}).code, 2);
    EXPECT_EQ(run_in_process({"replay", write("empty.jsonl", "")}).code, 2);
    EXPECT_EQ(run_in_process({"replay", path("missing.jsonl")}).code, 2);
}

TEST_F(GameCommands, show_draws_every_board) {
    const Ran ran =
        run_in_process({"play", "life", "--seed", "1", "--set", "max_plies=2", "--show"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "\n17 . . . W . . . . . . . . . . . B . . . 17\n")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "\n1. B l10\n")) << ran.out;
    // d17 of the three in a row dies, c16 and e16 are born, p17, o16 and q16 change colour.
    EXPECT_TRUE(contains(ran.out, "\n17 . . .-W . . . . . . . . . . .*W . . . 17\n"
                                  "16 . .+W W+W . . . . . . . . .*B .*B . . 16\n"))
        << ran.out;
    const Ran colour = run_in_process(
        {"play", "life", "--seed", "1", "--set", "max_plies=1", "--show", "--color", "always"});
    EXPECT_TRUE(contains(colour.out, "\x1b[32m+\x1b[0m\x1b[32mW\x1b[0m")) << "born is green";
    EXPECT_TRUE(contains(colour.out, "\x1b[31m-\x1b[0m\x1b[31mW\x1b[0m")) << "dying is red";
}

TEST_F(GameCommands, moves_lists_in_order) {
    const std::string corner = write("corner.json", R"({"board": {"a1": "W"}, "turn": "B"})");
    EXPECT_EQ(run_in_process({"moves", "life", "--state", corner}).out, "b1\na2\nb2\n");
    EXPECT_EQ(run_in_process({"moves", "life", "--state", corner, "--json"}).out,
              "[\"b1\",\"a2\",\"b2\"]\n");
    EXPECT_EQ(run_in_process({"moves", "life", "--state", "-"}, "{}").out, "pass\n");
    const Ran all = run_in_process({"moves", "life"});
    EXPECT_EQ(lines(all.out).size(), 81U);
    EXPECT_EQ(lines(all.out)[0], "c2");
}

TEST_F(GameCommands, tick_plays_moves_and_prints_the_state) {
    const std::string state =
        write("s.json", R"({"board": {"a1": "B", "b1": "B", "s19": "W"}, "turn": "W"})");
    const Ran one = run_in_process({"tick", "life", "--state", state, "--moves", "c1", "--json"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(one.out, R"({"board":{"b1":"B","b2":"B"},"turn":"B","over":true,)"
                       R"("score":{"B":1,"W":0}})"
                       "\n");
    const Ran after = run_in_process({"tick", "life", "--state", state, "--moves", "c1,a2"});
    EXPECT_EQ(after.code, 2);
    EXPECT_TRUE(contains(after.err, "move 2, 'a2', cannot be played: the game ended (over)"));
    const Ran illegal = run_in_process({"tick", "life", "--state", state, "--moves", "d4"});
    EXPECT_EQ(illegal.code, 2);
    EXPECT_EQ(illegal.out, "");
    EXPECT_TRUE(contains(illegal.err, "move 1, 'd4', is not legal for W; legal are c1, a2, b2, "
                                      "c2, r18, s18, r19"))
        << illegal.err;
    const Ran begun = run_in_process({"tick", "life", "--moves", "l10", "--json"});
    EXPECT_EQ(json::parse(begun.out)["board"].size(), 24U);
    EXPECT_EQ(json::parse(begun.out)["turn"], "W");
}

// C(8, 5) of the C(32, 5) hands have five hearts. A condition on the card turned up needs deals.
TEST_F(GameCommands, deals_counts_hands_and_plays_what_it_cannot_count) {
    const std::string five =
        R"({"hands": {"A": {"@count": {"of": {"$C": true, "@root": {"suit": {"$C": "H"}}},
        "into": "$N"}}}, "_": "$N == 5"})";
    const Ran text = run_in_process({"deals", "belote", "--where", five});
    EXPECT_EQ(text.out, "56 of 201,376 hands of 5 of 32 cards for A: 0.02781 %, one in 3,596\n");
    const auto asked = [&](const std::string& game, const std::string& where) {
        const Ran ran =
            run_in_process({"deals", game, "--where", where, "--deals", "20000", "--json"});
        EXPECT_EQ(ran.err, "");
        return json::parse(ran.out);
    };
    const json exact = asked("belote", R"({"hands": {"C": {"JH": true, "9H": true}}})");
    EXPECT_EQ(exact["found"], 4060) << "C(30, 3)";
    EXPECT_EQ(exact["low"], exact["chance"]);
    const std::pair<const char*, double> samples[] = {
        {R"({"hands": {"C": {"JH": true}}, "turned": "9H"})", 1 / 32. * 5 / 31},
        {R"({"hands": {"C": {"JH": true}, "A": {"9H": true}}})", 5 / 32. * 5 / 31},
        {R"({"hands": {"$P": {"JH": true, "9H": true}}})", 4 * 5 / 32. * 4 / 31},
        {R"({"hands": {"C": {"JH": true}}, "_": "size(deck) > 3"})", 5 / 32.}};
    for (const auto& [where, chance] : samples) {
        const json played = asked("belote", where);
        EXPECT_EQ(played["exact"], false) << where;
        EXPECT_EQ(played["of"], 20000) << where;
        EXPECT_LT(played["low"], chance) << where;
        EXPECT_GT(played["high"], chance) << where;
    }
    const json thrown = asked("oldmaid", R"({"hands": {"A": {"2H": true}}})");
    EXPECT_EQ(thrown["exact"], false) << "pairs go before the first move";
}

TEST_F(GameCommands, deals_keeps_what_it_finds_and_bounds_what_it_does_not) {
    const std::string rare = path("rare.json");
    write("where.json", R"({"hands": {"B": {"TS": true, "TH": true, "TD": true, "TC": true}}})");
    const Ran kept = run_in_process(
        {"deals", "belote", "--where", "@" + path("where.json"), "--keep", rare, "--most", "3"});
    EXPECT_EQ(kept.code, 0) << kept.err;
    EXPECT_TRUE(contains(kept.out, "28 of 201,376 hands")) << kept.out;
    std::ifstream file(rare);
    std::vector<std::string> starts;
    for (std::string line; std::getline(file, line);)
        starts.push_back(line);
    ASSERT_EQ(starts.size(), 3U);
    for (const std::string& each : starts)
        EXPECT_TRUE(json::parse(each)["hands"]["B"].contains("TD")) << each;
    const Ran played =
        run_in_process({"run", "belote", "--games", "4", "--starts", rare, "--brief"});
    EXPECT_EQ(played.code, 0) << played.err;
    const Ran none =
        run_in_process({"deals", "belote", "--where",
                        R"({"turned": "7S", "hands": {"A": {"7S": true}}})", "--deals", "2000"});
    EXPECT_EQ(none.code, 1) << none.err;
    EXPECT_EQ(none.out,
              "none of 2,000 deals of seed 1: with 95 % confidence rarer than one in 668\n");
    for (const auto& [where, message] : std::vector<std::pair<std::string, std::string>>{
             {"{", "--where takes a condition"},
             {"[]", "--where takes a condition"},
             {R"({}, "action": {"turn": "A"})", "--where takes a condition"},
             {R"({"hands": {"A": {"1H": true}}})", "has the node \"1H\" here"},
             {R"({"_": "1 / 0 > 2"})", "division by zero"},
             {"@" + path("nothing.json"), "no such file"}}) {
        const Ran wrong = run_in_process({"deals", "belote", "--where", where});
        EXPECT_EQ(wrong.code, 2) << where;
        EXPECT_TRUE(contains(wrong.err, message)) << wrong.err;
    }
}

TEST_F(GameCommands, score_scores_whatever_stands_there) {
    const auto scores = [&](const std::string& board) {
        const Ran ran = run_in_process({"score", "life", "--state", "-", "--json"}, board);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return json::parse(ran.out)["score"];
    };
    EXPECT_EQ(scores(R"({"board": {"a1": "W"}})"), (json{{"B", 0}, {"W", 1}}));
    EXPECT_EQ(scores(R"({"board": {"a1": "W", "a2": "B"}})"), (json{{"B", 0.5}, {"W", 0.5}}));
    EXPECT_EQ(scores("{}"), (json{{"B", 0.5}, {"W", 0.5}}));
}

TEST_F(GameCommands, mistakes_are_named_and_exit_with_2) {
    const auto mistake = [](const std::vector<std::string>& arguments,
                            const std::string& input = {}) {
        const Ran ran = run_in_process(arguments, input);
        EXPECT_EQ(ran.code, 2) << ran.out;
        EXPECT_EQ(ran.out, "");
        return ran.err;
    };
    EXPECT_TRUE(contains(mistake({"play", "lief"}), "no game 'lief' (did you mean 'life'?)"));
    EXPECT_TRUE(
        contains(mistake({"play", "life:tours"}), "no revision 'tours' (did you mean 'torus'?)"));
    EXPECT_TRUE(contains(mistake({"play", "nowhere/rules.json"}), "nowhere/rules.json"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--agents", "random,random,random"}),
                         "life has 2 seats, and --agents names 3"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--agents", "randm"}), "did you mean 'random'?"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--set", "max_plies=x"}), "error[E0605]"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--set", "plies=3"}), "error[E0217]"));
    EXPECT_TRUE(
        contains(mistake({"play", "life", "--set", "max_plies=7-3"}), "--set:1:1: error[E0605]"));
    const std::string three = mistake(
        {"play", "belote", "--set", "deals=x", "--set", "capot_point=3", "--set", "rounding=5u"});
    EXPECT_TRUE(contains(three, "--set:2:1: error[E0217]"));
    EXPECT_TRUE(contains(three, "    rounding=5u\n    ^~~~~~~~~~~\n"));
    EXPECT_TRUE(contains(three, "play: 3 errors"));
    EXPECT_TRUE(contains(mistake({"run", "--game", "belote", "--agents", "random", "--games", "1",
                                  "--set", "deals=x", "--set", "capot_point=3"}),
                         "run: 2 errors"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--set", "plies"}), "--set takes name=value"));
    EXPECT_TRUE(contains(mistake({"play", "life", "--show", "--record", "-"}), "standard output"));
    EXPECT_TRUE(
        contains(mistake({"play", "life", "--record", "/nowhere/x"}), "cannot write '/nowhere/x'"));
    EXPECT_TRUE(contains(mistake({"moves", "life", "--state", "-"}, R"({"board": {"a1": "X"}})"),
                         "<stdin>:1:12: error[E0410]: board.$Cell cannot hold 'X'"));
    EXPECT_TRUE(contains(mistake({"moves", "life", "--state", "-"}, R"({"bord": {}})"),
                         "did you mean \"board\"?"));
    EXPECT_TRUE(contains(mistake({"score", "life", "--state", "-"}, "{"), "error[E000"));
}

TEST_F(GameCommands, agents_lists_kinds_and_what_comes_with_games) {
    const json all = json::parse(run_in_process({"agents", "--json"}).out);
    EXPECT_EQ(all["kinds"][0]["kind"], "random");
    EXPECT_EQ(all["rules"]["belote"], (json{"counting", "naive", "table"}));
    EXPECT_FALSE(all["rules"].contains("parts"));
    EXPECT_EQ(all["eval"], (json{{"life", {"growth"}}}));
    const Ran text = run_in_process({"agents"});
    EXPECT_TRUE(contains(text.out, "    belote: counting naive table\n")) << text.out;
    EXPECT_TRUE(contains(text.out, "    life: growth\n")) << text.out;
    EXPECT_TRUE(contains(text.out, "human\n    a person at the terminal")) << text.out;
    for (const json& kind : all["kinds"])
        EXPECT_TRUE(contains(text.out, kind["kind"].get<std::string>() + "\n")) << text.out;
}

TEST_F(GameCommands, agents_are_named_with_their_options) {
    const Ran split = run_in_process(
        {"play", "life", "--agents", "Deep=eval:depth=2,nodes=500,random", "--seed", "2"});
    EXPECT_TRUE(contains(split.out, "B       Deep=eval:depth=2,nodes=500      1      1"))
        << split.out;
    const Ran each = run_in_process({"play", "life", "--agents", "Deep=eval:depth=2,nodes=500",
                                     "--agents", "random", "--seed", "2"});
    EXPECT_EQ(each.out, split.out);
    const Ran shipped = run_in_process({"play", "belote", "--agents", "rules:table"});
    EXPECT_EQ(shipped.code, 0);
    EXPECT_EQ(shipped.err, "") << "what comes with a game has neither warnings nor notes";
    const Ran unknown = run_in_process({"play", "belote", "--agents", "rules:tables"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.err, "no agent rules:tables for belote (did you mean 'table'?)"))
        << unknown.err;
}

TEST_F(GameCommands, a_program_plays) {
    const Ran ran = run_in_process(
        {"play", "life", "--agents",
         ("Bot=process:python3 agents/process/examples/random_bot.py,start_ms=3600000,"
          "move_ms=3600000,eval"),
         "--seed", "3"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_TRUE(contains(ran.out, "eval")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "life: over after")) << ran.out;
}

TEST_F(GameCommands, what_agents_do_wrong_is_told) {
    const std::string odd = write("odd.json", R"({"game": "life",
        "choose": [{"condition": {"view": {"board": {"$C": {}}}}, "action": {"prefer": {"$C": 1}}}]})");
    const Ran noted = run_in_process(
        {"play", "life", "--agents", "rules:" + odd + ",random", "--set", "max_plies=3"});
    EXPECT_EQ(noted.code, 0);
    EXPECT_TRUE(contains(noted.err, "no legal move had a weight, one was made by chance (2 times)"))
        << noted.err;
    EXPECT_TRUE(contains(noted.err, "a move that is not legal had a weight")) << noted.err;
    const Ran gone =
        run_in_process({"play", "life", "--agents", "process:false,random", "--record", "-"});
    EXPECT_EQ(gone.code, 1);
    const json end = json::parse(lines(gone.out).back());
    EXPECT_EQ(end["end"], "fault");
    EXPECT_EQ(end["player"], "B");
    EXPECT_EQ(end["fault"], "start");
    EXPECT_EQ(end["why"], "the program ended with exit code 1");
    EXPECT_EQ(end["plies"], 0);
    EXPECT_TRUE(contains(gone.err, "the game ended by this agent's fault (start)")) << gone.err;
}

TEST_F(GameCommands, a_designer_plays_a_revision_of_his_own) {
    const std::string base = write("mine/rules.json", R"({
      "game": {"name": "mine", "players": ["A", "B"]}, "state": {"turn": "A", "n": 3},
      "moves": [{"action": {"moves": {"go": true}}}],
      "play": [{"name": "down", "action": {"n": "$this - 1"}},
               {"name": "end", "condition": {"n": 0}, "action": {"over": true}}],
      "score": []})");
    EXPECT_TRUE(contains(run_in_process({"play", base}).out, "mine: over after 3 moves"));
    (void)write("mine/slow.json", R"({"@include": "rules.json", "state": {"n": 5}})");
    EXPECT_TRUE(
        contains(run_in_process({"play", base + ":slow"}).out, "mine:slow: over after 5 moves"));
    EXPECT_TRUE(contains(run_in_process({"play", "mine:slow", "--games-folder", path("")}).out,
                         "mine:slow: over after 5 moves"));
    write("mine/broken.json",
          R"({"@include": "rules.json", "play": [{"name": "down", "action": {"n": "= 1 / 0"}}]})");
    const Ran broken = run_in_process({"play", base + ":broken", "--record", "-"});
    EXPECT_EQ(broken.code, 0);
    const json end = json::parse(lines(broken.out).back());
    EXPECT_EQ(end["end"], "aborted");
    EXPECT_EQ(end["rule"], "down");
    EXPECT_EQ(end["why"], "division by zero: 1 and 0");
    EXPECT_EQ(end["plies"], 1);
    EXPECT_TRUE(contains(broken.err, "broken.json:1:")) << broken.err;
    const Ran tick = run_in_process({"tick", base + ":broken", "--moves", "go"});
    EXPECT_EQ(tick.code, 2);
    EXPECT_TRUE(contains(tick.err, "the game is aborted: rule down: division by zero"));
}

} // namespace
} // namespace croupier::cli
