// The decision list as selections of masks.
#include "bench/baselines/belote_bits.h"

namespace croupier::bench::bits {
namespace {

constexpr std::uint32_t of_suit(unsigned suit) {
    return 0xffu << (8 * suit);
}

// For each card the cards of its suit that are higher trumps.
constexpr std::array<std::uint32_t, 32> kHigher = [] {
    constexpr std::array<int, 8> kHeights{1, 2, 7, 5, 8, 3, 4, 6};
    std::array<std::uint32_t, 32> table{};
    for (unsigned card = 0; card < 32; ++card) {
        for (unsigned rank = 0; rank < 8; ++rank) {
            if (kHeights[rank] > kHeights[card % 8]) {
                table[card] |= 1u << (card / 8 * 8 + rank);
            }
        }
    }
    return table;
}();

std::uint32_t first_of(std::uint32_t a, std::uint32_t b) {
    return a != 0 ? a : b;
}

} // namespace

std::uint32_t legal_moves(const Position& position) {
    const std::uint32_t hand = position.hands[position.turn];
    if (position.led == kNoSuit) {
        return hand;
    }
    const std::uint32_t followers = hand & of_suit(position.led);
    const std::uint32_t higher = hand & kHigher[position.best];
    if (followers != 0) {
        return position.led == position.trump ? first_of(higher, followers) : followers;
    }
    if ((position.holder ^ position.turn) == 2) {
        return hand;
    }
    const std::uint32_t trumps = hand & of_suit(position.trump);
    const bool ruffed = position.best / 8 == position.trump;
    return first_of(ruffed ? higher : 0, first_of(trumps, hand));
}

} // namespace croupier::bench::bits
