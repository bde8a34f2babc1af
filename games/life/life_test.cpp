// Life: the ruleset compared with a plain loop over cells, and the changes of each revision.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/life.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

namespace {

// A game of the naive loops, in the ruleset's notation.
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

    // Without its last brace, so that more can follow.
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

// Compares moves, boards and ends of random games with the loop.
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

// ---- single positions --------------------------------------------------------------------------

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
    // Black's own drop removes the last black stone; white is to move, has stones, and plays on.
    const std::string block = R"("j9": "W", "j10": "W", "k9": "W", "k10": "W")";
    Played goes_on("life:axiom", R"({"board": {"a1": "B", )" + block + "}}");
    EXPECT_EQ(goes_on.play("a2").ending(), Ending::None);
    // White moves and then black, without stones, has lost.
    Position& lost = goes_on.play("l11");
    EXPECT_EQ(lost.ending(), Ending::Over);
    EXPECT_EQ(lost.score(0), 0);
    EXPECT_EQ(lost.score(1), 1);
    // On an empty board the player to move has won.
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
    // d3 turned black, so the three make a black block; j9 dies, having no neighbours.
    EXPECT_EQ(json(Played("life:actions", state).play("recolour-d3")),
              R"({"board":{"c3":"B","d3":"B","c4":"B","d4":"B"},"turn":"W","over":true,)"
              R"("score":{"B":1,"W":0}})");
    // Without c3 only two are left, each with one neighbour.
    EXPECT_EQ(json(Played("life:actions", state).play("remove-c3")),
              R"({"board":{},"turn":"W","over":true,"score":{"B":0.5,"W":0.5}})");
}

TEST(life, mutant_changes_the_law_of_birth_around_a_cell) {
    // i10 and k10 are beside j10; at a distance of two are h10, l10 and j12. White's law applies
    // there.
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

// Life for three and four compared with a plain loop, and the initial positions.

constexpr int kSide = 19;

using Cell = std::pair<int, int>; // column and row
using Stones = std::map<Cell, char>;

Stones stones_of(const Position& position) {
    const engine::Document state = position.state();
    Stones stones;
    for (const engine::Member& stone : state.find("board")->value.members)
        stones[{stone.key[0] - 'a', std::stoi(stone.key.substr(1)) - 1}] = stone.value.text()[0];
    return stones;
}

// The majority colour of the stones around the cell, if any, and the number of stones.
struct Around {
    int stones = 0;
    char most = ' ';
    std::string missing; // colours that none of them has
};

Around around(const Stones& stones, Cell cell, std::string_view colours) {
    std::map<char, int> count;
    Around result;
    for (int x = cell.first - 1; x <= cell.first + 1; ++x) {
        for (int y = cell.second - 1; y <= cell.second + 1; ++y) {
            const auto stone = stones.find({x, y});
            if (stone == stones.end() || Cell{x, y} == cell) continue;
            ++count[stone->second];
            ++result.stones;
        }
    }
    for (const char colour : colours) {
        if (count[colour] == 0) result.missing += colour;
        const bool leads = std::all_of(colours.begin(), colours.end(), [&](char other) {
            return other == colour || count[other] < count[colour];
        });
        if (leads) result.most = colour;
    }
    return result;
}

// A loop over the stones says which ones live on, in random games with laws anywhere.
TEST(life, mortal_laws_cover_deaths) {
    const auto game = open_for_test("life:mortal");
    const auto position = game->new_position();
    int under_law = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Random random = stream(seed, 0, Purpose::Choice);
        Random chance = stream(seed, 0, Purpose::Deal);
        position->start(chance);
        std::map<char, Cell> laws;
        while (position->ending() == Ending::None && position->plies() < 60) {
            Stones stones = stones_of(*position);
            const char mover = position->turn() == 0 ? 'B' : 'W';
            const Move move = position->move(random.below(position->move_count()));
            const std::string name(position->text(move));
            const std::string where = name.substr(name.find('-') + 1);
            const Cell cell{where[0] - 'a', std::stoi(where.substr(1)) - 1};
            if (name == where)
                stones[cell] = mover;
            else
                laws[mover] = cell;
            position->play(move, chance);
            const Stones after = stones_of(*position);
            for (const auto& [at, colour] : stones) {
                const auto rules = [&, stone = at](char player) {
                    const auto law = laws.find(player);
                    return law != laws.end() && std::abs(law->second.first - stone.first) <= 1 &&
                           std::abs(law->second.second - stone.second) <= 1;
                };
                const char other = mover == 'B' ? 'W' : 'B';
                const char ruler = rules(mover) ? mover : rules(other) ? other : ' ';
                const int n = around(stones, at, "BW").stones;
                const bool lives = ruler == ' '      ? n == 2 || n == 3
                                   : ruler == colour ? n >= 1 && n <= 4
                                                     : n == 3;
                ASSERT_EQ(after.contains(at), lives) << name << ", seed " << seed;
                under_law += ruler != ' ';
            }
        }
    }
    EXPECT_GT(under_law, 200);
}

