// What a deal comes to: scoring inputs against plain C++, and the cases in which implementations
// slip.
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

// What each defender pays for points (in halves) and bouts of a garde, with what is said beside it.
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

} // namespace
} // namespace croupier::tarot
