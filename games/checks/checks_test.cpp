// Tests of tests: failures are reported with their place, and checks of every game fail if
// something does not hold.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/test_run.h"

#include <gtest/gtest.h>

#include <map>

namespace croupier::games {
namespace {

using Texts = std::map<std::string, std::string>;

engine::FileOpener opener_of(Texts files) {
    return [files = std::move(files)](const std::string& path) -> engine::FileText {
        const auto found = files.find(path);
        if (found == files.end()) return {{}, "no such file"};
        return {found->second, {}};
    };
}

// Two players draw from a pack of four, one card at a time, and see their own. The higher sum wins.
// `Draw` takes a known card, so that tests can be written; the rest is hidden.
const std::string kDraw = R"({
"game": {"name": "draw", "players": ["A", "B"],
         "one_place": {"Card": {"repeats": {"last": true}, "leave": {}}}},
"types": {"Seat": {"members": ["A", "B"], "order": "cyclic"}, "Card": ["c1", "c2", "c3", "c4"]},
"shape": {"turn": "Seat", "pack": {"$:Card": true}, "hands": {"$:Seat": {"$:Card": true}},
          "last": "Card", "table": {"$:Card": true}, "moves": {"$:Move": true}, "move": "Move",
          "over": "bool", "score": {"$:Seat": "int"}, "none": "bool"},
"constants": {"worth": {"c1": 1, "c2": 2, "c3": 3, "c4": 4}},
"options": {"show": false},
"hidden": {"hands": {"$P": "only $P"}, "pack": "nobody"},
"setup": [{"name": "deal", "action": {"turn": "A", "pack": {"c1": true, "c4": true},
    "hands": {"A": {"c2": true}, "B": {"c3": true}}}}],
"moves": [{"name": "lay", "condition": {"turn": "$P", "hands": {"$P": {"$C": true}}},
           "action": {"moves": {"$C": true}}}],
"play": [{"name": "laid", "condition": {"move": "$C", "turn": "$P", "next": {"$P": "$Q"}},
          "action": {"hands": {"$P": {"$C": "@remove"}}, "table": {"$C": true}, "last": "$C",
                     "turn": "$Q"}},
         {"name": "end", "condition": {"_": "size(table) == 2"}, "action": {"over": true}},
         {"name": "never", "condition": {"none": true}, "action": {"none": false}}],
"score": [{"name": "worth", "condition": {"last": "$C", "worth": {"$C": "$N"}},
           "action": {"score": {"A": 0, "B": "$N"}}}],
"unseen": [{"name": "u", "condition": {"observer": {"me": "$P"}, "worth": {"$C": {}},
              "@not": {"hands": {"$P": {"$C": true}}}, "@not@table": {"table": {"$C": true}}},
            "action": {"observer": {"unseen": {"$C": true}}}},
           {"name": "r", "condition": {"observer": {"me": "$P"}, "next": {"$P": "$Q"}},
            "action": {"observer": {"room": {"$Q": "= ROOM"}}}}],
"restore": [{"name": "b", "condition": {"observer": {"drawn": {"$C": "$P:Seat"}}},
             "action": {"hands": {"$P": {"$C": true}}}},
            {"name": "s", "condition": {"worth": {"$C": {}}, "@not": {"hands": {"$_": {"$C": true}}},
              "@not@t": {"table": {"$C": true}}}, "action": {"pack": {"$C": true}}}]})";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

// A does not see B's one card until it is played.
std::string draw_game() {
    std::string game = replaced(kDraw, "$:Move", "$:Card");
    game = replaced(game, "\"move\": \"Move\"", "\"move\": \"Card\"");
    return replaced(game, "= ROOM", "= 1 - size(table)");
}

