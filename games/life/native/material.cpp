// Counts stones; tries drops one by one where the game may end.
#include "games/life/native/material.h"

#include <algorithm>
#include <bit>

namespace croupier::games::life {
namespace {

// One drop decides over its own cell and its eight neighbours: only stones that all stand within
// three rows and three columns could be gone after it. Mostly the first few tell that they do not.
bool could_vanish(const CellSet& stones) {
    int left = kSide;
    int right = -1;
    int top = kSide;
    int bottom = -1;
    for (unsigned word = 0; word < CellSet::kWords; ++word) {
        for (std::uint64_t bits = stones.words()[word]; bits != 0; bits &= bits - 1) {
            const Cell cell = CellSet::cell_at(word, static_cast<unsigned>(std::countr_zero(bits)));
            left = std::min(left, cell.column());
            right = std::max(right, cell.column());
            top = std::min(top, cell.row());
            bottom = std::max(bottom, cell.row());
            if (right - left > 2 || bottom - top > 2) return false;
        }
    }
    return true;
}

double worth_of(const Board& board, Colour side) {
    const int own = board.of(side).count();
    const int others = board.of(opponent(side)).count();
    if (own > 0 && others > 0) return own - others;
    return own == others ? 0 : own > 0 ? Evaluation::kWon : -Evaluation::kWon;
}

Material::Best try_each(const Kernel& kernel, const Board& board, Colour mover,
                        const CellSet& legal) {
    Material::Best best;
    for (unsigned word = 0; word < CellSet::kWords; ++word) {
        for (std::uint64_t bits = legal.words()[word]; bits != 0; bits &= bits - 1) {
            const Cell cell = CellSet::cell_at(word, static_cast<unsigned>(std::countr_zero(bits)));
            Board after = board;
            after.put(cell, mover);
            kernel.tick(after, after);
            const double worth = worth_of(after, mover);
            if (best.cells.empty() || worth > best.worth) best = {{}, worth};
            if (worth == best.worth) best.cells.insert(cell);
        }
    }
    return best;
}

} // namespace

int Material::lead(const Board& board, Colour side) {
    return board.of(side).count() - board.of(opponent(side)).count();
}

Material::Best Material::best(const Kernel& kernel, const Board& board, Colour mover,
                              const CellSet& legal) {
    Board after;
    kernel.tick(board, after);
    if (could_vanish(after.stones[0]) || could_vanish(after.stones[1]))
        return try_each(kernel, board, mover, legal);
    const BestDrops drops = kernel.best_drops(board, mover);
    return {drops.cells, static_cast<double>(drops.lead)};
}

} // namespace croupier::games::life
