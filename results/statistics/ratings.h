// Ratings of more than two: one joint fit of everybody's meetings, errors by bootstrap over blocks.
#pragma once

#include "results/statistics/block.h"
#include "results/statistics/bootstrap.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace croupier::results {

// A square table: how many halves i won off j.
class WinTable {
  public:
    explicit WinTable(std::size_t size) : size_(size), halves_(size * size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    double& at(std::size_t winner, std::size_t loser) { return halves_[winner * size_ + loser]; }
    [[nodiscard]] double at(std::size_t winner, std::size_t loser) const {
        return halves_[winner * size_ + loser];
    }

  private:
    std::size_t size_;
    std::vector<double> halves_;
};

// By contestant a group number: who met, directly or through others, is of one group. Numbers count
// from 0 in the order of the first members.
std::vector<std::uint32_t> met_groups(const WinTable& table);

// Finer: of one group are those who can be compared in both directions, each having taken halves
// off the other directly or through others. Only within such a group are there finite ratings: who
// won every game is better by no number that the games could tell.
std::vector<std::uint32_t> comparable_groups(const WinTable& table);

// Bradley-Terry: the Elo ratings under which the table is most likely, a tie being half a win, with
// mean 0 in each comparable group. Absent for who is alone in its group.
// Places of three and more sides come in as all their pairs ("full breaking"), which under
// Plackett-Luce's model of places estimates that model's strengths consistently.
std::vector<std::optional<double>> fit_ratings(const WinTable& table,
                                               std::span<const std::uint32_t> groups);

// Ratings for everybody by a prior: each has drawn a game with the mean of those that met, directly
// or through others. Absent for who met nobody.
std::vector<std::optional<double>> fit_with_prior(const WinTable& table);

struct Rating {
    std::optional<double> elo;
    std::optional<double> error; // absent, too, if more than 1 % of the replicates have no ratings
    std::optional<double> low;   // of the 95 % interval: the error, and t for the number of blocks
    std::optional<double> high;
    // Where there is no rating, as all was won or all lost: the one that is most likely if
    // everybody has drawn one game more against the mean of the field. On the scale of those who
    // have ratings.
    std::optional<double> with_prior;
    std::uint32_t group = 0; // of comparable_groups
};

// All meetings of a run, weighted once and by every replicate. Memory by couples that met, 4 KiB
// each; nothing by blocks.
class MeetingTable {
  public:
    explicit MeetingTable(std::uint64_t seed) : seed_(seed) {}

    void add(std::uint64_t block, std::span<const Meeting> meetings);

    [[nodiscard]] WinTable wins(std::size_t contestants) const;
    [[nodiscard]] std::vector<Rating> ratings(std::size_t contestants) const;

  private:
    struct Couple {
        double first = 0; // halves won
        double second = 0;
        std::array<double, kReplicates> replicate_first{};
        std::array<double, kReplicates> replicate_second{};
    };

    void count_blocks(std::span<const Meeting> meetings);
    [[nodiscard]] WinTable replicate(std::size_t contestants, std::size_t index) const;

    std::uint64_t seed_;
    std::vector<std::uint64_t> blocks_; // that a contestant was in
    std::map<std::pair<Contestant, Contestant>, Couple> couples_;
};

} // namespace croupier::results
