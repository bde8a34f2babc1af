// Draws of deals against all deals there are.
#include "games/ruleset/deals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace croupier::games {
namespace {

using Holders = std::vector<std::uint8_t>;

// Every way, one thing after the other.
void enumerate(const std::vector<Deals::Mask>& may, std::vector<std::uint32_t>& room, Holders& made,
               std::map<Holders, int>& all) {
    if (made.size() == may.size()) {
        all[made] = 0;
        return;
    }
    for (std::size_t holder = 0; holder < room.size(); ++holder) {
        if (room[holder] == 0 || (may[made.size()] >> holder & 1) == 0) continue;
        --room[holder];
        made.push_back(static_cast<std::uint8_t>(holder));
        enumerate(may, room, made, all);
        made.pop_back();
        ++room[holder];
    }
}

TEST(deals, every_way_is_drawn_as_often) {
    Random random(4);
    std::size_t several = 0;
    for (int round = 0; round < 30; ++round) {
        // Seven things, three holders and some that hold nothing, each pair forbidden at times.
        std::vector<std::uint32_t> room(4);
        for (int i = 0; i < 7; ++i)
            ++room[random.below(4)];
        std::vector<Deals::Mask> may(7);
        for (Deals::Mask& each : may)
            each = static_cast<Deals::Mask>(1 + random.below(15));
        std::map<Holders, int> all;
        Holders made;
        enumerate(may, room, made, all);
        Deals deals;
        ASSERT_EQ(deals.prepare(may, room), !all.empty());
        if (all.empty()) continue;
        ASSERT_DOUBLE_EQ(deals.count(), static_cast<double>(all.size()));
        if (all.size() < 2) continue;
        ++several;
        const std::size_t draws = 50 * all.size();
        for (std::size_t i = 0; i < draws; ++i) {
            deals.draw(random, made);
            const auto found = all.find(made);
            ASSERT_NE(found, all.end()) << "a deal that is none";
            ++found->second;
        }
        double chi_square = 0;
        for (const auto& [deal, times] : all)
            chi_square += (times - 50) * (times - 50) / 50.0;
        const auto freedom = static_cast<double>(all.size() - 1);
        EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom)) << all.size();
    }
    EXPECT_GT(several, 10U);
}

// 32 cards of belote, a hand of eight seen, three of eight not: 24! / 8!^3.
TEST(deals, large_ones_are_counted_and_not_listed) {
    Deals deals;
    ASSERT_TRUE(deals.prepare(std::vector<Deals::Mask>(24, 7), {8, 8, 8}));
    EXPECT_DOUBLE_EQ(deals.count(), 9465511770.0);
    // 78 of tarot, one hand seen, two of the others void in a suit of 14.
    std::vector<Deals::Mask> may(63, 15);
    for (std::size_t i = 0; i < 14; ++i)
        may[i] = 0b1001;
    ASSERT_TRUE(deals.prepare(may, {15, 18, 18, 12}));
    std::vector<std::uint8_t> holder_of;
    Random random(1);
    deals.draw(random, holder_of);
    for (std::size_t i = 0; i < 14; ++i)
        EXPECT_TRUE(holder_of[i] == 0 || holder_of[i] == 3);
}

TEST(deals, what_cannot_be_is_said) {
    Deals deals;
    EXPECT_FALSE(deals.prepare({1, 1}, {1, 1})) << "two for a room of one";
    EXPECT_FALSE(deals.prepare({0}, {1})) << "nobody may have it";
    EXPECT_TRUE(deals.prepare({}, {0, 0})) << "nothing to deal, in one way";
}

} // namespace
} // namespace croupier::games
