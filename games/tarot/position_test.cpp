// What may be done: packs and positions written by hand.
#include "games/tarot/testing.h"

namespace croupier::tarot {
namespace {

// ---- the deal --------------------------------------------------------------------------------

std::string deck_of(const std::vector<Card>& pack) {
    std::string deck;
    for (const Card& card : pack)
        deck += (deck.empty() ? "" : ",") + name_of(card);
    return deck;
}

TEST(tarot, a_fixed_pack_is_dealt_in_packets_with_the_dog_between) {
    Random random(5);
    for (const int players : {3, 4, 5}) {
        for (int dealer = 0; dealer < players; ++dealer) {
            std::vector<Card> pack = whole_pack();
            for (std::size_t i = pack.size() - 1; i > 0; --i)
                std::swap(pack[i], pack[random.below(i + 1)]);
            Table table(title_of(players),
                        {{"deck", deck_of(pack)}, {"dealer", seat_name(dealer)}});
            table.deal(1);
            // The first packet goes to the player after the dealer, the next card to the dog.
            const int packet = players == 3 ? 4 : 3;
            const std::string first = "hands." + seat_name((dealer + 1) % players) + ".";
            for (int i = 0; i < packet; ++i)
                EXPECT_EQ(table.at(first + name_of(pack[static_cast<std::size_t>(i)])), "true");
            EXPECT_EQ(table.at("dog." + name_of(pack[static_cast<std::size_t>(packet)])), "true");
            EXPECT_EQ(table.at("dog." + name_of(pack.back())), "");
            Options options;
            options.players = players;
            Deal deal(options, dealer);
            deal.deal(pack);
            while (!deal.over()) {
                ASSERT_EQ(table.moves(), sorted(deal.moves()));
                const std::string move = deal.moves().back();
                deal.play(move);
                table.play(move);
            }
            EXPECT_EQ(table.scores(), deal.scores());
        }
    }
}

// A pack that gives A, who deals, these cards, and the dog, with other cards for the rest.
std::string pack_for(const std::vector<std::string>& hand, const std::vector<std::string>& dog) {
    std::vector<Card> rest;
    const std::vector<Card> mine = cards(hand);
    const std::vector<Card> lies = cards(dog);
    for (const Card& card : whole_pack()) {
        if (std::find(mine.begin(), mine.end(), card) == mine.end() &&
            std::find(lies.begin(), lies.end(), card) == lies.end())
            rest.push_back(card);
    }
    std::vector<Card> pack;
    auto own = mine.begin();
    auto down = lies.begin();
    auto other = rest.begin();
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 13; ++i)
            pack.push_back(i == 3 ? *down++ : i >= 10 ? *own++ : *other++);
    }
    return deck_of(pack);
}

const std::vector<std::string> kPetitSec{"T1", "S2", "S3", "S4", "S5", "S6", "H2", "H3", "H4",
                                         "H5", "H6", "D2", "D3", "D4", "D5", "C2", "C3", "C4"};
const std::vector<std::string> kDog{"S10", "H10", "D10", "C10", "T2", "T3"};

TEST(tarot, the_petit_alone_voids_the_deal) {
    Table cancelled("tarot", {{"deck", pack_for(kPetitSec, kDog)}});
    EXPECT_EQ(cancelled.deal(1).position().ending(), games::Ending::Over);
    EXPECT_EQ(cancelled.scores(), (std::vector{0, 0, 0, 0}));
    Table played("tarot", {{"deck", pack_for(kPetitSec, kDog)}, {"petit_sec", "play"}});
    EXPECT_EQ(played.deal(1).position().ending(), games::Ending::None);
    // With the Excuse it is not alone.
    std::vector<std::string> with_excuse = kPetitSec;
    with_excuse.back() = "EX";
    Table excused("tarot", {{"deck", pack_for(with_excuse, kDog)}});
    EXPECT_EQ(excused.deal(1).position().ending(), games::Ending::None);
    // In a match the next player deals, from a pack that is shuffled.
    Table match("tarot", {{"deck", pack_for(kPetitSec, kDog)}, {"match", "target"}});
    EXPECT_EQ(match.deal(1).position().ending(), games::Ending::None);
    EXPECT_EQ(match.at("dealer"), "\"B\"");
    EXPECT_EQ(match.at("turn"), "\"C\"");
}

