// What positions are worth by `game.material`.
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"

#include "engine/api/text.h"

#include <gtest/gtest.h>

#include <string>

namespace croupier::games {
namespace {

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

// What the position is worth to each seat.
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
