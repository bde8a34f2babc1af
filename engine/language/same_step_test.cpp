// When a rule of `play` gets a warning because of an earlier one.
#include "engine/language/testing.h"

namespace croupier::engine {
namespace {

// Diagnostics for a group `play` of these rules.
std::string of_play(const std::string& rules) {
    return codes(load_ruleset_text("play.json", "{\"play\": [" + rules + "]}"));
}

// The first rule ends the bidding with the move and has the entries `more`; the second has the
// condition `then`.
std::string bid_and_card(const std::string& more, const std::string& then) {
    return of_play(R"({"name": "bid", "condition": {"phase": "bid", "move": {}, )" + more +
                   R"("s": {}}, "action": {"phase": "play", "led": "@remove", "n": 1}},
{"name": "card", "condition": {)" +
                   then + "}}");
}

TEST(same_step, a_phase_changed_early_is_told_where_the_move_is_asked_for_again) {
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "move": {})"), "W0005@2:32");
    EXPECT_EQ(bid_and_card("", R"("phase": ["play", "end"], "move": {})"), "W0005@2:32");
    EXPECT_EQ(bid_and_card("", R"("phase": "== 'play'", "move": {})"), "W0005@2:32");
    const Loaded loaded = load_ruleset_text("p.json", R"({"play": [
        {"name": "a", "condition": {"phase": "!= 2", "move": "$M"}, "action": {"phase": 2, "x": "$M"}},
        {"condition": {"move": {}}, "action": [{"name": "b", "condition": {"phase": 2}}]}]})");
    EXPECT_EQ(shown(loaded), "") << "the rule inside is in another group";
}

TEST(same_step, what_goes_on_after_a_move_is_not_meant) {
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "n": {})"), "");
    EXPECT_EQ(codes(load_ruleset_text("m.json", R"({"moves": [
        {"condition": {"phase": 1, "move": {}}, "action": {"phase": 2}},
        {"condition": {"phase": 2, "move": {}}}]})")),
              "");
}

TEST(same_step, the_author_can_say_that_it_is_meant) {
    EXPECT_EQ(bid_and_card("", R"("phase@then": "play", "move": {})"), "");
}

TEST(same_step, rules_that_exclude_each_other_are_not_told) {
    EXPECT_EQ(bid_and_card(R"("who": "A", )", R"("who": "B", "phase": "play", "move": {})"), "");
    EXPECT_EQ(bid_and_card(R"("who": "A", )", R"("who": "A", "phase": "play", "move": {})"),
              "W0005@2:44");
    EXPECT_EQ(bid_and_card(R"("who": "@absent", )", R"("who": {}, "phase": "play", "move": {})"),
              "");
    EXPECT_EQ(
        bid_and_card(R"("who": ["A", "B"], )", R"("who": ["C", "D"], "phase": "play", "move": {})"),
        "");
    // Decided by what the first rule has written.
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "led": {}, "move": {})"), "");
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "n": 2, "move": {})"), "");
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "n": "@absent", "move": {})"), "");
    EXPECT_EQ(bid_and_card("", R"("phase": "play", "n": 1, "move": {})"), "W0005@2:32");
    // The first rule does not ask for the phase, so it may not have changed it.
    EXPECT_EQ(of_play(R"({"condition": {"move": {}}, "action": {"phase": "play"}},
{"condition": {"phase": "play", "move": {}}})"),
              "");
}

TEST(same_step, rules_inside_rules_and_named_patterns_are_seen) {
    EXPECT_EQ(of_play(R"({"condition": {"move": {}}, "action": [
{"condition": {"phase": 1}, "action": [{"action": {"phase": 2}}]},
{"condition": {"phase": 2}}]})"),
              "W0005@3:16");
    EXPECT_EQ(codes(load_ruleset_text("u.json", R"({"patterns": {"late": {"phase": 2}}, "play": [
{"condition": {"phase": 1, "move": {}}, "action": {"@root": {"phase": 2}}},
{"condition": {"move": {}, "@use": "late"}}]})")),
              "W0005@1:24");
}

} // namespace
} // namespace croupier::engine
