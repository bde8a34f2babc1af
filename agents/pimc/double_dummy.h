// Alpha-beta to the end of the game with all cards seen: what each move is worth if nobody errs.
#pragma once

#include "agents/agent.h"
#include "agents/search/sides.h"
#include "agents/search/transpositions.h"

#include <memory>
#include <vector>

namespace croupier::agents {

// Everybody who is no partner is taken to play against the seat. Moves that have cut most branches
// come first; a table by hash remembers bounds. Where moves have random consequences, each
// position has one course of them. The first searches of a game allocate.
class DoubleDummy {
  public:
    void reset(const Game& game);

    // worth[i]: by how much `me` will be ahead after the i-th move. False: more than `most`
    // positions would have to be looked at.
    bool solve(const Position& from, Seat me, std::uint64_t most, Random course,
               std::vector<double>& worth);

    // Positions looked at since it was made.
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    double search(std::size_t ply, double alpha, double beta);
    // `hash`: of the position at that ply.
    double try_moves(std::size_t ply, std::uint64_t hash, double alpha, double beta,
                     std::uint32_t& best);
    void enter(const Position& from, std::uint64_t hash, std::size_t ply, Move move);
    void order(std::size_t ply, std::uint32_t first);

    const Game* game_ = nullptr;
    Sides sides_;
    Seat me_ = 0;
    Random course_;
    std::vector<std::unique_ptr<Position>> line_;   // positions on the way down
    std::vector<std::vector<Move>> moves_;          // theirs
    std::vector<std::vector<std::uint32_t>> order_; // in which they are tried
    std::vector<std::uint64_t> cuts_;               // by move: weighted by what they have saved
    Transpositions table_{16};
    std::uint64_t nodes_ = 0;
    std::uint64_t until_ = 0;
    bool out_ = false;
};

} // namespace croupier::agents
