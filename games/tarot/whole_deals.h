// Whole deals of the ruleset and of plain C++ with the same choices, for the quick and the slow
// test.
#pragma once

#include "engine/api/text.h"
#include "games/tarot/testing.h"

#include <string>

namespace croupier::tarot {

// What is left of a position for somebody who writes it by hand; `derive` finds the rest.
inline Document by_hand(const Document& state) {
    Document left = state;
    std::erase_if(left.members, [](const engine::Member& member) {
        static const std::vector<std::string> kKept{"phase",  "dealer", "turn",  "contract",
                                                    "called", "hands",  "dog",   "aside",
                                                    "trick",  "taken",  "showed"};
        return std::find(kKept.begin(), kKept.end(), member.key) == kKept.end();
    });
    return left;
}

// Legal moves, who plays, and what `derive` finds.
inline void expect_derived(Table& again, const Document& state, const Position& position) {
    Document left = by_hand(state);
    again.load(left);
    EXPECT_EQ(games::legal(again.position()), games::legal(position))
        << engine::write_json(left, -1);
    for (const char* node : {"taker", "side", "at", "led", "best", "holder", "pot", "bouts",
                             "excuse", "ally", "opening"})
        EXPECT_EQ(again.at(node), at(state, node)) << node << engine::write_json(left, -1);
}

inline void expect_same_end(const Table& table, const Deal& deal) {
    ASSERT_EQ(table.scores(), deal.scores()) << engine::write_json(table.state(), -1);
    if (deal.is_void()) return;
    const Outcome& outcome = deal.outcome();
    EXPECT_EQ(2 * std::stod(table.at("taken.attack.points")), outcome.attack_halves);
    EXPECT_EQ(182 - 2 * std::stod(table.at("taken.defence.points")), outcome.attack_halves);
    EXPECT_EQ(table.at("taken.attack.bouts"), std::to_string(outcome.attack_bouts));
    const auto side = [](int value) {
        return value > 0 ? "\"attack\"" : value < 0 ? "\"defence\"" : "";
    };
    EXPECT_EQ(table.at("petit"), side(outcome.petit));
    EXPECT_EQ(table.at("slam.made"), side(outcome.slam));
}

struct Seen {
    int played = 0;
    int petits = 0;
    int poignees = 0;
    int partners = 0;
    int miseres = 0;
};

// So many deals from seeds; what has been seen in them, for tests that would show nothing without.
inline Seen expect_same_deals(const Options& options, int deals, std::uint64_t seed) {
    Table table(options);
    Table again(options);
    Random random(seed);
    Seen seen;
    for (int i = 0; i < deals; ++i) {
        table.deal(1'000'000 * seed + static_cast<std::uint64_t>(i));
        Position& position = table.position();
        const Document state = position.state();
        std::vector<std::vector<Card>> hands;
        hands.reserve(static_cast<std::size_t>(options.players));
        for (int seat = 0; seat < options.players; ++seat)
            hands.push_back(cards_at(state, "hands", seat_name(seat)));
        Deal deal(options, 0);
        deal.dealt(hands, cards_at(state, "dog"));
        while (!deal.over()) {
            EXPECT_EQ(position.ending(), games::Ending::None);
            EXPECT_EQ(static_cast<int>(position.turn()), deal.turn());
            const std::vector<std::string> moves = sorted(deal.moves());
            EXPECT_EQ(table.moves(), moves) << games::json(position);
            if (::testing::Test::HasFailure()) return seen;
            if (random.below(64) == 0) expect_derived(again, position.state(), position);
            const std::string& move = moves[random.below(moves.size())];
            deal.play(move);
            table.play(move);
        }
        EXPECT_EQ(position.ending(), games::Ending::Over) << position.fault().what;
        expect_same_end(table, deal);
        if (::testing::Test::HasFailure()) return seen;
        seen.played += deal.is_void() ? 0 : 1;
        seen.petits += deal.outcome().petit != 0 ? 1 : 0;
        seen.poignees += static_cast<int>(deal.outcome().poignees.size());
        seen.partners += deal.partner() ? 1 : 0;
        seen.miseres += deal.outcome().miseres != 0 ? 1 : 0;
    }
    return seen;
}

} // namespace croupier::tarot
