// Poisson weights by a counter-based generator; see bootstrap.h.
#include "results/statistics/bootstrap.h"

#include <cmath>

namespace croupier::results {
namespace {

// The finalizer of SplitMix64: every bit of the input changes every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

// 2^16 P(X <= i) for a Poisson variable of mean 1; sixteen bits are precise to 1e-5.
constexpr std::array<std::uint32_t, 8> kThresholds{24109, 48219, 60273, 64291,
                                                   65296, 65497, 65531, 65535};

std::uint8_t poisson(std::uint32_t bits) {
    std::uint8_t result = 0;
    for (const std::uint32_t threshold : kThresholds)
        result = static_cast<std::uint8_t>(result + (bits >= threshold ? 1 : 0));
    return result;
}

} // namespace

ReplicateWeights replicate_weights(std::uint64_t seed, std::uint64_t block) {
    constexpr std::size_t kPerWord = 4;
    const std::uint64_t start = mixed(mixed(seed + 0x9E3779B97F4A7C15U) + block);
    ReplicateWeights weights{};
    for (std::size_t word = 0; word < kReplicates / kPerWord; ++word) {
        std::uint64_t bits = mixed(start + (word + 1) * 0x9E3779B97F4A7C15U);
        for (std::size_t i = 0; i < kPerWord; ++i, bits >>= 16)
            weights[word * kPerWord + i] = poisson(static_cast<std::uint32_t>(bits & 0xFFFF));
    }
    return weights;
}

double standard_deviation(std::span<const double> values) {
    double mean = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace croupier::results
