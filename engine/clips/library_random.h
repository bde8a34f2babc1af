// The random numbers of the C library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace croupier::engine::clips {

// The C library's rand(), whose numbers CLIPS gives to its activations: the same seeds give the
// same numbers here, in each session for itself.
class LibraryRandom {
  public:
    LibraryRandom() { seed(1); }
    void seed(std::uint32_t seed);
    std::uint32_t next();

  private:
    std::array<std::uint32_t, 34> ring_{};
    std::size_t at_ = 0;
};

} // namespace croupier::engine::clips
