// A position of native Life as a state of the ruleset that it stands for: what agents' rules read.
#pragma once

#include "games/life/native/board.h"
#include "games/ruleset/ruleset_game.h"

namespace croupier::games::life {

// One state, written anew each time: a byte for each stone, a bit for each move.
class Mirror {
  public:
    // Of the game that `kRuleset` names, which must outlive the mirror.
    explicit Mirror(const RulesetGame& game);

    // The state before a move of that player, who must pass where nothing can be dropped.
    const engine::State& show(const Board& board, Colour turn, const CellSet& drops);

  private:
    engine::State state_;
    engine::NodeRef board_;
    engine::NodeRef turn_;
    std::uint32_t moves_; // where in the state's block their bits are
};

} // namespace croupier::games::life
