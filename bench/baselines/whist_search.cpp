// Whist on bit masks, searched.
#include "bench/baselines/whist_search.h"

#include <algorithm>
#include <bit>

namespace croupier::bench::whist {
namespace {

constexpr std::uint64_t kSuit = 0x1fff;
constexpr int kInfinity = 1000;

std::uint64_t hash_of(const Position& position) {
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (const std::uint64_t hand : position.hands) {
        add(hand);
    }
    std::uint64_t rest = 0;
    for (const int number : {position.turn, position.led + 1, position.best, position.holder,
                             position.in_trick, position.tricks[0], position.tricks[1]}) {
        rest = rest << 8 | static_cast<std::uint64_t>(number);
    }
    add(rest);
    return hash;
}

int ahead(const Position& end, int team) {
    const auto points = [&end](int side) {
        return std::max(0, end.tricks[static_cast<std::size_t>(side)] - 6);
    };
    return points(team) - points(1 - team);
}

bool is_over(const Position& position) {
    return position.in_trick == 0 && position.hands[0] == 0;
}

} // namespace

std::uint64_t legal_moves(const Position& position) {
    const std::uint64_t hand = position.hands[static_cast<std::size_t>(position.turn)];
    if (position.led == kNone) {
        return hand;
    }
    const std::uint64_t following = hand & kSuit << 13 * position.led;
    return following != 0 ? following : hand;
}

void play(Position& position, int card) {
    position.hands[static_cast<std::size_t>(position.turn)] &= ~(std::uint64_t{1} << card);
    const int suit = card / 13;
    const int suit_of_best = position.best / 13;
    const bool is_led = position.in_trick == 0;
    if (is_led) {
        position.led = suit;
    }
    if (is_led || (suit == suit_of_best ? card > position.best : suit == position.trump)) {
        position.best = card;
        position.holder = position.turn;
    }
    position.turn = (position.turn + 1) % 4;
    if (++position.in_trick == 4) {
        ++position.tricks[static_cast<std::size_t>(position.holder % 2)];
        position.turn = position.holder;
        position.in_trick = 0;
        position.led = kNone;
        position.best = 0; // equal positions have equal hashes
        position.holder = 0;
    }
}

void Search::solve(const Position& from, std::vector<int>& worth) {
    ++decision_;
    cuts_ = {};
    team_ = from.turn % 2;
    worth.clear();
    for (std::uint64_t moves = legal_moves(from); moves != 0; moves &= moves - 1) {
        Position next = from;
        play(next, std::countr_zero(moves));
        worth.push_back(search(next, 0, -kInfinity, kInfinity));
    }
}

int Search::search(const Position& position, int ply, int alpha, int beta) {
    ++nodes_;
    if (is_over(position)) {
        return ahead(position, team_);
    }
    const std::uint64_t hash = hash_of(position);
    Entry& entry = table_[hash & (table_.size() - 1)];
    int first = kNone;
    if (entry.decision == decision_ && entry.hash == hash) {
        first = int{entry.best};
        if (entry.bound == Bound::Exact || (entry.bound == Bound::AtLeast && entry.worth >= beta) ||
            (entry.bound == Bound::AtMost && entry.worth <= alpha)) {
            return entry.worth;
        }
    }
    const bool mine = position.turn % 2 == team_;
    const int lower = alpha;
    const int upper = beta;
    int found = mine ? -kInfinity : kInfinity;
    int best = kNone;
    std::uint64_t moves = legal_moves(position);
    while (moves != 0) {
        const int card = take_next(moves, first);
        Position next = position;
        play(next, card);
        const int worth = search(next, ply + 1, alpha, beta);
        if (mine ? worth > found : worth < found) {
            found = worth;
            best = card;
        }
        (mine ? alpha : beta) = mine ? std::max(alpha, found) : std::min(beta, found);
        if (alpha >= beta) {
            cuts_[static_cast<std::size_t>(card)] += std::uint64_t{1} << (ply < 32 ? 32 - ply : 0);
            break;
        }
    }
    entry = {hash, decision_, static_cast<std::int16_t>(found), static_cast<std::int8_t>(best),
             found <= lower   ? Bound::AtMost
             : found >= upper ? Bound::AtLeast
                              : Bound::Exact};
    return found;
}

// Removes the move to try next: the one that the table knows, then those that have cut most.
int Search::take_next(std::uint64_t& moves, int first) const {
    int next = kNone;
    if (first != kNone && (moves >> first & 1) != 0) {
        next = first;
    } else {
        for (std::uint64_t rest = moves; rest != 0; rest &= rest - 1) {
            const int card = std::countr_zero(rest);
            if (next == kNone ||
                cuts_[static_cast<std::size_t>(card)] > cuts_[static_cast<std::size_t>(next)]) {
                next = card;
            }
        }
    }
    moves &= ~(std::uint64_t{1} << next);
    return next;
}

} // namespace croupier::bench::whist
