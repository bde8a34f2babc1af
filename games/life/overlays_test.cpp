// Files laid over Life as readers write them: other boards, more players, the drop of `written`.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <string>

namespace croupier::games {
namespace {

// A file beside Life's own.
OpenedRuleset lay_over(const std::string& text) {
    const std::string path = "games/life/over.json";
    const engine::FileOpener disk = test_opener();
    return open_ruleset(path, [&](const std::string& wanted) {
        return wanted == path ? engine::FileText{text, {}} : disk(wanted);
    });
}

std::string mistakes(const OpenedRuleset& opened) {
    std::string text;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text += engine::format(each, opened.sources) + "\n";
    return text;
}

bool says(const OpenedRuleset& opened, const std::string& part) {
    return opened.game == nullptr && mistakes(opened).find(part) != std::string::npos;
}

// A board of that size with those stones, and no pass if the domain of moves has no room for it.
OpenedRuleset board(const std::string& size, const std::string& stones, bool passes = true) {
    return lay_over(R"({"@include": "rules.json", "types": {"Cell": {"grid": [)" + size +
                    R"(], "near": "king"})" + (passes ? "" : R"(, "Move": {"union": ["Cell"]})") +
                    R"(},
        "setup": [{"name": "stones", "action": {"board": {)" +
                    stones + "}}}]" +
                    (passes ? "" : R"(, "moves": [{"name": "may-pass", "@remove": true}])") + "}");
}

std::unique_ptr<Position> started(const OpenedRuleset& opened) {
    EXPECT_NE(opened.game, nullptr) << mistakes(opened);
    if (opened.game == nullptr) return nullptr;
    auto position = opened.game->new_position();
    Random random(1);
    position->start(random);
    return position;
}

TEST(life_overlays, a_board_of_one_cell_has_a_pass_and_ends_empty) {
    const OpenedRuleset opened = board("1, 1", R"("a1": "W")");
    const auto position = started(opened);
    ASSERT_NE(position, nullptr);
    EXPECT_EQ(legal(*position), std::vector<std::string>{"pass"});
    Random random(1);
    position->play(position->move(0), random);
    EXPECT_EQ(json(*position), R"({"board":{},"turn":"W","over":true,"score":{"B":0.5,"W":0.5}})");
}

TEST(life_overlays, a_board_of_one_column_is_played_row_by_row) {
    const OpenedRuleset opened =
        board("1, 1000", R"("a1": "B", "a998": "W", "a999": "B", "a1000": "W")");
    const auto position = started(opened);
    ASSERT_NE(position, nullptr);
    EXPECT_EQ(legal(*position), (std::vector<std::string>{"a2", "a997"}));
    Random random(1);
    position->play(*position->find_move("a997"), random);
    // a998 between black ones turns, a999 between white ones, and the ends die.
    EXPECT_EQ(json(*position), R"({"board":{"a998":"B","a999":"W"},"turn":"W"})");
    position->play(*position->find_move("a997"), random);
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->score(1), 1) << "a998 between white ones turns, and the others die";
}

TEST(life_overlays, a_step_without_a_drop_changes_the_first_stones_of_life_but_not_of_stable) {
    // Where nothing may be dropped, one passes, and the board takes its step alone.
    const auto changes = [](const std::string& file) {
        const OpenedRuleset opened = lay_over(
            R"({"@include": ")" + file + R"(", "moves": [{"name": "may-drop", "@remove": true}]})");
        const auto position = started(opened);
        const auto board = [&] {
            return engine::write_json(position->state().find("board")->value, -1);
        };
        const std::string before = board();
        Random random(1);
        position->play(*position->find_move("pass"), random);
        return board() != before;
    };
    EXPECT_TRUE(changes("rules.json"));
    EXPECT_FALSE(changes("stable.json"));
}

TEST(life_overlays, the_largest_boards) {
    const std::string stones = R"("a1": "B", "b1": "B", "a2": "B", "b2": "B",
        "bj62": "W", "bk62": "W", "bj63": "W", "bk63": "W")";
    EXPECT_TRUE(says(board("64, 64", stones), "a domain has 1 to 4096 members, this one 4097"));
    const OpenedRuleset opened = board("64, 64", stones, false);
    const auto position = started(opened);
    ASSERT_NE(position, nullptr);
    EXPECT_EQ(position->move_count(), 5U + 12U);
    Random random(1);
    position->play(*position->find_move("bl64"), random);
    // The corner of the block has four neighbours now and dies, as does the black stone; of two
    // white parents and the black one bl63 and bk64 are born.
    EXPECT_EQ(json(*position),
              R"({"board":{"a1":"B","b1":"B","a2":"B","b2":"B","bj62":"W","bk62":"W","bj63":"W",)"
              R"("bl63":"W","bk64":"W"},"turn":"W"})");
    EXPECT_TRUE(says(board("200, 200", stones), "a grid has 1 to 4096 cells"));
}

TEST(life_overlays, stones_that_lie_outside_a_smaller_board_are_named) {
    EXPECT_TRUE(says(lay_over(R"({"@include": "rules.json",
        "types": {"Cell": {"grid": [9, 9], "near": "king"}}})"),
                     "no state of the declared shape has the node \"k10\""));
}

TEST(life_overlays, a_board_without_neighbours_is_refused) {
    EXPECT_TRUE(
        says(lay_over(R"({"@include": "rules.json", "types": {"Cell": {"grid": [19, 19]}}})"),
             "no state of the declared shape has the node \"near\""));
}

TEST(life_overlays, the_rules_for_two_refuse_a_third_player) {
    const std::string types =
        R"("types": {"Player": {"members": ["B", "W", "R"], "order": "cyclic"}})";
    for (const std::string game : {"", R"("game": {"players": ["B", "W", "R"]}, )"}) {
        EXPECT_TRUE(says(lay_over(R"({"@include": "rules.json", )" + game + types + "}"),
                         "E0609]: these are the rules for two players, not 3: three.json"));
    }
    EXPECT_TRUE(
        says(lay_over(R"({"@include": "rules.json", "game": {"players": ["B", "W", "R"]}})"),
             "E0601]: it can never be the turn of the player R"));
}

TEST(life_overlays, a_player_without_first_stones_is_out_from_the_beginning) {
    const OpenedRuleset opened = lay_over(R"({"@include": "three.json",
        "game": {"players": ["B", "W", "R", "G"]},
        "types": {"Player": {"members": ["G", "B", "W", "R"], "order": "cyclic"}},
        "state": {"turn": "G"}})");
    const auto position = started(opened);
    ASSERT_NE(position, nullptr);
    EXPECT_EQ(position->turn(), 0U) << "B, since G has nothing to play with";
    Random random(1);
    position->play_randomly(random, random);
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->place(3), 4U);
    EXPECT_EQ(position->score(3), 0);
}

TEST(life_overlays, a_game_that_only_one_player_has_stones_in_is_over_at_once) {
    const OpenedRuleset opened = lay_over(R"({"@include": "three.json",
        "setup": [{"name": "stones", "action": {"board": {"a1": "W"}}}]})");
    const auto position = started(opened);
    ASSERT_NE(position, nullptr);
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->score(1), 1);
    EXPECT_EQ(position->place(0), 2U);
    EXPECT_EQ(position->place(2), 2U);
}

TEST(life_overlays, the_drop_on_any_cell_can_be_laid_over_each_revision) {
    for (const std::string revision : {"axiom", "cumulative", "four", "laws", "three", "torus"}) {
        const OpenedRuleset opened =
            lay_over(R"({"@include": [")" + revision + R"(.json", "parts/anywhere.json"]})");
        const auto position = started(opened);
        ASSERT_NE(position, nullptr) << revision;
        EXPECT_EQ(position->move_count(),
                  361 - position->state().find("board")->value.members.size())
            << revision;
    }
}

} // namespace
} // namespace croupier::games
