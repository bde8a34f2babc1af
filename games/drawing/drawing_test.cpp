// Drawings of positions: all that their viewers may see, and nothing else.
#include "engine/api/text.h"
#include "games/drawing/drawer.h"
#include "games/drawing/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace croupier::games {
namespace {

std::unique_ptr<Position> loaded(const Game& game, const std::string& json) {
    auto position = game.new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random chance(0);
    const auto document = engine::read_json(sources, sources.add("state", json), diagnostics);
    EXPECT_TRUE(document && position->load(*document, chance, diagnostics));
    position->resume(chance);
    return position;
}

// As printed, without trailing blanks.
std::string printed(const Drawing& drawing, const TextStyle& style) {
    std::string text;
    for (const TextLine& line : text_of(drawing, nullptr, style)) {
        for (const Stroke& stroke : line)
            text += stroke.text;
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

const DrawnCards* find(const Drawing& drawing, const std::string& name) {
    for (const DrawnCards& cards : drawing.cards)
        if (cards.name == name) return &cards;
    return nullptr;
}

std::string cards_of(const Drawing& drawing, const std::string& name) {
    const DrawnCards* const cards = find(drawing, name);
    if (cards == nullptr) return "none";
    std::string text;
    for (const DrawnCard& card : cards->cards)
        text += (text.empty() ? "" : " ") + label_of(card, false);
    return text;
}

std::string fact_of(const Drawing& drawing, const std::string& name) {
    for (const DrawnFact& fact : drawing.facts)
        if (fact.name == name) return fact.text;
    return "none";
}

// The first deal of seed 1, and some moves of it.
std::unique_ptr<Position> dealt(const Game& game, const std::vector<const char*>& moves = {}) {
    auto position = game.new_position();
    Random deal = stream(1, 0, Purpose::Deal);
    Random chance = stream(1, 0, Purpose::Play);
    position->start(deal);
    for (const char* move : moves)
        position->play(*position->find_move(move), chance);
    return position;
}

TEST(drawing, stones_stand_on_their_cells) {
    for (const char* title : {"life", "life:torus"}) {
        const auto game = open_for_test(title);
        const auto position =
            loaded(*game, R"({"board": {"a1": "B", "s1": "W", "b2": "B"}, "turn": "W"})");
        const Drawing drawing = Drawer(*game).draw(*position);
        ASSERT_EQ(drawing.boards.size(), 1U);
        const DrawnBoard& board = drawing.boards[0];
        EXPECT_EQ(board.columns, 19U);
        EXPECT_EQ(board.rows, 19U);
        EXPECT_EQ(board.look, Look::Stones);
        std::map<std::size_t, DrawnCell> stones;
        for (std::size_t cell = 0; cell < board.cells.size(); ++cell)
            if (!board.cells[cell].piece.empty()) stones[cell] = board.cells[cell];
        const std::map<std::size_t, DrawnCell> wanted = {
            {0, {"B", 0}}, {18, {"W", 1}}, {20, {"B", 0}}};
        EXPECT_EQ(stones, wanted);
        EXPECT_EQ(drawing.turn, 1U);
        EXPECT_TRUE(drawing.cards.empty());
    }
}

TEST(drawing, pieces_stand_where_their_fields_say_small_letters_for_the_second_player) {
    const auto game = open_for_test("krk");
    const auto position = loaded(
        *game, R"({"wk": {"x": 4, "y": 2}, "wr": {"x": 3, "y": 2}, "bk": {"x": 1, "y": 1}})");
    const Drawing drawing = Drawer(*game).draw(*position);
    ASSERT_EQ(drawing.boards.size(), 1U) << "a set of cells is no board beside it";
    const DrawnBoard& board = drawing.boards[0];
    EXPECT_EQ(board.look, Look::Chess);
    EXPECT_EQ(board.cells[0], (DrawnCell{"k", 1}));
    EXPECT_EQ(board.cells[8 + 2], (DrawnCell{"R", 0}));
    EXPECT_EQ(board.cells[8 + 3], (DrawnCell{"K", 0}));
    EXPECT_EQ(fact_of(drawing, "wk"), "none") << "it stands on the board";
    EXPECT_EQ(printed(drawing, {80, false, game->facts().players}), "  a b c d e f g h\n"
                                                                    "8 . . . . . . . . 8\n"
                                                                    "7 . . . . . . . . 7\n"
                                                                    "6 . . . . . . . . 6\n"
                                                                    "5 . . . . . . . . 5\n"
                                                                    "4 . . . . . . . . 4\n"
                                                                    "3 . . . . . . . . 3\n"
                                                                    "2 . . R K . . . . 2\n"
                                                                    "1 k . . . . . . . 1\n"
                                                                    "  a b c d e f g h\n"
                                                                    "  turn W\n");
}

TEST(drawing, rows_of_hexagons_lie_half_a_cell_apart) {
    const auto game = open_for_test("games/examples/hex.json");
    const auto position = loaded(*game, R"({"board": {"a1": "X", "i2": "O", "a9": "O"}})");
    const Drawing drawing = Drawer(*game).draw(*position);
    ASSERT_EQ(drawing.boards.size(), 1U);
    EXPECT_TRUE(drawing.boards[0].hex);
    const std::string text = printed(drawing, {80, false, game->facts().players});
    EXPECT_EQ(text.substr(0, text.find("    5")), "           a b c d e f g h i\n"
                                                  "        9 O . . . . . . . . 9\n"
                                                  "       8 . . . . . . . . . 8\n"
                                                  "      7 . . . . . . . . . 7\n"
                                                  "     6 . . . . . . . . . 6\n");
    EXPECT_EQ(text.substr(text.find(" 2 ")), " 2 . . . . . . . . O 2\n"
                                             "1 X . . . . . . . . 1\n"
                                             "  a b c d e f g h i\n"
                                             "  turn X\n");
}

TEST(drawing, cards_lie_in_hands_and_tricks) {
    const auto game = open_for_test("belote");
    const Drawer drawer(*game);
    Drawing drawing = drawer.draw(*dealt(*game));
    // As in games/belote/playthroughs/belote.txt.
    EXPECT_EQ(cards_of(drawing, "A"), "10♠ K♥ K♦ 8♣ A♣");
    EXPECT_EQ(cards_of(drawing, "turned"), "7♣");
    EXPECT_EQ(fact_of(drawing, "phase"), "bid");
    ASSERT_NE(find(drawing, "deck"), nullptr);
    EXPECT_TRUE(find(drawing, "deck")->hidden) << "nobody may see it";
    EXPECT_EQ(find(drawing, "deck")->hidden_count, 11U);
    drawing = drawer.draw(*dealt(*game, {"take", "JS", "AS"}));
    EXPECT_EQ(cards_of(drawing, "trick"), "J♠ A♠");
    EXPECT_EQ(find(drawing, "trick")->cards[1].player, "C");
    EXPECT_EQ(find(drawing, "deck"), nullptr) << "all are dealt";
    EXPECT_TRUE(drawer.is_card("JS"));
    EXPECT_FALSE(drawer.is_card("take"));
}

// A position drawn by the seat's observer, which has the sizes of hidden hands.
std::unique_ptr<Position> likely(const Game& game, const Position& view, Seat seat) {
    const auto observer = game.new_observer();
    observer->reset(seat);
    auto position = game.new_position();
    Random random(5);
    EXPECT_TRUE(observer->look(view)) << observer->problem();
    EXPECT_TRUE(observer->draw(*position, random)) << observer->problem();
    return position;
}

TEST(drawing, a_view_shows_its_own_hand_and_counts_the_others) {
    const auto game = open_for_test("belote");
    const Drawer drawer(*game);
    const auto position = dealt(*game, {"pass"});
    const auto view = game->new_position();
    view->view_from(*position, 1);
    const Drawing drawing = drawer.draw_view(*view, 1, likely(*game, *view, 1).get());
    EXPECT_EQ(printed(drawing, {80, false, game->facts().players}), "  A      5 hidden\n"
                                                                    "  B      J♠  10♥  9♦  9♣ J♣\n"
                                                                    "> C      5 hidden\n"
                                                                    "  D      5 hidden\n"
                                                                    "  deck   11 hidden\n"
                                                                    "  turned 7♣\n"
                                                                    "  dealer A   phase bid\n");
    EXPECT_EQ(printed(drawing, {24, true, game->facts().players}), "  A      5 hidden\n"
                                                                   "  B      JS  10H  9D  9C\n"
                                                                   "         JC\n"
                                                                   "> C      5 hidden\n"
                                                                   "  D      5 hidden\n"
                                                                   "  deck   11 hidden\n"
                                                                   "  turned 7C\n"
                                                                   "  dealer A   phase bid\n");
    // Hidden hands do not affect the drawing.
    const Drawing blind = drawer.draw_view(*view, 1, nullptr);
    EXPECT_TRUE(find(blind, "A")->hidden);
    EXPECT_FALSE(find(blind, "A")->hidden_count);
    EXPECT_TRUE(find(blind, "A")->cards.empty());
    EXPECT_EQ(find(blind, "deck"), nullptr) << "whether there is one it does not know";
}

// Small games: drawings follow from types and shape.
Drawing drawn_of(const std::string& shape, const std::string& types, const std::string& state) {
    const OpenedGame opened = open_text(R"({"game": {"name": "g", "players": ["A", "B"]},)" +
                                        types + R"("shape": {"turn": "Who", )" + shape + R"(},
        "state": {"turn": "A"}, "moves": [{"action": {"moves": {"go": true}}}],
        "play": [{"action": {"over": true}}], "score": []})");
    EXPECT_NE(opened.game, nullptr);
    if (opened.game == nullptr) return {};
    return Drawer(*opened.game).draw(*loaded(*opened.game, state));
}

TEST(drawing, any_ruleset_is_drawn_by_its_shape) {
    const std::string types = R"("types": {"Who": ["A", "B"],
        "Tile": {"members": ["r1", "r2", "g1", "g2"]},
        "Square": {"grid": [3, 2]}, "Man": ["K", "k", "P"], "Row": 3},)";
    Drawing drawing = drawn_of(R"("board": {"$:Square": "Man"}, "where": {"$:Who": "Square"},
        "rack": {"$:Who": {"$:Tile": true}}, "line": {"$:Row": "Tile"},
        "by": {"$:Who": "Tile"}, "on": {"$:Tile": "Who"}, "wood": {"$:Who": "int"})",
                               types,
                               R"({"board": {"a1": "K", "c2": "k"}, "where": {"A": "b1"},
        "rack": {"A": {"g2": true, "r2": true}}, "line": {"0": "g1"}, "by": {"B": "r1"},
        "on": {"r1": "A"}, "wood": {"A": 3, "B": 1}})");
    ASSERT_EQ(drawing.boards.size(), 1U);
    EXPECT_EQ(drawing.boards[0].look, Look::Chess);
    EXPECT_EQ(drawing.boards[0].cells[5], (DrawnCell{"k", 1}));
    EXPECT_EQ(printed({{}, {}, drawing.cards, drawing.facts}, {}),
              "  A    r2 g2\n"
              "  B    -\n"
              "  line g1\n"
              "  by   B r1\n"
              "  on   A r1\n"
              "  where A b1   wood A 3, B 1\n");
    drawing = drawn_of(R"("where": {"$:Who": "Square"}, "lit": {"$:Square": true})", types,
                       R"({"where": {"A": "b1"}, "lit": {"a1": true}})");
    ASSERT_EQ(drawing.boards.size(), 1U) << "pieces have the board that there is";
    EXPECT_EQ(drawing.boards[0].cells[1], (DrawnCell{"A", 0}));
    drawing = drawn_of(R"("sea": {"$:Who": {"$:Square": true}})", types,
                       R"({"sea": {"A": {"a1": true}, "B": {"c2": true}}})");
    ASSERT_EQ(drawing.boards.size(), 2U);
    EXPECT_EQ(drawing.boards[1].name, "sea B");
    EXPECT_EQ(drawing.boards[1].cells[5].piece, "#");
}

