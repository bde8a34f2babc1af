// How often each seat loses when everybody draws at random, against what is known exactly.
#include "engine/api/text.h"
#include "games/oldmaid/testing.h"

#include <array>

namespace croupier::games::oldmaid {
namespace {

constexpr int kGames = 3000;
using Shares = std::array<double, 4>;

// `prepare` makes the position of a game; shares are counted from seat `first`.
template <typename Prepare>
void expect_losers(Table& table, Seat first, const Shares& known, Prepare prepare) {
    std::array<int, 4> lost{};
    for (std::uint64_t deal = 0; deal < kGames; ++deal) {
        Random choices = stream(2, deal, Purpose::Choice);
        Random chance = stream(2, deal, Purpose::Play);
        prepare(deal);
        table->play_randomly(choices, chance);
        for (Seat seat = 0; seat < 4; ++seat)
            lost[(seat + 4 - first) % 4] += table->score(seat) == 0 ? 1 : 0;
    }
    double chi_square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const double expected = kGames * known.at(i);
        chi_square += (lost.at(i) - expected) * (lost.at(i) - expected) / expected;
    }
    EXPECT_LT(chi_square, 16.27) << "one run in 1000: " << lost[0] << " " << lost[1] << " "
                                 << lost[2] << " " << lost[3]; // three degrees of freedom
}

TEST(oldmaid, seats_lose_as_often_as_known) {
    const Shares next{0.26081, 0.24084, 0.24675, 0.25160};
    const Shares previous{0.1624, 0.2854, 0.3892, 0.1630};
    Table from_next("oldmaid");
    expect_losers(from_next, 1, next, [&](std::uint64_t seed) { from_next.deal(seed); });
    Table from_previous("oldmaid:previous", {{"dealer", "D"}});
    expect_losers(from_previous, 0, previous,
                  [&](std::uint64_t seed) { from_previous.deal(seed); });
}

TEST(oldmaid, who_has_the_card_more_matters_as_known) {
    // D is dealt first, and A begins.
    Table table("oldmaid", {{"dealer", "C"}});
    const Shares shares{0.3140, 0.1213, 0.2371, 0.3276};
    expect_losers(table, 0, shares, [&](std::uint64_t seed) {
        table.deal(seed);
        engine::Document state = table->state();
        std::erase_if(state.members, [](const engine::Member& member) {
            return member.key == "row" || member.key == "from";
        });
        for (engine::Member& member : state.members) {
            if (member.key == "turn") member.value.scalar = std::string("A");
        }
        table.load(state);
    });
}

} // namespace
} // namespace croupier::games::oldmaid
