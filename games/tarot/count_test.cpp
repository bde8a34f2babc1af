// The results of a deal: scoring inputs compared with plain C++, and the cases that are easy to get
// wrong.
#include "games/tarot/testing.h"

namespace croupier::tarot {

namespace {

// ---- scoring inputs --------------------------------------------------------------------------

// `taker` is A and, of five players with a partner, that is C.
std::string to_json(const Outcome& outcome, bool partner) {
    std::string json = R"({"phase": "score", "contract": {"name": ")" + outcome.bid +
                       R"(", "by": "A")" + (partner ? R"(, "partner": "C")" : "") +
                       R"(}, "taken": {"attack": {"points": )" +
                       halves_json(outcome.attack_halves) + R"(, "bouts": )" +
                       std::to_string(outcome.attack_bouts) + R"(, "tricks": 9}})";
    const auto side = [](int value) { return value > 0 ? "\"attack\"" : "\"defence\""; };
    if (outcome.petit != 0) json += R"(, "petit": )" + std::string(side(outcome.petit));
    json += R"(, "poignees": {)";
    for (std::size_t i = 0; i < outcome.poignees.size(); ++i) {
        const int level = std::abs(outcome.poignees[i]) / 10 - 2;
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) + R"(": {"side": )" +
                side(outcome.poignees[i]) + R"(, "level": ")" +
                std::array{"simple", "double", "triple"}[static_cast<std::size_t>(level)] + "\"}";
    }
    json += R"(}, "slam": {"announced": )" + std::string(outcome.announced ? "true" : "false");
    if (outcome.slam != 0) json += R"(, "made": )" + std::string(side(outcome.slam));
    return json + "}}";
}

Outcome random_outcome(Random& random) {
    const auto number = [&](std::uint64_t below) { return static_cast<int>(random.below(below)); };
    Outcome outcome;
    outcome.bid = std::array{"prise", "garde", "garde-sans", "garde-contre"}[random.below(4)];
    outcome.attack_bouts = number(4);
    outcome.attack_halves = number(3) == 0 ? 70 + number(46) : number(183);
    outcome.petit = number(3) - 1;
    for (int i = number(3); i > 0; --i)
        outcome.poignees.push_back((20 + 10 * number(3)) * (2 * number(2) - 1));
    outcome.announced = number(3) == 0;
    outcome.slam = number(4) == 0 ? 2 * number(2) - 1 : 0;
    return outcome;
}

TEST(tarot, deals_are_counted_as_by_plain_code) {
    Random random(9);
    for (const int players : {3, 4, 5}) {
        for (const bool shower : {false, true}) {
            for (const bool half : {false, true}) {
                Options options;
                options.players = players;
                options.poignee_to_shower = shower;
                options.half_to_nobody = half;
                Table table(options);
                for (int i = 0; i < 200; ++i) {
                    const Outcome outcome = random_outcome(random);
                    const bool partner = players == 5 && random.below(2) == 0;
                    const int each = per_defender(outcome, options);
                    const std::string json = to_json(outcome, partner);
                    std::vector<int> expected(static_cast<std::size_t>(players), -each);
                    expected[0] = each * (partner ? 2 : players - 1);
                    if (partner) expected[2] = each;
                    ASSERT_EQ(table.score(json).scores(), expected) << json;
                }
            }
        }
    }
}

// What each defender pays for points (in halves) and bouts of a garde, with further nodes.
int pays(int halves, int bouts, const std::string& more = "", const std::string& title = "tarot",
         std::vector<GameOption> options = {}) {
    Table table(title, std::move(options));
    table.score(R"({"phase": "score", "contract": {"name": "garde", "by": "A"},
        "taken": {"attack": {"points": )" +
                halves_json(halves) + R"(, "bouts": )" + std::to_string(bouts) +
                R"(, "tricks": 9}})" + more + "}");
    const std::vector<int> scores = table.scores();
    int sum = 0;
    for (const int score : scores)
        sum += score;
    EXPECT_EQ(sum, 0);
    return -scores[1];
}

TEST(tarot, contracts_are_made_with_what_the_bouts_ask_for) {
    EXPECT_EQ(pays(2 * 56, 0), 50);
    EXPECT_EQ(pays(2 * 55, 0), -52);
    EXPECT_EQ(pays(2 * 51, 1), 50);
    EXPECT_EQ(pays(2 * 41, 2), 50);
    EXPECT_EQ(pays(2 * 49, 2), 66);
    EXPECT_EQ(pays(2 * 36, 3), 50);
    EXPECT_EQ(pays(2 * 35, 3), -52);
}

TEST(tarot, the_half_point_goes_to_the_winner) {
    EXPECT_EQ(pays(81, 2), -52); // 40.5 with two bouts: down one
    EXPECT_EQ(pays(83, 2), 52);  // 41.5: one over
    EXPECT_EQ(pays(81, 2, "", "tarot:three"), -52);
    EXPECT_EQ(pays(81, 2, "", "tarot", {{"half_point", "nobody"}}), -50);
    EXPECT_EQ(pays(83, 2, "", "tarot", {{"half_point", "nobody"}}), 50);
}

TEST(tarot, the_petit_au_bout_is_for_who_has_won_it_whatever_the_contract) {
    EXPECT_EQ(pays(2 * 49, 2, R"(, "petit": "attack")"), 66 + 20);
    EXPECT_EQ(pays(2 * 49, 2, R"(, "petit": "defence")"), 66 - 20);
    EXPECT_EQ(pays(2 * 31, 2, R"(, "petit": "attack")"), -70 + 20); // by a losing attack, for it
    EXPECT_EQ(pays(2 * 31, 2, R"(, "petit": "defence")"), -70 - 20);
}

TEST(tarot, a_poignee_is_for_who_wins_the_deal) {
    const auto shown = [](const std::string& side, const std::string& level) {
        return R"(, "poignees": {"0": {"side": ")" + side + R"(", "level": )" + level + "}}";
    };
    EXPECT_EQ(pays(2 * 49, 2, shown("attack", R"("simple")")), 66 + 20);
    EXPECT_EQ(pays(2 * 49, 2, shown("defence", R"("double")")), 66 + 30);
    EXPECT_EQ(pays(2 * 31, 2, shown("attack", R"("triple")")), -70 - 40);
    EXPECT_EQ(pays(2 * 31, 2, shown("defence", "1")), -70 - 20); // by number as well
    EXPECT_EQ(pays(2 * 49, 2, shown("defence", "2"), "tarot", {{"poignee_to", "shower"}}), 66 - 30);
    EXPECT_EQ(pays(2 * 49, 2,
                   R"(, "poignees": {"0": {"side": "attack", "level": "simple"},
                                     "1": {"side": "defence", "level": "simple"}})"),
              66 + 40);
}

