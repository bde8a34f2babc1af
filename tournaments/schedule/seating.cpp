// Rotations and permutations of a field over the sides of a game.
#include "tournaments/schedule/seating.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::tournaments {

std::string_view name_of(Rotation rotation) {
    switch (rotation) {
    case Rotation::Rotate:
        return "rotate";
    case Rotation::All:
        return "all";
    case Rotation::None:
        return "none";
    }
    return {};
}

Seatings::Seatings(Sides sides, Rotation rotation) : sides_(std::move(sides)), rotation_(rotation) {
    for (const auto& side : sides_)
        seats_ += static_cast<std::uint32_t>(side.size());
}

void Seatings::append_one(std::span<const std::uint32_t> by_side,
                          std::vector<std::uint32_t>& flat) const {
    const std::size_t begin = flat.size();
    flat.resize(begin + seats_);
    for (std::size_t side = 0; side < sides_.size(); ++side) {
        for (const std::uint32_t seat : sides_[side])
            flat[begin + seat] = by_side[side];
    }
}

void Seatings::append(std::span<const std::uint32_t> field, std::uint64_t round,
                      std::vector<std::uint32_t>& flat) const {
    assert(field.size() == sides_.size());
    std::vector<std::uint32_t> order(field.begin(), field.end());
    const auto advance = [&order] { std::rotate(order.begin(), order.end() - 1, order.end()); };
    switch (rotation_) {
    case Rotation::None:
        for (std::uint64_t i = round % order.size(); i > 0; --i)
            advance();
        append_one(order, flat);
        return;
    case Rotation::Rotate:
        do {
            append_one(order, flat);
            advance();
        } while (!std::equal(order.begin(), order.end(), field.begin()));
        return;
    case Rotation::All:
        std::sort(order.begin(), order.end());
        do {
            append_one(order, flat);
        } while (std::next_permutation(order.begin(), order.end()));
        return;
    }
}

} // namespace croupier::tournaments
