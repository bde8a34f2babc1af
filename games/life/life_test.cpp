// Life: the ruleset against a plain loop over cells, and what each revision changes.
#include "engine/api/text.h"
#include "games/testing/life.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::games {
namespace {

// A game of the naive loops, in the words of the ruleset.
struct LoopGame {
    life::naive::Edges edges;
    life::naive::Board board = life::naive::beginning();
    char turn = 'B';

    [[nodiscard]] bool has(char colour) const {
        return std::find(board.begin(), board.end(), colour) != board.end();
    }
    [[nodiscard]] bool over() const { return !has('B') || !has('W'); }

    [[nodiscard]] std::vector<std::string> legal() const {
        std::vector<std::string> names;
        for (const int cell : life::naive::legal_drops(board, edges))
            names.push_back(life::naive::name_of(cell));
        if (names.empty()) names.emplace_back("pass");
        return names;
    }

    // The i-th of legal().
    void play(std::size_t i) {
        const std::vector<int> drops = life::naive::legal_drops(board, edges);
        if (!drops.empty()) board.at(static_cast<std::size_t>(drops[i])) = turn;
        board = life::naive::tick(board, edges);
        turn = turn == 'B' ? 'W' : 'B';
    }

    // Without its last brace: more may follow.
    [[nodiscard]] std::string json() const {
        std::string text;
        for (int cell = 0; cell < life::naive::kCells; ++cell) {
            const char stone = board.at(static_cast<std::size_t>(cell));
            if (stone == '.') continue;
            text +=
                (text.empty() ? "\"" : ",\"") + life::naive::name_of(cell) + "\":\"" + stone + "\"";
        }
        return "{\"board\":{" + text + "},\"turn\":\"" + turn + "\"";
    }
};

// Moves, boards and ends of random games, against the loop.
void compare_with_loops(const std::string& title, life::naive::Edges edges, std::uint64_t games) {
    const auto game = open_for_test(title);
    const auto position = game->new_position();
    for (std::uint64_t deal = 0; deal < games; ++deal) {
        Random random = stream(17, deal, Purpose::Choice);
        LoopGame loops{edges};
        position->start(random);
        while (!loops.over() && position->plies() < 150) {
            ASSERT_EQ(json(*position), loops.json() + "}");
            ASSERT_EQ(legal(*position), loops.legal());
            const std::size_t move = random.below(position->move_count());
            loops.play(move);
            position->play(position->move(move), random);
        }
        const std::string state = json(*position);
        ASSERT_EQ(state.substr(0, loops.json().size()), loops.json());
        ASSERT_EQ(position->ending() == Ending::Over, loops.over());
    }
}

TEST(life, the_ruleset_plays_as_a_loop_over_cells_does) {
    compare_with_loops("life", life::naive::Edges::Open, 12);
}

TEST(life, the_torus_plays_as_a_wrapped_loop_does) {
    compare_with_loops("life:torus", life::naive::Edges::Wrapped, 8);
}

// ---- single positions
// ----------------------------------------------------------------------------

class Played {
  public:
    Played(const std::string& title, const std::string& state, std::vector<GameOption> options = {})
        : game_(open_for_test(title, std::move(options))), position_(game_->new_position()) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const auto document = engine::read_json(sources, sources.add("s", state), diagnostics);
        EXPECT_TRUE(position_->load(*document, random_, diagnostics));
        position_->resume(random_);
    }

    Position& play(const std::string& name) {
        const auto move = position_->find_move(name);
        EXPECT_TRUE(move) << name;
        position_->play(*move, random_);
        return *position_;
    }
    Position& operator*() { return *position_; }
    Position* operator->() { return position_.get(); }

  private:
    std::shared_ptr<const Game> game_;
    std::unique_ptr<Position> position_;
    Random random_{1};
};

TEST(life, three_parents_give_their_majoritys_colour) {
    Played two_black("life", R"({"board": {"a1": "B", "b1": "B"}, "turn": "W"})");
    EXPECT_EQ(json(two_black.play("c1")), R"({"board":{"b1":"B","b2":"B"},"turn":"B","over":true,)"
                                          R"("score":{"B":1,"W":0}})");
}

