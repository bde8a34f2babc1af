// What `game.gains` and `game.sides` declare about positions.
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace croupier::games {

namespace {

std::unique_ptr<Position> gains_state(const Game& game, const std::string& state) {
    auto position = game.new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const auto document = engine::read_json(sources, sources.add("s", state), diagnostics);
    Random random(1);
    EXPECT_TRUE(position->load(*document, random, diagnostics));
    position->resume(random);
    return position;
}

std::string gains_rules(const std::string& game) {
    return R"({"game": {"name": "g", "players": ["A", "B", "C", "D"],
            "teams": {"AC": ["A", "C"], "BD": ["B", "D"]}, )" +
           game + R"(},
        "types": {"Player": {"members": ["A", "B", "C", "D"], "order": "cyclic"},
            "Team": ["AC", "BD"], "Side": ["north", "south"], "Cell": 4},
        "shape": {"turn": "Player", "won": {"$:Team": {"points": "0..300", "tricks": "int"}},
            "sum": {"$:Player": "int"}, "who": {"$:Player": "Side"}, "cells": {"$:Cell": "int"},
            "some": {"$:Team": "number"}, "x": "0..9", "moves": {"$:Cell": true},
            "move": "Cell", "over": "bool"},
        "state": {"turn": "A"},
        "moves": [{"action": {"moves": {"1": true}}}], "play": [], "score": []})";
}

TEST(gains, are_no_part_of_the_hash_of_the_rest) {
    const OpenedGame opened = open_text(gains_rules(R"("gains": ["won"], "sides": "who")"));
    ASSERT_NE(opened.game, nullptr);
    EXPECT_EQ(opened.game->facts().gains,
              (std::vector<std::vector<Seat>>{{0, 2}, {1, 3}, {0, 2}, {1, 3}}));
    const auto one = gains_state(*opened.game, R"({"won": {"AC": {"points": 7, "tricks": 1},
        "BD": {"points": 260, "tricks": 2}}, "x": 3})");
    const auto more = gains_state(*opened.game, R"({"won": {"AC": {"points": 8, "tricks": 1},
        "BD": {"points": 259, "tricks": 9}}, "x": 3})");
    const auto other = gains_state(*opened.game, R"({"won": {"AC": {"points": 7, "tricks": 1},
        "BD": {"points": 260, "tricks": 2}}, "x": 4})");
    std::vector<std::int32_t> of_one;
    std::vector<std::int32_t> of_more;
    const std::uint64_t hash = one->hash_without_gains(of_one);
    EXPECT_EQ(more->hash_without_gains(of_more), hash);
    EXPECT_NE(more->hash(), one->hash());
    ASSERT_EQ(of_one.size(), 4U);
    EXPECT_EQ(of_more[0] - of_one[0], 1);
    EXPECT_EQ(of_more[1] - of_one[1], -1);
    EXPECT_EQ(of_more[2] - of_one[2], 0);
    EXPECT_EQ(of_more[3] - of_one[3], 7);
    std::vector<std::int32_t> of_other;
    EXPECT_NE(other->hash_without_gains(of_other), hash);
    EXPECT_EQ(of_other, of_one);
}

TEST(gains, may_be_integers_of_players) {
    const OpenedGame opened = open_text(gains_rules(R"("gains": ["sum"])"));
    ASSERT_NE(opened.game, nullptr);
    const auto one = gains_state(*opened.game, R"({"sum": {"B": -5, "D": 3}})");
    std::vector<std::int32_t> gains;
    const std::uint64_t hash = one->hash_without_gains(gains);
    EXPECT_EQ(gains, (std::vector<std::int32_t>{0, -5, 0, 3}));
    // Values that do not fit are part of the position.
    const auto large = gains_state(*opened.game, R"({"sum": {"B": 5000000000, "D": 3}})");
    EXPECT_NE(large->hash_without_gains(gains), hash);
    EXPECT_EQ(gains, (std::vector<std::int32_t>{0, 0, 0, 0}));
    EXPECT_EQ(large->hash_without_gains(gains), large->hash());
}

TEST(sides, are_who_has_the_same_member) {
    const OpenedGame opened = open_text(gains_rules(R"("sides": "who")"));
    ASSERT_NE(opened.game, nullptr);
    const auto some = gains_state(*opened.game, R"({"who": {"A": "north", "D": "north"}})");
    EXPECT_EQ(some->side(0), some->side(3));
    EXPECT_NE(some->side(0), some->side(1));
    EXPECT_NE(some->side(1), some->side(2)) << "of whom nothing is known";
}

TEST(gains, what_is_wrong_is_told) {
    const auto codes = [](const std::string& game) {
        std::string found;
        const OpenedGame opened = open_text(gains_rules(game));
        EXPECT_EQ(opened.game, nullptr) << game;
        for (const engine::Diagnostic& each : opened.diagnostics.sorted())
            found += each.code + std::string(": ") + each.hint + "\n";
        return found;
    };
    EXPECT_EQ(codes(R"("gains": "won")"),
              "E0616: as in \"gains\": [\"taken\"]: maps by player or team that hold integers, or "
              "records of them\n");
    EXPECT_EQ(codes(R"("gains": ["wom"])"), "E0616: did you mean \"won\"?\n");
    for (const char* wrong : {R"("gains": ["cells"])", R"("gains": ["some"])", R"("gains": ["x"])",
                              R"("gains": [3])", R"("sides": "won")", R"("sides": 1)"})
        EXPECT_EQ(codes(wrong).substr(0, 5), "E0616") << wrong;
}

