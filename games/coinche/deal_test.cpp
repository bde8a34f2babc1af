// Positions written by hand: the deal, the auction, what is said by choice, and from deal to deal.
#include "games/coinche/testing.h"

namespace croupier::plain {
namespace {

using Names = std::set<std::string>;

std::string without_bids(const Names& moves) {
    std::string text;
    for (const std::string& move : moves) {
        if (move == "pass" || move == "coinche" || move == "surcoinche") {
            text += move + " ";
        }
    }
    return text;
}

// ---- the deal --------------------------------------------------------------------------------

TEST(coinche, cards_are_dealt_in_packets_from_the_player_after_the_dealer) {
    std::string deck;
    for (const char suit : kSuits) {
        for (const char rank : kRanks) {
            deck += std::string(deck.empty() ? "" : ", ") + '"' + rank + suit + '"';
        }
    }
    const auto hand_of_first = [&](const char* packets) {
        Coinche coinche(with({{"packets", packets}}));
        State state = coinche.position("{\"deck\": [" + deck + "]}");
        coinche.run("setup", state);
        EXPECT_EQ(coinche.at(state, {"turn"}), "\"B\"");
        Names cards;
        for (const Card& card : hand_of(coinche, state, "B")) {
            cards.insert(name_of(card));
        }
        return cards;
    };
    EXPECT_EQ(hand_of_first("3-2-3"), (Names{"7S", "8S", "9S", "JH", "QH", "JD", "QD", "KD"}));
    EXPECT_EQ(hand_of_first("3-3-2"), (Names{"7S", "8S", "9S", "JH", "QH", "KH", "7C", "8C"}));
    EXPECT_EQ(hand_of_first("2-3-3"), (Names{"7S", "8S", "7H", "8H", "9H", "JD", "QD", "KD"}));
}

// ---- the auction -----------------------------------------------------------------------------

Names calls_in(const std::string& nodes, const CoincheOptions& options = {}) {
    Coinche coinche(options);
    State state = coinche.position("{\"phase\": \"bid\", \"dealer\": \"D\", " + nodes + "}");
    return coinche.moves(state);
}

constexpr const char* kBidOfA =
    R"("contract": {"value": 100, "denomination": "H", "team": "AC", "by": "A", "double": 1})";
constexpr const char* kDoubledBidOfA =
    R"("contract": {"value": 100, "denomination": "H", "team": "AC", "by": "A", "double": 2})";
constexpr const char* kCapotOfA =
    R"("contract": {"value": 250, "denomination": "H", "team": "AC", "by": "A", "double": 1})";

TEST(coinche, the_first_may_bid_from_80_to_160_and_capot) {
    const Names calls = calls_in(R"("turn": "A")");
    EXPECT_EQ(calls.size(), 9U * 4 + 4 + 1);
    EXPECT_TRUE(calls.contains("80S") && calls.contains("160C") && calls.contains("capotD"));
    EXPECT_EQ(calls_in(R"("turn": "A")", with({{"sa_ta", "on"}})).size(), 9U * 6 + 6 + 1);
    EXPECT_EQ(calls_in(R"("turn": "A")", with({{"max_bid", "260"}})).size(), 17U * 4 + 4 + 1);
    EXPECT_EQ(calls_in(R"("turn": "A")", with({{"max_bid", "260"}, {"capot_bid", "270"}})).size(),
              19U * 4 + 4 + 1);
}

TEST(coinche, a_bid_is_higher_whatever_its_suit) {
    const Names calls = calls_in(std::string(R"("turn": "C", )") + kBidOfA);
    EXPECT_FALSE(calls.contains("100S"));
    EXPECT_TRUE(calls.contains("110C") && calls.contains("110H") && calls.contains("capotS"));
    const Names ranked =
        calls_in(std::string(R"("turn": "C", )") + kBidOfA, with({{"suit_rank", "C<D<H<S<SA<TA"}}));
    EXPECT_TRUE(ranked.contains("100S"));
    EXPECT_FALSE(ranked.contains("100D") || ranked.contains("100H"));
}

TEST(coinche, only_opponents_double_and_only_the_bidders_side_doubles_again) {
    EXPECT_EQ(without_bids(calls_in(std::string(R"("turn": "B", )") + kBidOfA)), "coinche pass ");
    EXPECT_EQ(without_bids(calls_in(std::string(R"("turn": "C", )") + kBidOfA)), "pass ");
    EXPECT_EQ(without_bids(calls_in(std::string(R"("turn": "D", )") + kBidOfA)), "coinche pass ");
    EXPECT_EQ(calls_in(std::string(R"("turn": "C", )") + kDoubledBidOfA),
              (Names{"pass", "surcoinche"}));
    const Names thawed = calls_in(std::string(R"("turn": "C", )") + kDoubledBidOfA,
                                  with({{"coinche_freezes", "no"}}));
    EXPECT_TRUE(thawed.contains("110S") && thawed.contains("surcoinche"));
    EXPECT_EQ(calls_in(std::string(R"("turn": "B", )") + kCapotOfA), (Names{"coinche", "pass"}));
    EXPECT_EQ(
        calls_in(std::string(R"("turn": "B", )") + kCapotOfA, with({{"capot_doublable", "no"}})),
        Names{"pass"});
}

// The state after these calls from a new deal with A as the dealer.
std::string after(const std::vector<std::string>& calls, const std::vector<std::string>& path,
                  const CoincheOptions& options = {}) {
    Coinche coinche(options);
    State state = coinche.deal(1);
    for (const std::string& call : calls) {
        EXPECT_TRUE(coinche.moves(state).contains(call)) << call;
        coinche.play(state, call);
    }
    return coinche.at(state, path);
}

TEST(coinche, the_auction_ends_after_three_passes_two_or_none) {
    EXPECT_EQ(after({"80S", "pass", "pass"}, {"phase"}), "\"bid\"");
    EXPECT_EQ(after({"80S", "pass", "pass", "pass"}, {"phase"}), "\"play\"");
    EXPECT_EQ(after({"pass", "pass", "pass", "80S", "pass", "pass", "pass"}, {"turn"}), "\"B\"");
    EXPECT_EQ(after({"pass", "pass", "pass", "pass"}, {"over"}), "true");
    EXPECT_EQ(after({"80S", "pass", "pass", "coinche"}, {"turn"}), "\"B\"");
    EXPECT_EQ(after({"80S", "coinche"}, {"turn"}), "\"D\"");
    EXPECT_EQ(after({"80S", "coinche", "pass"}, {"turn"}), "\"B\"");
    EXPECT_EQ(after({"80S", "coinche", "pass", "pass"}, {"phase"}), "\"play\"");
    EXPECT_EQ(after({"80S", "coinche", "surcoinche"}, {"contract", "double"}), "4");
    EXPECT_EQ(after({"80S", "coinche", "surcoinche"}, {"phase"}), "\"play\"");
    EXPECT_EQ(after({"80S", "pass", "90H", "pass", "100S", "pass", "pass", "pass"},
                    {"contract", "value"}),
              "100");
}

TEST(coinche, who_has_bid_may_raise_himself_after_three_passes_where_that_is_the_custom) {
    const CoincheOptions raise = with({{"self_raise_other_suit", "yes"}});
    EXPECT_EQ(after({"80S", "pass", "pass", "pass"}, {"turn"}, raise), "\"B\"");
    EXPECT_EQ(after({"80S", "pass", "pass", "pass", "pass"}, {"phase"}, raise), "\"play\"");
    EXPECT_EQ(after({"80S", "pass", "pass", "pass", "90H"}, {"contract", "denomination"}, raise),
              "\"H\"");
    const Names calls = calls_in(std::string(R"("turn": "A", )") + kBidOfA, raise);
    EXPECT_TRUE(calls.contains("110S"));
    EXPECT_FALSE(calls.contains("110H") || calls.contains("capotH"));
}

TEST(coinche, a_higher_bid_takes_the_coinche_back_where_it_does_not_freeze) {
    const CoincheOptions thaw = with({{"coinche_freezes", "no"}});
    EXPECT_EQ(after({"80S", "coinche", "90S"}, {"contract", "double"}, thaw), "1");
    EXPECT_EQ(after({"80S", "coinche", "pass", "pass"}, {"turn"}, thaw), "\"B\"");
    EXPECT_EQ(after({"80S", "coinche", "pass", "pass", "pass"}, {"phase"}, thaw), "\"play\"");
}

TEST(coinche, at_any_time_the_other_opponent_is_asked_first) {
    const CoincheOptions any_time = with({{"coinche_any_time", "yes"}});
    EXPECT_EQ(after({"80S"}, {"turn"}, any_time), "\"A\"");
    EXPECT_EQ(after({"80S", "pass"}, {"turn"}, any_time), "\"C\"");
    EXPECT_EQ(after({"80S", "coinche"}, {"turn"}, any_time), "\"B\"");
    EXPECT_EQ(after({"80S", "pass", "pass", "pass", "pass"}, {"phase"}, any_time), "\"play\"");
}

TEST(coinche, a_position_of_the_auction_goes_on_where_it_stands) {
    for (const auto& [turn, passes] : {std::pair{"B", 3}, std::pair{"C", 2}, std::pair{"D", 1}}) {
        Coinche coinche;
        State state = coinche.position(std::string(R"({"phase": "bid", "dealer": "D", "turn": ")") +
                                       turn + "\", " + kBidOfA + "}");
        for (int i = 0; i < passes; ++i) {
            EXPECT_EQ(coinche.at(state, {"phase"}), "\"bid\"") << turn;
            coinche.play(state, "pass");
        }
        EXPECT_EQ(coinche.at(state, {"phase"}), "\"play\"") << turn;
        EXPECT_EQ(coinche.at(state, {"turn"}), "\"A\"");
    }
}

// ---- without a trump suit --------------------------------------------------------------------

// What C may play when A has led and B has followed with these cards.
Names may_play(const char* denomination, const std::vector<std::string>& trick, const char* hand,
               const CoincheOptions& options) {
    Coinche coinche(options);
    std::string json = std::string(R"({"phase": "play", "turn": "C", "last": "AC", "contract":
        {"value": 100, "denomination": ")") +
                       denomination + R"(", "by": "A"}, "trick": {)";
    for (std::size_t i = 0; i < trick.size(); ++i) {
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) +
                "\": {\"player\": " + seat_name(static_cast<int>(2 - trick.size() + i)) +
                ", \"card\": \"" + trick[i] + "\"}";
    }
    State state = coinche.position(json + "}, \"hands\": {\"C\": {" + hand + "}}}");
    return coinche.moves(state);
}

TEST(coinche, without_trump_the_suit_is_followed_and_where_all_are_trumps_beaten) {
    const CoincheOptions on = with({{"sa_ta", "on"}});
    const char* hand = R"("JH": true, "8H": true, "AS": true)";
    EXPECT_EQ(may_play("SA", {"AH"}, hand, on), (Names{"JH", "8H"}));
    EXPECT_EQ(may_play("TA", {"AH"}, hand, on), Names{"JH"});
    EXPECT_EQ(may_play("TA", {"AH", "7H"}, hand, on), Names{"JH"});
    EXPECT_EQ(may_play("TA", {"AH", "7H"}, hand, with({{"sa_ta", "on"}, {"ta_partner", "exempt"}})),
              (Names{"JH", "8H"}));
    EXPECT_EQ(may_play("TA", {"7H", "AH"}, hand, with({{"sa_ta", "on"}, {"ta_partner", "exempt"}})),
              Names{"JH"});
    EXPECT_EQ(may_play("TA", {"AD"}, hand, on), (Names{"JH", "8H", "AS"}));
}

// A has two belotes; what his side has after both have been played, and said or not.
int belotes(const std::vector<std::string>& moves, const CoincheOptions& options) {
    Coinche coinche(options);
    State state = coinche.position(R"({"phase": "play", "dealer": "D", "turn": "A", "last": "AC",
        "contract": {"value": 100, "denomination": "TA", "by": "A"}, "hands": {
        "A": {"KH": true, "QH": true, "KS": true, "QS": true},
        "B": {"7S": true, "8S": true, "9D": true, "TD": true},
        "C": {"7D": true, "8D": true, "JD": true, "QD": true},
        "D": {"7C": true, "8C": true, "9C": true, "TC": true}}})");
    for (const std::string& move : moves) {
        EXPECT_TRUE(coinche.moves(state).contains(move)) << move;
        coinche.play(state, move);
    }
    EXPECT_EQ(coinche.at(state, {"phase"}), "\"score\"");
    return coinche.number(state, {"belote", "AC"});
}

