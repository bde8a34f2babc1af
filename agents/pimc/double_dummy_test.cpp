// Alpha-beta against every line there is.
#include "agents/pimc/double_dummy.h"

#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace croupier::agents {
namespace {

using games::Ending;
using games::open_for_test;

double minimax(const Position& position, const Sides& sides, Seat me) {
    if (position.ending() != Ending::None) return sides.ahead(position, me);
    const bool mine = sides.are_partners(position.turn(), me);
    const auto next = position.game().new_position();
    double best = 0;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        Random chance;
        next->copy_from(position);
        next->play(position.move(i), chance);
        const double worth = minimax(*next, sides, me);
        if (i == 0 || (mine ? worth > best : worth < best)) best = worth;
    }
    return best;
}

// Plays at random until so few moves are left, and compares there; how many positions of the tree
// were looked at.
std::uint64_t expect_same(const Game& game, std::uint64_t deal, std::uint32_t left) {
    const Sides sides(game.facts());
    const auto position = game.new_position();
    const auto end = game.new_position();
    Random chance = games::stream(2, deal, games::Purpose::Deal);
    Random choices(deal);
    for (position->start(chance); position->ending() == Ending::None;
         position->play(position->move(choices.below(position->move_count())), chance)) {
        Random others(1);
        end->copy_from(*position);
        end->play_randomly(others, others);
        if (end->plies() - position->plies() <= left) break;
    }
    if (position->ending() != Ending::None) return 0;
    DoubleDummy dummy;
    dummy.reset(game);
    std::vector<double> worth;
    const Seat me = position->turn();
    EXPECT_TRUE(dummy.solve(*position, me, 10'000'000, Random(1), worth));
    EXPECT_EQ(worth.size(), position->move_count());
    for (std::size_t i = 0; i < worth.size(); ++i) {
        const auto next = game.new_position();
        next->copy_from(*position);
        next->play(position->move(i), chance);
        EXPECT_EQ(worth[i], minimax(*next, sides, me)) << deal << " " << i;
    }
    std::vector<double> again;
    EXPECT_FALSE(dummy.solve(*position, me, 1, Random(1), again)) << "more than one position";
    EXPECT_TRUE(dummy.solve(*position, me, 10'000'000, Random(1), again));
    EXPECT_EQ(again, worth);
    return dummy.nodes();
}

TEST(double_dummy, finds_what_every_line_says) {
    const auto exchange = open_for_test("exchange");
    const auto nim = open_for_test("nim");
    const auto belote = open_for_test("belote");
    for (std::uint64_t deal = 0; deal < 10; ++deal) {
        EXPECT_GT(expect_same(*exchange, deal, 8), 0U);
        expect_same(*nim, deal, 8);
        expect_same(*belote, deal, 8);
    }
}

} // namespace
} // namespace croupier::agents
