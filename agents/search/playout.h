// Plays positions to their end with moves of other agents, or with random ones.
#pragma once

#include "agents/registry.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

class Playout {
  public:
    using Policies = std::vector<std::unique_ptr<Agent>>;

    Playout() = default; // random legal moves
    // `policies[i]` chooses for seat i, from its view of the position, and `bidders[i]` in
    // auctions. Without policies moves are random; without bidders the policies bid.
    explicit Playout(Policies policies, Policies bidders = {})
        : policies_(std::move(policies)), bidders_(std::move(bidders)) {}

    void reset(const Game& game);
    void play(Position& position, Random& choices, Random& chance);

  private:
    [[nodiscard]] Agent* policy_at(const Position& position) const;

    Policies policies_;
    Policies bidders_;
    std::unique_ptr<Position> view_; // null if nothing is hidden
};

// The agents of these specs, one per seat; none for "random" or an empty spec. A policy that cannot
// be made, or cannot be a policy, is an error in `made`; a bidder that cannot bid leaves auctions
// to the policy.
Playout make_playout(const std::string& spec, const std::string& bidder, std::string_view kind,
                     const AgentServices& services, MadeAgent& made);

} // namespace croupier::agents
