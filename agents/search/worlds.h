// The positions that may stand behind a view, for agents that think them through.
#pragma once

#include "agents/agent.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

// Where nothing is hidden there is one: the view itself.
class Worlds {
  public:
    void reset(const Game& game, Seat me);
    // Whether moves must be told.
    [[nodiscard]] bool observes() const { return observer_ != nullptr; }
    void observe(const Position& view, const Seen& seen) {
        observer_->observe(view, seen.player, seen.move);
    }
    // False: nothing agrees with the view, which is noted. The view must live while it is drawn.
    bool look(const Position& view);
    bool draw(Position& into, Random& random);
    [[nodiscard]] std::vector<Note> notes() const;

  private:
    bool fail();

    const Game* game_ = nullptr;
    std::unique_ptr<games::Observer> observer_; // null where nothing is hidden
    const Position* view_ = nullptr;
    std::uint64_t failures_ = 0;
    std::string last_;
};

// Why the game's hidden parts cannot be drawn; empty if they can.
std::string cannot_draw(const Game& game, std::string_view kind);

} // namespace croupier::agents
