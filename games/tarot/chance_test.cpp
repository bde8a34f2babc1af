// Known facts of probability over deals of the ruleset.
#include "games/tarot/testing.h"

#include <cmath>

namespace croupier::tarot {
namespace {

// `found` of `tries` is as likely as `chance` says, within five standard deviations.
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

} // namespace
} // namespace croupier::tarot
