// Search against brute force, and Axiom's result in Life.
#include "agents/eval/eval_agent.h"
#include "agents/eval/learnt_evaluation.h"
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/rules/rule_program.h"
#include "agents/testing/testing.h"
#include "engine/api/text.h"
#include "games/testing/life.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace croupier::agents {
namespace {

using games::Ending;
using games::Evaluation;
using games::open_for_test;
using games::Purpose;
using games::stream;

// A rough worth of any position: a function of the position, but without structure.
class Noise : public Evaluation {
  public:
    [[nodiscard]] double worth(const Position& position, Seat seat) const override {
        const double value = static_cast<double>(position.hash() % 41) - 20;
        return seat == 0 ? value : -value;
    }
};

// Searches every line to the end without cutoffs: alpha-beta must find the same.
double minimax(const Position& position, const Evaluation& evaluation, Seat me, std::uint64_t left,
               std::size_t ply) {
    if (position.ending() != Ending::None) {
        const double sign = position.place(me) == position.place(1 - me)  ? 0
                            : position.place(me) < position.place(1 - me) ? 1
                                                                          : -1;
        return sign * (Evaluation::kWon - static_cast<double>(ply));
    }
    if (left == 0) return evaluation.worth(position, me);
    const bool mine = position.turn() == me;
    double best = mine ? -1e9 : 1e9;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        const auto next = position.clone();
        Random chance(0);
        next->play(position.move(i), chance);
        const double worth = minimax(*next, evaluation, me, left - 1, ply + 1);
        best = mine ? std::max(best, worth) : std::min(best, worth);
    }
    return best;
}

std::set<std::size_t> best_moves(const Position& position, const Evaluation& evaluation,
                                 std::uint64_t depth) {
    std::map<double, std::set<std::size_t>> by_worth;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        const auto next = position.clone();
        Random chance(0);
        next->play(position.move(i), chance);
        by_worth[minimax(*next, evaluation, position.turn(), depth - 1, 1)].insert(i);
    }
    return by_worth.rbegin()->second;
}

// A position of Life with few stones, so that brute force is possible.
std::unique_ptr<Position> sparse_life(const Game& game, const std::string& board) {
    auto position = game.new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    Random chance(0);
    const auto document = engine::read_json(
        sources, sources.add("state", R"({"board": )" + board + "}"), diagnostics);
    EXPECT_TRUE(position->load(*document, chance, diagnostics));
    position->resume(chance);
    return position;
}

constexpr const char* kBoards[] = {
    R"({"a1": "B", "b1": "W", "b2": "B", "a2": "W"})",
    R"({"a1": "B", "b1": "B", "a2": "B", "c3": "W", "c4": "W", "d3": "W"})",
    R"({"a1": "B", "a2": "W", "a3": "B", "c1": "W", "c2": "B", "c3": "W"})"};

void expect_as_brute_force(const Game& game, const Position& position, const Evaluation* own,
                           std::uint64_t depth) {
    struct Borrowed : Evaluation { // the agent owns its evaluation
        const Evaluation& of;
        explicit Borrowed(const Evaluation& evaluation) : of(evaluation) {}
        [[nodiscard]] double worth(const Position& at, Seat seat) const override {
            return of.worth(at, seat);
        }
    };
    const Evaluation& evaluation = own != nullptr ? *own : *game.evaluation();
    EvalAgent agent(own == nullptr ? nullptr : std::make_unique<Borrowed>(*own), {.depth = depth});
    agent.reset(game, position.turn());
    const std::set<std::size_t> best = best_moves(position, evaluation, depth);
    std::set<std::size_t> chosen;
    Random random(depth);
    for (std::size_t i = 0; i < 12 * best.size(); ++i)
        chosen.insert(agent.choose(position, random));
    EXPECT_EQ(chosen, best) << "all that are as good, and no other";
}

TEST(eval_agent, finds_what_brute_force_finds) {
    const auto life = open_for_test("life");
    for (const char* const board : kBoards) {
        const auto position = sparse_life(*life, board);
        const Noise noise;
        for (const std::uint64_t depth : {1U, 2U, 3U}) {
            expect_as_brute_force(*life, *position, nullptr, depth);
            expect_as_brute_force(*life, *position, &noise, depth);
        }
    }
}

// From the seat of the second player, in a game whose end can be searched.
TEST(eval_agent, sees_the_end_of_nim) {
    const auto nim = open_for_test("nim");
    const Noise noise;
    auto position = nim->new_position();
    Random deal = stream(1, 0, Purpose::Deal);
    position->start(deal);
    for (int ply = 0; ply < 6 && position->ending() == Ending::None; ++ply) {
        for (const std::uint64_t depth : {1U, 4U, 6U})
            expect_as_brute_force(*nim, *position, &noise, depth);
        Random chance(1);
        position->play(position->move(0), chance);
    }
}

