// The C library's random numbers.
#include "engine/clips/library_random.h"

namespace croupier::engine::clips {

// glibc's additive feedback generator: r[i] = r[i-3] + r[i-31], the lowest bit dropped.
void LibraryRandom::seed(std::uint32_t seed) {
    std::array<std::int32_t, 34> start{};
    start[0] = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
    for (std::size_t i = 1; i < 31; ++i) {
        const std::int64_t word = (std::int64_t{16807} * start[i - 1]) % 2147483647;
        start[i] = static_cast<std::int32_t>(word < 0 ? word + 2147483647 : word);
    }
    for (std::size_t i = 0; i < 31; ++i)
        ring_[i] = static_cast<std::uint32_t>(start[i]);
    for (std::size_t i = 31; i < 34; ++i)
        ring_[i] = ring_[i - 31];
    at_ = 0; // ring_[(at_ + k) % 34] is r[n - 34 + k]
    for (int i = 0; i < 310; ++i)
        next();
}

std::uint32_t LibraryRandom::next() {
    const std::uint32_t word = ring_[(at_ + 3) % 34] + ring_[(at_ + 31) % 34];
    ring_[at_] = word;
    at_ = (at_ + 1) % 34;
    return word >> 1;
}

} // namespace croupier::engine::clips
