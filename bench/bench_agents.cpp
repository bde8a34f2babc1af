// The cost of agents' decisions: the same views, repeatedly. Plain is the random agent, so that
// plain_ns is the cost of the call itself.
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/ruleset.h"
#include "games/registry.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using agents::Agent;
using games::Game;
using games::Position;
using games::Random;
using games::Seat;

engine::FileText read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return {{}, "cannot be read"};
    return {std::string(std::istreambuf_iterator<char>(in), {}), {}};
}

std::shared_ptr<const Game> open(const std::string& name) {
    const games::Registry registry(in_tree("games"), read_file);
    games::OpenedGame opened = registry.open(games::parse_game_name(name));
    check(opened.game != nullptr, "cannot open " + name);
    return opened.game;
}

std::unique_ptr<Agent> make(const Game& game, const std::string& spec) {
    agents::MadeAgent made =
        agents::make_agent(agents::parse_agent_spec(spec), {game, read_file, in_tree("agents")});
    check(made.agent != nullptr, "cannot make " + spec + ": " + made.error);
    return std::move(made.agent);
}

// Keeps the views of the seat to move and the choices, in games of an agent with itself.
class Keep : public agents::Listener {
  public:
    std::vector<std::unique_ptr<Position>> views;
    std::vector<games::Move> chosen;
    void moves(const Position& before, games::Move move) override {
        views.push_back(before.game().new_position());
        views.back()->view_from(before, before.turn());
        chosen.push_back(move);
    }
};

struct Row {
    std::string game;
    std::string spec;
    std::uint64_t deals; // whose views are used
    unsigned depth = 0;  // in Life: moves must be the best at this depth; 0 if unknown
};

// One agent for each seat.
struct Players {
    std::vector<std::unique_ptr<Agent>> agents;
    std::vector<Agent*> seated;

    Players(const Game& game, const std::string& spec) {
        for (Seat seat = 0; seat < game.facts().seats(); ++seat) {
            agents.push_back(make(game, spec));
            seated.push_back(agents.back().get());
        }
    }
};

void play(const Game& game, const Players& players, std::uint64_t deals, Keep& keep) {
    agents::GameRunner table(game);
    for (std::uint64_t deal = 0; deal < deals; ++deal)
        (void)table.play(players.seated, {3, deal, 0}, &keep);
}

// Checks that a second agent of that kind plays the same games, move by move.
void check_again(const Game& game, const std::string& spec, std::uint64_t deals, const Keep& keep) {
    Keep again;
    play(game, Players(game, spec), deals, again);
    check(again.chosen == keep.chosen, spec + " plays otherwise the second time");
}

// The value of a move for the mover: stones in Life after it, or after the best answer as well.
double worth_of(const Position& before, games::Move move, unsigned depth) {
    const games::Evaluation& evaluation = *before.game().evaluation();
    const Seat me = before.turn();
    const auto after = before.clone();
    Random none(0);
    after->play(move, none);
    if (after->ending() != games::Ending::None) {
        const double ahead = 1.0 * after->place(1 - me) - after->place(me);
        return ahead * games::Evaluation::kWon;
    }
    if (depth == 1) return evaluation.worth(*after, me);
    double best = -2 * games::Evaluation::kWon;
    for (std::size_t i = 0; i < after->move_count(); ++i)
        best = std::max(best, worth_of(*after, after->move(i), depth - 1));
    return -best;
}

// Checks that each chosen move is worth as much as any other; only for some, if that takes long.
void check_best(const Keep& keep, unsigned depth) {
    for (std::size_t i = 0; i < keep.views.size(); i += depth == 1 ? 1 : 10) {
        const Position& view = *keep.views[i];
        const double chosen = worth_of(view, keep.chosen[i], depth);
        for (std::size_t k = 0; k < view.move_count(); ++k) {
            check(worth_of(view, view.move(k), depth) <= chosen,
                  "there is a better move than " + std::string(view.text(keep.chosen[i])) +
                      " at ply " + std::to_string(view.plies()));
        }
    }
}

// Decisions of `spec` on the views of games that it has played. Agents with a memory have that of
// their last game. If the best moves are known at that depth, it must find them.
void decisions(benchmark::State& state, const Row& row) {
    const auto game = open(row.game);
    const Players players(*game, row.spec);
    Keep keep;
    play(*game, players, row.deals, keep);
    check_again(*game, row.spec, row.deals, keep);
    if (row.depth > 0) check_best(keep, row.depth);
    agents::RandomAgent random;
    std::size_t sum = 0;
    const auto ask = [&](auto agent_of) {
        Random stream(7);
        for (const auto& view : keep.views)
            sum += agent_of(*view).choose(*view, stream);
    };
    measure(
        state, static_cast<std::int64_t>(keep.views.size()),
        [&] { ask([&](const Position&) -> Agent& { return random; }); },
        [&] { ask([&](const Position& view) -> Agent& { return *players.seated[view.turn()]; }); });
    benchmark::DoNotOptimize(sum);
    std::size_t moves = 0;
    for (const auto& view : keep.views)
        moves += view->move_count();
    state.counters["moves"] = static_cast<double>(moves) / static_cast<double>(keep.views.size());
}

