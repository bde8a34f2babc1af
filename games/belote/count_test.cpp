// Announcements and scores of the ruleset against an independent implementation.
#include "engine/api/random.h"
#include "games/belote/testing.h"
#include "games/testing/belote.h"

#include <algorithm>

namespace croupier::plain {
namespace {

// ---- announcements ---------------------------------------------------------------------------

void expect_same_announcements(const Options& options, const AnnonceRules& rules, int deals,
                               std::uint64_t seed) {
    Belote belote(options);
    engine::Random random(seed);
    int scored = 0;
    for (int deal = 0; deal < deals; ++deal) {
        Position position;
        position.hands = uneven_hands(random, 14);
        position.trump = static_cast<int>(random.below(4));
        position.turn = static_cast<int>(random.below(4));
        const std::string json = position_json(position);
        const auto expected = announced(position.hands, position.trump, position.turn, rules);
        State state = belote.position(json);
        while (position.tricks[0] + position.tricks[1] == 0) {
            const std::vector<Card> moves = legal_moves(position);
            const Card card = moves[random.below(moves.size())];
            play(position, card);
            belote.play(state, name_of(card));
        }
        for (const std::size_t team : {0, 1}) {
            ASSERT_EQ(belote.number(state, {"announced", team_name(team)}), expected[team]) << json;
            scored += expected[team] > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(scored, deals / 4); // otherwise the deals would show nothing
}

TEST(belote, announcements_are_those_of_plain_code) {
    std::uint64_t seed = 100;
    for (const bool reuse : {false, true}) {
        for (const bool ten : {false, true}) {
            for (const bool first : {false, true}) {
                const Options options{{"reuse_cards", reuse ? "yes" : "no"},
                                      {"carre_100_order", ten ? "A 10 K Q" : "A K Q 10"},
                                      {"annonce_tie", first ? "first" : "cancel"}};
                expect_same_announcements(options, {reuse, ten, first}, 600, ++seed);
            }
        }
    }
}

std::vector<Card> cards(const std::vector<std::string>& names) {
    std::vector<Card> made;
    made.reserve(names.size());
    for (const std::string& name : names)
        made.push_back(card_named(name));
    return made;
}

// The score of A's hand if the others have less.
int announced_by(const std::vector<std::string>& hand, const Options& options = {}) {
    Belote belote(options);
    Position position;
    position.trump = 3;
    position.hands[0] = cards(hand);
    State state = belote.position(position_json(position));
    belote.play(state, hand[0]);
    for (const char* card : {"7C", "8C", "9C"})
        belote.play(state, card);
    return belote.number(state, {"announced", "AC"});
}

TEST(belote, announcements_have_their_values) {
    EXPECT_EQ(announced_by({"7S", "8S", "9S", "AH", "TD", "7D", "9D", "JH"}), 20);
    EXPECT_EQ(announced_by({"7S", "8S", "9S", "TS", "TD", "7D", "9D", "JH"}), 50);
    EXPECT_EQ(announced_by({"7S", "8S", "9S", "TS", "JS", "7D", "9D", "JH"}), 100);
    EXPECT_EQ(announced_by({"7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"}), 100);
    EXPECT_EQ(announced_by({"7S", "8S", "9S", "JH", "QH", "KH", "AH", "7D"}), 70);
    EXPECT_EQ(announced_by({"JS", "JH", "JD", "JC", "9S", "9H", "9D", "9C"}), 350);
    EXPECT_EQ(announced_by({"8S", "8H", "8D", "8C", "7S", "7H", "7D", "AC"}), 0);
}

TEST(belote, a_card_serves_once_or_twice) {
    // Four kings and A K Q J T of hearts: 100 and the remaining tierce, or 100 and 100.
    const std::vector<std::string> hand{"KS", "KH", "KD", "KC", "AH", "QH", "JH", "TH"};
    EXPECT_EQ(announced_by(hand), 120);
    EXPECT_EQ(announced_by(hand, {{"reuse_cards", "yes"}}), 200);
    EXPECT_EQ(announced_by(hand, {{"annonces", "off"}}), 0);
}

TEST(belote, the_best_side_shows_its_announcements) {
    Belote belote{Options{}};
    Position position;
    position.trump = 3;
    position.hands[0] = cards({"7S", "8S", "9S", "AH", "TD", "7D", "9D", "JH"});
    position.hands[1] = cards({"JS", "QS", "KS", "AS", "TH", "7H", "9H", "JD"});
    position.hands[3] = cards({"KH", "KD", "KC", "QH", "AD", "AC", "8C", "7C"});
    State state = belote.position(position_json(position));
    for (const char* card : {"7S", "AS", "9C", "AD"})
        belote.play(state, card);
    EXPECT_EQ(belote.at(state, {"shown", "A"}), "");
    EXPECT_EQ(belote.at(state, {"shown", "B", "AS"}), "true");
    EXPECT_EQ(belote.at(state, {"shown", "B", "JS"}), "true");
    EXPECT_EQ(belote.at(state, {"shown", "B", "TS"}), "");
    EXPECT_EQ(belote.at(state, {"shown", "B", "TH"}), "");
    EXPECT_EQ(belote.at(state, {"shown", "D"}), "");
    EXPECT_EQ(belote.number(state, {"declared", "A", "tierce"}), 1);
    EXPECT_EQ(belote.number(state, {"declared", "B", "cinquante"}), 1);
    EXPECT_EQ(belote.at(state, {"declared", "D"}), "");
}

TEST(belote, announcements_are_shown_by_choice) {
    Belote belote(Options{{"declare", "manual"}});
    Position position;
    position.trump = 3;
    position.hands[0] = cards({"7S", "8S", "9S", "AH", "TD", "7D", "9D", "JH"});
    position.hands[1] = cards({"JS", "QS", "KS", "AS", "TH", "7H", "9H", "JD"});
    for (const bool shows : {true, false}) {
        State state = belote.position(position_json(position));
        EXPECT_EQ(belote.moves(state), (std::set<std::string>{"show", "hide"}));
        belote.play(state, "show");
        EXPECT_EQ(belote.at(state, {"turn"}), "\"A\"");
        EXPECT_EQ(belote.number(state, {"declared", "A", "tierce"}), 1);
        belote.play(state, "7S");
        EXPECT_EQ(belote.moves(state), (std::set<std::string>{"show", "hide"}));
        belote.play(state, shows ? "show" : "hide");
        for (const char* card : {"AS", "8C", "9C"})
            belote.play(state, card);
        EXPECT_EQ(belote.number(state, {"announced", "AC"}), shows ? 0 : 20);
        EXPECT_EQ(belote.number(state, {"announced", "BD"}), shows ? 50 : 0);
    }
}

// ---- scores ----------------------------------------------------------------------------------

std::string to_json(const PlayedDeal& deal) {
    const auto both = [](const std::array<int, 2>& of) {
        return "{\"AC\": " + std::to_string(of[0]) + ", \"BD\": " + std::to_string(of[1]) + "}";
    };
    std::string json = "{\"phase\": \"score\", \"trump\": \"H\", \"taker\": \"";
    json += deal.attack == 0 ? "C" : "D";
    json += "\", \"last\": \"" + team_name(static_cast<std::size_t>(deal.last)) +
            "\", \"belote\": " + both(deal.belote) + ", \"announced\": " + both(deal.announced);
    if (deal.pool > 0) json += ", \"pool\": " + std::to_string(deal.pool);
    json += ", \"taken\": {";
    for (const std::size_t team : {0, 1}) {
        json += (team == 0 ? "\"" : ", \"") + team_name(team) +
                "\": {\"points\": " + std::to_string(deal.points[team]) +
                ", \"tricks\": " + std::to_string(deal.tricks[team]) + "}";
    }
    return json + "}}";
}

PlayedDeal random_deal(engine::Random& random) {
    PlayedDeal deal;
    const auto number = [&](std::uint64_t below) { return static_cast<int>(random.below(below)); };
    deal.attack = number(2);
    deal.tricks[0] = number(9);
    deal.tricks[1] = 8 - deal.tricks[0];
    deal.points[0] = deal.tricks[0] == 0   ? 0
                     : deal.tricks[0] == 8 ? 152
                     : number(3) == 0      ? 71 + 10 * number(2) // as many for both is common
                                           : number(153);
    deal.points[1] = 152 - deal.points[0];
    deal.last = deal.tricks[0] == 0 ? 1 : deal.tricks[1] == 0 ? 0 : number(2);
    if (number(3) == 0) deal.belote[static_cast<std::size_t>(number(2))] = 20;
    if (number(3) == 0) deal.announced[static_cast<std::size_t>(number(2))] = 10 * number(30);
    deal.pool = number(4) == 0 ? number(200) : 0;
    return deal;
}

Marks marks_of(Belote& belote, const PlayedDeal& deal) {
    State state = belote.position(to_json(deal));
    belote.run("score", state);
    Marks marks;
    for (const std::size_t team : {0, 1}) {
        marks.marks[team] = belote.number(state, {"marks", team_name(team)});
        EXPECT_EQ(belote.number(state, {"score", team == 0 ? "A" : "B"}), marks.marks[team]);
        EXPECT_EQ(belote.number(state, {"score", team == 0 ? "C" : "D"}), marks.marks[team]);
    }
    marks.pool = belote.number(state, {"pool"});
    return marks;
}

TEST(belote, deals_are_counted_as_by_plain_code_with_all_options) {
    engine::Random random(5);
    using engine::Scalar;
    for (int round = 0; round < 150; ++round) {
        CountRules rules;
        Options options;
        const auto choose = [&](const char* option, const std::vector<Scalar>& values) {
            const std::size_t i = round == 0 ? 0 : random.below(values.size());
            options.emplace_back(option, values[i]);
            return i;
        };
        rules.basis = static_cast<CountRules::Basis>(
            choose("contract_basis", {"all", "cards_belote", "cards"}));
        rules.litige = static_cast<CountRules::Litige>(
            choose("litige", {"carry", "fail", "success", "replay"}));
        rules.rounding =
            static_cast<CountRules::Rounding>(choose("rounding", {"none", "5up", "6up"}));
        rules.capot_points = std::array{
            252, 250,
            162}[choose("capot_points", {std::int64_t{252}, std::int64_t{250}, std::int64_t{162}})];
        rules.fail_points =
            std::array{162, 160}[choose("fail_points", {std::int64_t{162}, std::int64_t{160}})];
        rules.capot_takes_annonces = choose("capot_takes_annonces", {"yes", "no"}) == 0;
        rules.loser_keeps_belote = choose("belote_on_fail", {"kept", "taken"}) == 0;
        rules.another_deal_follows = choose("match", {"deal", "target"}) == 1;
        Belote belote(options);
        for (int i = 0; i < 60; ++i) {
            const PlayedDeal deal = random_deal(random);
            ASSERT_EQ(marks_of(belote, deal), count(deal, rules))
                << to_json(deal) << " with " << ::testing::PrintToString(round);
        }
    }
}

// By hand, with A as the taker: points and tricks of the attack, then the scores.
struct Case {
    const char* what;
    int points;
    int tricks;
    int last; // team
    std::array<int, 2> belote;
    std::array<int, 2> announced;
    std::array<int, 2> marks;
};

TEST(belote, deals_come_to_what_the_rules_say) {
    Belote belote{Options{}};
    const std::vector<Case> cases{
        {"made", 90, 5, 0, {0, 0}, {0, 0}, {100, 62}},
        {"made with belote", 70, 4, 0, {20, 0}, {0, 0}, {100, 82}},
        {"made by one", 72, 4, 0, {0, 0}, {0, 0}, {82, 80}},
        {"dedans", 70, 4, 0, {0, 0}, {0, 0}, {0, 162}},
        {"dedans, keeps its belote", 50, 4, 0, {20, 0}, {0, 0}, {20, 162}},
        {"dedans, announcements go over", 30, 4, 0, {0, 0}, {50, 0}, {0, 212}},
        {"dedans by the other side's belote", 75, 4, 0, {0, 20}, {0, 0}, {0, 182}},
        {"capot", 152, 8, 0, {0, 20}, {0, 0}, {252, 20}},
        {"capot takes announcements", 152, 8, 0, {0, 0}, {0, 100}, {352, 0}},
        {"capot of the defence", 0, 0, 1, {20, 0}, {50, 0}, {20, 302}},
        {"litige of one deal", 71, 4, 0, {0, 0}, {0, 0}, {81, 81}},
        {"litige at 91", 71, 4, 0, {10, 10}, {0, 0}, {91, 91}},
    };
    for (const Case& each : cases) {
        PlayedDeal deal;
        deal.points = {each.points, 152 - each.points};
        deal.tricks = {each.tricks, 8 - each.tricks};
        deal.last = each.last;
        deal.belote = each.belote;
        deal.announced = each.announced;
        EXPECT_EQ(marks_of(belote, deal).marks, each.marks) << each.what;
    }
}

TEST(belote, a_litige_waits_in_the_pool_for_the_winner_of_the_next_deal) {
    Belote belote(Options{{"match", "target"}});
    PlayedDeal deal;
    deal.points = {71, 81};
    deal.tricks = {4, 4};
    EXPECT_EQ(marks_of(belote, deal), (Marks{{0, 81}, 81}));
    deal.pool = 81; // a second one
    EXPECT_EQ(marks_of(belote, deal), (Marks{{0, 81}, 162}));
    deal.points = {91, 61};
    EXPECT_EQ(marks_of(belote, deal), (Marks{{182, 61}, 0}));
    deal.points = {61, 91};
    EXPECT_EQ(marks_of(belote, deal), (Marks{{0, 243}, 0}));
}

// Counts the ways, out of 163, to share the points for which the rounded total is 170 instead of
// 160.
TEST(belote, rounding_marks_ten_more_as_often_as_known) {
    for (const auto& [option, expected] : {std::pair{"5up", 48}, std::pair{"6up", 16}}) {
        Belote belote(Options{{"rounding", option}, {"litige", "success"}});
        int more = 0;
        for (int attack = 0; attack <= 162; ++attack) {
            // Both sides have tricks, and the contract is made: both score their points.
            PlayedDeal deal;
            deal.attack = attack >= 81 ? 0 : 1;
            deal.last = attack >= 10 ? 0 : 1;
            deal.points[0] = attack - (deal.last == 0 ? 10 : 0);
            deal.points[1] = 152 - deal.points[0];
            deal.tricks = {4, 4};
            const Marks marks = marks_of(belote, deal);
            EXPECT_TRUE(marks.marks[0] + marks.marks[1] == 160 ||
                        marks.marks[0] + marks.marks[1] == 170);
            more += marks.marks[0] + marks.marks[1] == 170 ? 1 : 0;
        }
        EXPECT_EQ(more, expected) << option;
    }
}

} // namespace
} // namespace croupier::plain