TEST(coinche, where_all_are_trumps_every_king_and_queen_count) {
    EXPECT_EQ(belotes({"KH", "9D", "7D", "7C", "QH", "TD", "8D", "8C", "KS", "7S", "JD", "9C", "QS",
                       "8S", "QD", "TC"},
                      with({{"sa_ta", "on"}})),
              40);
    const CoincheOptions manual = with({{"sa_ta", "on"}, {"belote_declare", "manual"}});
    EXPECT_EQ(belotes({"KH", "show", "9D", "7D", "7C", "KS", "show", "7S", "8D", "8C",
                       "QH", "show", "TD", "JD", "9C", "QS", "show", "8S", "QD", "TC"},
                      manual),
              40);
    EXPECT_EQ(belotes({"KH", "show", "9D", "7D", "7C", "KS", "hide", "7S", "8D", "8C", "QH", "show",
                       "TD", "JD", "9C", "QS", "8S", "QD", "TC"},
                      manual),
              20);
}

TEST(coinche, announcements_are_said_by_choice_where_that_is_the_rule) {
    Coinche coinche(with({{"declare", "manual"}}));
    State state = coinche.position(R"({"phase": "play", "dealer": "D", "turn": "A",
        "contract": {"value": 100, "denomination": "H", "by": "A"}, "hands": {
        "A": {"7S": true, "8S": true, "9S": true, "AH": true, "TD": true, "7D": true, "9D": true,
              "JH": true}}})");
    EXPECT_EQ(coinche.moves(state), (Names{"show", "hide"}));
    coinche.play(state, "show");
    EXPECT_EQ(coinche.number(state, {"declared", "A", "tierce"}), 1);
    EXPECT_EQ(coinche.moves(state).size(), 8U);
}

// ---- from deal to deal -----------------------------------------------------------------------

// The last trick of a bid of 90 by A, which he takes with 20 points in it, and then has 90.
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
    for (const char* card : {"AS", "KS", "QS", "JS"}) {
        coinche.play(state, card);
    }
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
        for (const char* card : {"AS", "KS", "QS", "JS"}) {
            coinche.play(state, card);
        }
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
        for (int i = 0; i < 4; ++i) {
            coinche.play(state, "pass");
        }
        EXPECT_EQ(coinche.at(state, {"phase"}), "\"bid\"");
        EXPECT_EQ(coinche.at(state, {"dealer"}), "\"B\"");
        EXPECT_NE(coinche.at(state, {"hands"}), before);
        Names cards;
        for (const char suit : kSuits) {
            for (const char rank : kRanks) {
                for (const char* seat : {"A", "B", "C", "D"}) {
                    if (!coinche.at(state, {"hands", seat, {rank, suit}}).empty()) {
                        cards.insert({rank, suit});
                    }
                }
            }
        }
        EXPECT_EQ(cards.size(), 32U);
    }
}

} // namespace
} // namespace croupier::plain
