// For tests: runs over the real conveyor and ledger, of agents of equal strength who lose slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace croupier::tournaments {

constexpr double kAlpha = 0.05;

struct SimulatedRun {
    std::string verdict;
    std::uint64_t blocks = 0; // after which the test stopped
};

// Results are a function of the seed; how long they take, of the results.
SimulatedRun run_in_flight(std::uint64_t seed, std::size_t workers);

// The scores of so many blocks in the order in which workers finish them.
std::vector<double> completion_order(std::uint64_t seed, std::size_t workers, std::uint64_t blocks);

// Of the same test, fed in that order.
std::string verdict_of_order(std::span<const double> scores);

} // namespace croupier::tournaments
