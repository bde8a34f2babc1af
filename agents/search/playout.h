// Plays positions to their end with the moves of other agents, or any.
#pragma once

#include "agents/registry.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

class Playout {
  public:
    using Policies = std::vector<std::unique_ptr<Agent>>;

    Playout() = default; // any legal move, each as likely
    // `policies[i]` chooses for seat i, by its view of the position that is played, and in auctions
    // `bidders[i]`. Empty: any move, and the same as in the rest of the game.
    explicit Playout(Policies policies, Policies bidders = {})
        : policies_(std::move(policies)), bidders_(std::move(bidders)) {}

    void reset(const Game& game);
    void play(Position& position, Random& choices, Random& chance);

  private:
    [[nodiscard]] Agent* policy_at(const Position& position) const;

    Policies policies_;
    Policies bidders_;
    std::unique_ptr<Position> view_; // null where nothing is hidden
};

// The agents of these specs, one a seat; none for "random" or nothing. A policy that cannot be
// made, or cannot be one, is an error in `made`; a bidder that cannot stand in leaves auctions to
// the policy.
Playout make_playout(const std::string& spec, const std::string& bidder, std::string_view kind,
                     const AgentServices& services, MadeAgent& made);

} // namespace croupier::agents
