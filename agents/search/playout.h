// Plays positions to their end with the moves of other agents, or any.
#pragma once

#include "agents/registry.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

class Playout {
  public:
    Playout() = default; // any legal move, each as likely
    // `policies[i]` chooses for seat i, by its view of the position that is played.
    explicit Playout(std::vector<std::unique_ptr<Agent>> policies)
        : policies_(std::move(policies)) {}

    void reset(const Game& game);
    void play(Position& position, Random& choices, Random& chance);

  private:
    std::vector<std::unique_ptr<Agent>> policies_;
    std::unique_ptr<Position> view_; // null where nothing is hidden
};

// The agents of that spec, one a seat; none for "random". What cannot be made, or cannot be a
// policy, is an error in `made`.
Playout make_playout(const std::string& spec, std::string_view kind,
                     const Surroundings& surroundings, MadeAgent& made);

} // namespace croupier::agents
