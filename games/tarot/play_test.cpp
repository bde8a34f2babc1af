// Deals of the ruleset compared with an independent implementation, move by move, with every
// option; ends of deals, where the Excuse and slams matter.
#include "games/tarot/testing.h"

#include <cmath>

namespace croupier::tarot {

// Known facts of probability over deals of the ruleset.

namespace {

// Checks that `found` of `tries` agrees with `chance`, within five standard deviations.
void expect_chance(const char* what, int found, int tries, double chance) {
    const double share = static_cast<double>(found) / tries;
    const double deviation = std::sqrt(chance * (1 - chance) / tries);
    EXPECT_NEAR(share, chance, 5 * deviation) << what;
}

TEST(tarot, hands_are_as_frequent_as_known) {
    constexpr int kDeals = 20'000;
    Table table("tarot", {{"petit_sec", "play"}});
    Table cancelled("tarot");
    int petit_sec = 0;
    int no_trump = 0;
    int poignees = 0;
    int cancelled_deals = 0;
    for (int deal = 0; deal < kDeals; ++deal) {
        table.deal(static_cast<std::uint64_t>(deal));
        cancelled.deal(static_cast<std::uint64_t>(deal));
        cancelled_deals += cancelled.position().ending() == games::Ending::Over ? 1 : 0;
        const Document state = table.position().state();
        for (int seat = 0; seat < 4; ++seat) {
            int trumps = 0;
            bool petit = false;
            bool excuse = false;
            for (const Card& card : cards_at(state, "hands", seat_name(seat))) {
                trumps += card.suit == 'T' ? 1 : 0;
                petit = petit || card == Card{'T', 1};
                excuse = excuse || card == Card{};
            }
            petit_sec += petit && trumps == 1 && !excuse ? 1 : 0;
            no_trump += trumps == 0 && !excuse ? 1 : 0;
            poignees += trumps + (excuse ? 1 : 0) >= 10 ? 1 : 0;
        }
    }
    expect_chance("petit sec in a hand", petit_sec, 4 * kDeals, 0.000461);
    expect_chance("no trump in a hand", no_trump, 4 * kDeals, 0.000999);
    expect_chance("poignée in a hand", poignees, 4 * kDeals, 0.00520);
    EXPECT_EQ(cancelled_deals, petit_sec);
}

// 24 cards: a hand of three players, or the taker's with the dog.
TEST(tarot, twenty_four_cards_hold_a_poignee_as_often_as_known) {
    constexpr int kDeals = 4'000;
    Table table("tarot:three");
    int tens = 0;
    for (int deal = 0; deal < kDeals; ++deal) {
        table.deal(static_cast<std::uint64_t>(deal));
        const Document state = table.position().state();
        for (int seat = 0; seat < 3; ++seat) {
            const auto hand = cards_at(state, "hands", seat_name(seat));
            tens += std::count_if(
                        hand.begin(), hand.end(),
                        [](const Card& card) { return card.suit == 'T' || card.suit == 'E'; }) >= 10
                        ? 1
                        : 0;
        }
    }
    expect_chance("ten of 22 trumps in 24 cards", tens, 3 * kDeals, 0.0700);
}

TEST(tarot, deals_are_those_of_plain_code) {
    for (const int players : {3, 4, 5}) {
        Options options;
        options.players = players;
        const Seen seen = expect_same_deals(options, 300, static_cast<std::uint64_t>(players));
        EXPECT_GT(seen.played, 280);
        EXPECT_GT(seen.petits, 0);
        EXPECT_GT(seen.poignees, 0);
        EXPECT_EQ(seen.partners > 100, players == 5);
    }
}

TEST(tarot, deals_are_those_of_plain_code_with_every_option) {
    std::vector<Options> all;
    for (const int players : {3, 4, 5}) {
        const auto add = [&](auto change) {
            Options options;
            options.players = players;
            change(options);
            all.push_back(options);
        };
        add([](Options& options) { options.play_petit_sec = true; });
        add([](Options& options) { options.manual_poignee = true; });
        add([](Options& options) { options.poignee_to_shower = true; });
        add([](Options& options) { options.excuse_last = "trick_winner"; });
        add([](Options& options) { options.excuse_slam = "either"; });
        add([](Options& options) { options.half_to_nobody = true; });
        add([](Options& options) { options.misere = 10; });
        add([](Options& options) { options.called_suit_lead_free = true; });
    }
    std::uint64_t seed = 100;
    int miseres = 0;
    for (const Options& options : all)
        miseres += expect_same_deals(options, 60, ++seed).miseres;
    EXPECT_GT(miseres, 0);
}

// ---- ends of deals ---------------------------------------------------------------------------

// The last tricks, with more bouts and court cards than in a random pack.
std::vector<std::vector<Card>> rich_hands(int players, int left, Random& random) {
    std::vector<Card> pool = whole_pack();
    for (std::size_t i = pool.size() - 1; i > 0; --i)
        std::swap(pool[i], pool[random.below(i + 1)]);
    std::stable_partition(pool.begin(), pool.end(), [&](const Card& card) {
        return is_bout(card) || (half_points(card) > 1 && random.below(3) == 0);
    });
    pool.resize(static_cast<std::size_t>(players) * static_cast<std::size_t>(left));
    for (std::size_t i = pool.size() - 1; i > 0; --i)
        std::swap(pool[i], pool[random.below(i + 1)]);
    std::vector<std::vector<Card>> hands(static_cast<std::size_t>(players));
    for (std::size_t i = 0; i < pool.size(); ++i)
        hands[i % hands.size()].push_back(pool[i]);
    return hands;
}

void expect_same_endings(const Options& options, int endings, std::uint64_t seed) {
    Table table(options);
    Random random(seed);
    const auto pick = [&](int below) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(below)));
    };
    int slams = 0;
    for (int i = 0; i < endings; ++i) {
        const int left = 1 + pick(3);
        const int before_tricks = sizes_of(options.players).tricks - left;
        Deal::Before before;
        before.tricks = std::array{0, before_tricks, 1 + pick(before_tricks - 1)}[random.below(3)];
        before.halves = pick(120);
        const auto hands = rich_hands(options.players, left, random);
        const int turn = pick(options.players);
        const int taker = pick(options.players);
        const int other = pick(options.players);
        std::optional<int> partner;
        if (options.players == 5 && other != taker) partner = other;
        const std::string bid = std::array{"prise", "garde", "garde-sans"}[random.below(3)];
        std::string json = R"({"phase": "play", "dealer": "A", "turn": ")" + seat_name(turn) +
                           R"(", "contract": {"name": ")" + bid + R"(", "by": ")" +
                           seat_name(taker) + '"';
        if (partner) json += R"(, "partner": ")" + seat_name(*partner) + '"';
        json += R"(}, "hands": )" + hands_json(hands) + R"(, "taken": {"attack": {"points": )" +
                std::to_string(before.halves / 2) + (before.halves % 2 == 1 ? ".5" : "") +
                R"(, "bouts": 0, "tricks": )" + std::to_string(before.tricks) + "}}}";
        table.load(json);
        Deal deal(options, 0);
        deal.ending(hands, turn, taker, bid, partner, before);
        std::string told = json;
        while (!deal.over()) {
            const std::vector<std::string> moves = sorted(deal.moves());
            ASSERT_EQ(table.moves(), moves) << told;
            const std::string& move = moves[random.below(moves.size())];
            told += " " + move;
            deal.play(move);
            table.play(move);
        }
        const Outcome& outcome = deal.outcome();
        slams += outcome.slam != 0 ? 1 : 0;
        ASSERT_EQ(2 * std::stod(table.at("taken.attack.points")), outcome.attack_halves) << told;
        ASSERT_EQ(table.at("taken.attack.bouts"), std::to_string(outcome.attack_bouts)) << told;
        ASSERT_EQ(table.at("petit"), outcome.petit > 0   ? "\"attack\""
                                     : outcome.petit < 0 ? "\"defence\""
                                                         : "")
            << told;
        ASSERT_EQ(table.scores(), deal.scores()) << told;
    }
    EXPECT_GT(slams, endings / 20);
}

