// The positions that agree with a view, for search agents.
#pragma once

#include "agents/agent.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

// If nothing is hidden there is only one: the view itself.
class Worlds {
  public:
    void reset(const Game& game, Seat me);
    // From the next `reset` on, all positions are equally likely, whatever the game believes.
    void doubt() { doubts_ = true; }
    // Whether `observe` must be called.
    [[nodiscard]] bool observes() const { return observer_ != nullptr; }
    void observe(const Position& view, const ObservedMove& seen) {
        observer_->observe(view, seen.player, seen.move);
    }
    // False if no position agrees with the view, which is noted. The view must outlive the draws.
    bool look(const Position& view);
    bool draw(Position& into, Random& random);
    [[nodiscard]] std::vector<Note> notes() const;

  private:
    bool fail();

    const Game* game_ = nullptr;
    std::unique_ptr<games::Observer> observer_; // null where nothing is hidden
    const Position* view_ = nullptr;
    bool doubts_ = false;
    std::uint64_t failures_ = 0;
    std::string last_;
};

// Reads the argument `belief`: "yes" (the default) or "no". Returns an error, or an empty text.
std::string read_belief(const std::string& said, Worlds& worlds);

// Why the game's hidden parts cannot be drawn; empty if they can.
std::string cannot_draw(const Game& game, std::string_view kind);

} // namespace croupier::agents
