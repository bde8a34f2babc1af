// Double dummy over a ruleset: what a position of a search costs, against whist searched by hand.
#include "agents/solve/double_dummy.h"
#include "bench/baselines/whist_search.h"
#include "bench/measure.h"
#include "bench/rows.h"
#include "bench/rules.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::bench {
namespace {

using games::Position;
using games::Random;

constexpr std::uint64_t kDeals = 8;
constexpr std::uint32_t kCardsLeft = 16; // four tricks
constexpr std::uint64_t kMost = 10'000'000;

// A position as the hand-written search has it.
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

// The ends of deals that are played at random until a trick begins with so many cards left.
std::vector<std::unique_ptr<Position>> ends_of_deals(const games::Game& game) {
    std::vector<std::unique_ptr<Position>> ends;
    for (std::uint64_t deal = 0; deal < kDeals; ++deal) {
        Random chance = games::stream(7, deal, games::Purpose::Deal);
        Random choices = games::stream(7, deal, games::Purpose::Choice);
        ends.push_back(game.new_position());
        Position& position = *ends.back();
        position.start(chance);
        while (position.plies() < 52 - kCardsLeft) {
            position.play(position.move(choices.below(position.move_count())), chance);
        }
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
        check(dummy.solve(*end, end->turn(), {kMost}, Random(1), worth), "too many positions");
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
            for (const auto& end : ends) {
                benchmark::DoNotOptimize(dummy.solve(*end, end->turn(), {kMost}, Random(1), worth));
            }
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
