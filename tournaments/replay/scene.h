// A drawn position as the data that a page shows; results/README.md has the members.
#pragma once

#include "games/drawing/drawing.h"

#include <string>
#include <vector>

namespace croupier::tournaments {

// `players`: names of the seats.
std::string scene_json(const games::Drawing& drawing, const std::vector<std::string>& players);

} // namespace croupier::tournaments