// The whole report: "line:column what: found | expected", or the errors.
std::string told(const std::string& tests, const std::string& game = draw_game()) {
    const engine::FileOpener open = opener_of({{"g/rules.json", game}, {"g/tests/t.json", tests}});
    const TestFile file("g/tests/t.json", open);
    std::string text;
    const auto place = [&](engine::Span span) {
        const auto at = file.sources().line_column(span.file, span.begin);
        return std::to_string(at.line) + ":" + std::to_string(at.column) + " ";
    };
    for (const engine::Diagnostic& each : file.diagnostics().sorted())
        text += place(each.span) + each.code + " " + each.message + "\n";
    TestRun run(file, open);
    const auto tell = [&](const TestResult& result) {
        for (const TestFailure& failure : result.failures)
            text += place(failure.span) + failure.what + ": " + failure.found +
                    (failure.expected.empty() ? "" : " | ") + failure.expected + "\n";
        for (const std::string& mistake : result.mistakes)
            text += mistake;
    };
    for (std::size_t i = 0; i < run.count(); ++i)
        tell(run.run(i));
    if (const auto coverage = run.coverage()) tell(*coverage);
    return text;
}

std::string told_of(const std::string& test, const std::string& game = draw_game()) {
    return told("{\"tests\": [\n{\"name\": \"t\", " + test + "}]}", game);
}

TEST(tests, what_is_as_expected_is_good) {
    EXPECT_EQ(told_of(R"("expect": {"turn": "A", "moves": ["c2"], "ending": "none",
        "state": {"hands": {"A": ["c2"], "B": {"c3": true}}, "table": "@absent", "pack": {}, "turn": "@any"},
        "sees": {"A": {"hands": {"B": "@absent"}}, "B": {"hands": {"B": ["c3"]}, "pack": "@absent"}}})"),
              "");
    EXPECT_EQ(
        told_of(
            R"("play": ["c2", {"turn": "B", "moves": {"includes": ["c3"], "excludes": ["c2"]}}, "c3"],
        "expect": {"turn": "nobody", "ending": "over", "scores": {"A": 0, "B": 3.0},
                   "places": {"A": 2, "B": 1}, "roles": {"A": ""}})"),
        "");
    EXPECT_EQ(told_of(R"("state": {"hands": {"A": ["c1", "c4"], "B": {"c3": true}}, "turn": "A"},
                         "sequences": [2, 2, 0])"),
              "");
}

TEST(tests, what_is_not_is_told_with_its_place) {
    EXPECT_EQ(told_of(R"("expect": {"turn": "B", "ending": "over"})"),
              "2:34 turn: \"A\" | \"B\"\n2:49 ending: \"none\" | \"over\"\n");
    EXPECT_EQ(told_of(R"("expect": {"moves": ["c1", "c3"]})"),
              "2:35 moves: c2 besides; not c1, c3 | c1, c3\n");
    EXPECT_EQ(told_of(R"("expect": {"moves": {"includes": ["c1", "c2"], "excludes": ["c2"]}})"),
              "2:48 moves.includes: c2 | c1\n2:74 moves.excludes: c2 is legal | not c2\n");
    EXPECT_EQ(
        told_of(
            R"("expect": {"state": {"hands": {"A": ["c2", "c1"], "B": "@absent"}, "over": true}})"),
        "2:51 state.hands.A: [\"c2\"] | [\"c2\",\"c1\"]\n"
        "2:70 state.hands.B: {\"c3\":true} | nothing\n2:90 state.over: nothing | true\n");
    EXPECT_EQ(told_of(R"("expect": {"sees": {"A": {"hands": {"B": {}}}, "C": {}}})"),
              "2:56 sees.A.hands.B: nothing | {}\n2:62 C: there is no such player | A, B\n");
    EXPECT_EQ(told_of(R"("play": ["c3"])"), "2:24 play: c3 is not legal | one of c2\n");
    EXPECT_EQ(told_of(R"("play": ["c2", "c3", "c4"])"),
              "2:36 play: c4 is not legal | no move, since the game is over\n");
    EXPECT_EQ(
        told_of(
            R"("play": ["c2", {"state": {"last": "c1"}}, "c3"], "expect": {"scores": {"B": 2}})"),
        "2:49 state.last: \"c2\" | \"c1\"\n");
    EXPECT_EQ(
        told_of(R"("play": ["c2", "c3"], "expect": {"scores": {"B": 2}, "places": {"A": 1}})"),
        "2:64 scores.B: 3 | 2\n2:84 places.A: 2 | 1\n");
    EXPECT_EQ(told_of(R"("sequences": [1, 2])"), "2:28 sequences: [1, 1] | [1,2]\n");
}

