// Plays a game of a run once more: to be looked at, or for the record that was not kept.
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

// Drawn positions as the data that pages show, at tables and in reports; results/README.md has the
// members.

nlohmann::ordered_json card_json(const games::DrawnCard& card);
nlohmann::ordered_json scene_json(const games::Drawing& drawing);

struct ReplayRequest {
    const games::Game& game;
    const AgentMaker& make;
    const std::vector<std::string>& agents; // names
    std::uint64_t seed = 0;
    const Starts* starts = nullptr; // of the run; null: games began as usual
    std::size_t most_frames = 0;    // of longer games the beginning alone is shown
    // Moves that are not legal at a position, and why, in lines; null: no frame has any.
    using Refusals =
        std::function<std::vector<std::string>(const games::Position&, const games::Drawing&)>;
    Refusals refusals = nullptr;
};

// That game, with what its agents have to say; `recorded` is what the run knows of it. `kept` is
// its record, for agents that cannot be asked again; empty: there is none. A game that goes another
// way now is a problem.
results::Replay record_game(const ReplayRequest& request, const results::GameRecord& recorded,
                            std::string_view kept = {});

// The record of a game that was not kept, or why there is none.
struct Retold {
    std::string lines;
    std::string problem;
};
Retold retell(const ReplayRequest& request, const results::GameRecord& recorded,
              const KeepSettings& names);

// Lets somebody listen to that game: to its record, or where that is empty to its agents, who play
// it again. Says why it cannot be replayed, or that it went another way; empty if it was that game.
std::string listen_again(const ReplayRequest& request, const results::GameRecord& recorded,
                         std::string_view kept, agents::Listener& listener);

// Whether a record has the moves that the run knows of.
bool tells_of(std::string_view kept, const ReplayRequest& request,
              const results::GameRecord& recorded);

} // namespace croupier::tournaments
