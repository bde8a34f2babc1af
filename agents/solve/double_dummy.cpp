// Null windows, a table of bounds, and moves ordered by earlier cutoffs.
#include "agents/solve/double_dummy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace croupier::agents {
namespace {

using games::Ending;

constexpr double kBeyondAll = std::numeric_limits<double>::infinity();
constexpr Move kNone = 0xffffffff;

} // namespace

void DoubleDummy::reset(const Game& game) {
    if (game_ == &game) return;
    game_ = &game;
    line_.clear();
    most_moves_ = game.facts().moves.size();
}

void DoubleDummy::begin(const Position& from, Seat me, const SolveLimits& limits,
                        const Random& course) {
    constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
    me_ = me;
    course_ = course;
    limits_ = limits;
    limits_.nodes = std::min(limits.nodes, kNoLimit - nodes_) + nodes_;
    limits_.plies = std::min(limits.plies, kNoLimit - from.plies()) + from.plies();
    out_ = false;
    const games::Facts& facts = game_->facts();
    side_.clear();
    for (Seat seat = 0; seat < facts.seats(); ++seat)
        side_.push_back(facts.teams.empty() ? from.side(seat) : facts.partners(seat).front());
    signs_.clear();
    if (facts.gains.size() <= kMaxGains)
        for (const std::vector<Seat>& owners : facts.gains)
            signs_.push_back(is_mine(owners.front()) ? 1 : -1);
    cuts_.assign(most_moves_ * 2, 0);
    for (Step& step : line_)
        step.killers.fill(kNone);
    // A table that fits into a cache is faster; one that is too small forgets too much.
    table_.begin(6 + std::min(moves_to_come(from, course), 32U) * 3 / 8);
}

bool DoubleDummy::solve(const Position& from, Seat me, const SolveLimits& limits, Random course,
                        std::vector<double>& worth) {
    begin(from, me, limits, course);
    worth.assign(from.move_count(), 0);
    double guess = 0;
    for (std::size_t i = 0; i < worth.size() && !out_; ++i)
        guess = worth[i] = worth_after(from, from.move(i), guess);
    return !out_;
}

std::optional<DoubleDummy::Loss> DoubleDummy::loss(const Position& from, std::size_t move,
                                                   const SolveLimits& limits, Random course) {
    begin(from, from.turn(), limits, course);
    const double worth = worth_after(from, from.move(move), 0);
    Loss loss{0, move};
    Gains gains{};
    const std::uint64_t key = look(from, gains);
    double best = worth;
    for (std::size_t i = 0; i < from.move_count() && !out_; ++i) {
        if (i == move) continue;
        enter(from, key, 0, from.move(i));
        if (search(0, std::nextafter(best, kBeyondAll)) <= best || out_) continue;
        best = worth_after(from, from.move(i), best);
        loss = {best - worth, i};
    }
    if (out_) return std::nullopt;
    return loss;
}

std::uint32_t DoubleDummy::moves_to_come(const Position& from, const Random& course) {
    Position& end = *step_at(0).position;
    Random choices = course;
    Random chance = course;
    end.copy_from(from);
    end.play_randomly(choices, chance);
    return end.plies() - from.plies();
}

DoubleDummy::Step& DoubleDummy::step_at(std::size_t ply) {
    if (line_.size() == ply) {
        line_.emplace_back().position = game_->new_position();
        line_.back().killers.fill(kNone);
    }
    return line_[ply];
}

// Searches with null windows, each nearer to the worth.
double DoubleDummy::worth_after(const Position& from, Move move, double guess) {
    Gains gains{};
    const std::uint64_t key = look(from, gains);
    double least = -kBeyondAll;
    double most = kBeyondAll;
    double wanted = guess;
    while (least < most && !out_) {
        enter(from, key, 0, move);
        const double found = search(0, wanted);
        (found >= wanted ? least : most) = found;
        wanted = found >= wanted ? std::nextafter(found, kBeyondAll) : found;
    }
    return least;
}

// The hash of the position without gains, which are returned, if kept apart.
std::uint64_t DoubleDummy::look(const Position& position, Gains& gains) {
    if (signs_.empty()) return position.hash();
    const std::uint64_t key = position.hash_without_gains(gains_);
    for (std::size_t i = 0; i < signs_.size(); ++i)
        gains[i] = signs_[i] * gains_[i];
    return key;
}

