// A sample of all shipped games with their options set, played by the agents that come with them.
#include "agents/testing/variants.h"

#include <gtest/gtest.h>

namespace croupier::agents::testing {
namespace {

TEST(variants, some_pairs_of_options_of_every_game) {
    std::size_t refused = 0;
    std::size_t played = 0;
    for (const std::string& title : shipped_titles()) {
        for (const Variant& variant : random_pairs(title, 1, 3)) {
            EXPECT_EQ(play_variant(variant, 1, refused), "") << variant.name();
            ++played;
        }
    }
    EXPECT_GT(played, 25U);
    EXPECT_LT(refused, played / 4);
}

TEST(variants, some_matches_of_every_game_of_cards) {
    std::size_t refused = 0;
    for (const char* const title : {"belote", "coinche", "tarot:three", "tarot", "tarot:five"}) {
        const Variant match{title, {{"match", "target"}}};
        EXPECT_EQ(play_variant(match, 4, refused), "") << match.name();
    }
    EXPECT_EQ(refused, 0U);
}

TEST(variants, are_what_the_ruleset_says) {
    EXPECT_EQ(agents_of("coinche:pagat"),
              (std::vector<std::string>{"rules:capot", "rules:counting", "rules:naive",
                                        "rules:table", "random"}));
    std::size_t dealers = 0;
    for (const Variant& variant : single_values("tarot:five"))
        dealers += variant.options[0].name == "dealer" ? 1 : 0;
    EXPECT_EQ(dealers, 5U);
    std::size_t refused = 0;
    const Variant two{"coinche", {{"doubled_points", "points"}, {"method", "made"}}};
    EXPECT_EQ(play_variant(two, 1, refused), "");
    EXPECT_EQ(refused, 1U);
    EXPECT_NE(play_variant({"coinche", {{"capot_bid", std::int64_t{3}}}}, 1, refused), "");
}

} // namespace
} // namespace croupier::agents::testing
