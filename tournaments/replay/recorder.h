// Plays a game of a run once more, to be looked at.
#pragma once

#include "results/html/replay.h"
#include "results/record.h"
#include "tournaments/runner/player.h"
#include "tournaments/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct ReplayRequest {
    const games::Game& game;
    const AgentMaker& make;
    const std::vector<std::string>& agents; // names
    std::uint64_t seed = 0;
    std::size_t most_frames = 0; // of longer games the beginning alone is kept
};

// That game of the block, with what its agents have to say; `recorded` is what the run knows of it.
// A game that goes another way now is a problem, as is an agent that cannot be asked again.
results::Replay record_game(const ReplayRequest& request, const Block& block,
                            const results::GameRecord& recorded);

} // namespace croupier::tournaments
