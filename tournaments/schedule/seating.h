// Who sits where: the seatings of one block, every one a game with the same deal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// Which seatings a block has.
enum class Rotation : std::uint8_t {
    Rotate, // everyone moves on by one side until he has sat on all
    All,    // every order of the field
    None,   // one game a block; the field moves on by one side from round to round
};
std::string_view name_of(Rotation rotation); // "rotate", "all", "none"

// Seats by side: those of a team, or one seat where everyone plays alone.
using Sides = std::vector<std::vector<std::uint32_t>>;

// Immutable.
class Seatings {
  public:
    Seatings(Sides sides, Rotation rotation);

    [[nodiscard]] std::size_t sides() const { return sides_.size(); }
    [[nodiscard]] std::uint32_t seats() const { return seats_; }
    // Appends the seatings of a field, one entrant a side, flat: `seats()` agents a game. The same
    // entrants on the same sides come once. `round` matters to Rotation::None alone.
    void append(std::span<const std::uint32_t> field, std::uint64_t round,
                std::vector<std::uint32_t>& flat) const;

  private:
    void append_one(std::span<const std::uint32_t> by_side, std::vector<std::uint32_t>& flat) const;

    Sides sides_;
    Rotation rotation_;
    std::uint32_t seats_ = 0;
};

} // namespace croupier::tournaments