// ---- bids and the dog ------------------------------------------------------------------------

using Names = std::vector<std::string>;

TEST(tarot, each_speaks_once_and_higher_or_not_at_all) {
    Table table("tarot");
    table.deal(2);
    EXPECT_EQ(table.at("turn"), "\"B\"");
    EXPECT_EQ(table.moves(), (Names{"garde", "garde-contre", "garde-sans", "pass", "prise"}));
    table.play("garde");
    EXPECT_EQ(table.moves(), (Names{"garde-contre", "garde-sans", "pass"}));
    table.play("pass garde-sans");
    EXPECT_EQ(table.at("turn"), "\"A\"");
    EXPECT_EQ(table.moves(), (Names{"garde-contre", "pass"}));
    table.play("pass");
    EXPECT_EQ(table.at("taker"), "\"D\"");
    EXPECT_EQ(table.at("phase"), "\"slam\"");
    EXPECT_NE(table.at("dog"), ""); // nobody has looked
    EXPECT_EQ(table.moves(), (Names{"chelem", "play"}));
    table.play("play");
    EXPECT_EQ(table.at("turn"), "\"B\"");

    table.deal(2).play("pass pass pass pass");
    EXPECT_EQ(table.position().ending(), games::Ending::Over);
    EXPECT_EQ(table.scores(), (std::vector{0, 0, 0, 0}));

    table.deal(2).play("pass pass garde-contre pass chelem");
    EXPECT_EQ(table.at("turn"), "\"D\"");
    EXPECT_EQ(table.at("slam.announced"), "true");
}

// A takes the dog with this hand.
Table taken(const Names& hand, const Names& dog) {
    Table table("tarot", {{"deck", pack_for(hand, dog)}});
    table.deal(1).play("pass pass pass garde");
    return table;
}

TEST(tarot, kings_and_bouts_stay_in_the_hand) {
    const Names hand{"S14", "H14", "D14", "C14", "S13", "S1", "H12", "H1", "D2",
                     "T1",  "T21", "EX",  "T5",  "T6",  "T7", "T8",  "T9", "T10"};
    Table table = taken(hand, {"C3", "C4", "C5", "C6", "T11", "T12"});
    EXPECT_EQ(table.moves(), (Names{"C3", "C4", "C5", "C6", "D2", "H1", "H12", "S1", "S13"}));
    EXPECT_EQ(table.at("open.C3"), "true");
    table.play("C3 C4 C5 C6 D2");
    EXPECT_EQ(table.moves(), (Names{"H1", "H12", "S1", "S13"}));
    table.play("S13");
    EXPECT_EQ(table.at("phase"), "\"slam\"");
    EXPECT_EQ(table.at("aside.S13"), "true");
    EXPECT_EQ(table.at("hands.A.S13"), "");
    EXPECT_EQ(table.at("exposed"), "");
}