TEST(eval_agent, the_fast_way_of_life_is_the_slow_one) {
    const auto life = open_for_test("life");
    const auto position = life->new_position();
    Random deal(1);
    Random choices(2);
    int tried = 0;
    for (int game = 0; game < 3; ++game) {
        position->start(deal);
        for (; position->ending() == Ending::None; ++tried) {
            const auto best = best_moves(*position, *life->evaluation(), 1);
            Random random(static_cast<std::uint64_t>(tried));
            const auto chosen = life->evaluation()->best_move(*position, random);
            ASSERT_EQ(chosen.has_value(), position->move_count() > 1 || best.size() == 1);
            if (chosen) {
                ASSERT_TRUE(best.contains(*chosen)) << "ply " << position->plies();
            }
            position->play(position->move(choices.below(position->move_count())), deal);
        }
    }
    EXPECT_GT(tried, 100);
}

// To `me`, who has just moved.
double worth_to(const Game& game, const Position& after, Seat me) {
    if (after.ending() == Ending::None) return game.evaluation()->worth(after, me);
    bool ahead = false;
    bool behind = false;
    for (Seat seat = 0; seat < game.facts().seats(); ++seat) {
        ahead = ahead || after.place(seat) > after.place(me);
        behind = behind || after.place(seat) < after.place(me);
    }
    return ahead == behind ? 0 : ahead ? Evaluation::kWon : -Evaluation::kWon;
}

TEST(eval_agent, plays_each_revision_of_life_by_what_it_says_counts) {
    int tried = 0;
    for (const std::string& title : games::all_titles()) {
        if (title.substr(0, title.find(':')) != "life") continue;
        const auto game = open_for_test(title);
        ASSERT_NE(game->evaluation(), nullptr) << title;
        EvalAgent agent(nullptr, {});
        const auto position = game->new_position();
        const auto after = game->new_position();
        Random deal(3);
        Random choices(4);
        position->start(deal);
        for (int ply = 0; ply < 30 && position->ending() == Ending::None; ++ply) {
            if (ply % 10 == 9) {
                agent.reset(*game, position->turn());
                double best = -2 * Evaluation::kWon;
                std::vector<double> worths;
                for (std::size_t i = 0; i < position->move_count(); ++i) {
                    after->copy_from(*position);
                    Random chance(0);
                    after->play(position->move(i), chance);
                    worths.push_back(worth_to(*game, *after, position->turn()));
                    best = std::max(best, worths.back());
                }
                EXPECT_EQ(worths[agent.choose(*position, choices)], best) << title << " " << ply;
                ++tried;
            }
            position->play(position->move(choices.below(position->move_count())), deal);
        }
    }
    EXPECT_GE(tried, 26) << "13 revisions, and most games are longer than 20 moves";
}

TEST(eval_agent, a_limit_of_nodes_leaves_what_the_last_finished_depth_said) {
    const auto life = open_for_test("life");
    const auto position = life->new_position();
    Random deal(1);
    position->start(deal);
    EvalAgent shallow(nullptr, {.depth = 3, .nodes = 200});
    EvalAgent two(nullptr, {.depth = 2});
    shallow.reset(*life, 0);
    two.reset(*life, 0);
    Random random(5);
    (void)shallow.choose(*position, random);
    EXPECT_LE(shallow.nodes(), 200U + position->move_count());
    const std::uint64_t before = two.nodes();
    (void)two.choose(*position, random);
    EXPECT_GE(two.nodes() - before, 2 * position->move_count() - 1) << "both depths";
}

TEST(eval_agent, beats_random_in_every_game_of_life) {
    const auto life = open_for_test("life");
    GameRunner table(*life);
    EvalAgent eval(nullptr, {});
    RandomAgent random;
    int won = 0;
    constexpr int kDeals = 100;
    for (std::uint64_t deal = 0; deal < kDeals; ++deal) {
        for (const std::uint64_t round : {0U, 1U}) {
            const std::array<Agent*, 2> seated = {round == 0 ? static_cast<Agent*>(&eval) : &random,
                                                  round == 0 ? static_cast<Agent*>(&random)
                                                             : &eval};
            won +=
                table.play(seated, {2, deal, round}).score(static_cast<Seat>(round)) == 1 ? 1 : 0;
        }
    }
    EXPECT_GE(won, 2 * kDeals - 2);
}

// Successive boards if no stone is dropped, by plain loops over cells.
TEST(eval_agent, growth_weighs_what_the_stones_become) {
    namespace naive = games::life::naive;
    const auto life = open_for_test("life");
    const OpenedRules opened = open_rules({"agents/eval/life/growth.json", RuleRole::Evaluator},
                                          games::test_opener(), *life->ruleset_game());
    ASSERT_NE(opened.program, nullptr);
    const RuleEvaluation growth(opened.program);
    const auto position = life->new_position();
    Random deal(1);
    Random choices(2);
    for (position->start(deal); position->ending() == Ending::None;
         position->play(position->move(choices.below(position->move_count())), deal)) {
        naive::Board board;
        board.fill('.');
        const auto state = position->state();
        for (const engine::Member& stone : state.find("board")->value.members) {
            const int row = std::stoi(stone.key.substr(1)) - 1;
            board[static_cast<std::size_t>(naive::kSide * row + stone.key[0] - 'a')] =
                stone.value.text()[0];
        }
        double worth = 0;
        for (const int weight : {10, 8, 8, 8}) {
            worth += static_cast<double>(weight * (std::count(board.begin(), board.end(), 'B') -
                                                   std::count(board.begin(), board.end(), 'W')));
            board = naive::tick(board);
        }
        ASSERT_EQ(growth.worth(*position, 0), worth) << "ply " << position->plies();
        ASSERT_EQ(growth.worth(*position, 1), -worth) << "ply " << position->plies();
    }
    EXPECT_GT(position->plies(), 20U);
    EXPECT_EQ(growth.failures(), 0U);
    EXPECT_GE(testing::match(*life, "eval:growth", "eval", 5).won, 9U) << "of 10";
}

