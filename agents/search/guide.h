// What steers a search: which move to try next, and a net in place of playouts.
#pragma once

#include "agents/agent.h"
#include "agents/net/net.h"
#include "agents/search/sides.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace croupier::agents {

// A move that a search has tried, or could.
struct Tried {
    double mean = 0; // how good it has been, 0 to 1; a guess if there are no visits
    double visits = 0;
    double prior = 0; // how likely a net makes it; 0 without one
};

// Which move a search tries next: the one of the greatest value.
struct Selection {
    // How much exploring counts once moves have been compared so many times.
    double (*weight)(double times);
    double (*value)(const Tried& tried, double exploration, double weight);
};
extern const Selection kByVisits; // upper confidence bounds
extern const Selection kByPrior;  // the same, but sooner where the net expects more

// Asks a net about positions of a search. It remembers the moves of the game, and those of the
// search from there on.
class Guide {
  public:
    explicit Guide(std::shared_ptr<const Net> net) : net_(std::move(net)) {}

    void reset(const Game& game);
    [[nodiscard]] bool observes() const { return net_->features().remembers(); }
    void observe(const Position& view, const ObservedMove& seen);
    // A playout begins where the game stands.
    void begins() { moves_ = game_moves_; }
    void played(const games::Memory::Made& made, const Position& after) {
        moves_.note(made, after);
    }
    // What the player to move may think of its moves, by what it sees: sets `priors`, which add up
    // to 1, and `leads`, by how much it will be ahead. A net has learnt from decisions, so there
    // should be several moves.
    void look(const Position& position, std::span<const Move> moves);
    [[nodiscard]] const std::vector<double>& priors() const { return priors_; }
    [[nodiscard]] const std::vector<double>& leads() const { return leads_; }
    [[nodiscard]] std::size_t best() const { return best_; }
    // By how much the seat is ahead at the end, or else where it has looked last.
    [[nodiscard]] double lead(const Position& position, Seat seat) const;

  private:
    std::shared_ptr<const Net> net_;
    std::unique_ptr<Position> view_; // null where nothing is hidden
    games::Memory game_moves_;
    games::Memory moves_;
    Net::Work work_;
    std::vector<std::int64_t> worths_;
    std::vector<double> priors_;
    std::vector<double> leads_;
    Sides sides_;
    Seat mover_ = 0;       // where it has looked last
    std::size_t best_ = 0; // the move of the greatest lead there
};

} // namespace croupier::agents
