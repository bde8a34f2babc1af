// The worth of positions of Life: own stones less the opponent's, and nothing above a win.
#pragma once

#include "games/contract/game.h"
#include "games/life/native/kernel.h"

namespace croupier::games::life {

// Best moves come from the kernel, all drops at once. It counts stones only, so where a drop could
// leave a side without any, each drop is tried by itself.
class Material {
  public:
    // How far ahead the side is.
    static int lead(const Board& board, Colour side);
    // What the best drops lead to, and which they are; kWon and -kWon where they end the game.
    struct Best {
        CellSet cells;
        double worth = 0;
    };
    // Of a board where the mover can drop.
    static Best best(const Kernel& kernel, const Board& board, Colour mover, const CellSet& legal);
};

} // namespace croupier::games::life
