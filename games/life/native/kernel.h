// The rules of Life on bit planes: the tick, the drops, whole random games. There is a kernel per
// kind of machine; all give the same results, and the tests run every one that the machine can run.
#pragma once

#include "engine/api/random.h"
#include "games/life/native/board.h"

#include <optional>
#include <span>

namespace croupier::games::life {

// The drops that leave the mover best off, and by how many stones he then leads.
struct BestDrops {
    CellSet cells;
    int lead = 0;

    friend bool operator==(const BestDrops&, const BestDrops&) = default;
};

// How a game ended, after how many plies. Without a winner it is a draw: the board is empty or, if
// `unfinished`, the plies are used up.
struct Outcome {
    std::optional<Colour> winner;
    bool unfinished = false;
    int plies = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Kernel {
    const char* name;

    // Every cell is updated at once. An empty cell with three neighbours is born in the colour of
    // most; a stone with less than two or more than three dies; another takes the colour of most of
    // its neighbours, or keeps its own in a tie. Beyond the edge all is empty. `to` may be `from`.
    void (*tick)(const Board& from, Board& to);

    // The empty cells with a neighbour. They are the same for both colours.
    CellSet (*legal_drops)(const Board& board);

    // Of all legal drops those after whose tick the mover has most stones more than the opponent.
    // One who wants one takes the first, or any by chance. No cells, and no lead, without a legal
    // drop.
    BestDrops (*best_drops)(const Board& board, Colour mover);

    // Plays from `board`, which is left as it is at the end. Each mover drops on
    // legal_drops().nth(random.below(their count)), then comes the tick. Who may not drop passes:
    // of one move below(1) is picked, and then comes the tick. A board is looked at after each
    // tick: a colour without stones has lost.
    Outcome (*play_random)(Board& board, Colour mover, int max_plies, engine::Random& random);
};

// The kernels that this machine can run, the fastest first; the last is the portable one.
std::span<const Kernel* const> usable_kernels();

// The fastest of them, chosen once.
const Kernel& fastest_kernel();

} // namespace croupier::games::life
