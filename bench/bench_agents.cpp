// What agents' decisions cost: the same views, asked about again and again. Plain is the random
// agent, so that plain_ns is what asking costs by itself.
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "agents/table.h"
#include "bench/measure.h"
#include "bench/rows.h"
#include "games/registry.h"

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
    const games::Registry registry(games::Registry::source_folder(), read_file);
    games::OpenedGame opened = registry.open(games::parse_game_name(name));
    check(opened.game != nullptr, "cannot open " + name);
    return opened.game;
}

std::unique_ptr<Agent> make(const Game& game, const std::string& spec) {
    agents::MadeAgent made = agents::make_agent(agents::parse_agent_spec(spec),
                                                {game, read_file, agents::source_folder()});
    check(made.agent != nullptr, "cannot make " + spec + ": " + made.error);
    return std::move(made.agent);
}

// The views of the seat at turn, in games that some agent plays with itself.
class Keep : public agents::Listener {
  public:
    std::vector<std::unique_ptr<Position>> views;
    void moves(const Position& before, games::Move) override {
        views.push_back(before.game().new_position());
        views.back()->view_from(before, before.turn());
    }
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

// Decisions of `spec` on the views of games that it has played. Agents with a memory are asked with
// that of their last game.
void decisions(benchmark::State& state, const std::string& name, const std::string& spec,
               std::uint64_t deals) {
    const auto game = open(name);
    Players players(*game, spec);
    agents::Table table(*game);
    Keep keep;
    for (std::uint64_t deal = 0; deal < deals; ++deal)
        (void)table.play(players.seated, {3, deal, 0}, &keep);
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
}

void row(const std::string& name, const std::string& game, const std::string& spec,
         std::uint64_t deals) {
    add_row(name, [=](benchmark::State& state) { decisions(state, game, spec, deals); });
}

} // namespace

void add_agent_rows() {
    for (const std::string level : {"naive", "table", "counting"})
        row("agents/choose/belote/" + level, "belote", "rules:" + level, 40);
    row("agents/choose/life/eval", "life", "eval", 2);
    row("agents/choose/life/eval_depth_2", "life", "eval:depth=2,nodes=20000", 1);
    row("agents/choose/life/mcts_100", "life", "mcts:playouts=100", 1);
}

} // namespace croupier::bench