TEST(tarot, trumps_are_discarded_only_for_want_of_other_cards) {
    const Names hand{"S14", "H14", "D14", "C14", "S13", "S1", "T2", "T3", "T4",
                     "T1",  "T21", "EX",  "T5",  "T6",  "T7", "T8", "T9", "T10"};
    Table table = taken(hand, {"C3", "C4", "C5", "T13", "T11", "T12"});
    const Names trumps{"T10", "T11", "T12", "T13", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"};
    Names all{"C3", "C4", "C5", "S1", "S13"};
    all.insert(all.end(), trumps.begin(), trumps.end());
    EXPECT_EQ(table.moves(), all); // five plain cards for six places
    table.play("T10");             // in any order
    EXPECT_EQ(table.moves(), (Names{"C3", "C4", "C5", "S1", "S13"}));
    table.play("C3 C4 C5 S1 S13");
    EXPECT_EQ(table.at("phase"), "\"slam\"");
    EXPECT_EQ(table.at("exposed"), R"({"T10":true})");
}

TEST(tarot, the_others_see_the_dog_but_not_what_is_put_aside) {
    Table table("tarot", {{"deck", pack_for(kPetitSec, kDog)}, {"petit_sec", "play"}});
    table.deal(1);
    const auto view = table.game().new_position();
    view->view_from(table.position(), 0);
    EXPECT_EQ(at(view->state(), "dog"), "");
    table.play("pass pass pass garde S2");
    EXPECT_TRUE(table.position().is_secret());
    view->view_from(table.position(), 1);
    EXPECT_EQ(at(view->state(), "open"),
              R"({"S10":true,"H10":true,"D10":true,"C10":true,"T2":true,"T3":true})");
    EXPECT_EQ(at(view->state(), "aside"), "");
    EXPECT_EQ(at(view->state(), "hands.A"), "");
    view->view_from(table.position(), 0);
    EXPECT_EQ(at(view->state(), "aside"), R"({"S2":true})");
    table.play("S3 S4 S5 S6 H2");
    EXPECT_FALSE(table.position().is_secret());
}

// ---- five players ----------------------------------------------------------------------------

// The taker, A, holds the first hand; B to E the next; the rest is the dog.
std::string five_json(const std::vector<Names>& hands) {
    return R"({"phase": "call", "dealer": "A", "turn": "A", "taker": "A",
        "contract": {"name": "garde-sans", "by": "A"}, "hands": )" +
           hands_json(all_cards(hands)) + "}";
}

TEST(tarot, a_lower_card_is_called_only_with_all_of_the_rank_above) {
    const Names kings{"C14", "D14", "H14", "S14"};
    Names expected = kings;
    Table table("tarot:five");
    EXPECT_EQ(table.load(five_json({{"S14", "H14", "D14", "S13"}})).moves(), kings);
    for (const char* rank : {"13", "12"}) {
        for (const char* suit : {"S", "H", "D", "C"})
            expected.push_back(suit + std::string(rank));
        std::sort(expected.begin(), expected.end());
        Names hand = kings;
        if (expected.size() > 8) hand.insert(hand.end(), {"S13", "H13", "D13", "C13"});
        EXPECT_EQ(table.load(five_json({hand})).moves(), expected);
    }
    // All queens without all kings do not help.
    EXPECT_EQ(table.load(five_json({{"S13", "H13", "D13", "C13", "S14"}})).moves(), kings);
}

TEST(tarot, only_the_partner_knows_that_he_is_until_his_card_falls) {
    Table table("tarot:five");
    table.load(five_json({{"S1", "T1"}, {"S2", "T2"}, {"H14", "S3"}, {"S4", "T4"}, {"S5", "T5"}}));
    table.play("H14 play");
    EXPECT_EQ(table.at("contract.partner"), "\"C\"");
    const auto view = table.game().new_position();
    const auto sees = [&](Seat seat, const char* node) {
        view->view_from(table.position(), seat);
        return at(view->state(), node);
    };
    for (const Seat seat : {0U, 1U, 3U, 4U}) {
        EXPECT_EQ(sees(seat, "contract.partner"), "");
        EXPECT_EQ(sees(seat, "side"), "");
        EXPECT_EQ(sees(seat, "taken"), "");
        EXPECT_EQ(sees(seat, "ally"), "");
        EXPECT_EQ(sees(seat, "called"), "\"H14\"");
    }
    EXPECT_EQ(sees(2, "contract.partner"), "\"C\"");
    table.play("S2 S3 S4 S5 S1"); // E wins with S5 and leads
    EXPECT_EQ(sees(0, "ally"), "");
    table.play("T5 T1 T2 H14");
    EXPECT_EQ(sees(0, "ally"), "\"C\"");
    EXPECT_EQ(sees(4, "ally"), "\"C\"");
    table.play("T4");
    EXPECT_EQ(table.position().role(0), "taker");
    EXPECT_EQ(table.position().role(2), "partner");
    EXPECT_EQ(table.position().role(3), "defender");
    EXPECT_EQ(table.at("score.C"), std::to_string(-std::stoi(table.at("score.B"))));
    EXPECT_EQ(table.at("score.A"), std::to_string(2 * std::stoi(table.at("score.C"))));
}

