// Monte Carlo tree search (UCT): plays the view to its end many times, with good moves more often.
#pragma once

#include "agents/arguments.h"
#include "agents/registry.h"
#include "agents/search/guide.h"
#include "agents/search/playout.h"
#include "agents/search/sides.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

struct MctsLimits {
    std::uint64_t playouts = 1000;                     // in one decision
    TimeLimit time = {};                               // where time is the limit instead
    std::uint64_t most_nodes = std::uint64_t{1} << 20; // the tree stops growing there
    double exploration = 1.0;     // weight of rarely tried moves against good ones
    Resignation resignation = {}; // by the rewards of the chosen move
};

// The tree is built in a pool that later decisions reuse, so that nothing is allocated once the
// pool is large enough. Not for games with hidden information. Where moves have random
// consequences, a decision searches one sample of them, drawn by the agent.
class MctsAgent : public Agent {
  public:
    // `playout` plays on once the tree is left; with a guide, what the net expects takes its place.
    MctsAgent(const MctsLimits& limits, Playout playout, std::optional<Guide> guide = {});

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Playouts since it was made.
    [[nodiscard]] std::uint64_t playouts() const { return playouts_; }

  private:
    using NodeId = std::uint32_t;
    static constexpr NodeId kNoNode = 0xffffffff;
    // A position, with the move that leads to it. Its moves are tried in the order (begin + i *
    // stride) mod count, which visits all and needs only two numbers.
    struct Node {
        NodeId first_child = kNoNode; // the last one tried
        NodeId next = kNoNode;        // the move tried before, from the same position
        std::uint32_t move = 0;       // index among the moves there
        std::uint32_t visits = 0;
        double reward = 0; // sum over the visits, for the seat that made the move
        double prior = 0;  // what the guide thinks of the move
        double lead = 0;
        std::uint32_t count = 0; // moves from here; 0 if unknown, or if the game is over
        std::uint32_t tried = 0;
        std::uint32_t begin = 0;
        std::uint32_t stride = 1;
        Seat turn = 0;
    };

    void open(NodeId id, Random& random);
    NodeId descend(Random& random);
    void expand(NodeId id);
    [[nodiscard]] NodeId best_child(const Node& node) const;
    NodeId try_next(NodeId id);
    void learn();

    MctsLimits limits_;
    Playout playout_;
    std::optional<Guide> guide_;
    const Selection& selection_;
    const Game* game_ = nullptr;
    std::unique_ptr<Position> position_; // of the current playout
    std::vector<Node> nodes_;
    std::vector<NodeId> path_;
    std::vector<double> rewards_; // by seat
    std::vector<Move> moves_;
    double least_ = 0; // the least and greatest reward of any seat in this decision
    double most_ = 1;
    Sides sides_;
    Random chance_;
    std::uint64_t playouts_ = 0;
};

// mcts:net=NET,playouts=N,ms=N,nodes=N,explore=N,policy=AGENT,resign=PERCENT
MadeAgent make_mcts_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
