// All shipped games with each option at each of its values, in many pairs, and whole matches.
#include "agents/testing/variants.h"

#include <gtest/gtest.h>

namespace croupier::agents::testing {
namespace {

TEST(variants, each_option_at_each_value) {
    std::size_t refused = 0;
    for (const std::string& title : shipped_titles())
        for (const Variant& variant : single_values(title))
            EXPECT_EQ(play_variant(variant, 2, refused), "") << variant.name();
}

TEST(variants, pairs_of_options) {
    std::size_t refused = 0;
    for (const std::string& title : shipped_titles())
        for (const Variant& variant : random_pairs(title, 60, 11))
            EXPECT_EQ(play_variant(variant, 2, refused), "") << variant.name();
}

// All lengths of matches, all ways from deal to deal.
TEST(variants, matches_of_all_games_of_cards) {
    const games::GameOption match{"match", "target"};
    std::size_t refused = 0;
    for (const std::string& title : shipped_titles()) {
        const bool belote = title.starts_with("belote") || title.starts_with("coinche");
        if (!belote && !title.starts_with("tarot")) continue;
        std::vector<Variant> variants = {{title, {match}},
                                         {title, {match, {"deals", std::int64_t{3}}}}};
        if (belote) {
            variants.push_back({title, {match, {"shuffle", "first_deal_only"}}});
            variants.push_back({title, {match, {"target", std::int64_t{300}}}});
            variants.push_back({title, {match, {"end_rule", "exceed"}}});
        }
        for (const Variant& variant : variants)
            EXPECT_EQ(play_variant(variant, 40, refused), "") << variant.name();
    }
    EXPECT_EQ(refused, 0U);
}

} // namespace
} // namespace croupier::agents::testing