TEST(drawing, a_player_is_told_beside_his_hand_where_the_ruleset_says_so) {
    const auto game = open_for_test("oldmaid");
    const std::string state = R"({"turn": "A", "hands": {"A": {"7S": true}, "B": {"KS": true},
        "C": {"KH": true, "JK": true}, "D": {"7D": true}}})";
    const auto position = loaded(*game, state);
    const Drawing drawing = Drawer(*game).draw(*position);
    EXPECT_EQ(find(drawing, "B")->notes, std::vector<std::string>{"from"});
    EXPECT_TRUE(find(drawing, "C")->notes.empty());
    EXPECT_EQ(fact_of(drawing, "from"), "none");
    EXPECT_EQ(printed(drawing, {80, true, game->facts().players}), "> A      7S\n"
                                                                   "  B from KS\n"
                                                                   "  C      KH  JK\n"
                                                                   "  D      7D\n"
                                                                   "  phase play\n");
    const auto view = game->new_position();
    view->view_from(*position, 0);
    EXPECT_EQ(
        printed(Drawer(*game).draw_view(*view, 0, nullptr), {80, true, game->facts().players}),
        "> A      7S\n  B from hidden\n  C      hidden\n  D      hidden\n  phase play\n");
}

TEST(drawing, a_ruleset_says_what_its_shape_does_not) {
    const std::string types = R"("types": {"Who": ["A", "B"], "Square": {"grid": [3, 2]}},)";
    const auto opened = [&](const std::string& draw) {
        return open_text(R"({"game": {"name": "g", "draw": )" + draw + "}," + types + R"(
            "shape": {"turn": "Who", "board": {"$:Square": "string"}, "kept": "int"},
            "state": {"turn": "A", "kept": 7}, "moves": [], "play": [], "score": []})");
    };
    const OpenedGame good = opened(R"({"kept": false, "board": "chess"})");
    ASSERT_NE(good.game, nullptr);
    const Drawing drawing = Drawer(*good.game).draw(*loaded(*good.game, R"({"kept": 8})"));
    EXPECT_TRUE(drawing.facts.empty());
    EXPECT_EQ(drawing.boards.at(0).look, Look::Chess);
    const auto wrong = [&](const std::string& draw) -> std::string {
        const OpenedGame bad = opened(draw);
        EXPECT_EQ(bad.game, nullptr) << draw;
        const auto found = bad.diagnostics.sorted();
        return found.empty() ? "" : found[0].message;
    };
    EXPECT_EQ(wrong(R"({"bord": false})"), "the shape has no node \"bord\"");
    EXPECT_EQ(wrong(R"({"board": true})"),
              "a node in draw is false, \"chess\", \"letters\" or \"hand\"");
    EXPECT_EQ(wrong(R"({"board": "hand"})"), "\"hand\" is for a node that names a player");
    EXPECT_EQ(wrong("[]"), "draw takes an object of nodes");
}

} // namespace
} // namespace croupier::games
