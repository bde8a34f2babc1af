// Which seats play together, and the reward of a game for each side.
#pragma once

#include "games/contract/game.h"

#include <vector>

namespace croupier::agents {

// The reward for a lead if only winning counts: 1 if ahead, 0.5 if level, 0 if behind.
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

    [[nodiscard]] std::size_t count() const {
        std::size_t firsts = 0;
        for (games::Seat seat = 0; seat < side_.size(); ++seat)
            firsts += side_[seat] == seat ? 1 : 0;
        return firsts;
    }
    [[nodiscard]] bool are_partners(games::Seat one, games::Seat other) const {
        return side_[one] == side_[other];
    }
    // 1 if the seat is ahead of all others, 0 if last; in between, the share of others that it is
    // ahead of, ties counting half. Partners are not counted.
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
