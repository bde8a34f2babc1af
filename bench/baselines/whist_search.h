// Whist with all cards seen, searched to its end by hand: what a node costs without rules.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace croupier::bench::whist {

inline constexpr int kNone = -1;

// Card = 13 * suit + rank. Teams are seat % 2.
struct Position {
    std::array<std::uint64_t, 4> hands{};
    int turn = 0;
    int trump = kNone;
    int led = kNone; // suit
    int best = 0;    // while a trick is open: the card that is winning it,
    int holder = 0;  // and who played it
    int in_trick = 0;
    std::array<int, 2> tricks{};
};

std::uint64_t legal_moves(const Position& position);
void play(Position& position, int card);

// Alpha-beta with a table of bounds, moves ordered by what they have cut, as
// agents/solve/double_dummy.h does it.
class Search {
  public:
    Search() : table_(std::size_t{1} << 16) {}

    // By how many points the player at turn will be ahead after each legal move, lowest card first.
    void solve(const Position& from, std::vector<int>& worth);
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    enum class Bound : std::uint8_t { Exact, AtLeast, AtMost };
    struct Entry {
        std::uint64_t hash = 0;
        std::uint32_t decision = 0;
        std::int16_t worth = 0;
        std::int8_t best = 0;
        Bound bound = Bound::Exact;
    };

    int search(const Position& position, int ply, int alpha, int beta);
    int take_next(std::uint64_t& moves, int first) const;

    std::vector<Entry> table_;
    std::array<std::uint64_t, 52> cuts_{};
    std::uint32_t decision_ = 0;
    int team_ = 0;
    std::uint64_t nodes_ = 0;
};

} // namespace croupier::bench::whist
