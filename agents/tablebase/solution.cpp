// Goes through all positions, then from the ends backwards, one ply at a time.
#include "agents/tablebase/solution.h"

#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::agents {

using games::Ending;
using games::Position;
using games::Seat;

Solution::Solution(const games::Game& game) : game_(game), next_(game.new_position()) {}

Solution::Entry Solution::entry_of(const Position& position) {
    Entry entry;
    if (position.ending() == Ending::None) {
        entry.turn = position.turn();
    } else if (position.place(0) == position.place(1)) {
        entry.known = Known::Drawn;
    } else {
        entry.known = Known::Won;
        entry.winner = position.place(0) < position.place(1) ? 0 : 1;
    }
    return entry;
}

Solution::Number Solution::number_of(const Position& position) {
    const auto [at, added] =
        numbers_.try_emplace(position.hash(), static_cast<Number>(entries_.size()));
    if (!added) return at->second;
    if (entries_.size() == kMost)
        throw TooManyPositions(
            fmt::format("{} has more than {} positions", game_.facts().title(), kMost));
    entries_.push_back(entry_of(position));
    if (entries_.back().known != Known::Open) return at->second;
    if (spare_.empty()) spare_.push_back(game_.new_position());
    open_.emplace_back(at->second, std::move(spare_.back()));
    spare_.pop_back();
    open_.back().second->copy_from(position);
    return at->second;
}

void Solution::solve(const Position& from) {
    // From its state, so that the moves made so far do not bring the end nearer.
    engine::Diagnostics ignored;
    std::unique_ptr<Position> start = game_.new_position();
    if (start->load(from.state(), chance_, ignored)) start->resume(chance_);
    edges_.clear();
    number_of(from.ending() == Ending::None ? *start : from);
    while (!open_.empty()) {
        // The nearest first, so that no line grows to the game's limit of moves.
        auto [number, position] = std::move(open_.front());
        open_.pop_front();
        for (std::size_t i = 0; i < position->move_count(); ++i) {
            next_->copy_from(*position);
            next_->play(position->move(i), chance_);
            edges_.emplace_back(number, number_of(*next_));
        }
        spare_.push_back(std::move(position));
    }
    settle();
    edges_ = {};
    spare_.clear();
}

// Whoever is to move wins where one move wins, and loses where all moves lose. What is never
// reached backwards is a draw.
void Solution::settle() {
    std::vector<std::uint32_t> left(entries_.size()); // moves that are not known to lose
    std::sort(edges_.begin(), edges_.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<Number> layer;
    for (Number number = 0; number < entries_.size(); ++number) {
        if (entries_[number].known == Known::Won) layer.push_back(number);
    }
    for (const auto& [from, to] : edges_)
        ++left[from];
    // What was solved before comes into its turn by its plies.
    std::sort(layer.begin(), layer.end(),
              [&](Number a, Number b) { return entries_[a].plies > entries_[b].plies; });
    for (std::uint32_t plies = 0; !layer.empty(); ++plies) {
        std::vector<Number> later;
        while (!layer.empty() && entries_[layer.back()].plies <= plies) {
            const Number to = layer.back();
            layer.pop_back();
            auto edge = std::lower_bound(
                edges_.begin(), edges_.end(), to,
                [](const auto& each, Number number) { return each.second < number; });
            for (; edge != edges_.end() && edge->second == to; ++edge) {
                Entry& before = entries_[edge->first];
                const Seat winner = entries_[to].winner;
                if (before.known != Known::Open) continue;
                if (before.turn != winner && --left[edge->first] > 0) continue;
                before.known = Known::Won;
                before.winner = winner;
                before.plies = plies + 1;
                later.push_back(edge->first);
            }
        }
        layer.insert(layer.end(), later.begin(), later.end());
    }
    for (Entry& entry : entries_) {
        if (entry.known == Known::Open) entry.known = Known::Drawn;
    }
}

Solution::Worth Solution::worth(const Position& position) {
    auto at = numbers_.find(position.hash());
    if (at == numbers_.end()) {
        solve(position);
        at = numbers_.find(position.hash());
    }
    if (at == numbers_.end()) throw TooManyPositions("the position cannot be read again");
    const Entry& entry = entries_[at->second];
    if (entry.known == Known::Won) return {entry.winner, entry.plies};
    return {};
}

bool Solution::better(const Worth& one, const Worth& other, Seat seat) const {
    const auto rank = [&](const Worth& worth) {
        return !worth.winner ? 1 : *worth.winner == seat ? 2 : 0;
    };
    if (rank(one) != rank(other)) return rank(one) > rank(other);
    return rank(one) == 2 ? one.plies < other.plies : one.plies > other.plies;
}

std::size_t Solution::best_move(const Position& position) {
    worth(position); // so that all that follows is known
    std::size_t best = 0;
    std::optional<Worth> found;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        next_->copy_from(position);
        next_->play(position.move(i), chance_);
        const auto at = numbers_.find(next_->hash());
        Worth worth;
        if (next_->ending() != Ending::None || at == numbers_.end()) {
            const Entry end = entry_of(*next_);
            if (end.known == Known::Won) worth = {end.winner, 0};
        } else if (entries_[at->second].known == Known::Won) {
            worth = {entries_[at->second].winner, entries_[at->second].plies};
        }
        if (found && !better(worth, *found, position.turn())) continue;
        found = worth;
        best = i;
    }
    return best;
}

} // namespace croupier::agents
