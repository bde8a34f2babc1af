// Drawn positions as the data that pages show, at tables and in reports; results/README.md has the
// members.
#pragma once

#include "games/drawing/drawing.h"

#include <nlohmann/json_fwd.hpp>

namespace croupier::tournaments {

nlohmann::ordered_json card_json(const games::DrawnCard& card);
nlohmann::ordered_json scene_json(const games::Drawing& drawing);

} // namespace croupier::tournaments
