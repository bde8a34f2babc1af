// Deals unseen things to those who may hold them, every way being as likely.
#pragma once

#include "games/contract/streams.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::games {

// Uniform in [0, 1).
inline double fraction(Random& random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Each thing goes to one holder that may have it, each holder has room for so many. The ways are
// counted, so a draw is exactly uniform and never in vain. Things that the same holders may have
// are one class, and only how many of a class go where is counted: a few hundred steps for the
// cards of a trick game, however many deals there are.
class Deals {
  public:
    static constexpr std::size_t kMostHolders = 8;
    static constexpr std::size_t kMostThings = 127;
    using Mask = std::uint8_t; // a bit a holder

    // may[i]: who may have thing i; as much room as there are things. False: there is no way, or
    // there are more cases than anybody can count.
    bool prepare(const std::vector<Mask>& may, const std::vector<std::uint32_t>& room);
    // How many ways there are.
    [[nodiscard]] double count() const { return count_; }
    // holder_of[i]: who has thing i. After `prepare` said yes.
    void draw(Random& random, std::vector<std::uint8_t>& holder_of);

  private:
    using Rooms = std::array<std::uint8_t, kMostHolders>;
    struct Class {
        Mask may = 0;
        std::vector<std::uint32_t> things;
    };

    // A way to spread a class over rooms: what is left of them, and how many deals all ways before
    // it have.
    struct Split {
        double before = 0;
        Rooms left{};
    };
    // A class and those after it, dealt into certain rooms.
    struct Case {
        double ways = 0;
        std::vector<Split> splits; // of which there are deals; found when first drawn from
    };

    [[nodiscard]] static std::uint64_t key_of(std::size_t of_class, const Rooms& rooms);
    double ways(std::size_t of_class, Rooms& rooms);
    const Rooms& draw_split(std::size_t of_class, Rooms& rooms, Random& random);
    template <typename Visit>
    void split(std::size_t of_class, Mask among, std::uint32_t things, double weight, Rooms& rooms,
               const Visit& visit);

    std::vector<Class> classes_; // who may have few come first
    Rooms rooms_{};
    double count_ = 0;
    bool too_many_ = false;
    std::unordered_map<std::uint64_t, Case> known_; // by class and rooms
};

} // namespace croupier::games
