// Scores compared with plain code and with numbers by hand; and every option makes a difference.
#include "engine/api/random.h"
#include "games/coinche/testing.h"

namespace croupier::plain {
namespace {

PlayedCoinche random_deal(const CoincheOptions& options, engine::Random& random) {
    const auto number = [&](std::uint64_t below) { return static_cast<int>(random.below(below)); };
    PlayedCoinche deal;
    const bool all_kinds = options.text("sa_ta") == "on";
    deal.contract.denomination = std::array{
        "S", "H", "D", "C", "SA", "TA"}[static_cast<std::size_t>(number(all_kinds ? 6 : 4))];
    deal.contract.value = number(5) == 0 ? options.number("capot_bid")
                          : number(4) == 0 && options.text("generale") == "on"
                              ? 500
                              : 80 + 10 * number(9);
    deal.contract.by = number(4);
    deal.contract.times = 1 << number(3);
    const int pack =
        deal.contract.denomination == "SA" && options.text("sa_values") == "raw"          ? 120
        : deal.contract.denomination == "TA" && options.text("ta_values") == "convert258" ? 248
                                                                                          : 152;
    deal.tricks[0] = number(3) == 0 ? 8 * number(2) : number(9);
    deal.tricks[1] = 8 - deal.tricks[0];
    const std::size_t attack = deal.contract.by % 2 == 0 ? 0 : 1;
    // Half of the time near the bid, where the result is decided.
    const int near = std::clamp(deal.contract.value - 12 + number(6), 0, pack);
    deal.points[attack] = number(2) == 0 ? near : number(static_cast<std::uint64_t>(pack) + 1);
    for (const std::size_t team : {0, 1}) {
        if (deal.tricks[team] == 8) {
            deal.points[team] = pack;
            deal.points[1 - team] = 0;
        }
    }
    deal.points[1 - attack] = pack - deal.points[attack];
    deal.last = deal.tricks[0] == 0 ? 1 : deal.tricks[1] == 0 ? 0 : number(2);
    deal.alone = number(2) == 0;
    if (number(3) == 0) deal.belote[static_cast<std::size_t>(number(2))] = 20;
    if (number(3) == 0) deal.announced[static_cast<std::size_t>(number(2))] = 10 * number(30);
    return deal;
}

TEST(coinche, deals_are_counted_as_by_plain_code_with_all_options) {
    engine::Random random(5);
    for (int round = 0; round < 150; ++round) {
        CoincheOptions options;
        for (const Choice& choice : coinche_choices()) {
            const std::size_t i = round == 0 ? 0 : random.below(choice.values.size());
            options.set(choice.name, choice.values[i]);
        }
        Coinche coinche(options);
        for (int i = 0; i < 100; ++i) {
            const PlayedCoinche deal = random_deal(options, random);
            ASSERT_EQ(coinche.marks(deal), coinche_marks(deal, options))
                << to_json(deal) << " in round " << round;
        }
    }
}

// ---- every option has an effect --------------------------------------------------------------

// Other options that this one needs to have an effect.
CoincheOptions context_of(const std::string& option) {
    CoincheOptions options;
    if (option == "sa_values" || option == "sa_carres" || option.compare(0, 3, "ta_") == 0)
        options.set("sa_ta", "on");
    if (option == "eighty_needs_82") options.set("must_beat_defence", "no");
    if (option == "generale_leads") options.set("generale", "on");
    if (option == "capot_bid") options.set("max_bid", "260");
    return options;
}

// Compares the ruleset with the option set and plain code without it.
bool is_noticed(const std::string& option, const std::string& value) {
    const CoincheOptions without = context_of(option);
    CoincheOptions flipped = without;
    flipped.set(option, value);
    Coinche coinche(flipped);
    engine::Random random(17);
    for (int i = 0; i < 2000; ++i) {
        const PlayedCoinche deal = random_deal(without, random);
        if (coinche.marks(deal) != coinche_marks(deal, without)) return true;
    }
    Seen seen;
    for (std::uint64_t seed = 1; seed < 4000; ++seed)
        if (!difference(coinche, without, seed, seen).empty()) return true;
    return false;
}

TEST(coinche, every_option_makes_a_difference) {
    for (const Choice& choice : coinche_choices()) {
        for (std::size_t i = 1; i < choice.values.size(); ++i) {
            // The option for packets affects only the deal: see play_test.cpp.
            EXPECT_TRUE(choice.name == "packets" || is_noticed(choice.name, choice.values[i]))
                << choice.name << " = " << choice.values[i];
        }
    }
}

// ---- by hand ---------------------------------------------------------------------------------

// A has bid; the tricks and points of that side, and the scores.
struct Case {
    const char* what;
    int value;
    int times;
    int points;
    int tricks;
    int last; // team
    std::array<int, 2> belote;
    std::array<int, 2> announced;
    std::array<int, 2> marks;
};

void expect_marks(const CoincheOptions& options, const std::vector<Case>& cases) {
    Coinche coinche(options);
    for (const Case& each : cases) {
        PlayedCoinche deal;
        deal.contract = {each.value, "H", 0, each.times};
        deal.points = {each.points, 152 - each.points};
        deal.tricks = {each.tricks, 8 - each.tricks};
        deal.last = each.last;
        deal.belote = each.belote;
        deal.announced = each.announced;
        EXPECT_EQ(coinche.marks(deal), each.marks) << each.what;
    }
}

TEST(coinche, deals_come_to_what_the_federations_coinche_says) {
    expect_marks(
        {}, {
                {"made", 90, 1, 84, 5, 0, {0, 0}, {0, 0}, {180, 70}},
                {"89 is not 90, though it rounds to it", 90, 1, 79, 5, 0, {0, 0}, {0, 0}, {0, 250}},
                {"81-81 is not made", 80, 1, 71, 4, 0, {0, 0}, {0, 0}, {0, 240}},
                {"82-80 is", 80, 1, 72, 4, 0, {0, 0}, {0, 0}, {160, 80}},
                {"belote helps", 100, 1, 70, 4, 0, {20, 0}, {0, 0}, {200, 80}},
                {"the other side's belote too", 80, 1, 75, 4, 0, {0, 20}, {0, 0}, {0, 260}},
                {"announcements help", 130, 1, 70, 4, 0, {0, 0}, {50, 0}, {260, 80}},
                {"and are lost", 160, 1, 70, 4, 0, {0, 0}, {50, 0}, {0, 370}},
                {"the loser keeps belote", 130, 1, 70, 4, 0, {20, 0}, {0, 0}, {20, 290}},
                {"coinche made", 90, 2, 84, 5, 0, {0, 20}, {0, 0}, {500, 20}},
                {"coinche with announcements", 90, 2, 84, 5, 0, {20, 0}, {20, 0}, {560, 0}},
                {"coinche failed", 90, 2, 70, 5, 0, {0, 0}, {0, 0}, {0, 500}},
                {"surcoinche failed", 90, 4, 70, 5, 0, {0, 0}, {0, 0}, {0, 1000}},
                {"all tricks, not bid", 90, 1, 152, 8, 0, {0, 0}, {0, 0}, {340, 0}},
                {"capot", 250, 1, 152, 8, 0, {0, 0}, {0, 0}, {500, 0}},
                {"capot failed", 250, 1, 140, 7, 0, {0, 0}, {0, 0}, {0, 500}},
                {"capot, coinche", 250, 2, 152, 8, 0, {0, 0}, {0, 0}, {1000, 0}},
                {"no trick at all", 90, 1, 0, 0, 1, {20, 0}, {0, 0}, {20, 340}},
                {"half of ten is ten", 80, 1, 75, 5, 0, {0, 0}, {0, 0}, {170, 80}},
            });
}

TEST(coinche, the_presets_come_to_what_their_texts_say) {
    const CoincheOptions contree =
        with({{"annonces", "off"}, {"must_beat_defence", "no"}, {"belote_loser", "taken"}});
    expect_marks(contree,
                 {
                     {"160 and the bid", 90, 1, 70, 5, 0, {0, 0}, {0, 0}, {0, 250}},
                     {"320 and twice the bid", 90, 2, 70, 5, 0, {0, 0}, {0, 0}, {0, 500}},
                     {"640 and four times", 90, 4, 84, 5, 0, {0, 0}, {0, 0}, {1000, 0}},
                     {"capot 2000", 250, 4, 152, 8, 0, {0, 0}, {0, 0}, {2000, 0}},
                     {"belote goes to who wins", 130, 1, 70, 4, 0, {20, 0}, {0, 0}, {0, 310}},
                     {"81-81 is made", 80, 1, 71, 4, 0, {0, 0}, {0, 0}, {160, 80}},
                 });
    CoincheOptions note = contree;
    note.set("double", "bid");
    expect_marks(note, {{"160 and twice the bid", 90, 2, 70, 5, 0, {0, 0}, {0, 0}, {0, 340}},
                        {"four times", 90, 4, 84, 5, 0, {0, 0}, {0, 0}, {520, 0}}});
    CoincheOptions made = contree;
    made.set("method", "made");
    expect_marks(made, {{"made", 90, 1, 84, 5, 0, {0, 0}, {0, 0}, {90, 70}},
                        {"failed", 90, 1, 70, 5, 0, {0, 0}, {0, 0}, {0, 160}},
                        {"coinche", 90, 2, 70, 5, 0, {0, 0}, {0, 0}, {0, 320}},
                        {"surcoinche and all tricks", 90, 4, 152, 8, 0, {0, 0}, {0, 0}, {740, 0}},
                        {"capot doubled", 250, 2, 152, 8, 0, {0, 0}, {0, 0}, {1000, 0}}});
    expect_marks(with({{"annonces", "off"},
                       {"must_beat_defence", "no"},
                       {"double", "bid"},
                       {"doubled_points", "points"},
                       {"eighty_needs_82", "yes"}}),
                 {{"each his points", 90, 2, 84, 5, 0, {0, 0}, {0, 0}, {270, 70}},
                  {"81 is not enough for 80", 80, 1, 71, 4, 0, {0, 0}, {0, 0}, {0, 240}}});
    expect_marks(with({{"annonces", "off"},
                       {"must_beat_defence", "no"},
                       {"method", "bid_only"},
                       {"rounding", "none"}}),
                 {{"the bid", 110, 1, 110, 5, 0, {20, 0}, {0, 0}, {110, 0}},
                  {"four times", 110, 4, 70, 5, 0, {20, 0}, {0, 0}, {0, 440}}});
}

} // namespace
} // namespace croupier::plain