TEST(tarot, ends_of_deals_are_those_of_plain_code) {
    std::uint64_t seed = 0;
    for (const int players : {3, 4, 5}) {
        for (const char* last : {"opponents", "trick_winner"}) {
            for (const char* slam : {"attack", "either", "nobody"}) {
                Options options;
                options.players = players;
                options.excuse_last = last;
                options.excuse_slam = slam;
                expect_same_endings(options, 300, ++seed);
            }
        }
    }
}

// Legal actions with sorted packs; legal cards and calls are tested in tests/.

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

// A pack that deals these cards to A, the dealer, and to the dog, with other cards for the rest.
std::string pack_for(const std::vector<std::string>& hand, const std::vector<std::string>& dog) {
    std::vector<Card> rest;
    const std::vector<Card> mine = cards(hand);
    const std::vector<Card> lies = cards(dog);
    for (const Card& card : whole_pack())
        if (std::find(mine.begin(), mine.end(), card) == mine.end() &&
            std::find(lies.begin(), lies.end(), card) == lies.end())
            rest.push_back(card);
    std::vector<Card> pack;
    auto own = mine.begin();
    auto down = lies.begin();
    auto other = rest.begin();
    for (int round = 0; round < 6; ++round)
        for (int i = 0; i < 13; ++i)
            pack.push_back(i == 3 ? *down++ : i >= 10 ? *own++ : *other++);
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
    // With the Excuse the petit is not alone.
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
    EXPECT_NE(table.at("dog"), ""); // not revealed
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
