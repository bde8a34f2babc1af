// What schedules of all kinds share: how many blocks, and tables with too few agents.
#pragma once

#include "tournaments/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace croupier::tournaments {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b);

// Fewer agents than sides: the last `repeat` of them sit down once more, until all is taken.
void fill_up(std::vector<std::uint32_t>& field, std::size_t sides, std::size_t repeat);

// As many blocks as were asked for, or whole rounds that have the games which were.
std::uint64_t wanted_blocks(const ScheduleRequest& request, std::uint64_t games_per_block,
                            std::uint64_t blocks_per_round);

} // namespace croupier::tournaments
