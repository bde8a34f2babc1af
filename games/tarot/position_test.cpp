// What may be done with packs in a known order; what may be played and called is in tests/.
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

} // namespace
} // namespace croupier::tarot