// The stones that live and are born under a law, by a loop over all cells; with the law of life,
// the games of life.
TEST(life, any_law_says_who_is_born_and_who_lives_on) {
    struct Law {
        std::int64_t born, lives;
    };
    int ties = 0;
    for (const auto [born, lives] :
         {Law{3, 23}, Law{36, 125}, Law{2, 345}, Law{24, 9}, Law{9, 12345}}) {
        const auto has = [](std::int64_t law, int n) {
            return std::to_string(law).find(static_cast<char>('0' + n)) != std::string::npos;
        };
        const auto game = open_for_test("life:law", {{"born", born}, {"lives", lives}});
        const auto position = game->new_position();
        Random random = stream(7, 0, Purpose::Choice);
        Random chance = stream(7, 0, Purpose::Deal);
        position->start(chance);
        while (position->ending() == Ending::None && position->plies() < 20) {
            Stones stones = stones_of(*position);
            const char mover = position->turn() == 0 ? 'B' : 'W';
            const Move move = position->move(random.below(position->move_count()));
            const std::string name(position->text(move));
            if (name != "pass") stones[{name[0] - 'a', std::stoi(name.substr(1)) - 1}] = mover;
            Stones next;
            for (int x = 0; x < kSide; ++x) {
                for (int y = 0; y < kSide; ++y) {
                    const Around near = around(stones, {x, y}, "BW");
                    const auto stone = stones.find({x, y});
                    const bool is_there = stone != stones.end();
                    if (!has(is_there ? lives : born, near.stones)) continue;
                    ties += !is_there && near.most == ' ' ? 1 : 0;
                    next[{x, y}] = near.most != ' ' ? near.most : is_there ? stone->second : mover;
                }
            }
            position->play(move, chance);
            ASSERT_EQ(stones_of(*position), next) << born << "/" << lives << " " << name;
        }
    }
    EXPECT_GT(ties, 10);
    const auto law = open_for_test("life:law");
    const auto life = open_for_test("life");
    EXPECT_EQ(random_game(*law->new_position(), 3), random_game(*life->new_position(), 3));
}

Stones tick(const Stones& stones, std::string_view colours, char mover, const std::string& tie) {
    Stones next;
    for (int x = 0; x < kSide; ++x) {
        for (int y = 0; y < kSide; ++y) {
            const Around near = around(stones, {x, y}, colours);
            const auto stone = stones.find({x, y});
            if (stone != stones.end()) {
                if (near.stones == 2 || near.stones == 3)
                    next[{x, y}] = near.most != ' ' ? near.most : stone->second;
            } else if (near.stones == 3) {
                const char born = near.most != ' '  ? near.most
                                  : tie == "mover"  ? mover
                                  : tie == "fourth" ? near.missing[0]
                                                    : ' ';
                if (born != ' ') next[{x, y}] = born;
            }
        }
    }
    return next;
}

// A game of the loop: players out with their places, and whose turn it is.
struct Loop {
    std::string colours;
    std::string tie;
    Stones stones;
    std::map<char, int> out;
    std::size_t turn = 0;
    int ties = 0; // births that three colours had a part in

    [[nodiscard]] bool has(char colour) const {
        return std::any_of(stones.begin(), stones.end(),
                           [&](const auto& each) { return each.second == colour; });
    }
    [[nodiscard]] bool over() const { return out.size() + 1 >= colours.size(); }

    void play(Cell cell) {
        stones[cell] = colours[turn];
        for (int x = 0; x < kSide; ++x) {
            for (int y = 0; y < kSide; ++y) {
                const Around near = around(stones, {x, y}, colours);
                ties += !stones.contains({x, y}) && near.stones == 3 && near.most == ' ' ? 1 : 0;
            }
        }
        stones = tick(stones, colours, colours[turn], tie);
        int left = 0;
        for (const char colour : colours)
            left += has(colour) && !out.contains(colour) ? 1 : 0;
        for (const char colour : colours)
            if (!has(colour)) out.try_emplace(colour, left + 1);
        if (left == 0) return;
        do
            turn = (turn + 1) % colours.size();
        while (out.contains(colours[turn]));
    }
};

struct Sample {
    int ties = 0;
    int outs = 0;  // players who were out before the game was over
    int games = 0; // finished games
};

