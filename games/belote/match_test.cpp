// From deal to deal: how a match ends, who deals next, how the pack is made.
#include "games/belote/testing.h"

#include <algorithm>

namespace croupier::plain {
namespace {

// The last trick is to be played; A takes it with 20 points in it. `points` and `tricks` are those
// of A's side before, `more` adds nodes.
std::string before_last_trick(int points, int tricks, const std::string& more) {
    return R"({"phase": "play", "dealer": "D", "turn": "A", "trump": "H", "taker": "A", "last": "AC",
        "hands": {"A": {"AS": true}, "B": {"KS": true}, "C": {"QS": true}, "D": {"JS": true}},
        "taken": {"AC": {"points": )" +
           std::to_string(points) + ", \"tricks\": " + std::to_string(tricks) +
           "}, \"BD\": {\"points\": " + std::to_string(132 - points) +
           ", \"tricks\": " + std::to_string(7 - tricks) + "}}, " + more + "}";
}

std::string totals(int attack, int defence) {
    return "\"total\": {\"AC\": " + std::to_string(attack) +
           ", \"BD\": " + std::to_string(defence) + "}";
}

// After the trick; the match continues if a player is to bid.
class Match {
  public:
    Match(Options options, const std::string& json)
        : belote_(with_match(std::move(options))), state_(belote_.position(json)) {
        for (const char* card : {"AS", "KS", "QS", "JS"})
            belote_.play(state_, card);
    }
    std::string at(const std::vector<std::string>& path) { return belote_.at(state_, path); }
    int total(const char* team) { return belote_.number(state_, {"total", team}); }
    bool goes_on() { return at({"phase"}) == "\"bid\"" && at({"over"}).empty(); }
    std::string winner() {
        EXPECT_EQ(at({"over"}).empty(), at({"winner"}).empty());
        return at({"winner"});
    }
    // All 32 cards, once each, in the hands, turned up or in the stock.
    void expect_a_whole_pack() {
        std::set<std::string> cards;
        int count = 0;
        for (const char suit : kSuits) {
            for (const char rank : kRanks) {
                const std::string card{rank, suit};
                for (const char* seat : {"A", "B", "C", "D"}) {
                    if (!at({"hands", seat, card}).empty()) {
                        ++count;
                        cards.insert(card);
                    }
                }
            }
        }
        EXPECT_EQ(count, 20);
        cards.insert(at({"turned"}).substr(1, 2));
        for (int slot = 21; slot < 32; ++slot)
            cards.insert(at({"deck", std::to_string(slot)}).substr(1, 2));
        EXPECT_EQ(cards.size(), 32U);
    }
    Belote& belote() { return belote_; }
    State& state() { return state_; }

  private:
    static Options with_match(Options options) {
        options.emplace_back("match", "target");
        return options;
    }

    Belote belote_;
    State state_;
};

TEST(belote, a_match_ends_at_the_target_or_beyond) {
    const std::string json = before_last_trick(70, 3, totals(900, 500));
    Match reach({}, json);
    EXPECT_EQ(reach.winner(), "\"AC\"");
    EXPECT_EQ(reach.total("AC"), 1000);
    EXPECT_EQ(reach.total("BD"), 562);
    Match exceed({{"end_rule", "exceed"}}, json);
    EXPECT_TRUE(exceed.goes_on());
    Match longer({{"target", std::int64_t{1001}}}, json);
    EXPECT_TRUE(longer.goes_on());
}

TEST(belote, of_two_sides_beyond_the_target_the_one_with_more_wins) {
    Match match({}, before_last_trick(70, 3, totals(950, 990)));
    EXPECT_EQ(match.winner(), "\"BD\"");
    match.belote().run("score", match.state());
    EXPECT_EQ(match.at({"score", "A"}), "1050");
    EXPECT_EQ(match.at({"score", "D"}), "1052");
    EXPECT_EQ(match.at({"place", "A"}), "2");
    EXPECT_EQ(match.at({"place", "D"}), "1");
    Match equal({}, before_last_trick(70, 3, totals(950, 988)));
    EXPECT_TRUE(equal.goes_on());
    EXPECT_EQ(equal.total("AC"), equal.total("BD"));
}

TEST(belote, a_match_of_so_many_deals_ends_with_the_last) {
    const std::string json = before_last_trick(70, 3, totals(1900, 500) + ", \"played\": 8");
    Match ninth({{"deals", std::int64_t{10}}}, json);
    EXPECT_TRUE(ninth.goes_on());
    Match last({{"deals", std::int64_t{9}}}, json);
    EXPECT_EQ(last.at({"over"}), "true");
    EXPECT_EQ(last.total("AC"), 2000);
}

TEST(belote, a_litige_leaves_the_attacks_points_unless_the_match_ends) {
    Match goes_on({}, before_last_trick(51, 3, totals(500, 500)));
    EXPECT_TRUE(goes_on.goes_on());
    EXPECT_EQ(goes_on.total("AC"), 500);
    EXPECT_EQ(goes_on.total("BD"), 581);
    EXPECT_EQ(goes_on.at({"pool"}), "81");
    Match ends({}, before_last_trick(51, 3, totals(500, 950)));
    EXPECT_EQ(ends.winner(), "\"BD\"");
    EXPECT_EQ(ends.total("AC"), 581);
    EXPECT_EQ(ends.total("BD"), 1031);
    Match overtaken({}, before_last_trick(51, 3, totals(990, 950)));
    EXPECT_EQ(overtaken.winner(), "\"AC\"");
    EXPECT_EQ(overtaken.total("AC"), 1071);
    Match last({{"deals", std::int64_t{1}}}, before_last_trick(51, 3, totals(0, 0)));
    EXPECT_EQ(last.total("AC"), 81);
    EXPECT_EQ(last.total("BD"), 81);
}

TEST(belote, a_side_without_a_trick_does_not_end_the_match_by_its_belote) {
    const std::string json =
        before_last_trick(132, 7, totals(0, 985) + R"(, "belote": {"BD": 20})");
    Match barred({}, json);
    EXPECT_TRUE(barred.goes_on());
    EXPECT_EQ(barred.total("AC"), 252);
    EXPECT_EQ(barred.total("BD"), 1005);
    EXPECT_EQ(barred.at({"barred", "BD"}), "true");
    Match free({{"belote_alone_cannot_end", "no"}}, json);
    EXPECT_EQ(free.winner(), "\"BD\"");
    // The target was reached before the belote.
    Match there({}, before_last_trick(132, 7, totals(0, 1000) + R"(, "belote": {"BD": 20})"));
    EXPECT_EQ(there.winner(), "\"BD\"");
    // Later: still without a trick, then with one.
    const std::string bar = R"(, "barred": {"BD": true})";
    Match again({}, before_last_trick(132, 7, totals(252, 1005) + bar));
    EXPECT_TRUE(again.goes_on());
    Match trick({}, before_last_trick(110, 6, totals(252, 1005) + bar));
    EXPECT_EQ(trick.winner(), "\"BD\"");
}

TEST(belote, the_next_player_deals_unless_the_deal_is_played_again) {
    Match next({}, before_last_trick(51, 3, totals(0, 0)));
    EXPECT_EQ(next.at({"dealer"}), "\"A\"");
    EXPECT_EQ(next.at({"turn"}), "\"B\"");
    EXPECT_EQ(next.at({"played"}), "1");
    Match replay({{"litige", "replay"}}, before_last_trick(51, 3, totals(0, 0)));
    EXPECT_EQ(replay.at({"dealer"}), "\"D\"");
    EXPECT_EQ(replay.total("BD"), 0);
    EXPECT_EQ(replay.at({"played"}), "0");
}

TEST(belote, a_deal_that_all_pass_is_dealt_again) {
    for (const auto& [option, dealer] :
         {std::pair{"next_dealer", "\"B\""}, std::pair{"same_dealer", "\"A\""}}) {
        Belote belote(Options{{"match", "target"}, {"all_pass", option}});
        State state = belote.deal(1);
        for (int i = 0; i < 8; ++i) {
            EXPECT_TRUE(belote.moves(state).contains("pass"));
            belote.play(state, "pass");
        }
        EXPECT_EQ(belote.at(state, {"phase"}), "\"bid\"");
        EXPECT_EQ(belote.at(state, {"dealer"}), dealer);
    }
    Belote forced(Options{{"all_pass", "forced"}});
    State state = forced.deal(1);
    for (int i = 0; i < 7; ++i)
        forced.play(state, "pass");
    const std::set<std::string> moves = forced.moves(state);
    EXPECT_EQ(moves.size(), 3U);
    EXPECT_FALSE(moves.contains("pass"));
    EXPECT_FALSE(moves.contains(forced.at(state, {"turned"}).substr(2, 1)));
}

TEST(belote, a_pack_that_is_not_shuffled_again_stays_whole) {
    // Seven tricks are in the piles: spades are in the hands, the other suits there in order.
    std::string pile;
    int slot = 0;
    for (const char suit : std::string_view("HDC")) {
        for (const char rank : kRanks) {
            pile +=
                (slot == 0 ? "\"" : ", \"") + std::to_string(slot) + "\": \"" + rank + suit + '"';
            ++slot;
        }
    }
    for (const char* rest : {"7S", "8S", "9S", "TS"})
        pile += ", \"" + std::to_string(slot++) + "\": \"" + rest + '"';
    const std::string json =
        before_last_trick(70, 3, totals(0, 0) + R"(, "pile": {"BD": {)" + pile + "}}");
    Match match({{"shuffle", "first_deal_only"}}, json);
    EXPECT_TRUE(match.goes_on());
    match.expect_a_whole_pack();
    EXPECT_EQ(match.at({"pile"}), "");
    // All pass: the pack is gathered from hands, stock and the card turned up.
    for (int i = 0; i < 8; ++i)
        match.belote().play(match.state(), "pass");
    EXPECT_TRUE(match.goes_on());
    match.expect_a_whole_pack();
}

// A sorted pack, 7S first: B is dealt to first, then C.
TEST(belote, cards_are_dealt_in_packets_from_the_player_after_the_dealer) {
    std::string deck;
    for (const char suit : kSuits)
        for (const char rank : kRanks)
            deck += std::string(deck.empty() ? "" : ", ") + '"' + rank + suit + '"';
    const auto hands = [&](Options options, const char* second_deal) {
        options.emplace_back("second_deal_start", second_deal);
        Belote belote(options);
        State state = belote.position("{\"deck\": [" + deck + "]}");
        belote.run("setup", state);
        EXPECT_EQ(belote.at(state, {"turned"}), "\"JD\"");
        belote.play(state, "pass");
        belote.play(state, "take");
        EXPECT_EQ(belote.at(state, {"turn"}), "\"B\"");
        std::string text;
        for (const char* seat : {"B", "C", "D", "A"}) {
            for (const char suit : kSuits) {
                for (const char rank : kRanks) {
                    const std::string card{rank, suit};
                    if (!belote.at(state, {"hands", seat, card}).empty()) text += card;
                }
            }
            text += " ";
        }
        return text;
    };
    EXPECT_EQ(hands({}, "first"), "7S8S9SJHQHQDKDAD TSJSQSKHAHJD7C8C KSAS7H7D8D9CTCJC "
                                  "8H9HTH9DTDQCKCAC ");
    EXPECT_EQ(hands({}, "taker"), "7S8S9SJHQHQCKCAC TSJSQSKHAHJDQDKD KSAS7H7D8DAD7C8C "
                                  "8H9HTH9DTD9CTCJC ");
    EXPECT_EQ(hands({{"packets", "2-3"}}, "first"),
              "7S8S7H8H9HQDKDAD 9STSTHJHQHJD7C8C JSQSKHAH7D9CTCJC KSAS8D9DTDQCKCAC ");
}

// The pack begins at the first gathered card: at least three cards are above or below the cut.
TEST(belote, the_pack_is_cut_with_three_cards_in_each_part) {
    std::vector<std::string> order;
    for (const char suit : std::string_view("HDC"))
        for (const char rank : kRanks)
            order.push_back({rank, suit});
    for (const char* rest : {"7S", "8S", "9S", "TS"})
        order.emplace_back(rest);
    std::string pile;
    for (std::size_t i = 0; i < order.size(); ++i)
        pile += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": \"" + order[i] + '"';
    const std::string json =
        before_last_trick(70, 3, totals(0, 0) + R"(, "pile": {"AC": {)" + pile + "}}");
    for (const char* last : {"AS", "KS", "QS", "JS"}) // the last trick is the attack's
        order.emplace_back(last);
    Belote belote(Options{{"match", "target"}, {"shuffle", "first_deal_only"}});
    std::set<std::size_t> cuts;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        (void)belote.deal(seed); // continues with its chance
        State state = belote.position(json);
        for (const char* card : {"AS", "KS", "QS", "JS"})
            belote.play(state, card);
        const std::string lowest = belote.at(state, {"deck", "31"}).substr(1, 2);
        const auto at = std::find(order.begin(), order.end(), lowest);
        ASSERT_NE(at, order.end());
        cuts.insert((31 + order.size() - static_cast<std::size_t>(at - order.begin())) % 32);
    }
    EXPECT_EQ(cuts.size(), 27U);
    EXPECT_EQ(*cuts.begin(), 3U);
    EXPECT_EQ(*cuts.rbegin(), 29U);
}

} // namespace
} // namespace croupier::plain
