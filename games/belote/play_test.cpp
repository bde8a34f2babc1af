// The playing phase of the ruleset against an independent implementation, ply by ply, and against
// positions written by hand.
#include "games/belote/plain.h"
#include "games/belote/testing.h"

#include <algorithm>

namespace croupier::plain {
namespace {

using engine::Document;

Position deal_with_any_lead(engine::Random& random) {
    Position position = deal(random);
    position.turn = static_cast<int>(random.below(4));
    return position;
}

std::set<std::string> names_of(const std::vector<Card>& cards) {
    std::set<std::string> names;
    for (const Card& card : cards) {
        names.insert(name_of(card));
    }
    return names;
}

// The root's nodes in the order of their names, only those that are asked for.
template <typename Wanted>
std::string sorted_nodes(const State& state, Wanted wanted) {
    Document document = state.export_document();
    std::erase_if(document.members, [&](const auto& member) { return !wanted(member.key); });
    std::sort(document.members.begin(), document.members.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return engine::write_json(document);
}

// From the nodes that somebody writes by hand, `derive` finds all that the game keeps besides.
void expect_derived(Belote& belote, const State& state) {
    // The last two are what has been said and shown; nobody can tell later.
    const std::set<std::string> by_hand{"phase",     "turn",     "trump", "hands",
                                        "trick",     "taken",    "last",  "belote",
                                        "announced", "declared", "shown"};
    const auto no_harness = [](const std::string& key) { return key != "moves" && key != "over"; };
    const State again = belote.position(
        sorted_nodes(state, [&](const std::string& key) { return by_hand.contains(key); }));
    EXPECT_EQ(sorted_nodes(again, no_harness), sorted_nodes(state, no_harness));
}

void expect_counted(Belote& belote, const State& state, const Position& position) {
    for (const std::size_t team : {0, 1}) {
        const std::string& name = team_name(team);
        EXPECT_EQ(belote.at(state, {"taken", name, "points"}),
                  std::to_string(position.points[team]));
        EXPECT_EQ(belote.at(state, {"taken", name, "tricks"}),
                  std::to_string(position.tricks[team]));
        EXPECT_EQ(belote.at(state, {"belote", name}), std::to_string(position.belote[team]));
    }
}

void expect_same_deals(const Options& options, const Rules& rules, int deals, std::uint64_t seed) {
    Belote belote(options);
    engine::Random random(seed);
    for (int i = 0; i < deals; ++i) {
        Position position = deal_with_any_lead(random);
        State state = belote.position(position_json(position));
        while (!is_over(position)) {
            const std::string before = position_json(position);
            const std::vector<Card> moves = legal_moves(position, rules);
            ASSERT_EQ(belote.moves(state), names_of(moves)) << before;
            const Card card = moves[random.below(moves.size())];
            play(position, card, rules);
            belote.play(state, name_of(card));
            if (random.below(8) == 0) {
                expect_derived(belote, state);
            }
            if (!is_over(position)) {
                ASSERT_EQ(belote.at(state, {"turn"}),
                          std::string("\"") + kSeats[static_cast<std::size_t>(position.turn)] + '"')
                    << before << name_of(card);
            }
        }
        EXPECT_EQ(belote.at(state, {"phase"}), "\"score\"");
        EXPECT_EQ(belote.at(state, {"last"}), position.last == 0 ? "\"AC\"" : "\"BD\"");
        expect_counted(belote, state, position);
    }
}

TEST(belote, plays_as_plain_code_with_the_default_options) {
    expect_same_deals({}, {}, 1000, 1);
}

TEST(belote, plays_as_plain_code_without_announcements) {
    expect_same_deals({{"annonces", "off"}}, {}, 1000, 2);
}

TEST(belote, plays_as_plain_code_with_every_option_of_play) {
    using Partner = Rules::Partner;
    std::uint64_t seed = 10;
    for (const bool exempt : {false, true}) {
        for (const bool may_discard : {false, true}) {
            for (const bool king_first : {false, true}) {
                for (const auto& [name, partner] :
                     {std::pair{"free", Partner::Free},
                      std::pair{"no_undertrump", Partner::NoUndertrump},
                      std::pair{"must_trump", Partner::MustTrump}}) {
                    const Options options{{"trump_lead_partner", exempt ? "exempt" : "must_beat"},
                                          {"undertrump", may_discard ? "may_discard" : "must"},
                                          {"belote_order", king_first ? "king_first" : "any"},
                                          {"partner_winning", name}};
                    expect_same_deals(options, {exempt, partner, may_discard, king_first}, 100,
                                      ++seed);
                }
            }
        }
    }
}

// ---- positions written by hand ---------------------------------------------------------------

using Names = std::set<std::string>;

// What C may play when these cards lie in the trick, from A on; hearts are trump.
Names may_play(const std::vector<std::string>& trick, const std::vector<std::string>& hand,
               const Options& options = {}) {
    Belote belote(options);
    std::string json = R"({"phase": "play", "trump": "H", "turn": "C", "last": "AC", "trick": {)";
    const std::size_t first = 2 - trick.size();
    for (std::size_t i = 0; i < trick.size(); ++i) {
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": {\"player\": \"" +
                kSeats[first + i] + "\", \"card\": \"" + trick[i] + "\"}";
    }
    json += R"(}, "hands": {"C": {)";
    for (std::size_t i = 0; i < hand.size(); ++i) {
        json += (i == 0 ? "\"" : ", \"") + hand[i] + "\": true";
    }
    State state = belote.position(json + "}}}");
    return belote.moves(state);
}

TEST(belote, who_leads_plays_any_card) {
    EXPECT_EQ(may_play({}, {"7S", "JH", "AD"}), (Names{"7S", "JH", "AD"}));
}

TEST(belote, a_plain_suit_is_followed_with_any_card_of_it_even_if_it_is_ruffed) {
    EXPECT_EQ(may_play({"9D"}, {"7D", "AD", "JH"}), (Names{"7D", "AD"}));
    EXPECT_EQ(may_play({"9D", "7H"}, {"7D", "AD", "JH"}), (Names{"7D", "AD"}));
}

TEST(belote, a_trump_is_beaten_even_if_it_is_the_partners) {
    EXPECT_EQ(may_play({"AH"}, {"JH", "9H", "TH", "AS"}), (Names{"JH", "9H"}));
    EXPECT_EQ(may_play({"AH", "7H"}, {"JH", "TH", "AS"}), Names{"JH"});
    EXPECT_EQ(may_play({"AH", "7H"}, {"TH", "8H", "AS"}), (Names{"TH", "8H"}));
    EXPECT_EQ(may_play({"AH", "7H"}, {"JH", "TH", "AS"}, {{"trump_lead_partner", "exempt"}}),
              (Names{"JH", "TH"}));
    EXPECT_EQ(may_play({"7H", "AH"}, {"JH", "TH", "AS"}, {{"trump_lead_partner", "exempt"}}),
              Names{"JH"});
}

TEST(belote, who_has_neither_the_suit_nor_a_trump_plays_any_card) {
    EXPECT_EQ(may_play({"9D"}, {"7S", "AC"}), (Names{"7S", "AC"}));
    EXPECT_EQ(may_play({"9H"}, {"7S", "AC"}), (Names{"7S", "AC"}));
}

TEST(belote, the_partners_trick_need_not_be_ruffed) {
    const std::vector<std::string> hand{"7S", "9H", "7H"};
    EXPECT_EQ(may_play({"AD", "7D"}, hand), (Names{"7S", "9H", "7H"}));
    EXPECT_EQ(may_play({"AD", "7D"}, hand, {{"partner_winning", "must_trump"}}),
              (Names{"9H", "7H"}));
}

TEST(belote, a_trump_of_the_partner_may_be_undertrumped_or_not) {
    // B's diamond is higher than D's, and A has ruffed: a trick of four with A as its second
    // player.
    Position position;
    position.trump = 1;
    position.turn = 2;
    position.led = 2;
    position.holder = 0;
    for (const char* name : {"9D", "8H", "AD"}) {
        position.trick.push_back(
            {(static_cast<int>(position.trick.size()) + 3) % 4, card_named(name)});
    }
    for (const char* name : {"7S", "7H", "9H"}) {
        position.hands[2].push_back(card_named(name));
    }
    const auto moves = [&](const char* option) {
        Belote belote(Options{{"partner_winning", option}});
        State state = belote.position(position_json(position));
        return belote.moves(state);
    };
    EXPECT_EQ(moves("free"), (Names{"7S", "7H", "9H"}));
    EXPECT_EQ(moves("no_undertrump"), (Names{"7S", "9H"}));
    EXPECT_EQ(moves("must_trump"), Names{"9H"});
    position.hands[2].pop_back();
    EXPECT_EQ(moves("no_undertrump"), (Names{"7S", "7H"}));
    EXPECT_EQ(moves("must_trump"), Names{"7H"});
}

TEST(belote, an_opponents_trick_is_ruffed_and_overruffed) {
    EXPECT_EQ(may_play({"7D", "AD"}, {"7S", "9H", "7H"}), (Names{"9H", "7H"}));
    EXPECT_EQ(may_play({"7D", "8H"}, {"7S", "9H", "7H"}), Names{"9H"});
}

TEST(belote, who_cannot_overruff_undertrumps_or_not) {
    EXPECT_EQ(may_play({"7D", "JH"}, {"7S", "9H", "7H"}), (Names{"9H", "7H"}));
    EXPECT_EQ(may_play({"7D", "JH"}, {"7S", "9H", "7H"}, {{"undertrump", "may_discard"}}),
              (Names{"7S", "9H", "7H"}));
}

// ---- belote said by choice -------------------------------------------------------------------

constexpr const char* kKingAndQueen = R"({"phase": "play", "dealer": "D", "turn": "A", "trump": "H",
    "taker": "A", "last": "AC", "hands": {"A": {"KH": true, "QH": true}, "B": {"7S": true,
    "8S": true}, "C": {"9S": true, "TS": true}, "D": {"7D": true, "8D": true}}})";

int belote_after(const std::vector<std::string>& moves, const Options& options) {
    Belote belote(options);
    State state = belote.position(kKingAndQueen);
    for (const std::string& move : moves) {
        EXPECT_TRUE(belote.moves(state).contains(move)) << move;
        belote.play(state, move);
    }
    EXPECT_EQ(belote.at(state, {"phase"}), "\"score\"");
    return belote.number(state, {"belote", "AC"});
}

TEST(belote, king_and_queen_of_trump_count_when_both_words_are_said) {
    const Options manual{{"belote_declare", "manual"}};
    const std::vector<std::string> said{"KH", "show", "7S", "9S", "7D",
                                        "QH", "show", "8S", "TS", "8D"};
    std::vector<std::string> first_hidden = said;
    first_hidden[1] = "hide";
    first_hidden.erase(first_hidden.begin() + 6);
    std::vector<std::string> second_hidden = said;
    second_hidden[6] = "hide";
    EXPECT_EQ(belote_after(said, manual), 20);
    EXPECT_EQ(belote_after(first_hidden, manual), 0);
    EXPECT_EQ(belote_after(second_hidden, manual), 0);
    EXPECT_EQ(belote_after({"KH", "7S", "9S", "7D", "QH", "8S", "TS", "8D"}, {}), 20);
}

TEST(belote, the_king_goes_first_where_that_is_the_order) {
    const std::vector<std::string> queen_first{"QH", "7S", "9S", "7D", "KH", "8S", "TS", "8D"};
    EXPECT_EQ(belote_after(queen_first, {}), 20);
    EXPECT_EQ(belote_after(queen_first, {{"belote_order", "king_first"}}), 0);
    EXPECT_EQ(
        belote_after(queen_first, {{"belote_order", "king_first"}, {"belote_declare", "manual"}}),
        0);
}

} // namespace
} // namespace croupier::plain
