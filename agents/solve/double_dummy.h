// What moves are worth if all cards are seen and nobody errs, by search to the end of the game.
#pragma once

#include "agents/arguments.h"
#include "agents/search/sides.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

// So many numbers that players win are kept apart from positions; where a game has more, all of
// them are part of the position.
inline constexpr std::size_t kMaxGains = 4;
// As the side sees them that solves: its own as they are, those of others negative, so that more is
// never worse. What a game has not is 0.
using Gains = std::array<std::int32_t, kMaxGains>;

inline bool are_no_less(const Gains& these, const Gains& those) {
    bool no_less = true;
    for (std::size_t i = 0; i < kMaxGains; ++i)
        no_less = no_less && these[i] >= those[i];
    return no_less;
}

// A position is worth at least `least` with gains of `at_least` or more, and at most `most` with
// gains of `at_most` or less. The two are never taken for one another, nor for the worth.
struct Bounds {
    std::uint64_t hash = 0;
    std::uint32_t stamp = 0;
    std::uint16_t best = 0; // index of the move that was best
    std::uint16_t ply = 0;
    double least = 0;
    double most = 0;
    Gains at_least{};
    Gains at_most{};
};

// Entries are stamped by the solution that they are part of, so that the table is emptied at once
// and what was solved before has no influence. Two positions of the same hash are taken for one.
class BoundsTable {
  public:
    // Empty, with 2^bits entries.
    void begin(unsigned bits) {
        const std::size_t size = std::size_t{1} << bits;
        if (entries_.size() < size) entries_.resize(size);
        mask_ = size - 1;
        if (++stamp_ != 0) return;
        entries_.assign(entries_.size(), {}); // the stamps begin again
        stamp_ = 1;
    }
    [[nodiscard]] const Bounds* find(std::uint64_t hash) const {
        const std::size_t first = hash & mask_ & ~std::size_t{1};
        for (std::size_t i = first; i < first + 2; ++i)
            if (entries_[i].hash == hash && entries_[i].stamp == stamp_) return &entries_[i];
        return nullptr;
    }
    // The entry of that position, made if there is none: of its two places it takes the one whose
    // position has fewer moves to come.
    Bounds& at(std::uint64_t hash, std::size_t ply) {
        Bounds* const pair = &entries_[hash & mask_ & ~std::size_t{1}];
        const auto is_here = [&](const Bounds& each) {
            return each.hash == hash && each.stamp == stamp_;
        };
        if (is_here(pair[0])) return pair[0];
        if (is_here(pair[1])) return pair[1];
        const auto value = [&](const Bounds& each) {
            return each.stamp == stamp_ ? -int{each.ply} : -0x10000;
        };
        Bounds& entry = value(pair[0]) < value(pair[1]) ? pair[0] : pair[1];
        entry = {};
        entry.hash = hash;
        entry.stamp = stamp_;
        entry.ply = static_cast<std::uint16_t>(ply);
        entry.best = kNoMove;
        entry.least = -std::numeric_limits<double>::infinity();
        entry.most = std::numeric_limits<double>::infinity();
        return entry;
    }
    static constexpr std::uint16_t kNoMove = 0xffff;

  private:
    std::vector<Bounds> entries_;
    std::size_t mask_ = 0;
    std::uint32_t stamp_ = 0;
};

// What solving may take. It keeps a position for each move of a line, and a table of 23 MB at most.
struct SolveLimits {
    std::uint64_t nodes = 0;                 // positions looked at
    std::uint64_t plies = ~std::uint64_t{0}; // moves in a line, from where it begins
    TimeLimit time = {};                     // asked now and then
    std::chrono::nanoseconds until{0};
};

// Who does not play with the seat is taken to play against it. Where moves have random
// consequences, each position has one course of them. What is found depends on the position and the
// course alone: never on what was solved before. The first searches of a game allocate.
class DoubleDummy {
  public:
    void reset(const Game& game);

    // worth[i]: by how much `me` will be ahead after the i-th move. False: it takes more than the
    // limits allow.
    bool solve(const Position& from, Seat me, const SolveLimits& limits, Random course,
               std::vector<double>& worth);
    // What one of its moves costs whoever is at turn, against the best one.
    struct Loss {
        double loss = 0;
        std::size_t best = 0; // the move itself where it loses nothing
    };
    // Nothing: it takes more than the limits allow.
    std::optional<Loss> loss(const Position& from, std::size_t move, const SolveLimits& limits,
                             Random course);

    // How many moves there may be to come, as a game at random tells: exactly in games of tricks.
    // The same for the same position and course.
    std::uint32_t moves_to_come(const Position& from, const Random& course);

    // Positions looked at since it was made.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    // A position on the way down, and how its moves are tried.
    struct Step {
        std::unique_ptr<Position> position;
        std::vector<Move> moves;
        std::vector<std::uint64_t> weights;
        std::array<Move, 2> killers{}; // cut here before
    };

    void begin(const Position& from, Seat me, const SolveLimits& limits, const Random& course);
    [[nodiscard]] bool is_mine(Seat seat) const { return side_[seat] == side_[me_]; }
    Step& step_at(std::size_t ply);
    [[nodiscard]] double ahead(const Position& end) const;
    double worth_after(const Position& from, Move move, double guess);
    double search(std::size_t ply, double wanted);
    double try_moves(std::size_t ply, std::uint64_t key, double wanted, std::uint16_t& best);
    void count(const Position& position);
    void enter(const Position& from, std::uint64_t key, std::size_t ply, Move move);
    std::uint64_t look(const Position& position, Gains& gains);
    void weigh(std::size_t ply, std::uint16_t first);
    void note_cut(std::size_t ply, Move move);
    [[nodiscard]] std::uint64_t* cuts_of(Move move, bool mine) {
        return move < most_moves_ ? &cuts_[move * 2 + (mine ? 1 : 0)] : nullptr;
    }

    const Game* game_ = nullptr;
    Seat me_ = 0;
    std::vector<std::uint32_t> side_; // by seat
    Random course_;
    std::vector<Step> line_;
    std::size_t most_moves_ = 0;
    std::vector<std::uint64_t> cuts_; // by move and side: weighted by what they have saved
    BoundsTable table_;
    std::vector<std::int32_t> gains_; // as the game tells them
    std::vector<std::int32_t> signs_; // of these; empty: they are part of positions
    SolveLimits limits_;              // with `nodes` and `plies` as they will stand
    std::uint64_t nodes_ = 0;
    bool out_ = false;
};

} // namespace croupier::agents