// The worth of positions by `game.material`.

std::string material_rules(const std::string& material, const std::string& game = {}) {
    return R"({"game": {"name": "g", "players": ["A", "B", "C", "D"], "material": )" + material +
           game +
           R"(},
        "types": {"Player": {"members": ["A", "B", "C", "D"], "order": "cyclic"}, "Owner": ["nobody", "D", "C", "B", "A"],
            "Cell": {"grid": [30, 30]}},
        "shape": {"turn": "Player", "board": {"$:Cell": "Player"}, "owned": {"$:Cell": "Owner"},
            "sum": {"$:Player": "int"}, "move": "int", "over": "bool", "rank": {"$:Cell": "int"}},
        "state": {"turn": "A"},
        "moves": [{"action": {"moves": {"1": true}}}], "play": [], "score": []})";
}

// The worth of the position to each seat.
std::vector<double> worths(const std::string& material, const std::string& state,
                           const std::string& game = {}) {
    const OpenedGame opened = open_text(material_rules(material, game));
    if (opened.game == nullptr) {
        ADD_FAILURE() << "the ruleset has mistakes";
        return {};
    }
    const auto position = opened.game->new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    const auto document = engine::read_json(sources, sources.add("s", state), diagnostics);
    Random random(1);
    EXPECT_TRUE(position->load(*document, random, diagnostics));
    std::vector<double> worths;
    for (Seat seat = 0; seat < 4; ++seat)
        worths.push_back(opened.game->evaluation()->worth(*position, seat));
    return worths;
}

const std::string kMaterialState =
    R"({"board": {"a1": "A", "b1": "A", "c1": "A", "ad30": "B", "d4": "C"},
    "owned": {"a1": "D", "b1": "nobody", "c1": "D"}, "sum": {"A": -3, "B": 10}})";

TEST(material, own_stones_less_all_others) {
    EXPECT_EQ(worths(R"({"board": 1})", kMaterialState), (std::vector<double>{1, -3, -3, -5}));
    EXPECT_EQ(worths(R"({"board": 1})", "{}"), (std::vector<double>{0, 0, 0, 0}));
}

TEST(material, nodes_have_weights_and_may_hold_sums) {
    EXPECT_EQ(worths(R"({"sum": 2})", kMaterialState), (std::vector<double>{-26, 26, -14, -14}));
    EXPECT_EQ(worths(R"({"board": 1, "sum": 0.5})", kMaterialState),
              (std::vector<double>{1 - 6.5, -3 + 6.5, -3 - 3.5, -5 - 3.5}));
}

TEST(material, players_are_found_by_name_whatever_else_the_values_may_be) {
    EXPECT_EQ(worths(R"({"owned": 1})", kMaterialState), (std::vector<double>{-2, -2, -2, 2}));
}

TEST(material, partners_count_as_oneself) {
    EXPECT_EQ(worths(R"({"board": 1})", kMaterialState,
                     R"(, "teams": {"AC": ["A", "C"], "BD": ["B", "D"]})"),
              (std::vector<double>{3, -3, 3, -3}));
}

TEST(material, a_board_full_of_stones_is_counted_to_the_last) {
    const std::string cells = [] {
        std::string text;
        for (int row = 1; row <= 30; ++row)
            for (int column = 0; column < 30; ++column)
                text += (text.empty() ? "\"" : ", \"") +
                        (column < 26 ? std::string(1, static_cast<char>('a' + column))
                                     : "a" + std::string(1, static_cast<char>('a' + column - 26))) +
                        std::to_string(row) + R"(": "B")";
        return text;
    }();
    EXPECT_EQ(worths(R"({"board": 1})", R"({"board": {)" + cells + "}}"),
              (std::vector<double>{-900, 900, -900, -900}));
}

TEST(material, what_cannot_be_counted_is_named) {
    const auto refused = [](const std::string& material) {
        const OpenedGame opened = open_text(material_rules(material));
        std::string text;
        for (const engine::Diagnostic& each : opened.diagnostics.sorted())
            text += engine::format(each, opened.sources);
        EXPECT_EQ(opened.game, nullptr) << material;
        return text;
    };
    EXPECT_NE(refused(R"({"bord": 1})").find("did you mean \"board\"?"), std::string::npos);
    EXPECT_NE(refused(R"({"rank": 1})").find("E0614"), std::string::npos);
    EXPECT_NE(refused(R"({"turn": 1})").find("E0614"), std::string::npos);
    EXPECT_NE(refused(R"({"board": true})").find("has a number"), std::string::npos);
    EXPECT_NE(refused(R"("board")").find("takes an object"), std::string::npos);
}

TEST(material, a_ruleset_that_says_nothing_has_no_evaluation) {
    EXPECT_EQ(open_for_test("nim")->evaluation(), nullptr);
    EXPECT_NE(open_for_test("life")->evaluation(), nullptr);
}

} // namespace

} // namespace croupier::games