TEST(tests, a_refused_state_can_be_expected) {
    const std::string wrong = R"("state": {"turn": "X"}, "expect": )";
    EXPECT_EQ(told_of(wrong + R"({"refused": "turn cannot hold"})").find("2:"), std::string::npos)
        << told_of(wrong + R"({"refused": "turn cannot hold"})");
    EXPECT_NE(told_of(wrong + R"({"refused": "for another reason"})").find("2:61 refused: "),
              std::string::npos);
    EXPECT_NE(told_of(wrong + R"({"turn": "A"})").find("2:25 state: not accepted: "),
              std::string::npos);
    EXPECT_EQ(told_of(R"("expect": {"refused": "x"})"),
              "2:37 refused: the state is accepted | \"x\"\n");
}

TEST(tests, what_would_be_right_is_at_hand) {
    const engine::FileOpener open =
        opener_of({{"rules.json", draw_game()}, {"t.json", R"({"game": "rules.json", "tests": [
            {"name": "t", "expect": {"moves": [], "turn": "B", "state": {"hands": {"A": []}}}, "sequences": [0]}],
            "coverage": {"except": ["x"]}})"}});
    const TestFile file("t.json", open);
    TestRun run(file, open);
    std::string updates;
    for (const TestFailure& failure : run.run(0).failures)
        updates += failure.update.value_or("-") + " ";
    EXPECT_EQ(updates, "[\"c2\"] \"A\" [\"c2\"] [1] ");
    EXPECT_EQ(run.coverage()->failures.at(0).update, R"(["laid", "end", "never", "worth"])");
}

TEST(tests, coverage_tells_rules_that_never_fire) {
    const std::string play = R"({"tests": [{"name": "t", "play": ["c2", "c3"]}], "coverage": )";
    EXPECT_EQ(told(play + R"({"except": ["never"]}})"), "");
    EXPECT_EQ(told(play + R"({"except": []}})"), "1:73 rules that never fire: never | none\n");
    EXPECT_EQ(told(play + R"({"except": ["never", "end"]}})"),
              "1:73 rules that never fire: never | never, end\n");
    EXPECT_EQ(told(play + R"({"percent": 83}})"), "");
    EXPECT_EQ(told(play + R"({"percent": 84}})"),
              "1:74 coverage.percent: 83: 1 of 6 rules have never fired: never | 84\n");
}

TEST(tests, options_are_set_for_a_file_or_a_test) {
    const std::string game = replaced(draw_game(), R"({"turn": "A", "pack")",
                                      R"({"turn": "= options.show ? 'B' : 'A'", "pack")");
    EXPECT_EQ(told(R"({"set": {"show": true}, "tests": [{"name": "a", "expect": {"turn": "B"}},
        {"name": "b", "set": {"show": false}, "expect": {"turn": "A"}}]})",
                   game),
              "");
    EXPECT_NE(told_of(R"("set": {"shaw": true}, "expect": {})").find("error[E0217]"),
              std::string::npos);
}

TEST(tests, mistakes_of_form_are_diagnostics) {
    const std::string all = told(R"({"test": [], "set": {"a": []}, "tests": [
        {"expect": {}}, {"name": "a"}, {"name": "a", "expect": {"move": []}},
        {"name": "b", "play": [3], "seed": -1}, {"name": "c", "random": {"check": ["view"]}, "state": {}},
        {"name": "d", "expect": {"moves": [1], "state": "x"}, "sequences": ["x"]}, 7]})");
    EXPECT_EQ(all, "1:2 E0612 a file of tests has no key \"test\"\n"
                   "1:27 E0612 the value of an option is neither a list nor an object\n"
                   "2:9 E0612 a test has a name\n"
                   "2:25 E0612 this test expects nothing\n"
                   "2:49 E0612 a second test named \"a\"\n"
                   "2:65 E0612 what is expected has no key \"move\"\n"
                   "3:32 E0612 play holds moves, and objects of what is expected then\n"
                   "3:44 E0612 seed takes a number from 0\n"
                   "3:49 E0612 a test of random games begins with the deal and expects no more\n"
                   "3:84 E0612 there is no check \"view\"\n"
                   "4:43 E0612 moves are a list of names, or an object with includes and excludes\n"
                   "4:57 E0612 state takes an object\n"
                   "4:77 E0612 this is not a count\n"
                   "4:84 E0612 a test is an object\n");
    EXPECT_EQ(told("[]"), "1:1 E0612 a file of tests is an object with a list \"tests\"\n");
    EXPECT_EQ(told("{,"), told("{,").substr(0, 4) + told("{,").substr(4));
}