// Whole games, including observation, per decision. Plain makes the same moves without agents, so
// that plain_ns is the time of the game itself.
void whole_games(benchmark::State& state, const Row& row) {
    const auto game = open(row.game);
    const Players players(*game, row.spec);
    agents::GameRunner table(*game);
    const auto play_game = [&](std::uint64_t deal) {
        return table.play(players.seated, {3, deal, 0}).ending();
    };
    const auto replayed = game->new_position();
    std::vector<std::vector<std::uint32_t>> made;
    const auto replay = [&](std::uint64_t deal) {
        Random dealt = games::stream(3, deal, games::Purpose::Deal);
        Random chance = games::stream(3, deal, games::Purpose::Play);
        replayed->start(dealt);
        for (const std::uint32_t move : made[deal])
            replayed->play(replayed->move(move), chance);
    };
    std::int64_t decisions = 0;
    for (std::uint64_t deal = 0; deal < row.deals; ++deal) {
        check(play_game(deal) == games::Ending::Over, "a game is not over");
        made.push_back(table.made());
        decisions += static_cast<std::int64_t>(made.back().size());
        replay(deal);
        check(replayed->ending() == games::Ending::Over, "the same moves do not end the game");
        check(play_game(deal) == games::Ending::Over && table.made() == made.back(),
              row.spec + " plays otherwise the second time");
    }
    const auto pass = [&](auto& one) {
        return [&] {
            for (std::uint64_t deal = 0; deal < row.deals; ++deal)
                (void)one(deal);
        };
    };
    measure(state, decisions, pass(replay), pass(play_game));
}

// A view, and an observer that has followed the game up to there.
struct Watched {
    std::unique_ptr<Position> view;
    std::unique_ptr<games::Observer> observer;
};

// Positions of the deal in a random game, one for each ply.
std::vector<Watched> watch(const Game& game, std::uint64_t deal) {
    std::vector<std::unique_ptr<Position>> positions(1);
    std::vector<std::string> moves;
    positions[0] = game.new_position();
    Random chance = games::stream(3, deal, games::Purpose::Deal);
    Random choices = games::stream(3, deal, games::Purpose::Choice);
    positions[0]->start(chance);
    while (positions.back()->ending() == games::Ending::None) {
        const Position& last = *positions.back();
        const games::Move move = last.move(choices.below(last.move_count()));
        moves.emplace_back(last.text(move));
        positions.push_back(last.clone());
        positions.back()->play(move, chance);
    }
    std::vector<Watched> watched;
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
        const Seat me = positions[ply]->turn();
        Watched one{game.new_position(), game.new_observer()};
        check(one.observer != nullptr, game.facts().title() + " cannot be drawn");
        one.observer->reset(me);
        for (std::size_t i = 0; i < ply; ++i) {
            one.view->view_from(*positions[i + 1], me);
            one.observer->observe(*one.view, positions[i]->turn(), moves[i]);
        }
        one.view->view_from(*positions[ply], me);
        check(one.observer->look(*one.view), one.observer->problem());
        watched.push_back(std::move(one));
    }
    return watched;
}

// Draws what a view hides. Plain copies the view, so that plain_ns is the minimum of any draw.
void draws(benchmark::State& state, const std::string& name) {
    const auto game = open(name);
    const std::vector<Watched> all = watch(*game, 1);
    const auto drawn = game->new_position();
    Random random(5);
    for (const auto& [view, observer] : all) {
        check(observer->draw(*drawn, random), observer->problem());
        check(drawn->turn() == view->turn() && drawn->move_count() == view->move_count(),
              "what was drawn is no position behind the view");
    }
    measure(
        state, static_cast<std::int64_t>(all.size()),
        [&] {
            for (const Watched& each : all)
                drawn->copy_from(*each.view);
        },
        [&] {
            for (const Watched& each : all)
                (void)each.observer->draw(*drawn, random);
        });
}

} // namespace

void add_agent_rows() {
    const auto add = [](const std::string& name, const Row& row) {
        add_row("agents/choose/" + name, [row](benchmark::State& state) { decisions(state, row); });
    };
    for (const std::string level : {"naive", "table", "counting"})
        add("belote/" + level, {"belote", "rules:" + level, 40});
    add("tarot/counting", {"tarot", "rules:counting", 2});
    add_row("agents/play/tarot/counting", [](benchmark::State& state) {
        whole_games(state, {"tarot", "rules:counting", 4});
    });
    add("life/eval", {"life", "eval", 2, 1});
    add("life/eval_file", {"life", "eval:" + in_tree("bench/rules/life_worth.json"), 1, 1});
    add("life/eval_depth_2", {"life", "eval:depth=2", 1, 2});
    add("life/greedy", {"life", "rules:greedy", 1, 1});
    add("life/mcts_100", {"life", "mcts:playouts=100", 1});
    for (const std::string name : {"belote", "coinche", "tarot", "oldmaid"})
        add_row("agents/draw/" + name, [name](benchmark::State& state) { draws(state, name); });
}

} // namespace croupier::bench