double DoubleDummy::ahead(const Position& end) const {
    double sum = 0;
    double others = 0;
    for (Seat seat = 0; seat < side_.size(); ++seat) {
        if (is_mine(seat)) continue;
        sum += end.score(me_) - end.score(seat);
        others += 1;
    }
    return others == 0 ? 0 : sum / others;
}

// Sets up the position after the move, at that ply. Its chance depends on the position `from`,
// which has that key, not on the path, or the table would be wrong.
void DoubleDummy::enter(const Position& from, std::uint64_t key, std::size_t ply, Move move) {
    Position& position = *step_at(ply).position;
    position.copy_from(from);
    Random chance = course_.stream(key).stream(move);
    position.play(move, chance);
    count(position);
    // Forced moves need no place in the line.
    while (position.ending() == Ending::None && position.move_count() == 1 && !out_) {
        position.play(position.move(0), chance);
        count(position);
    }
}

void DoubleDummy::count(const Position& position) {
    ++nodes_;
    if (nodes_ > limits_.nodes || position.plies() > limits_.plies ||
        (nodes_ % TimeLimit::kNodesPerLook == 0 && limits_.time.is_over(limits_.until)))
        out_ = true;
}

// The worth of line_[ply] to me: if it is `wanted` or more, returns a lower bound, otherwise an
// upper bound.
double DoubleDummy::search(std::size_t ply, double wanted) {
    const Position& position = *line_[ply].position;
    if (position.ending() != Ending::None) return ahead(position);
    if (out_) return 0;
    Gains gains{};
    const std::uint64_t key = look(position, gains);
    std::uint16_t best = BoundsTable::kNoMove;
    if (const Bounds* known = table_.find(key)) {
        if (known->least >= wanted && are_no_less(gains, known->at_least)) return known->least;
        if (known->most < wanted && are_no_less(known->at_most, gains)) return known->most;
        best = known->best;
    }
    const double found = try_moves(ply, key, wanted, best);
    if (out_) return found;
    Bounds& known = table_.at(key, ply);
    known.best = best;
    if (found >= wanted) {
        known.least = found;
        known.at_least = gains;
    } else {
        known.most = found;
        known.at_most = gains;
    }
    return found;
}

double DoubleDummy::try_moves(std::size_t ply, std::uint64_t key, double wanted,
                              std::uint16_t& best) {
    const Position& position = *line_[ply].position;
    const bool mine = is_mine(position.turn());
    double found = mine ? -kBeyondAll : kBeyondAll;
    weigh(ply, best);
    const std::size_t count = line_[ply].moves.size();
    for (std::size_t tried = 0; tried < count && !out_; ++tried) {
        std::vector<std::uint64_t>& weights = line_[ply].weights;
        const auto next =
            static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
        weights[next] = 0;
        const Move move = line_[ply].moves[next];
        enter(position, key, ply + 1, move);
        const double worth = search(ply + 1, wanted);
        if (mine ? worth > found : worth < found) {
            found = worth;
            best = static_cast<std::uint16_t>(next);
        }
        if (mine == (found >= wanted)) {
            note_cut(ply, move);
            break;
        }
    }
    return found;
}

// A move that caused a cutoff is tried early at this depth, and wherever it is legal.
void DoubleDummy::note_cut(std::size_t ply, Move move) {
    std::array<Move, 2>& killers = line_[ply].killers;
    if (killers[0] != move) killers = {move, killers[0]};
    const std::size_t depth = std::min<std::size_t>(ply, 20);
    if (std::uint64_t* cuts = cuts_of(move, is_mine(line_[ply].position->turn())))
        *cuts += std::uint64_t{1} << (20 - depth);
}

// Weighs the move from the table first, then those that caused cutoffs at this depth, then by
// cutoffs elsewhere. No weight is 0.
void DoubleDummy::weigh(std::size_t ply, std::uint16_t first) {
    Step& step = line_[ply];
    step.position->list_moves(step.moves);
    const bool mine = is_mine(step.position->turn());
    step.weights.resize(step.moves.size());
    for (std::size_t i = 0; i < step.moves.size(); ++i) {
        const Move move = step.moves[i];
        const std::uint64_t* const cuts = cuts_of(move, mine);
        std::uint64_t weight = 1 + (cuts != nullptr ? std::min(*cuts, ~std::uint64_t{0} >> 3) : 0);
        if (move == step.killers[1]) weight |= std::uint64_t{1} << 61;
        if (move == step.killers[0]) weight |= std::uint64_t{1} << 62;
        if (i == first) weight = ~std::uint64_t{0};
        step.weights[i] = weight;
    }
}

} // namespace croupier::agents
