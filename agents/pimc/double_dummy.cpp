// Alpha-beta with a table and moves ordered by what they have cut.
#include "agents/pimc/double_dummy.h"

#include <algorithm>
#include <limits>

namespace croupier::agents {
namespace {

using games::Ending;
using Bound = Transpositions::Bound;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

void DoubleDummy::reset(const Game& game) {
    if (game_ == &game) return;
    game_ = &game;
    sides_ = Sides(game.facts());
    line_.clear();
    cuts_.assign(game.facts().moves.size(), 0);
}

bool DoubleDummy::solve(const Position& from, Seat me, std::uint64_t most, Random course,
                        std::vector<double>& worth) {
    me_ = me;
    course_ = course;
    until_ = nodes_ + most;
    out_ = false;
    table_.forget();
    std::fill(cuts_.begin(), cuts_.end(), 0);
    worth.assign(from.move_count(), 0);
    const std::uint64_t hash = from.hash();
    for (std::size_t i = 0; i < worth.size(); ++i) {
        enter(from, hash, 0, from.move(i));
        worth[i] = search(0, -kInfinity, kInfinity);
        if (out_) return false;
    }
    return true;
}

// The position after the move, at that ply. Its chance depends on the position `from`, which has
// that hash, not on the way there, or the table would be wrong.
void DoubleDummy::enter(const Position& from, std::uint64_t hash, std::size_t ply, Move move) {
    if (line_.size() == ply) {
        line_.push_back(game_->new_position());
        moves_.resize(std::max(moves_.size(), ply + 1));
        order_.resize(moves_.size());
    }
    line_[ply]->copy_from(from);
    Random chance = course_.stream(hash).stream(move);
    line_[ply]->play(move, chance);
    if (++nodes_ > until_) out_ = true;
}

// What line_[ply] is worth to me. Exact between alpha and beta, beyond them a bound.
double DoubleDummy::search(std::size_t ply, double alpha, double beta) {
    const Position& position = *line_[ply];
    if (position.ending() != Ending::None) return sides_.ahead(position, me_);
    const std::uint64_t hash = position.hash();
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    if (const Transpositions::Entry* known = table_.find(hash)) {
        best = known->best;
        if (known->bound == Bound::Exact ||
            (known->bound == Bound::AtLeast && known->worth >= beta) ||
            (known->bound == Bound::AtMost && known->worth <= alpha))
            return known->worth;
    }
    const double found = try_moves(ply, hash, alpha, beta, best);
    if (out_) return found;
    const Bound bound = found <= alpha  ? Bound::AtMost
                        : found >= beta ? Bound::AtLeast
                                        : Bound::Exact;
    table_.keep({.hash = hash, .worth = found, .best = best, .bound = bound});
    return found;
}

double DoubleDummy::try_moves(std::size_t ply, std::uint64_t hash, double alpha, double beta,
                              std::uint32_t& best) {
    const Position& position = *line_[ply];
    const bool mine = sides_.are_partners(position.turn(), me_);
    double found = mine ? -kInfinity : kInfinity;
    order(ply, best);
    for (std::size_t i = 0; i < order_[ply].size() && !out_; ++i) {
        const std::uint32_t index = order_[ply][i];
        const Move move = moves_[ply][index];
        enter(position, hash, ply + 1, move);
        const double worth = search(ply + 1, alpha, beta);
        if (mine ? worth > found : worth < found) {
            found = worth;
            best = index;
        }
        (mine ? alpha : beta) = mine ? std::max(alpha, found) : std::min(beta, found);
        if (alpha < beta) continue;
        // The higher in the tree, the more it has saved.
        if (move < cuts_.size()) cuts_[move] += std::uint64_t{1} << (ply < 32 ? 32 - ply : 0);
        break;
    }
    return found;
}

// The move that the table knows first, then those that have cut most.
void DoubleDummy::order(std::size_t ply, std::uint32_t first) {
    std::vector<Move>& moves = moves_[ply];
    std::vector<std::uint32_t>& order = order_[ply];
    line_[ply]->list_moves(moves);
    order.resize(moves.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto weight = [&](std::uint32_t index) {
        if (index == first) return std::numeric_limits<std::uint64_t>::max();
        const Move move = moves[index];
        return move < cuts_.size() ? cuts_[move] : 0;
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t of_a = weight(a);
        const std::uint64_t of_b = weight(b);
        return of_a > of_b || (of_a == of_b && a < b);
    });
}

} // namespace croupier::agents
