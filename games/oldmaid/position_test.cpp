// Deals from packs in a known order, and single draws from positions written by hand.
#include "games/oldmaid/testing.h"

#include <numeric>

namespace croupier::games::oldmaid {
namespace {

using Names = std::vector<std::string>;

std::vector<GameOption> pack(const std::string& cards, const char* dealer = "A") {
    return {{"deck", cards}, {"dealer", dealer}};
}

// ---- the deal
// ------------------------------------------------------------------------------------

TEST(oldmaid, all_cards_are_dealt_one_at_a_time_from_the_player_after_the_dealer) {
    Table table("oldmaid", pack("2S,3S,4S,5S,6S,7S,8S,9S,TS"));
    table.deal(1);
    const auto hands = hands_of(*table);
    EXPECT_EQ(hands.at("B"), (Hand{"2S", "6S", "TS"}));
    EXPECT_EQ(hands.at("C"), (Hand{"3S", "7S"}));
    EXPECT_EQ(hands.at("A"), (Hand{"5S", "9S"}));
    EXPECT_EQ(at(*table, "turn"), "\"B\"");
    EXPECT_EQ(at(*table, "deck"), "");
    EXPECT_EQ(legal(*table), (Names{"0", "1"}));

    Table other("oldmaid", pack("2S,3S,4S,5S,6S,7S,8S,9S,TS", "C"));
    EXPECT_EQ(hands_of(*other.deal(1)).at("D"), (Hand{"2S", "6S", "TS"}));
    EXPECT_EQ(at(*other, "turn"), "\"D\"");
}

TEST(oldmaid, pairs_are_laid_down_and_of_three_one_stays) {
    // B has three sevens, C four eights, D the joker and a nine, A two kings and a jack.
    Table table("oldmaid", pack("7S,8S,JK,KS,7H,8H,9S,KH,7D,8D,3S,JS,4S,8C"));
    table.deal(1);
    const auto hands = hands_of(*table);
    ASSERT_EQ(hands.at("B").size(), 2U);
    EXPECT_TRUE(hands.at("B").contains("4S"));
    EXPECT_EQ(hands.at("C"), Hand{});
    EXPECT_EQ(hands.at("D"), (Hand{"JK", "9S", "3S"}));
    EXPECT_EQ(hands.at("A"), Hand{"JS"});
    Hand sevens = cards_at(*table, "laid");
    std::erase_if(sevens, [](const std::string& card) { return card[0] != '7'; });
    EXPECT_EQ(sevens.size(), 2U);
    EXPECT_EQ(cards_at(*table, "laid").size(), 8U);
    // C is out before the first draw: B draws from D.
    EXPECT_EQ(at(*table, "out"), R"({"C":1})");
    EXPECT_EQ(at(*table, "from"), "\"D\"");
    EXPECT_EQ(at(*table, "cards"), R"({"A":1,"B":2,"D":3})");
}

TEST(oldmaid, who_is_out_by_the_deal_shares_the_place_and_does_not_begin) {
    Table begun("oldmaid", pack("2S,3S,4S,5S,2H,3H,JK,6S"));
    begun.deal(1);
    EXPECT_EQ(at(*begun, "out"), R"({"B":1,"C":1})");
    EXPECT_EQ(at(*begun, "turn"), "\"D\"");
    EXPECT_EQ(at(*begun, "from"), "\"A\"");
    Table over("oldmaid", pack("2S,3S,4S,JK,2H,3H,4H"));
    over.deal(1);
    EXPECT_EQ(over->ending(), Ending::Over);
    for (Seat seat = 0; seat < 4; ++seat) {
        EXPECT_EQ(over->score(seat), seat == 0 ? 0 : 1);
        EXPECT_EQ(over->place(seat), seat == 0 ? 4U : 1U);
    }
}

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
    // Of a pack in a known order the last card is put aside.
    Table known("oldmaid", {{"deck", "2S,3S,4S,5S,2H"}, {"odd", "unknown"}});
    EXPECT_EQ(cards_at(*known.deal(1), "aside"), Hand{"2H"});
    EXPECT_EQ(hands_of(*known).at("B"), Hand{"2S"});
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

// ---- single draws
// --------------------------------------------------------------------------------

const char* const kFour = R"({"turn": "A", "hands": {"A": {"7S": true, "9S": true},
    "B": {"7H": true, "KS": true}, "C": {"KH": true, "JK": true}, "D": {"7D": true, "9H": true}}})";

