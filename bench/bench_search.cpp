// Double dummy over a ruleset: the cost of a search position, against hand-written whist search.
#include "agents/solve/double_dummy.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::bench::whist {

// Whist with all cards seen, searched by hand-written code: the cost of a node without rules.

inline constexpr int kNone = -1;

// Card = 13 * suit + rank. Teams are seat % 2.
struct Position {
    std::array<std::uint64_t, 4> hands{};
    int turn = 0;
    int trump = kNone;
    int led = kNone; // suit
    int best = 0;    // card winning the current trick, if one is open,
    int holder = 0;  // and its player
    int in_trick = 0;
    std::array<int, 2> tricks{};
};

std::uint64_t legal_moves(const Position& position);
void play(Position& position, int card);

// Alpha-beta with a table of bounds, and moves ordered by earlier cutoffs, as in
// agents/solve/double_dummy.h.
class Search {
  public:
    Search() : table_(std::size_t{1} << 16) {}

    // How far the player to move will be ahead after each legal move, lowest card first.
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

// Whist on bit masks, searched.

namespace {

constexpr std::uint64_t kSuit = 0x1fff;
constexpr int kInfinity = 1000;

std::uint64_t hash_of(const Position& position) {
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (const std::uint64_t hand : position.hands)
        add(hand);
    std::uint64_t rest = 0;
    for (const int number : {position.turn, position.led + 1, position.best, position.holder,
                             position.in_trick, position.tricks[0], position.tricks[1]})
        rest = rest << 8 | static_cast<std::uint64_t>(number);
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
    if (position.led == kNone) return hand;
    const std::uint64_t following = hand & kSuit << 13 * position.led;
    return following != 0 ? following : hand;
}

void play(Position& position, int card) {
    position.hands[static_cast<std::size_t>(position.turn)] &= ~(std::uint64_t{1} << card);
    const int suit = card / 13;
    const int suit_of_best = position.best / 13;
    const bool is_led = position.in_trick == 0;
    if (is_led) position.led = suit;
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
        position.best = 0; // so that equal positions have equal hashes
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
    if (is_over(position)) return ahead(position, team_);
    const std::uint64_t hash = hash_of(position);
    Entry& entry = table_[hash & (table_.size() - 1)];
    int first = kNone;
    if (entry.decision == decision_ && entry.hash == hash) {
        first = int{entry.best};
        if (entry.bound == Bound::Exact || (entry.bound == Bound::AtLeast && entry.worth >= beta) ||
            (entry.bound == Bound::AtMost && entry.worth <= alpha))
            return entry.worth;
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

// Removes the next move to try: the one from the table, then those with the most cutoffs.
int Search::take_next(std::uint64_t& moves, int first) const {
    int next = kNone;
    if (first != kNone && (moves >> first & 1) != 0) {
        next = first;
    } else {
        for (std::uint64_t rest = moves; rest != 0; rest &= rest - 1) {
            const int card = std::countr_zero(rest);
            if (next == kNone ||
                cuts_[static_cast<std::size_t>(card)] > cuts_[static_cast<std::size_t>(next)])
                next = card;
        }
    }
    moves &= ~(std::uint64_t{1} << next);
    return next;
}

} // namespace croupier::bench::whist

namespace croupier::bench {

namespace {

using games::Position;
using games::Random;

constexpr std::uint64_t kDeals = 8;
constexpr std::uint32_t kCardsLeft = 16; // four tricks
constexpr std::uint64_t kMax = 10'000'000;

// The position in the form of the hand-written search.
whist::Position by_hand(const Position& position) {
    constexpr std::string_view kSuits = "SHDC";
    constexpr std::string_view kTeams[] = {"AC", "BD"};
    const std::vector<std::string>& cards = position.game().facts().moves;
    const engine::Document state = position.state();
    whist::Position made;
    made.turn = static_cast<int>(position.turn());
    made.trump = static_cast<int>(kSuits.find(state.find("trump")->value.text()));
    const engine::Document& hands = state.find("hands")->value;
    for (std::size_t seat = 0; seat < 4; ++seat) {
        const engine::Member* hand = hands.find(std::string(1, static_cast<char>('A' + seat)));
        check(hand != nullptr, "a hand is missing");
        for (const engine::Member& card : hand->value.members) {
            const auto index = std::find(cards.begin(), cards.end(), card.key) - cards.begin();
            made.hands[seat] |= std::uint64_t{1} << index;
        }
    }
    for (const std::size_t team : {0, 1}) {
        const engine::Document& taken = state.find("taken")->value.find(kTeams[team])->value;
        made.tricks[team] =
            static_cast<int>(std::get<std::int64_t>(taken.find("tricks")->value.scalar));
    }
    return made;
}

// Ends of deals, played at random until a trick begins with that many cards left.
std::vector<std::unique_ptr<Position>> ends_of_deals(const games::Game& game) {
    std::vector<std::unique_ptr<Position>> ends;
    for (std::uint64_t deal = 0; deal < kDeals; ++deal) {
        Random chance = games::stream(7, deal, games::Purpose::Deal);
        Random choices = games::stream(7, deal, games::Purpose::Choice);
        ends.push_back(game.new_position());
        Position& position = *ends.back();
        position.start(chance);
        while (position.plies() < 52 - kCardsLeft)
            position.play(position.move(choices.below(position.move_count())), chance);
    }
    return ends;
}

void double_dummy(benchmark::State& state) {
    const auto game = open_game("whist/rules.json");
    const auto ends = ends_of_deals(*game);
    std::vector<whist::Position> hand_ends;
    agents::DoubleDummy dummy;
    dummy.reset(*game);
    whist::Search search;
    std::vector<double> worth;
    std::vector<int> hand_worth;
    for (const auto& end : ends) {
        hand_ends.push_back(by_hand(*end));
        check(dummy.solve(*end, end->turn(), {kMax}, Random(1), worth), "too many positions");
        search.solve(hand_ends.back(), hand_worth);
        check(std::equal(worth.begin(), worth.end(), hand_worth.begin(), hand_worth.end()),
              "the searches find different moves");
    }
    const auto nodes = static_cast<double>(dummy.nodes());
    const auto hand_nodes = static_cast<double>(search.nodes());
    measure(
        state, static_cast<std::int64_t>(kDeals),
        [&] {
            for (const whist::Position& end : hand_ends) {
                search.solve(end, hand_worth);
                benchmark::DoNotOptimize(hand_worth.data());
            }
        },
        [&] {
            for (const auto& end : ends)
                benchmark::DoNotOptimize(dummy.solve(*end, end->turn(), {kMax}, Random(1), worth));
        });
    state.counters["nodes"] = nodes / kDeals;
    state.counters["node_ns"] = state.counters["cpu_ns"] * kDeals / nodes;
    state.counters["plain_node_ns"] = state.counters["plain_ns"] * kDeals / hand_nodes;
}

} // namespace

void add_search_rows() {
    add_row("agents/double_dummy/whist", double_dummy);
}

} // namespace croupier::bench