TEST(tarot, slams_have_their_premiums) {
    const auto slam = [](const std::string& of) { return R"(, "slam": {)" + of + "}"; };
    EXPECT_EQ(pays(182, 3, slam(R"("announced": true, "made": "attack")")), 160 + 400);
    EXPECT_EQ(pays(182, 3, slam(R"("made": "attack")")), 160 + 200);
    EXPECT_EQ(pays(2 * 49, 2, slam(R"("announced": true)")), 66 - 200);
    EXPECT_EQ(pays(0, 0, slam(R"("made": "defence")")), -162 - 200);
    EXPECT_EQ(pays(0, 0, slam(R"("announced": true, "made": "defence")")), -162 - 400);
}

TEST(tarot, who_shares_how) {
    const auto scores = [](const std::string& title, const std::string& partner) {
        Table table(title);
        return table
            .score(R"({"contract": {"name": "prise", "by": "B")" + partner +
                   R"(}, "taken": {"attack": {"points": 41, "bouts": 2, "tricks": 9}}})")
            .scores();
    };
    EXPECT_EQ(scores("tarot:three", ""), (std::vector{-25, 50, -25}));
    EXPECT_EQ(scores("tarot", ""), (std::vector{-25, 75, -25, -25}));
    EXPECT_EQ(scores("tarot:five", ""), (std::vector{-25, 100, -25, -25, -25}));
    EXPECT_EQ(scores("tarot:five", R"(, "partner": "D")"), (std::vector{-25, 50, -25, 25, -25}));
}

TEST(tarot, a_misere_is_worth_ten_times_the_contract) {
    const std::string scored = R"(, "misere": {"B": true})";
    EXPECT_EQ(pays(2 * 49, 2, scored), 66);
    EXPECT_EQ(pays(2 * 49, 2, scored, "tarot", {{"misere", std::int64_t{10}}}), 66 - 20);
    EXPECT_EQ(
        pays(2 * 31, 2, R"(, "misere": {"A": true})", "tarot", {{"misere", std::int64_t{10}}}),
        -70 + 20);
}

// How a deal ends: the Excuse, the petit and the dog; poignées; matches.

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
    // Not in the last trick: B keeps it, and A's trick gets half a point for it.
    Table table = ending({{"S14", "S2"}, {"EX", "H2"}, {"S3", "H3"}, {"S4", "H4"}}, 80, 1, 9);
    table.play("S14 EX S3 S4");
    EXPECT_EQ(table.at("taken.attack.points"), "46"); // 40 + 4.5 + 0.5 + 0.5 + 0.5
    EXPECT_EQ(table.at("taken.attack.bouts"), "1");
    EXPECT_EQ(table.at("taken.defence.points"), "4");
    EXPECT_EQ(table.at("taken.defence.bouts"), "1");
    // The taker's own trick: no exchange.
    Table own = ending({{"EX", "S2"}, {"S5", "H2"}, {"S3", "H3"}, {"S4", "H4"}}, 80, 1, 9);
    own.play("EX S5 S3 S4");
    EXPECT_EQ(own.at("taken.attack.points"), "44");
    EXPECT_EQ(own.at("taken.attack.bouts"), "2");
    EXPECT_EQ(own.at("taken.defence.points"), "2");
}

TEST(tarot, the_excuse_in_the_last_trick_changes_sides) {
    // Played by the taker, won by a defender; by a defender, won by the taker; by a defender, won
    // by another.
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
    // One trick short: without a slam the Excuse is not kept.
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
    // A has taken everything; B's Excuse keeps 4.5 and owes a half forever.
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
        // Only the lowest may stay hidden.
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
    // A deal that all pass does not count.
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
