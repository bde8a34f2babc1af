// Random results for simulations in tests: the same on every platform.
#pragma once

#include <cstdint>
#include <random>

namespace croupier::results {

class Sampler {
  public:
    explicit Sampler(std::uint64_t seed) : engine_(seed) {}

    // Of [0, 1[; the standard library's own distributions differ between platforms.
    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    bool chance(double probability) { return uniform() < probability; }
    // A game's score for one side.
    double game(double win, double draw) {
        const double at = uniform();
        return at < win ? 1 : at < win + draw ? 0.5 : 0;
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace croupier::results
