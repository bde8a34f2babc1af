// Whole deals compared with plain code, and positions written by hand.
#include "games/coinche/testing.h"

namespace croupier::plain {

// From deal to deal; positions of single deals, written by hand, are in tests/.

namespace {

using Names = std::set<std::string>;

// The last trick of a bid of 90 by A, who takes it with 20 points in it, for 90 in all.
std::string last_trick(int total, int total_of_others) {
    return R"({"phase": "play", "dealer": "D", "turn": "A", "last": "AC",
        "contract": {"value": 90, "denomination": "H", "by": "A"},
        "hands": {"A": {"AS": true}, "B": {"KS": true}, "C": {"QS": true}, "D": {"JS": true}},
        "taken": {"AC": {"points": 60, "tricks": 3}, "BD": {"points": 72, "tricks": 4}},
        "total": {"AC": )" +
           std::to_string(total) + ", \"BD\": " + std::to_string(total_of_others) + "}}";
}

std::string after_last_trick(CoincheOptions options, int total, int total_of_others,
                             const std::vector<std::string>& path) {
    options.set("match", "target");
    Coinche coinche(options);
    State state = coinche.position(last_trick(total, total_of_others));
    for (const char* card : {"AS", "KS", "QS", "JS"})
        coinche.play(state, card);
    return coinche.at(state, path);
}

TEST(coinche, a_match_ends_at_2000_and_goes_on_with_the_next_dealer) {
    EXPECT_EQ(after_last_trick({}, 1820, 0, {"winner"}), "\"AC\"");
    EXPECT_EQ(after_last_trick({}, 1820, 0, {"total", "AC"}), "2000");
    EXPECT_EQ(after_last_trick({}, 1810, 0, {"winner"}), "");
    EXPECT_EQ(after_last_trick({}, 1810, 0, {"dealer"}), "\"A\"");
    EXPECT_EQ(after_last_trick({}, 1810, 0, {"turn"}), "\"B\"");
    EXPECT_EQ(after_last_trick({}, 1810, 0, {"contract"}), "");
    EXPECT_EQ(after_last_trick(with({{"end_rule", "exceed"}}), 1820, 0, {"winner"}), "");
    EXPECT_EQ(after_last_trick(with({{"target", "2001"}}), 1820, 0, {"winner"}), "");
    EXPECT_EQ(after_last_trick({}, 1820, 1990, {"winner"}), "\"BD\"");
    EXPECT_EQ(after_last_trick(with({{"deals", "1"}}), 0, 0, {"over"}), "true");
}

// The bidder's partner wins the last trick of a generale. The next deal must not know of it.
TEST(coinche, that_somebody_else_won_a_trick_of_a_generale_is_forgotten_with_the_deal) {
    Coinche coinche(with({{"match", "target"}, {"generale", "on"}}));
    State state = coinche.position(R"({"phase": "play", "dealer": "D", "turn": "A",
        "contract": {"value": 500, "denomination": "H", "by": "A"}, "last": "AC",
        "hands": {"A": {"QS": true}, "B": {"KS": true}, "C": {"AS": true}, "D": {"JS": true}},
        "taken": {"AC": {"points": 132, "tricks": 7}, "BD": {"points": 0, "tricks": 0}},
        "total": {"AC": 0, "BD": 0}})");
    for (const char* card : {"QS", "KS", "AS"}) {
        coinche.play(state, card);
        EXPECT_EQ(coinche.at(state, {"helped"}), "");
    }
    coinche.play(state, "JS");
    EXPECT_EQ(coinche.number(state, {"total", "AC"}), 0); // so it was noticed
    EXPECT_GT(coinche.number(state, {"total", "BD"}), 0);
    EXPECT_EQ(coinche.at(state, {"phase"}), "\"bid\"");
    EXPECT_EQ(coinche.at(state, {"helped"}), "");
}

TEST(coinche, a_side_without_a_trick_does_not_end_the_match_by_its_belote) {
    const auto winner = [](const char* cannot) {
        Coinche coinche(with({{"match", "target"}, {"belote_alone_cannot_end", cannot}}));
        State state = coinche.position(R"({"phase": "play", "dealer": "D", "turn": "A",
            "contract": {"value": 90, "denomination": "H", "by": "A"}, "last": "AC",
            "hands": {"A": {"AS": true}, "B": {"KS": true}, "C": {"QS": true}, "D": {"JS": true}},
            "taken": {"AC": {"points": 132, "tricks": 7}, "BD": {"points": 0, "tricks": 0}},
            "belote": {"BD": 20}, "total": {"AC": 0, "BD": 1985}})");
        for (const char* card : {"AS", "KS", "QS", "JS"})
            coinche.play(state, card);
        return coinche.at(state, {"winner"});
    };
    EXPECT_EQ(winner("yes"), "");
    EXPECT_EQ(winner("no"), "\"BD\"");
}

TEST(coinche, a_deal_that_all_pass_goes_to_the_next_dealer_with_the_whole_pack) {
    for (const char* shuffle : {"each_deal", "first_deal_only"}) {
        Coinche coinche(with({{"match", "target"}, {"shuffle", shuffle}}));
        State state = coinche.deal(1);
        const std::string before = coinche.at(state, {"hands"});
        for (int i = 0; i < 4; ++i)
            coinche.play(state, "pass");
        EXPECT_EQ(coinche.at(state, {"phase"}), "\"bid\"");
        EXPECT_EQ(coinche.at(state, {"dealer"}), "\"B\"");
        EXPECT_NE(coinche.at(state, {"hands"}), before);
        Names cards;
        for (const char suit : kSuits) {
            for (const char rank : kRanks) {
                for (const char* seat : {"A", "B", "C", "D"})
                    if (!coinche.at(state, {"hands", seat, {rank, suit}}).empty())
                        cards.insert({rank, suit});
            }
        }
        EXPECT_EQ(cards.size(), 32U);
    }
}

TEST(coinche, deals_go_as_with_plain_code) {
    const Seen seen = expect_same_deals({}, 1, 400);
    EXPECT_GT(seen.made, 20);
    EXPECT_GT(seen.failed, 100);
    EXPECT_GT(seen.doubled_and_made, 5);
    EXPECT_GT(seen.announced, 100);
}

TEST(coinche, deals_go_as_with_plain_code_with_each_option) {
    expect_same_deals_with_each_option(1000, 30);
}

} // namespace

} // namespace croupier::plain
