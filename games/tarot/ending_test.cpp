// How a deal ends: what the Excuse, the petit and the dog come to; poignées; matches.
#include "games/tarot/testing.h"

namespace croupier::tarot {
namespace {

// ---- the end of a deal -----------------------------------------------------------------------

// A is the taker of a garde and leads; each holds the cards of a hand.
Table ending(const std::vector<std::vector<std::string>>& hands, int halves, int bouts, int tricks,
             std::vector<GameOption> options = {}, const std::string& more = "") {
    Table table("tarot", std::move(options));
    table.load(R"({"phase": "play", "dealer": "D", "turn": "A",
        "contract": {"name": "garde", "by": "A"}, "taken": {"attack": {"points": )" +
               halves_json(halves) + R"(, "bouts": )" + std::to_string(bouts) + R"(, "tricks": )" +
               std::to_string(tricks) + "}}" + more +
               ", \"hands\": " + hands_json(all_cards(hands)) + "}");
    return table;
}

TEST(tarot, the_excuse_costs_its_side_half_a_point) {
    // Not in the last trick: B keeps it, and A's trick has half a point in its place.
    Table table = ending({{"S14", "S2"}, {"EX", "H2"}, {"S3", "H3"}, {"S4", "H4"}}, 80, 1, 9);
    table.play("S14 EX S3 S4");
    EXPECT_EQ(table.at("taken.attack.points"), "46"); // 40 + 4.5 + 0.5 + 0.5 + 0.5
    EXPECT_EQ(table.at("taken.attack.bouts"), "1");
    EXPECT_EQ(table.at("taken.defence.points"), "4");
    EXPECT_EQ(table.at("taken.defence.bouts"), "1");
    // The taker's own trick: nothing changes hands.
    Table own = ending({{"EX", "S2"}, {"S5", "H2"}, {"S3", "H3"}, {"S4", "H4"}}, 80, 1, 9);
    own.play("EX S5 S3 S4");
    EXPECT_EQ(own.at("taken.attack.points"), "44");
    EXPECT_EQ(own.at("taken.attack.bouts"), "2");
    EXPECT_EQ(own.at("taken.defence.points"), "2");
}

TEST(tarot, the_excuse_in_the_last_trick_changes_sides) {
    // Played by the taker, won by a defender; by a defender, won by the taker; by a defender and
    // won by another.
    struct Case {
        std::vector<std::vector<std::string>> hands;
        const char* play;
        int opponents; // halves of the attack, after 80
        int winner;
    };
    const std::vector<Case> cases{
        {{{"EX"}, {"S5"}, {"S3"}, {"S4"}}, "EX S5 S3 S4", 0, 0},
        {{{"S5"}, {"EX"}, {"S3"}, {"S4"}}, "S5 EX S3 S4", 3 + 9, 3 + 9},
        {{{"S5"}, {"EX"}, {"S13"}, {"S4"}}, "S5 EX S13 S4", 9 - 1, 0},
    };
    for (const Case& each : cases) {
        for (const char* option : {"opponents", "trick_winner"}) {
            Table table = ending(each.hands, 80, 1, 9, {{"excuse_last", option}});
            table.play(each.play);
            const int halves = option == std::string("opponents") ? each.opponents : each.winner;
            EXPECT_EQ(2 * std::stod(table.at("taken.attack.points")), 80 + halves)
                << each.play << option;
            EXPECT_EQ(table.at("taken.attack.bouts"), halves > 3 ? "2" : "1");
        }
    }
}

TEST(tarot, the_excuse_wins_the_last_trick_of_a_slam_and_the_petit_is_au_bout_before) {
    const std::vector<std::vector<std::string>> hands{
        {"T1", "EX"}, {"H2", "S5"}, {"H3", "S13"}, {"H4", "S4"}};
    for (const auto& [option, made] :
         {std::pair{"attack", true}, std::pair{"either", true}, std::pair{"nobody", false}}) {
        Table table = ending(hands, 160, 1, 16, {{"excuse_slam", option}});
        table.play("T1 H2 H3 H4 EX S5 S13 S4");
        EXPECT_EQ(table.at("slam.made"), made ? "\"attack\"" : "") << option;
        EXPECT_EQ(table.at("petit"), made ? "\"attack\"" : "") << option;
        EXPECT_EQ(table.at("taken.attack.bouts"), made ? "3" : "2") << option;
    }
    // One trick short: no slam to keep the Excuse for.
    Table short_of = ending(hands, 140, 1, 15);
    short_of.play("T1 H2 H3 H4 EX S5 S13 S4");
    EXPECT_EQ(short_of.at("slam"), "");
    EXPECT_EQ(short_of.at("petit"), "");
    EXPECT_EQ(short_of.at("taken.attack.bouts"), "2");
    // A slam of the defence.
    const std::vector<std::vector<std::string>> others{
        {"H2", "S5"}, {"T5", "EX"}, {"H3", "S13"}, {"H4", "S4"}};
    for (const char* option : {"attack", "either"}) {
        Table table = ending(others, 0, 0, 0, {{"excuse_slam", option}});
        table.play("H2 T5 H3 H4 EX S13 S4 S5");
        EXPECT_EQ(table.at("slam.made"), "\"defence\"") << option; // C's trick in any case
        EXPECT_EQ(table.at("taken.attack.bouts"), option == std::string("attack") ? "1" : "0");
    }
}

TEST(tarot, a_slam_against_the_excuse_alone_is_87_to_4) {
    // A has taken all; B's Excuse keeps 4.5 and owes a half for ever.
    Table table = ending({{"S14", "T21"}, {"EX", "H2"}, {"S3", "H3"}, {"S4", "H4"}}, 2 * 75, 1, 16);
    table.play("S14 EX S3 S4 T21 H2 H3 H4");
    EXPECT_EQ(table.at("taken.attack.points"), "87");
    EXPECT_EQ(table.at("taken.defence.points"), "4");
    EXPECT_EQ(table.at("slam.made"), "\"attack\"");
}

TEST(tarot, the_petit_au_bout_is_won_by_the_last_trick) {
    Table kept = ending({{"T1"}, {"H2"}, {"H3"}, {"H4"}}, 20, 0, 9);
    EXPECT_EQ(kept.play("T1 H2 H3 H4").at("petit"), "\"attack\"");
    Table lost = ending({{"T1"}, {"T2"}, {"H3"}, {"H4"}}, 20, 0, 9);
    EXPECT_EQ(lost.play("T1 T2 H3 H4").at("petit"), "\"defence\"");
    Table before = ending({{"T1", "T5"}, {"H2", "S2"}, {"H3", "S3"}, {"H4", "S4"}}, 20, 0, 9);
    EXPECT_EQ(before.play("T1 H2 H3 H4 T5 S2 S3 S4").at("petit"), "");
}

TEST(tarot, the_discards_are_the_takers_and_the_dog_is_whose_the_contract_says) {
    const std::vector<std::vector<std::string>> hands{{"T5"}, {"H2"}, {"H3"}, {"H4"}};
    const std::string dog = R"("S14": true, "T1": true, "S1": true, "S2": true})";
    Table aside = ending(hands, 20, 0, 9, {}, R"(, "aside": {"S13": true, "S12": true})");
    EXPECT_EQ(aside.play("T5 H2 H3 H4").at("taken.attack.points"), "18"); // 10 + 2 + 3.5 + 2.5
    for (const auto& [name, points, bouts] :
         {std::tuple{"garde-sans", "22", "1"}, std::tuple{"garde-contre", "12", "0"}}) {
        Table table("tarot");
        table.load(R"({"phase": "play", "turn": "A", "contract": {"by": "A", "name": ")" +
                   std::string(name) +
                   R"("}, "taken": {"attack": {"points": 10, "bouts": 0, "tricks": 9}}, "dog": {)" +
                   dog + ", \"hands\": " + hands_json(all_cards(hands)) + "}");
        table.play("T5 H2 H3 H4");
        EXPECT_EQ(table.at("taken.attack.points"), points) << name;
        EXPECT_EQ(table.at("taken.attack.bouts"), bouts) << name;
    }
}

// ---- poignées --------------------------------------------------------------------------------

// B, to lead, holds these trumps and hearts up to 18 cards; A is the taker.
std::string trumps_json(int low, int high, bool excuse, const std::string& more = "") {
    std::vector<Card> hand;
    for (int rank = low; rank <= high; ++rank)
        hand.push_back({'T', rank});
    if (excuse) hand.push_back({});
    for (int rank = 1; hand.size() < 18; ++rank)
        hand.push_back(rank <= 14 ? Card{'H', rank} : Card{'D', rank - 14});
    return R"({"phase": "play", "dealer": "A", "turn": "B", "contract": {"name": "prise", "by": "A"})" +
           more + R"(, "hands": {"A": {"S1": true}, "C": {"S2": true}, "D": {"S3": true}, "B": )" +
           cards_json(hand) + "}}";
}

TEST(tarot, a_poignee_is_shown_with_the_first_card) {
    struct Case {
        int low;
        int high;
        bool excuse;
        const char* level;
        int shown;
        bool excuse_shown;
    };
    const std::vector<Case> cases{
        {1, 9, false, "", 0, false},
        {1, 9, true, "\"simple\"", 10, true},
        {1, 10, true, "\"simple\"", 10, false},
        {1, 12, false, "\"simple\"", 10, false},
        {1, 12, true, "\"double\"", 13, true},
        {1, 15, false, "\"triple\"", 15, false},
    };
    Table table("tarot");
    for (const Case& each : cases) {
        table.load(trumps_json(each.low, each.high, each.excuse));
        EXPECT_EQ(table.at("showed"), "");
        table.play("T5");
        EXPECT_EQ(table.at("showed.B"), each.level);
        EXPECT_EQ(table.at("shown.B.EX"), each.excuse_shown ? "true" : "");
        const Document state = table.position().state();
        EXPECT_EQ(static_cast<int>(cards_at(state, "shown", "B").size()), each.shown);
        // What may stay hidden are the lowest.
        const bool all = each.shown == each.high + (each.excuse_shown ? 1 : 0);
        EXPECT_EQ(table.at("shown.B.T1"), each.shown > 0 && all ? "true" : "");
    }
}

TEST(tarot, a_poignee_is_shown_by_choice) {
    Table table("tarot", {{"poignee", "manual"}});
    for (const bool shows : {true, false}) {
        table.load(trumps_json(1, 11, false));
        EXPECT_EQ(table.moves(), (std::vector<std::string>{"hide", "show"}));
        table.play(shows ? "show" : "hide");
        EXPECT_EQ(table.at("turn"), "\"B\"");
        EXPECT_EQ(table.at("showed.B"), shows ? "\"simple\"" : "\"none\"");
        EXPECT_EQ(table.moves().size(), 18U);
    }
}

TEST(tarot, trumps_put_aside_count_for_a_poignee_and_are_shown) {
    std::string json =
        trumps_json(3, 11, false, R"(, "aside": {"T2": true}, "exposed": {"T2": true})");
    const std::size_t by = json.find(R"("by": "A")");
    json.replace(by, 9, R"("by": "B")");
    Table table("tarot");
    table.load(json).play("T5");
    EXPECT_EQ(table.at("showed.B"), "\"simple\"");
    EXPECT_EQ(table.at("shown.B.T2"), "true");
}

TEST(tarot, who_else_has_a_poignee_is_nobodys_business) {
    Table table("tarot");
    table.load(trumps_json(1, 12, true));
    const auto view = table.game().new_position();
    view->view_from(table.position(), 0);
    EXPECT_EQ(at(view->state(), "poignee"), "{}");
    view->view_from(table.position(), 1);
    EXPECT_EQ(at(view->state(), "poignee.B"), "\"double\"");
}

// ---- matches ---------------------------------------------------------------------------------

TEST(tarot, misere_and_trumps_put_aside_are_of_their_deal_alone) {
    Table table = ending({{"S14"}, {"S2"}, {"S3"}, {"S4"}}, 80, 1, 17,
                         {{"match", "target"}, {"misere", std::int64_t{10}}},
                         R"(, "misere": {"B": true}, "exposed": {"T5": true})");
    table.play("S14 S2 S3 S4");
    EXPECT_EQ(table.at("played"), "1");
    EXPECT_EQ(table.at("phase"), "\"bid\"");
    EXPECT_EQ(table.at("misere"), "");
    EXPECT_EQ(table.at("exposed"), "");
}

TEST(tarot, a_match_is_so_many_deals_and_their_sum) {
    Table table("tarot", {{"match", "target"}, {"deals", std::int64_t{3}}, {"dealer", "C"}});
    table.deal(4);
    Random random(4);
    std::vector<int> sum(4);
    std::vector<std::string> dealers;
    int played = 0;
    while (table.position().ending() == games::Ending::None) {
        if (dealers.empty() || dealers.back() != table.at("dealer"))
            dealers.push_back(table.at("dealer"));
        const auto moves = table.moves();
        table.play(moves[random.below(moves.size())]);
        const std::string now = table.at("played");
        if (!now.empty()) played = std::stoi(now);
    }
    EXPECT_EQ(played, 3);
    EXPECT_EQ(dealers, (std::vector<std::string>{"\"C\"", "\"D\"", "\"A\""}));
    for (std::size_t seat = 0; seat < 4; ++seat)
        EXPECT_EQ(table.at("total." + seat_name(static_cast<int>(seat))),
                  std::to_string(table.scores()[seat]));
    // A deal that all pass is not counted.
    table.deal(5).play("pass pass pass pass");
    EXPECT_EQ(table.at("played"), "");
    EXPECT_EQ(table.at("dealer"), "\"D\"");
    EXPECT_EQ(table.at("phase"), "\"bid\"");
    Table one("tarot");
    one.deal(5).play("pass pass pass pass");
    EXPECT_EQ(one.position().ending(), games::Ending::Over);
}

} // namespace
} // namespace croupier::tarot
