// Shuffled deals; packs in a known order and positions written by hand are in tests/.
#include "engine/api/text.h"
#include "games/oldmaid/testing.h"

namespace croupier::games::oldmaid {
namespace {

// All cards that a dealt position holds, wherever they are.
Hand all_cards(const Position& position) {
    Hand all = cards_at(position, "laid");
    all.merge(cards_at(position, "aside"));
    for (auto [player, hand] : hands_of(position))
        all.merge(hand);
    return all;
}

// The card with which somebody has lost a random game, and the card put aside.
std::pair<std::string, std::string> last_card(Table& table, std::uint64_t seed) {
    Random choices = stream(seed, 0, Purpose::Choice);
    Random chance = stream(seed, 0, Purpose::Play);
    table.deal(seed);
    table->play_randomly(choices, chance);
    Hand left;
    for (auto [player, hand] : hands_of(*table))
        left.merge(hand);
    EXPECT_EQ(left.size(), 1U);
    const Hand aside = cards_at(*table, "aside");
    return {*left.begin(), aside.empty() ? "" : *aside.begin()};
}

TEST(oldmaid, the_odd_card_is_a_joker_a_queen_or_unknown) {
    Table joker("oldmaid");
    Table queen("oldmaid", {{"odd", "queen"}});
    Table unknown("oldmaid", {{"odd", "unknown"}});
    Hand put_aside;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        EXPECT_EQ(all_cards(*joker.deal(seed)).size(), 53U);
        EXPECT_EQ(last_card(joker, seed).first, "JK");

        const Hand queens = all_cards(*queen.deal(seed));
        EXPECT_EQ(queens.size(), 51U);
        EXPECT_FALSE(queens.contains("JK") || queens.contains("QC"));
        EXPECT_EQ(rank_of(last_card(queen, seed).first), "Q");

        const Hand jiji = all_cards(*unknown.deal(seed));
        EXPECT_EQ(jiji.size(), 52U);
        EXPECT_FALSE(jiji.contains("JK"));
        const auto [left, aside] = last_card(unknown, seed);
        EXPECT_EQ(rank_of(left), rank_of(aside));
        put_aside.insert(aside);
    }
    EXPECT_GT(put_aside.size(), 15U);
}

TEST(oldmaid, hands_after_the_deal_hold_no_pair_and_the_first_has_the_card_more) {
    Table table("oldmaid", {{"dealer", "B"}});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const auto& [player, hand] : hands_of(*table.deal(seed))) {
            Hand ranks;
            for (const std::string& card : hand)
                ranks.insert(rank_of(card));
            EXPECT_EQ(ranks.size(), hand.size());
            EXPECT_EQ(hand.size() % 2, player == "C" ? 0U : 1U) << "14-13-13-13, less pairs";
        }
    }
}

TEST(oldmaid, the_order_of_a_hand_says_nothing) {
    // Over many deals each number stands for each rank about as often: 13 ranks and the joker.
    Table table("oldmaid");
    std::map<std::string, int> first;
    for (std::uint64_t seed = 0; seed < 1400; ++seed) {
        table.deal(seed);
        const engine::Document state = table->state();
        ++first[rank_of(state.find("row")->value.members.at(0).value.text())];
    }
    ASSERT_EQ(first.size(), 14U);
    for (const auto& [rank, times] : first) {
        if (rank == "JK") continue;
        EXPECT_GT(times, 60) << rank;
        EXPECT_LT(times, 140) << rank;
    }
}

TEST(oldmaid, a_view_holds_ones_own_hand_and_how_many_cards_the_others_have) {
    Table table("oldmaid:jiji");
    table.deal(5);
    const auto view = table->game().new_position();
    view->view_from(*table, 2);
    const auto hands = hands_of(*view);
    EXPECT_EQ(hands.size(), 1U);
    EXPECT_EQ(hands.at("C"), hands_of(*table).at("C"));
    EXPECT_EQ(at(*view, "row"), "");
    EXPECT_EQ(at(*view, "aside"), "");
    EXPECT_EQ(at(*view, "cards"), at(*table, "cards"));
    EXPECT_EQ(at(*view, "laid"), at(*table, "laid"));
}

} // namespace
} // namespace croupier::games::oldmaid
