// Checks that an agent's choices are a function of views, of what it observed, and of its stream.
// Also whole matches, and endings that a search can solve.
#pragma once

#include "agents/agent.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents::testing {

// Makes the agent twice, once fresh and once after another game, and plays `plies` moves with both
// on the seat to move; the choices must be equal.
void expect_function_of_view(const Game& game, std::string_view spec, std::uint32_t plies);

// The same with positions that the agent cannot tell apart: the hands of two other players are
// exchanged. For card games with `hands`.
void expect_blind_to_other_hands(const Game& game, std::string_view spec);

// Two agents over many deals.

// Results of the first agent against the second. Games of one deal are one block; mean and error
// are over blocks.
struct Match {
    double mean = 0;  // how far the first side's score is ahead
    double error = 0; // the standard error of the mean
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
    std::uint64_t drawn = 0;
};

// Plays each deal twice, with the sides exchanged. The agents hold alternate seats.
Match match(const Game& game, const std::string& one, const std::string& other, std::uint64_t deals,
            std::uint64_t seed = 7);

// Random endings of games, solved by trying every line: for tests of solvers.

// Plays that deal at random until at most `left` moves are left, as another random game estimates;
// null if the deal never reaches such a position before its end.
std::unique_ptr<Position> random_ending(const Game& game, std::uint64_t deal, std::uint32_t left);

// How far `me` will be ahead after each legal move, by exhaustive search. For games without chance.
std::vector<double> worth_by_trying(const Position& from, Seat me);

// Solves endings of a game with one solver and compares its results with exhaustive search and with
// those of a fresh solver; returns the number of endings.
std::uint32_t expect_solved(const std::string& title, std::uint32_t deals, std::uint32_t left);

} // namespace croupier::agents::testing
