// Poisson bootstrap over blocks: weights as they come, no block is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace croupier::results {

constexpr std::size_t kReplicates = 256;
using ReplicateWeights = std::array<std::uint8_t, kReplicates>;

// How often each replicate counts the block: independent Poisson variables of mean 1, a function of
// the seed and the block's number alone. Drawing blocks with replacement gives the same in the
// limit, but has to know how many there will be. About 0.2 microseconds.
ReplicateWeights replicate_weights(std::uint64_t seed, std::uint64_t block);

// The spread of what the replicates came to; their mean is no better than the estimate itself.
double standard_deviation(std::span<const double> values);

} // namespace croupier::results