TEST(tarot, who_calls_his_own_king_or_one_in_the_dog_plays_alone) {
    for (const char* called : {"S14", "D14"}) { // D14 is in nobody's hand
        Table table("tarot:five");
        table.load(five_json({{"S14"}, {"S2"}, {"H14"}, {"S4"}, {"S5"}}));
        table.play(called + std::string(" play"));
        EXPECT_EQ(table.at("contract.partner"), "");
        EXPECT_EQ(table.at("side.C"), "\"defence\"");
        table.play("S2 H14 S4 S5 S14");
        EXPECT_EQ(table.at("score.A"), std::to_string(-4 * std::stoi(table.at("score.C"))));
    }
}

TEST(tarot, the_first_card_is_not_of_the_called_suit) {
    const Names hand{"H14", "H13", "H1", "S2", "EX", "T3"};
    for (const bool free : {false, true}) {
        Table table("tarot:five", {{"called_suit_lead", free ? "free" : "forbidden"}});
        table.load(five_json({{"S1"}, hand, {"H2", "S3"}, {"S4"}, {"S5"}}));
        table.play("H14 play");
        EXPECT_EQ(table.moves(), free ? (Names{"EX", "H1", "H13", "H14", "S2", "T3"})
                                      : (Names{"EX", "H14", "S2", "T3"}));
        table.play("EX");
        EXPECT_EQ(table.moves(), (Names{"H2", "S3"})); // it was the first card only
        // Nothing else in the hand.
        table.load(five_json({{"S1"}, {"H1", "H2"}, {"H14"}, {"S4"}, {"S5"}}));
        table.play("H14 play");
        EXPECT_EQ(table.moves(), (Names{"H1", "H2"}));
    }
}

// ---- what may be played ----------------------------------------------------------------------

// What C may play when these cards lie there, from A on.
Names may_play(const Names& trick, const Names& hand) {
    std::string json = R"({"contract": {"name": "prise", "by": "D"}, "turn": ")" +
                       seat_name(static_cast<int>(trick.size())) + R"(", "trick": {)";
    for (std::size_t i = 0; i < trick.size(); ++i)
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) + R"(": {"player": ")" +
                seat_name(static_cast<int>(i)) + R"(", "card": ")" + trick[i] + "\"}";
    std::vector<std::vector<Card>> hands(4, cards({"S1"}));
    hands[trick.size()] = cards(hand);
    Table table("tarot");
    return table.load(json + "}, \"hands\": " + hands_json(hands) + "}").moves();
}

TEST(tarot, the_decision_list_of_play) {
    const Names all{"EX", "H3", "S14", "T2", "T9"};
    EXPECT_EQ(may_play({}, all), all);
    EXPECT_EQ(may_play({"EX"}, all), all);
    EXPECT_EQ(may_play({"S1", "S2"}, all), (Names{"EX", "S14"}));
    EXPECT_EQ(may_play({"S14", "T5"}, {"S1", "S2", "T9"}),
              (Names{"S1", "S2"})); // ruffed, no matter
    EXPECT_EQ(may_play({"EX", "H1"}, all), (Names{"EX", "H3"}));
    EXPECT_EQ(may_play({"D1", "D2"}, all), (Names{"EX", "T2", "T9"}));
    EXPECT_EQ(may_play({"D1", "T5"}, all), (Names{"EX", "T9"}));
    EXPECT_EQ(may_play({"T5", "D2"}, all), (Names{"EX", "T9"}));
    EXPECT_EQ(may_play({"T10", "D2"}, all), (Names{"EX", "T2", "T9"})); // too low, a trump it is
    EXPECT_EQ(may_play({"D1", "T10"}, {"T3", "T4", "H14"}), (Names{"T3", "T4"}));
    EXPECT_EQ(may_play({"D1", "D2"}, {"EX", "H3", "S4"}), (Names{"EX", "H3", "S4"})); // no trump
    EXPECT_EQ(may_play({"T1", "T2"}, {"EX", "H3"}), (Names{"EX", "H3"}));
}

} // namespace
} // namespace croupier::tarot
