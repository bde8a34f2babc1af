// What random games tell of a ruleset, and that they tell nothing of the games that are shipped.
#include "engine/api/text.h"
#include "games/ruleset/trial.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

namespace croupier::games {
namespace {

// Two players who take one or two of a pile.
std::string pile(const std::string& players, const std::string& most, const std::string& play) {
    return R"({"game": {"name": "pile", "players": )" + players +
           R"(}, "state": {"turn": "a", "pile": 5},
        "constants": {"take": {"1": true, "2": true}, "next": {"a": "b", "b": "a"}},
        "moves": [{"condition": {"pile": "$N", "take": {"$K": true}, "_": "$K <= $N && $K <= )" +
           most + R"("}, "action": {"moves": {"$K": true}}}],
        "play": [)" +
           play + R"(], "score": []})";
}

const std::string kTwo = R"(["a", "b"])";
const std::string kTake =
    R"({"condition": {"move": "$K", "turn": "$T", "next": {"$T": "$U"}},
        "action": {"pile": "$this - $K", "turn": "$U"}})";
const std::string kEnd = R"(, {"condition": {"pile": 0}, "action": {"over": true}})";

std::string tried(const OpenedGame& opened) {
    std::string text;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text += each.code + " " + each.message + "\n";
    if (opened.game == nullptr) return text;
    engine::Diagnostics found;
    try_random_games(*opened.game->ruleset_game(), found);
    for (const engine::Diagnostic& each : found.sorted())
        text += each.code + " " + each.message + "\n";
    return text;
}

TEST(trial, a_game_without_a_flaw_gets_no_warning) {
    EXPECT_EQ(tried(open_text(pile(kTwo, "2", kTake + kEnd))), "");
}

TEST(trial, a_player_who_never_moves) {
    EXPECT_EQ(tried(open_text(pile(R"(["a", "b", "c"])", "2", kTake + kEnd))),
              "W0601 in 20 random games it is never the turn of c\n");
}

TEST(trial, a_game_that_is_aborted) {
    const std::string text = tried(open_text(
        pile(kTwo, "2",
             R"({"name": "halve", "condition": {"pile": 4}, "action": {"n": "= 1 / 0"}}, )" +
                 kTake + kEnd)));
    EXPECT_NE(text.find("random games are aborted: rule halve: division by zero"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.substr(0, 6), "W0602 ");
    // Nobody is left to move.
    EXPECT_NE(tried(open_text(pile(kTwo, "2", kTake)))
                  .find("20 of 20 random games are aborted: "
                        "no legal move"),
              std::string::npos);
}

TEST(trial, a_game_that_does_not_end) {
    EXPECT_EQ(
        tried(open_text(pile(
            kTwo, "2",
            R"({"condition": {"turn": "$T", "next": {"$T": "$U"}}, "action": {"turn": "$U"}})"))),
        "W0603 no random game ends within 500 moves\n");
}

TEST(trial, a_game_without_a_choice) {
    EXPECT_EQ(tried(open_text(pile(kTwo, "1", kTake + kEnd))),
              "W0604 in 20 random games there is never more than one legal move\n");
}

TEST(trial, the_shipped_games_get_no_warning) {
    for (const std::string& title : all_titles()) {
        const auto game = open_for_test(title);
        engine::Diagnostics found;
        try_random_games(*game->ruleset_game(), found);
        for (const engine::Diagnostic& each : found.sorted())
            ADD_FAILURE() << title << ": " << each.code << " " << each.message;
    }
}

} // namespace
} // namespace croupier::games
