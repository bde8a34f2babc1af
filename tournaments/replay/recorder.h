// Replays a game of a run, to show it or to make a missing record.
#pragma once

#include "games/drawing/drawing.h"
#include "results/html/page.h"
#include "results/record.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/runner/player.h"
#include "tournaments/starts/starts.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// Drawn positions as page data, for tables and reports; results/README.md lists the members.

nlohmann::ordered_json card_json(const games::DrawnCard& card);
nlohmann::ordered_json scene_json(const games::Drawing& drawing);

struct ReplayRequest {
    const games::Game& game;
    const AgentMaker& make;
    const std::vector<std::string>& agents; // names
    std::uint64_t seed = 0;
    const Starts* starts = nullptr; // of the run; null if games began as usual
    std::size_t most_frames = 0;    // of a longer game, only the beginning is shown
    // Illegal moves of a position with reasons, as lines; null if not wanted.
    using Refusals =
        std::function<std::vector<std::string>(const games::Position&, const games::Drawing&)>;
    Refusals refusals = nullptr;
};

// Replays that game, with its agents' logs; `recorded` is the run's data about it. `kept` is its
// record, for agents that cannot replay; empty if there is none. It is an error if the game now
// differs.
results::Replay record_game(const ReplayRequest& request, const results::GameRecord& recorded,
                            std::string_view kept = {});

// The record of a game that was not kept, or why there is none.
struct Retold {
    std::string lines;
    std::string problem;
};
Retold retell(const ReplayRequest& request, const results::GameRecord& recorded,
              const KeepSettings& names);

// Replays that game for a listener: from its record, or if that is empty by its agents. Returns why
// it could not be replayed, or that it differed; empty if it was the same.
std::string listen_again(const ReplayRequest& request, const results::GameRecord& recorded,
                         std::string_view kept, agents::Listener& listener);

// Whether a record has the moves that the run knows.
bool tells_of(std::string_view kept, const ReplayRequest& request,
              const results::GameRecord& recorded);

} // namespace croupier::tournaments