// ---- what must hold in every game

TEST(random_games, of_a_good_ruleset_are_good) {
    EXPECT_EQ(told_of(R"("random": {"games": 5})"), "");
    EXPECT_EQ(told_of(R"("random": {"check": ["views", "draws", "reload", "one_place"]})"), "");
}

TEST(random_games, tell_what_a_view_gives_away) {
    // The number of cards above all of A's depends on B's hand.
    const std::string leak =
        replaced(draw_game(), R"("hidden": {"hands": {"$P": "only $P"},)",
                 R"("derive": [{"name": "d", "condition": {"hands": {"B": {"$C": true}}},
                                "action": {"last": "$C"}}],
                    "hidden": {"hands": {"$P": "only $P"},)");
    EXPECT_NE(
        told_of(R"("random": {"check": ["views"]})", leak).find("views: A sees what is hidden"),
        std::string::npos)
        << told_of(R"("random": {"check": ["views"]})", leak);
}

TEST(random_games, tell_draws_that_do_not_agree) {
    const std::string random = R"("random": {"check": ["draws"]})";
    const auto draws = [&](const std::string& what, const std::string& by) {
        return told_of(random, replaced(draw_game(), what, by));
    };
    // Puts the drawn card into the viewer's hand.
    EXPECT_NE(draws(R"("action": {"hands": {"$P": {"$C": true}}}},
            {"name": "s")",
                    R"("action": {"hands": {"A": {"$C": true}}}},
            {"name": "s")")
                  .find("draws: what is drawn for A is not what he sees"),
              std::string::npos);
    // The observer never gives B c3, although B has it.
    EXPECT_NE(draws(R"({"name": "r", "condition")",
                    R"({"name": "no", "condition": {"observer": {"me": "A"}},
                        "action": {"observer": {"cannot": {"B": {"c3": true}}}}},
                       {"name": "r", "condition")")
                  .find("draws: what really lies there is never drawn for A"),
              std::string::npos);
    // There is no room for B's card.
    EXPECT_NE(draws("= 1 - size(table)", "= 0").find("draws: "), std::string::npos);
    const std::string none =
        replaced(replaced(draw_game(), "\"unseen\"", "\"zzz\""), "\"restore\"", "\"yyy\"");
    EXPECT_NE(told_of(random, none).find("does not say how"), std::string::npos);
}

TEST(random_games, tell_cards_in_two_places_and_in_none) {
    const std::string random = R"("random": {"check": ["one_place"]})";
    EXPECT_NE(told_of(random, replaced(draw_game(), R"({"last": true})", "{}"))
                  .find("one_place: c2 is in last and in table (seed 1, after c2)"),
              std::string::npos);
    EXPECT_NE(told_of(random, replaced(draw_game(), R"("table": {"$C": true}, "last")",
                                       R"("pack": {"c4": "@remove"}, "last")"))
                  .find("one_place: c4 was where nothing leaves from, and is nowhere"),
              std::string::npos);
    EXPECT_EQ(told(R"({"one_place": {"Card": {"repeats": {"lst": true}}},
                       "tests": [{"name": "t", )" +
                   random + "}]}")
                  .find("g/tests/t.json:1:37: error[E0613]"),
              0U);
}

TEST(random_games, tell_states_that_cannot_be_read_again) {
    const std::string game =
        replaced(draw_game(), R"("last": "$C",)", R"("last": "$C", "extra": 1,)");
    const std::string with_derive =
        replaced(game, R"("hidden")",
                 R"("derive": [{"name": "d", "action": {"extra": "@remove"}}], "hidden")");
    EXPECT_NE(told_of(R"("random": {"check": ["reload"]})", with_derive)
                  .find("reload: read again, its state differs"),
              std::string::npos);
}

} // namespace
} // namespace croupier::games
