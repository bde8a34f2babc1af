// A game in steady state allocates nothing: every operator new of this program is counted.
#include "games/testing/allocations.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace croupier::games {
namespace {

class Allocation : public testing::TestWithParam<std::string> {};

TEST_P(Allocation, none_in_steady_state) {
    const auto game = open_for_test(GetParam(), short_game(GetParam()));
    const auto position = game->new_position();
    const auto copy = game->new_position();
    const auto view = game->new_position();
    std::vector<Move> moves;
    // Counts allocations after the deal.
    const auto play = [&](std::uint64_t deal) {
        Random dealer = stream(1, deal, Purpose::Deal);
        Random chance = stream(1, deal, Purpose::Play);
        Random choices = stream(1, deal, Purpose::Choice);
        position->start(dealer);
        const std::uint64_t before = allocations();
        while (position->ending() == Ending::None) {
            position->list_moves(moves);
            copy->copy_from(*position);
            view->view_from(*position, position->turn());
            (void)view->hash();
            position->play(position->move(choices.below(position->move_count())), chance);
        }
        return allocations() - before;
    };
    for (std::uint64_t deal = 0; deal < 3; ++deal)
        (void)play(deal);
    for (std::uint64_t deal = 0; deal < 3; ++deal)
        EXPECT_EQ(play(deal), 0U);
}

// Draws of hidden parts, thousands per move. Belote shuffles its stock again, which rules cannot
// yet do without allocating.
TEST(allocation, draws_take_no_memory_in_steady_state) {
    for (const char* const title : {"coinche", "tarot", "whist"}) {
        const auto game = open_for_test(title);
        const auto position = game->new_position();
        const auto view = game->new_position();
        const auto drawn = game->new_position();
        const auto observer = game->new_observer();
        Random random(3);
        position->start(random);
        view->view_from(*position, position->turn());
        observer->reset(position->turn());
        ASSERT_TRUE(observer->look(*view)) << observer->problem();
        const auto draw = [&] {
            for (int i = 0; i < 200; ++i)
                ASSERT_TRUE(observer->draw(*drawn, random)) << observer->problem();
        };
        draw();
        const std::uint64_t before = allocations();
        draw();
        // Counted cases are kept: a rare one may be new.
        EXPECT_LT(allocations() - before, 20U) << title;
    }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
}

// Games with listed moves; moves whose names are computed must be stored.
INSTANTIATE_TEST_SUITE_P(games, Allocation,
                         testing::Values("life", "life:torus", "life:axiom", "life:cumulative",
                                         "life:open", "race", "exchange"),
                         test_name);

} // namespace
} // namespace croupier::games
