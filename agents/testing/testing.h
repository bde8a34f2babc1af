// What every agent owes: its choices are a function of views, of what it observed, and of its
// stream. Whole matches, and endings that a search can solve.
#pragma once

#include "agents/agent.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents::testing {

// Makes the agent twice and plays `plies` moves of a game with either on the seat at turn: fresh,
// and after another game; the choices must be the same.
void expect_function_of_view(const Game& game, std::string_view spec, std::uint32_t plies);

// The same of positions that differ in nothing that the agent may see: the hands of two others are
// exchanged. For games of cards with `hands`.
void expect_blind_to_other_hands(const Game& game, std::string_view spec);

// Two agents over many deals, until there are tournaments for that.

// Results of the first agent against the second. Games of a deal are one block: mean and error are
// those of blocks.
struct Match {
    double mean = 0;  // what the first side's score is ahead by
    double error = 0; // the standard error of the mean
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
    std::uint64_t drawn = 0;
};

// Each deal is played twice, the sides exchanged. The agents hold every other seat.
Match match(const Game& game, const std::string& one, const std::string& other, std::uint64_t deals,
            std::uint64_t seed = 7);

// Random endings of games, and what they are worth by every line there is: for tests of solvers.

// Played at random from that deal until at most so many moves are left, as another random game
// tells; null: that deal never came to such a position before its end.
std::unique_ptr<Position> random_ending(const Game& game, std::uint64_t deal, std::uint32_t left);

// By how much `me` will be ahead after each legal move, by trying everything. Needs no chance.
std::vector<double> worth_by_trying(const Position& from, Seat me);

// Solves so many endings of a game with one solver, which must find the same, and the same again
// with one that has solved nothing before; returns how many there were.
std::uint32_t expect_solved(const std::string& title, std::uint32_t deals, std::uint32_t left);

} // namespace croupier::agents::testing
