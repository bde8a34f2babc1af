// A game in which people sit: it may be taken back, and left.
#pragma once

#include "agents/table.h"
#include "tournaments/cli/person/desk.h"
#include "tournaments/cli/stop_signals.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace croupier::cli {

class PersonGame {
  public:
    // Who hears of the game from its beginning; asked anew whenever it is played again, after
    // somebody has taken a move back.
    using Begin = std::function<agents::Listener&()>;

    // All of them outlive it.
    PersonGame(agents::Table& table, Desk& desk, StopSignals& stop)
        : table_(table), desk_(desk), stop_(stop) {}

    // Plays; returns the position where it ended or was left. Moves that are played again after one
    // was taken back meet the same chance, and nobody is asked for them.
    const games::Position& play(std::span<agents::Agent* const> agents, const agents::GameKey& key,
                                const Begin& begin, const agents::Opening* opening);
    // Whether it was left: it has no result.
    [[nodiscard]] bool left() const { return table_.abandoned(); }

  private:
    agents::Table& table_;
    Desk& desk_;
    StopSignals& stop_;
};

// What agents the game has for somebody who wants advice at once, the best that is known first: by
// agents/README.md. `folder` is that of agents that come as files.
std::vector<std::string> quick_advisers(const games::Game& game, const std::string& folder);

} // namespace croupier::cli
