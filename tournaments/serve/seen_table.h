// What a page gets to know of a table: the view of the seats that its reader holds, as JSON, and
// nothing else.
#pragma once

#include "games/drawing/drawer.h"
#include "tournaments/serve/seat_course.h"
#include "tournaments/serve/table.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace croupier::serve {

// What of a table is drawn.
struct SeenTable {
    const games::Game& game;
    const std::vector<std::string>& agents; // by seat
    std::vector<games::Seat> mine;
    // Moves as those seats are told of them; `move` is empty where it was made in secret.
    std::vector<Table::Made> made;
    std::optional<games::Seat> turn;
    std::optional<agents::Verdict> verdict;
    std::optional<agents::AgentFault> fault;
};

// The legal moves of the view, cards sorted as hands are.
nlohmann::ordered_json moves_json(const games::Position& view, const games::Drawer& drawer);
// How it ended, for people and by seat; null before.
nlohmann::ordered_json end_json(const SeenTable& seen, const games::Position& view);
// All of it but the moves.
nlohmann::ordered_json table_json(const SeenTable& seen, const games::Drawing& drawing,
                                  const games::Drawer& drawer);

} // namespace croupier::serve