TEST(oldmaid, one_draws_from_the_next_player_or_from_the_previous) {
    Table next("oldmaid");
    EXPECT_EQ(at(*next.load(kFour), "from"), "\"B\"");
    next.draw("7H");
    EXPECT_EQ(hands_of(*next).at("A"), Hand{"9S"});
    EXPECT_EQ(hands_of(*next).at("B"), Hand{"KS"});
    EXPECT_EQ(cards_at(*next, "laid"), (Hand{"7S", "7H"}));
    EXPECT_EQ(at(*next, "turn"), "\"B\"");
    EXPECT_EQ(at(*next, "from"), "\"C\"");
    next.draw("JK"); // pairs with nothing
    EXPECT_EQ(hands_of(*next).at("B"), (Hand{"KS", "JK"}));

    Table previous("oldmaid", {{"draw_from", "previous"}});
    EXPECT_EQ(at(*previous.load(kFour), "from"), "\"D\"");
    EXPECT_EQ(at(*previous.draw("9H"), "turn"), "\"B\"");
    EXPECT_EQ(at(*previous, "from"), "\"A\"");
}

TEST(oldmaid, where_two_leave_at_once_the_target_is_first_or_the_drawer) {
    const char* both = R"({"turn": "A", "hands": {"A": {"7S": true}, "B": {"7H": true},
        "C": {"8S": true, "JK": true}, "D": {"8H": true}}})";
    Table target("oldmaid");
    EXPECT_EQ(at(*target.load(both).draw("7H"), "out"), R"({"A":2,"B":1})");
    EXPECT_EQ(at(*target, "turn"), "\"C\"");
    EXPECT_EQ(at(*target, "from"), "\"D\"");
    Table drawer("oldmaid", {{"simultaneous", "drawer"}});
    EXPECT_EQ(at(*drawer.load(both).draw("7H"), "out"), R"({"A":1,"B":2})");
    EXPECT_EQ(at(*drawer, "turn"), "\"C\"");
    // C takes the eight: D and C's pair is gone, and C is left with the joker.
    target.draw("8H");
    EXPECT_EQ(target->ending(), Ending::Over);
    const std::vector<std::uint32_t> places{target->place(0), target->place(1), target->place(2),
                                            target->place(3)};
    EXPECT_EQ(places, (std::vector<std::uint32_t>{2, 1, 4, 3}));
    EXPECT_EQ(target->score(2), 0);
    EXPECT_EQ(target->score(3), 1);
}

TEST(oldmaid, if_the_drawer_is_out_who_would_have_drawn_from_him_may_have_to_pass) {
    const char* out = R"({"turn": "A", "hands": {"A": {"7S": true}, "B": {"9S": true, "8S": true},
        "C": {"9H": true, "JK": true}, "D": {"7H": true, "8H": true}}})";
    Table plays("oldmaid:previous");
    EXPECT_EQ(at(*plays.load(out).draw("7H"), "turn"), "\"B\"");
    EXPECT_EQ(at(*plays, "from"), "\"D\"");
    Table passes("oldmaid:previous", {{"skip_after_out", "yes"}});
    EXPECT_EQ(at(*passes.load(out).draw("7H"), "turn"), "\"C\"");
    EXPECT_EQ(at(*passes, "from"), "\"B\"");
    // Who goes on: nobody passes. Nor does anybody where cards are drawn from the next player.
    EXPECT_EQ(at(*passes.load(out).draw("8H"), "turn"), "\"B\"");
    const char* next = R"({"turn": "A", "hands": {"A": {"7S": true}, "B": {"7H": true, "8S": true},
        "C": {"9H": true, "JK": true}, "D": {"9S": true, "8H": true}}})";
    Table never("oldmaid", {{"skip_after_out", "yes"}});
    EXPECT_EQ(at(*never.load(next).draw("7H"), "turn"), "\"B\"");
    EXPECT_EQ(at(*never, "out"), R"({"A":1})");
}

TEST(oldmaid, who_holds_but_the_joker_plays_on_while_others_do) {
    const char* lone = R"({"turn": "B", "hands": {"B": {"JK": true}, "C": {"8S": true, "9S": true},
        "D": {"8H": true, "9H": true}}, "out": {"A": 1}})";
    Table table("oldmaid");
    EXPECT_EQ(legal(*table.load(lone)), (Names{"0", "1"}));
    EXPECT_EQ(hands_of(*table.draw("8S")).at("B"), (Hand{"8S", "JK"}));
    EXPECT_EQ(at(*table, "turn"), "\"C\"");
    // The turn of who is out is that of the next player still in.
    EXPECT_EQ(at(*table.load(R"({"turn": "A", "hands": {"C": {"8S": true}, "D": {"JK": true}}})"),
                 "turn"),
              "\"C\"");
    EXPECT_EQ(at(*table, "out"), R"({"A":1,"B":1})");
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
