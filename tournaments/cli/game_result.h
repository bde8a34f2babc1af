// How a game ended, for programs.
#pragma once

#include "agents/table.h"
#include "games/contract/game.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace croupier::cli {

// What print_result tells, as an object: "game", "end", "moves", "seats", and "fault" of a game
// that was aborted; `verdict` where its rules have not ended it.
nlohmann::ordered_json result_json(const games::Position& position,
                                   const std::vector<std::string>& agents,
                                   const std::optional<agents::Verdict>& verdict = {});

} // namespace croupier::cli
