// Who plays with whom, and what the end of a game is worth to each side.
#pragma once

#include "games/contract/game.h"

#include <vector>

namespace croupier::agents {

// What being ahead by that much is worth where only winning counts: 1, level 0.5, behind 0.
inline double won_share(double ahead) {
    return ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5;
}

class Sides {
  public:
    Sides() = default;
    explicit Sides(const games::Facts& facts) {
        for (games::Seat seat = 0; seat < facts.seats(); ++seat)
            side_.push_back(facts.partners(seat).front());
    }

    [[nodiscard]] bool are_partners(games::Seat one, games::Seat other) const {
        return side_[one] == side_[other];
    }
    // 1 ahead of everybody, 0 behind; in between, the part of the others that the seat is ahead of,
    // those as far counting half. Partners are not counted.
    [[nodiscard]] double reward(const games::Position& end, games::Seat seat) const {
        const std::uint32_t place = end.place(seat);
        double sum = 0;
        double others = 0;
        for (games::Seat other = 0; other < side_.size(); ++other) {
            if (are_partners(seat, other)) continue;
            const std::uint32_t its = end.place(other);
            sum += place < its ? 1 : place == its ? 0.5 : 0;
            others += 1;
        }
        return others == 0 ? 0 : sum / others;
    }
    // By how much the seat's score is above the mean of those that do not play with it.
    [[nodiscard]] double ahead(const games::Position& end, games::Seat seat) const {
        const std::uint32_t mine = end.side(seat);
        double sum = 0;
        double others = 0;
        for (games::Seat other = 0; other < side_.size(); ++other) {
            if (are_partners(seat, other) || end.side(other) == mine) continue;
            sum += end.score(seat) - end.score(other);
            others += 1;
        }
        return others == 0 ? 0 : sum / others;
    }

  private:
    std::vector<games::Seat> side_; // by seat: the first of its partners
};

} // namespace croupier::agents