TEST(life, a_stone_turns_to_the_majority_of_its_neighbours_and_a_tie_changes_nothing) {
    // d4 is black between two white stones; c4 has one of each.
    Played line("life", R"({"board": {"c4": "W", "d4": "B", "e4": "W", "j9": "B", "j10": "B",
                                      "k9": "B", "k10": "B"}, "turn": "W"})");
    EXPECT_EQ(json(line.play("b3")),
              R"({"board":{"c3":"W","d3":"W","c4":"W","d4":"W","d5":"W","j9":"B","k9":"B",)"
              R"("j10":"B","k10":"B"},"turn":"B"})");
}

TEST(life, an_empty_board_is_a_draw_and_no_drop_is_a_pass) {
    Played last("life", R"({"board": {"a1": "B", "s19": "W"}})");
    Position& end = last.play("b2");
    EXPECT_EQ(json(end), R"({"board":{},"turn":"W","over":true,"score":{"B":0.5,"W":0.5}})");
    EXPECT_EQ(end.place(0), 1U);
    EXPECT_EQ(end.place(1), 1U);
    EXPECT_EQ(legal(*Played("life", R"({"board": {}})")), std::vector<std::string>{"pass"});
}

TEST(life, drops_go_beside_stones_only) {
    EXPECT_EQ(legal(*Played("life", R"({"board": {"a1": "B", "s19": "W"}})")),
              (std::vector<std::string>{"b1", "a2", "b2", "r18", "s18", "r19"}));
    EXPECT_EQ(legal(*Played("life:torus", R"({"board": {"a1": "B"}})")),
              (std::vector<std::string>{"b1", "s1", "a2", "b2", "s2", "a19", "b19", "s19"}));
}

TEST(life, axiom_looks_at_the_movers_stones_only) {
    // Black is wiped out by his own drop; white is to move, has stones, and plays on.
    const std::string block = R"("j9": "W", "j10": "W", "k9": "W", "k10": "W")";
    Played goes_on("life:axiom", R"({"board": {"a1": "B", )" + block + "}}");
    EXPECT_EQ(goes_on.play("a2").ending(), Ending::None);
    // Now white moves and black, without stones, has lost.
    Position& lost = goes_on.play("l11");
    EXPECT_EQ(lost.ending(), Ending::Over);
    EXPECT_EQ(lost.score(0), 0);
    EXPECT_EQ(lost.score(1), 1);
    // On an empty board who is to move has won.
    Played empty("life:axiom", R"({"board": {"a1": "B", "s19": "W"}})");
    Position& won = empty.play("a2");
    EXPECT_EQ(won.ending(), Ending::Over);
    EXPECT_EQ(won.score(1), 1);
    EXPECT_EQ(won.score(0), 0);
}

TEST(life, cumulative_adds_the_movers_stones_up_to_the_limit) {
    const auto state = [](int black) {
        return R"({"board": {"c3": "B", "c4": "B", "d3": "B", "d4": "B", "j9": "W", "j10": "W",
                   "k9": "W", "k10": "W"}, "sum": {"W": 990, "B": )" +
               std::to_string(black) + "}}";
    };
    // The drop breaks the block up: five black stones stand afterwards.
    Played short_of("life:cumulative", state(994));
    EXPECT_EQ(short_of.play("b2").ending(), Ending::None);
    EXPECT_EQ(engine::write_json(short_of->state().find("sum")->value, -1), R"({"B":999,"W":990})");
    Played reached("life:cumulative", state(995));
    EXPECT_EQ(reached.play("b2").ending(), Ending::Over);
    EXPECT_EQ(engine::write_json(reached->state().find("sum")->value, -1), R"({"B":1000,"W":990})");
    EXPECT_EQ(reached->score(0), 1);
    EXPECT_EQ(reached->score(1), 0);
    Played longer("life:cumulative", state(995), {{"limit", std::int64_t{1001}}});
    EXPECT_EQ(longer.play("b2").ending(), Ending::None);
}