TEST(eval_agent, chooses_by_view_and_stream_alone) {
    const auto life = open_for_test("life");
    for (const char* const spec : {"eval", "eval:depth=2", "eval:depth=2,nodes=300"})
        testing::expect_function_of_view(*life, spec, 30);
}

TEST(learnt_evaluation, makes_eval_strong_where_nobody_says_what_counts) {
    const auto game = open_for_test("games/examples/connect_four.json");
    const auto learnt = LearntEvaluation::learn(*game->ruleset_game());
    ASSERT_NE(learnt, nullptr);
    EXPECT_GT(learnt->games(), 1000U);
    // A disc in the middle of the lowest row is part of more lines than one at its edge.
    const auto worth_after = [&](std::size_t move) {
        const auto position = game->new_position();
        Random deal(1);
        Random chance(1);
        position->start(deal);
        EXPECT_EQ(position->move_count(), 7U);
        position->play(position->move(move), chance);
        const double mine = learnt->worth(*position, 0);
        EXPECT_DOUBLE_EQ(mine, -learnt->worth(*position, 1)) << "what one has, the other lacks";
        EXPECT_LT(std::abs(mine), 100);
        return mine;
    };
    EXPECT_GT(worth_after(3), worth_after(0) + 5);
    EXPECT_GT(worth_after(3), worth_after(6) + 5);
    EXPECT_NEAR(worth_after(1), worth_after(5), 8) << "the board is as good on both sides";

    const testing::Match match = testing::match(*game, "eval", "random", 100);
    EXPECT_GT(match.won, 150U) << "of 200";
    const auto again = LearntEvaluation::learn(*game->ruleset_game());
    const auto position = game->new_position();
    Random deal(1);
    position->start(deal);
    EXPECT_EQ(learnt->worth(*position, 0), again->worth(*position, 0));
}

TEST(learnt_evaluation, is_told_and_shared) {
    const auto game = open_for_test("games/examples/connect_four.json");
    RulePrograms programs;
    const MadeAgent made =
        make_agent(parse_agent_spec("eval"), {.game = *game, .programs = &programs});
    ASSERT_NE(made.agent, nullptr) << made.error;
    const auto told = made.diagnostics.sorted();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().code, "W0705");
    int asked = 0;
    const auto learn = [&] {
        ++asked;
        return std::shared_ptr<const LearntEvaluation>();
    };
    EXPECT_NE(programs.learnt(learn), nullptr) << "it was learnt when the agent was made";
    EXPECT_EQ(asked, 0);
    // The game's own evaluation is used without a warning.
    const auto life = open_for_test("life:torus");
    EXPECT_TRUE(make_agent(parse_agent_spec("eval"), {.game = *life}).diagnostics.sorted().empty());
}

TEST(learnt_evaluation, knows_sides_of_more_than_two) {
    const auto game = open_for_test("life:three");
    const auto learnt = LearntEvaluation::learn(*game->ruleset_game());
    ASSERT_NE(learnt, nullptr);
    const auto position = game->new_position();
    Random deal(1);
    Random chance(1);
    position->start(deal);
    // The player with most stones is worth most.
    const auto load = [&](const std::string& board) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const auto document = engine::read_json(
            sources, sources.add("state", R"({"board": )" + board + "}"), diagnostics);
        EXPECT_TRUE(position->load(*document, chance, diagnostics));
        position->resume(chance);
    };
    const std::vector<std::string>& players = game->facts().players;
    for (Seat rich = 0; rich < 3; ++rich) {
        std::string board = "{";
        for (Seat seat = 0; seat < 3; ++seat) {
            for (int stone = 0; stone < (seat == rich ? 14 : 3); ++stone)
                board += std::string(board.size() > 1 ? "," : "") + "\"" +
                         static_cast<char>('b' + stone) + std::to_string(4 + 4 * seat) + "\":\"" +
                         players[seat] + "\"";
        }
        load(board + "}");
        for (Seat seat = 0; seat < 3; ++seat) {
            if (seat == rich) continue;
            EXPECT_GT(learnt->worth(*position, rich), learnt->worth(*position, seat));
        }
    }
}

} // namespace
} // namespace croupier::agents
