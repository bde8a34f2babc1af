// The value of moves if all cards are seen and play is perfect, by search to the end of the game.
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

// Limit of the numbers kept apart from positions; if a game has more, they are all part of the
// position.
inline constexpr std::size_t kMaxGains = 4;
// From the side that solves: its own gains are positive, those of others negative, so that more is
// never worse. Unused entries are 0.
using Gains = std::array<std::int32_t, kMaxGains>;

inline bool are_no_less(const Gains& these, const Gains& those) {
    bool no_less = true;
    for (std::size_t i = 0; i < kMaxGains; ++i)
        no_less = no_less && these[i] >= those[i];
    return no_less;
}

// A position is worth at least `least` with gains of `at_least` or more, and at most `most` with
// gains of `at_most` or less. Gains are kept apart from the worth.
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

// Entries carry the stamp of their solution, so that beginning another one empties the table and
// earlier solutions have no influence. Positions with equal hashes are treated as one.
class BoundsTable {
  public:
    // Empties the table and gives it 2^bits entries.
    void begin(unsigned bits) {
        const std::size_t size = std::size_t{1} << bits;
        if (entries_.size() < size) entries_.resize(size);
        mask_ = size - 1;
        if (++stamp_ != 0) return;
        entries_.assign(entries_.size(), {}); // the stamps start again
        stamp_ = 1;
    }
    [[nodiscard]] const Bounds* find(std::uint64_t hash) const {
        const std::size_t first = hash & mask_ & ~std::size_t{1};
        for (std::size_t i = first; i < first + 2; ++i)
            if (entries_[i].hash == hash && entries_[i].stamp == stamp_) return &entries_[i];
        return nullptr;
    }
    // The position's entry, added if missing: of its two places, the new entry takes the one whose
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

// Limits of solving. It keeps a position for each move of a line, and a table of at most 23 MB.
struct SolveLimits {
    std::uint64_t nodes = 0;                 // positions visited
    std::uint64_t plies = ~std::uint64_t{0}; // moves in a line
    TimeLimit time = {};                     // checked now and then
    std::chrono::nanoseconds until{0};
};

// Assumes that seats that are not partners play against the seat. Where moves have random
// consequences, each position has one sample of them. The result depends only on the position and
// this sample, never on earlier solutions. The first searches of a game allocate.
class DoubleDummy {
  public:
    void reset(const Game& game);

    // worth[i]: how far `me` will be ahead after the i-th move. False if it exceeds the limits.
    bool solve(const Position& from, Seat me, const SolveLimits& limits, Random course,
               std::vector<double>& worth);
    // The cost of a move against the best one, for the player to move.
    struct Loss {
        double loss = 0;
        std::size_t best = 0; // the move itself if it loses nothing
    };
    // Returns nothing if it exceeds the limits.
    std::optional<Loss> loss(const Position& from, std::size_t move, const SolveLimits& limits,
                             Random course);

    // An estimate of the moves to come from one random game; exact in trick games. Deterministic
    // for the same position and course.
    std::uint32_t moves_to_come(const Position& from, const Random& course);

    // Positions visited since it was made.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    // A position on the way down, and the order of its moves.
    struct Step {
        std::unique_ptr<Position> position;
        std::vector<Move> moves;
        std::vector<std::uint64_t> weights;
        std::array<Move, 2> killers{}; // caused cutoffs here before
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
    std::vector<std::uint64_t> cuts_; // by move and side: weighted by what they saved
    BoundsTable table_;
    std::vector<std::int32_t> gains_; // from the game
    std::vector<std::int32_t> signs_; // of the gains; empty if they are part of positions
    SolveLimits limits_;              // with `nodes` and `plies` as totals
    std::uint64_t nodes_ = 0;
    bool out_ = false;
};

} // namespace croupier::agents