TEST(life, open_begins_with_free_drops) {
    const auto game = open_for_test("life:open", {{"free_drops", std::int64_t{2}}});
    const auto position = game->new_position();
    Random random(1);
    position->start(random);
    EXPECT_EQ(position->move_count(), 361U);
    position->play(*position->find_move("a1"), random);
    EXPECT_EQ(json(*position), R"({"board":{"a1":"B"},"turn":"W","free":1})");
    EXPECT_EQ(position->move_count(), 360U);
    position->play(*position->find_move("s1"), random);
    EXPECT_EQ(json(*position), R"({"board":{"a1":"B","s1":"W"},"turn":"B"})");
    EXPECT_EQ(legal(*position), (std::vector<std::string>{"b1", "r1", "a2", "b2", "r2", "s2"}));
    position->play(*position->find_move("b2"), random);
    EXPECT_EQ(position->ending(), Ending::Over);
}

TEST(life, actions_removes_and_recolours) {
    const std::string state = R"({"board": {"c3": "B", "c4": "B", "d3": "W", "j9": "W"}})";
    const auto moves = legal(*Played("life:actions", state));
    const auto has = [&](const std::string& name) {
        return std::find(moves.begin(), moves.end(), name) != moves.end();
    };
    EXPECT_TRUE(has("b2") && has("remove-c3") && has("remove-d3") && has("recolour-d3"));
    EXPECT_FALSE(has("recolour-c3") || has("remove-b2") || has("c3") || has("pass"));
    // d3 turned black, the three make a black block; j9 dies alone.
    EXPECT_EQ(json(Played("life:actions", state).play("recolour-d3")),
              R"({"board":{"c3":"B","d3":"B","c4":"B","d4":"B"},"turn":"W","over":true,)"
              R"("score":{"B":1,"W":0}})");
    // Without c3 only two are left, each with one neighbour.
    EXPECT_EQ(json(Played("life:actions", state).play("remove-c3")),
              R"({"board":{},"turn":"W","over":true,"score":{"B":0.5,"W":0.5}})");
}

TEST(life, mutant_changes_the_law_of_birth_around_a_cell) {
    // Beside j10 stand i10 and k10; at a distance of two h10, l10 and j12. White's law is there.
    const std::string state = R"({"board": {"i10": "B", "k10": "B", "h10": "B", "l10": "B",
        "j12": "B", "a1": "W", "a2": "W", "b1": "W", "b2": "W"}, "turn": "W"})";
    const auto cell = [](Position& position, const std::string& name) {
        const engine::Document document = position.state();
        const engine::Member* found = document.find("board")->value.find(name);
        return found == nullptr ? std::string() : found->value.text();
    };
    Played usual("life:mutant", state);
    EXPECT_EQ(cell(usual.play("mutate-s19"), "j10"), "");
    Played near("life:mutant", state);
    Position& after = near.play("mutate-k11"); // j10 is beside k11
    EXPECT_EQ(cell(after, "j10"), "W");
    EXPECT_EQ(engine::write_json(after.state().find("law")->value, -1), R"({"W":"k11"})");
    EXPECT_EQ(after.state().find("conceived"), nullptr);
    EXPECT_EQ(cell(Played("life:mutant", state).play("mutate-l12"), "j10"), "");
    // One of the three further away.
    const std::string fewer = R"({"board": {"i10": "B", "k10": "B", "h10": "B", "l10": "B",
        "a1": "W", "a2": "W", "b1": "W", "b2": "W"}, "turn": "W"})";
    EXPECT_EQ(cell(Played("life:mutant", fewer).play("mutate-k11"), "j10"), "");
    // A corner of the square around it does not count.
    const std::string corner = R"({"board": {"i10": "B", "k10": "B", "h10": "B", "l10": "B",
        "l12": "B", "a1": "W", "a2": "W", "b1": "W", "b2": "W"}, "turn": "W"})";
    EXPECT_EQ(cell(Played("life:mutant", corner).play("mutate-k11"), "j10"), "");
}

} // namespace
} // namespace croupier::games
