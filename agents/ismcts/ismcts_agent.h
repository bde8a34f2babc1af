// Information set Monte Carlo tree search: one tree of what the agent may observe, searched with a
// new deal of the hidden cards each time.
#pragma once

#include "agents/arguments.h"
#include "agents/search/guide.h"
#include "agents/search/playout.h"
#include "agents/search/sides.h"
#include "agents/search/worlds.h"

#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

struct IsmctsLimits {
    std::uint64_t playouts = 1000;                     // in one decision, each with its own deal
    TimeLimit time = {};                               // where time is the limit instead
    std::uint64_t most_nodes = std::uint64_t{1} << 20; // the tree stops growing there
    double exploration = 0.7;     // weight of rarely tried moves against good ones
    Resignation resignation = {}; // by the chosen move's share of won playouts
};

// A node is a line of moves, whatever is hidden. A move's tries are compared with the visits in
// which the deal allowed it. With a guide, what the net expects takes the place of playouts. For
// games that can list their moves.
class IsmctsAgent : public Agent {
  public:
    IsmctsAgent(const IsmctsLimits& limits, Playout playout, Worlds worlds = {},
                std::optional<Guide> guide = {});

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override {
        return worlds_.observes() || (guide_ && guide_->observes());
    }
    void observe(const Position& view, const ObservedMove& seen) override;
    [[nodiscard]] std::vector<Note> notes() const override { return worlds_.notes(); }
    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Playouts since it was made.
    [[nodiscard]] std::uint64_t playouts() const { return playouts_; }

  private:
    using NodeId = std::uint32_t;
    static constexpr NodeId kNoNode = 0xffffffff;
    struct Node {
        NodeId first_child = kNoNode;
        NodeId next = kNoNode; // another move from the same line
        Move move = 0;
        Seat mover = 0;
        std::uint32_t visits = 0;
        std::uint32_t available = 0; // visits of the parent in which it was legal
        double ahead = 0;            // sum over the visits, for the mover
        double won = 0;              // visits that left the mover ahead, level ones counting half
        double prior = 0;            // what the guide thinks of it
        double lead = 0;
    };

    void descend(Random& random, Random& chance);
    NodeId select(NodeId above, Random& random);
    NodeId add(NodeId above, Move move);
    void follow(NodeId from, Random& chance);
    void play(Move move, Random& chance);
    void mark_children(NodeId above, bool known);
    void expand(NodeId above);
    void learn();
    [[nodiscard]] const Node* most_visited() const;

    IsmctsLimits limits_;
    Playout playout_;
    Worlds worlds_;
    std::optional<Guide> guide_;
    const Selection& selection_;
    const Game* game_ = nullptr;
    Seat me_ = 0;
    Sides sides_;
    std::unique_ptr<Position> position_; // of the current playout
    std::vector<Node> nodes_;
    std::vector<NodeId> path_;
    std::vector<NodeId> child_of_; // by currently legal move: its node, if any
    std::vector<Move> untried_;
    std::vector<Move> moves_;
    double least_ = 0; // the least and greatest lead of any seat in this decision
    double most_ = 0;
    std::uint64_t playouts_ = 0;
};

// ismcts:net=NET,policy=AGENT,bids=AGENT,playouts=N,ms=N,nodes=N,explore=N,resign=PERCENT
MadeAgent make_ismcts_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