Sample compare_colours(const std::string& title, const std::string& colours, const std::string& tie,
                       std::uint64_t games) {
    const auto game = open_for_test(title, {{"tie", tie}});
    const auto position = game->new_position();
    Sample sample;
    for (std::uint64_t deal = 0; deal < games; ++deal) {
        Random random = stream(21, deal, Purpose::Choice);
        position->start(random);
        Loop loop{colours, tie, stones_of(*position), {}, 0, 0};
        while (position->ending() == Ending::None && position->plies() < 250) {
            EXPECT_EQ(colours[loop.turn], game->facts().players[position->turn()][0]);
            const Move move = position->move(random.below(position->move_count()));
            const std::string name(position->text(move));
            loop.play({name[0] - 'a', std::stoi(name.substr(1)) - 1});
            position->play(move, random);
            EXPECT_EQ(stones_of(*position), loop.stones) << title << " " << tie << " " << name;
            EXPECT_EQ(position->ending() == Ending::Over, loop.over());
            if (testing::Test::HasFailure()) return sample;
        }
        sample.ties += loop.ties;
        if (position->ending() != Ending::Over) continue;
        ++sample.games;
        sample.outs += static_cast<int>(loop.out.size());
        for (Seat seat = 0; seat < colours.size(); ++seat) {
            const auto out = loop.out.find(colours[seat]);
            const int place = out == loop.out.end() ? 1 : out->second;
            EXPECT_EQ(position->place(seat), static_cast<std::uint32_t>(place));
        }
    }
    return sample;
}

TEST(life_colours, three_and_four_play_as_a_loop_over_cells_does) {
    for (const std::string tie : {"mover", "none"}) {
        const Sample three = compare_colours("life:three", "BWR", tie, 4);
        EXPECT_GT(three.ties, 20);
        EXPECT_GE(three.games, 1) << "the end was never reached";
        EXPECT_GE(three.outs, 2 * three.games);
    }
    for (const std::string tie : {"mover", "none", "fourth"}) {
        const Sample four = compare_colours("life:four", "BWRG", tie, 3);
        EXPECT_GT(four.ties, 20);
        EXPECT_GE(four.games, 1) << "the end was never reached";
    }
}

Stones first_stones(const std::string& title) {
    const auto game = open_for_test(title);
    const auto position = game->new_position();
    Random random(1);
    position->start(random);
    return stones_of(*position);
}

TEST(life_colours, nobody_is_better_off_in_the_beginning_than_by_moving_first) {
    const Stones four = first_stones("life:four");
    Stones turned; // turned by a quarter, with each player's stones given to the next player
    const std::map<char, char> next = {{'B', 'W'}, {'W', 'R'}, {'R', 'G'}, {'G', 'B'}};
    for (const auto& [cell, colour] : four)
        turned[{kSide - 1 - cell.second, cell.first}] = next.at(colour);
    EXPECT_EQ(turned, four);
    EXPECT_EQ(four.size(), 36U);

    const Stones stable = first_stones("life:stable");
    Stones half; // turned by a half, with colours swapped
    for (const auto& [cell, colour] : stable)
        half[{kSide - 1 - cell.first, kSide - 1 - cell.second}] = colour == 'B' ? 'W' : 'B';
    EXPECT_EQ(half, stable);

    std::map<char, int> count;
    for (const auto& [cell, colour] : first_stones("life:three"))
        ++count[colour];
    EXPECT_EQ(count, (std::map<char, int>{{'B', 10}, {'R', 10}, {'W', 10}}));
}

TEST(life_colours, the_first_stones_stand_still_until_somebody_drops_one) {
    for (const auto& [title, colours] : {std::pair{"life:three", "BWR"}, {"life:four", "BWRG"}}) {
        const Stones stones = first_stones(title);
        EXPECT_EQ(tick(stones, colours, 'B', "mover"), stones) << title;
    }
}

// Files overlaid on Life as readers write them: other boards, more players, the drop of `written`.

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

// A board of that size with those stones, without a pass if the domain of moves has no room for it.
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
    // a998 between black stones turns, a999 between white ones, and the end stones die.
    EXPECT_EQ(json(*position), R"({"board":{"a998":"B","a999":"W"},"turn":"W"})");
    position->play(*position->find_move("a997"), random);
    EXPECT_EQ(position->ending(), Ending::Over);
    EXPECT_EQ(position->score(1), 1) << "a998 between white ones turns, and the others die";
}

TEST(life_overlays, a_step_without_a_drop_changes_the_first_stones_of_life_but_not_of_stable) {
    // If no drop is legal, the player passes, and only the board is updated.
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
