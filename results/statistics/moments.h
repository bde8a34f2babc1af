// Sums of vectors, their products in twos and in threes: what moments of any weighing of their
// components are made of, in memory that does not grow.
#pragma once

#include <array>
#include <cstddef>

namespace croupier::results {

template <std::size_t N>
class LinearMoments {
  public:
    using Vector = std::array<double, N>;

    void add(const Vector& v, double times = 1) {
        std::size_t two = 0;
        std::size_t three = 0;
        for (std::size_t i = 0; i < N; ++i) {
            const double at_i = times * v[i];
            ones_[i] += at_i;
            for (std::size_t j = i; j < N; ++j) {
                const double at_ij = at_i * v[j];
                twos_[two++] += at_ij;
                for (std::size_t k = j; k < N; ++k)
                    threes_[three++] += at_ij * v[k];
            }
        }
    }

    // Sums over all vectors of the weighed components: the components themselves, squared, cubed.
    [[nodiscard]] double sum(std::size_t component) const { return ones_[component]; }
    [[nodiscard]] double product(const Vector& one, const Vector& other) const {
        double result = 0;
        std::size_t two = 0;
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t j = i; j < N; ++j) {
                const double both = one[i] * other[j] + one[j] * other[i];
                result += twos_[two++] * (i == j ? both / 2 : both);
            }
        }
        return result;
    }
    [[nodiscard]] double squares(const Vector& weights) const { return product(weights, weights); }
    [[nodiscard]] double cubes(const Vector& weights) const {
        double result = 0;
        std::size_t three = 0;
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i; j < N; ++j)
                for (std::size_t k = j; k < N; ++k) {
                    const double orders = i == k ? 1 : i == j || j == k ? 3 : 6;
                    result += orders * weights[i] * weights[j] * weights[k] * threes_[three++];
                }
        return result;
    }

  private:
    Vector ones_{};
    std::array<double, N*(N + 1) / 2> twos_{};
    std::array<double, N*(N + 1) * (N + 2) / 6> threes_{};
};

} // namespace croupier::results
