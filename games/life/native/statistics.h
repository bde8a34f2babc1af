// Many games in a row and what came of them; for tests.
#pragma once

#include "games/life/native/kernel.h"

#include <cmath>
#include <cstdint>

namespace croupier::games::life {

struct Tally {
    std::int64_t games = 0;
    std::int64_t black = 0;
    std::int64_t white = 0;
    std::int64_t draws = 0; // unfinished ones are among them
    std::int64_t unfinished = 0;
    double plies = 0;
    double plies_squared = 0;

    void add(const Outcome& outcome) {
        ++games;
        ++(!outcome.winner ? draws : *outcome.winner == Colour::Black ? black : white);
        unfinished += outcome.unfinished ? 1 : 0;
        plies += outcome.plies;
        plies_squared += static_cast<double>(outcome.plies) * outcome.plies;
    }
    [[nodiscard]] double share(std::int64_t of) const {
        return static_cast<double>(of) / static_cast<double>(games);
    }
    // The half width of a 99.99 % interval of a share near `expected`.
    [[nodiscard]] double share_error(double expected) const {
        return 3.9 * std::sqrt(expected * (1 - expected) / static_cast<double>(games));
    }
    [[nodiscard]] double mean_plies() const { return plies / static_cast<double>(games); }
    // The same for the mean of the plies.
    [[nodiscard]] double plies_error() const {
        const double mean = mean_plies();
        const double variance = plies_squared / static_cast<double>(games) - mean * mean;
        return 3.9 * std::sqrt(variance / static_cast<double>(games));
    }
};

// Game i is a function of (seed, i).
inline Tally random_against_random(std::uint64_t seed, std::int64_t games) {
    Tally tally;
    for (std::int64_t game = 0; game < games; ++game) {
        engine::Random random = engine::Random(seed).stream(static_cast<std::uint64_t>(game));
        Board board = Board::start();
        tally.add(fastest_kernel().play_random(board, Colour::Black, 2000, random));
    }
    return tally;
}

// One side takes a drop that is best by material, of several one by chance; the other any.
inline Outcome play_greedy(const Kernel& kernel, Colour greedy, engine::Random& random) {
    Board board = Board::start();
    Outcome outcome;
    for (Colour mover = Colour::Black; outcome.plies < 2000; mover = opponent(mover)) {
        const CellSet drops =
            mover == greedy ? kernel.best_drops(board, mover).cells : kernel.legal_drops(board);
        if (!drops.empty()) {
            board.put(drops.nth(static_cast<int>(random.below(drops.count()))), mover);
        }
        kernel.tick(board, board);
        ++outcome.plies;
        const bool black = !board.of(Colour::Black).empty();
        const bool white = !board.of(Colour::White).empty();
        if (!black || !white) {
            if (black || white) outcome.winner = black ? Colour::Black : Colour::White;
            return outcome;
        }
    }
    outcome.unfinished = true;
    return outcome;
}

inline Tally greedy_against_random(std::uint64_t seed, Colour greedy, std::int64_t games) {
    Tally tally;
    for (std::int64_t game = 0; game < games; ++game) {
        engine::Random random = engine::Random(seed).stream(static_cast<std::uint64_t>(game));
        tally.add(play_greedy(fastest_kernel(), greedy, random));
    }
    return tally;
}

} // namespace croupier::games::life
