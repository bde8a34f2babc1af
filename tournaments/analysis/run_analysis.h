// Goes through the games of a run with some threads, and judges what was played.
#pragma once

#include "results/store/games_reader.h"
#include "results/store/kept_games.h"
#include "tournaments/analysis/regret.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/runner/pool.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct AnalysisSettings {
    RegretSettings regret;
    std::uint64_t blocks = ~std::uint64_t{0}; // no more than these
    std::size_t threads = 1;
    Pool pool = kDefaultPool;
    const std::atomic<bool>* stop = nullptr; // set: no block is begun any more; null: never
    std::string cannot_play; // why agents cannot be asked again; then only kept games are judged
};

// Games that are kept are read, others are played again by their agents. Adds them to the book in
// their order, whatever threads there are, and calls `told` after each block, on one thread at a
// time. What cannot be read is left to the readers' failures.
void analyse_games(const ReplayRequest& request, results::GamesReader& games,
                   results::KeptGames& kept, const AnalysisSettings& settings, RegretBook& book,
                   const std::function<void(std::span<const AnalysedGame>)>& told);

} // namespace croupier::tournaments
