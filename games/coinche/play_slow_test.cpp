// Whole deals compared with plain code, for a minute.
#include "engine/api/random.h"
#include "games/coinche/testing.h"

namespace croupier::plain {
namespace {

TEST(coinche, twenty_thousand_deals_go_as_with_plain_code) {
    expect_same_deals({}, 10'000, 10'000);
    expect_same_deals(with({{"sa_ta", "on"}, {"generale", "on"}}), 20'000, 10'000);
}

TEST(coinche, many_deals_go_as_with_plain_code_with_each_option) {
    expect_same_deals_with_each_option(100'000, 250);
}

// Random values of all options together.
TEST(coinche, deals_go_as_with_plain_code_with_any_options) {
    engine::Random random(9);
    for (int round = 0; round < 200; ++round) {
        CoincheOptions options;
        for (const Choice& choice : coinche_choices())
            options.set(choice.name, choice.values[random.below(choice.values.size())]);
        expect_same_deals(options, 1'000'000 + static_cast<std::uint64_t>(round) * 100, 50);
    }
}

} // namespace
} // namespace croupier::plain
