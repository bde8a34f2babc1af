// Random endings of games, and what they are worth by every line there is: for tests of solvers.
#pragma once

#include "agents/agent.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::agents::testing {

// Played at random from that deal until at most so many moves are left, as another random game
// tells; null: that deal never came to such a position before its end.
std::unique_ptr<Position> random_ending(const Game& game, std::uint64_t deal, std::uint32_t left);

// By how much `me` will be ahead after each legal move, by trying everything. Needs no chance.
std::vector<double> worth_by_trying(const Position& from, Seat me);

// Solves so many endings of a game with one solver, which must find the same, and the same again
// with one that has solved nothing before; returns how many there were.
std::uint32_t expect_solved(const std::string& title, std::uint32_t deals, std::uint32_t left);

} // namespace croupier::agents::testing
