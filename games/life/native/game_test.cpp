// Native Life and the ruleset are the same game, move by move and state by state.
#include "games/life/native/game.h"

#include "games/registry.h"
#include "games/ruleset/ruleset_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace croupier::games::life {
namespace {

engine::FileText read_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    if (!(text << file.rdbuf())) return {{}, "cannot be read"};
    return {text.str(), {}};
}

std::shared_ptr<const RulesetGame> ruleset_life() {
    static const OpenedRuleset kOpened = open_ruleset("games/life/rules.json", read_file);
    return kOpened.game;
}

std::shared_ptr<const Game> native_life() {
    return make_native_life(ruleset_life());
}

// Keys in order of the alphabet, so that equal states have equal texts.
std::string text_of(engine::Document document) {
    if (document.is_object()) {
        std::sort(document.members.begin(), document.members.end(),
                  [](const auto& a, const auto& b) { return a.key < b.key; });
    }
    std::string text = document.is_object() ? "{" : engine::write_json(document, -1);
    for (const engine::Member& member : document.members) {
        text += member.key + ":" + text_of(member.value) + ",";
    }
    return text;
}

void expect_same(const Position& native, const Position& rules) {
    ASSERT_EQ(native.ending(), rules.ending());
    ASSERT_EQ(native.plies(), rules.plies());
    ASSERT_EQ(native.move_count(), rules.move_count());
    for (std::size_t i = 0; i < native.move_count(); ++i) {
        ASSERT_EQ(native.move(i), rules.move(i));
        ASSERT_EQ(native.text(native.move(i)), rules.text(rules.move(i)));
    }
    if (native.ending() == games::Ending::None) {
        ASSERT_EQ(native.turn(), rules.turn());
        ASSERT_TRUE(native.ruleset_state()->equals(*rules.ruleset_state()));
    }
    for (const Seat seat : {0U, 1U}) {
        ASSERT_EQ(native.score(seat), rules.score(seat));
        if (native.ending() != games::Ending::None) {
            ASSERT_EQ(native.place(seat), rules.place(seat));
        }
    }
    ASSERT_EQ(text_of(native.state()), text_of(rules.state()));
}

TEST(life, the_native_game_is_the_ruleset_move_by_move) {
    const auto rules_game = ruleset_life();
    ASSERT_NE(rules_game, nullptr);
    const auto native_game = native_life();
    EXPECT_EQ(native_game->facts().moves, rules_game->facts().moves);
    EXPECT_EQ(native_game->facts().max_plies, rules_game->facts().max_plies);
    const auto native = native_game->new_position();
    const auto rules = rules_game->new_position();
    const auto whole = native_game->new_position();
    for (std::uint64_t deal = 0; deal < 30; ++deal) {
        Random chance = stream(1, deal, Purpose::Play);
        Random choices = stream(1, deal, Purpose::Choice);
        Random again = choices;
        native->start(chance);
        rules->start(chance);
        while (native->ending() == games::Ending::None) {
            expect_same(*native, *rules);
            if (HasFatalFailure()) return;
            const Move move = native->move(choices.below(native->move_count()));
            native->play(move, chance);
            rules->play(move, chance);
        }
        expect_same(*native, *rules);
        whole->start(chance);
        whole->play_randomly(again, chance);
        expect_same(*whole, *rules);
        EXPECT_EQ(whole->hash(), native->hash());
    }
}

TEST(life, the_ruleset_it_was_written_from_is_the_one_there_is) {
    ASSERT_NE(ruleset_life(), nullptr);
    EXPECT_EQ(ruleset_life()->facts().ruleset, kRuleset)
        << "if the rules still mean the same, write the new hash in games/life/native/game.h";
}

TEST(life, by_name_the_native_game_is_played_and_by_revision_or_path_the_ruleset) {
    const auto plays_rules = [](const Registry& registry, const char* name) {
        const OpenedGame opened = registry.open(
            parse_game_name(name), std::vector<GameOption>{{"max_plies", std::int64_t{7}}});
        EXPECT_NE(opened.game, nullptr) << name << opened.error;
        if (opened.game == nullptr) return false;
        EXPECT_EQ(opened.game->facts().max_plies, 7U) << name;
        EXPECT_EQ(opened.game->facts().name, "life");
        return dynamic_cast<const RulesetGame*>(opened.game.get()) != nullptr;
    };
    const Registry shipped("games", read_file);
    EXPECT_FALSE(plays_rules(shipped, "life"));
    EXPECT_TRUE(plays_rules(shipped, "life:rules"));
    EXPECT_TRUE(plays_rules(shipped, "games/life/rules.json"));
    EXPECT_TRUE(plays_rules(shipped, "life:torus"));
    // Who has changed the file plays what he has written.
    const Registry changed("games", [](const std::string& path) {
        engine::FileText file = read_file(path);
        if (file.text) *file.text += "\n";
        return file;
    });
    EXPECT_TRUE(plays_rules(changed, "life"));
}

TEST(life, the_native_game_takes_states_as_the_ruleset_does) {
    const auto native_game = native_life();
    const auto native = native_game->new_position();
    const auto rules = ruleset_life()->new_position();
    const auto load = [](Position& position, const std::string& text) {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        Random chance;
        const auto document = engine::read_json(sources, sources.add("state", text), diagnostics);
        const bool good = position.load(*document, chance, diagnostics);
        EXPECT_NE(good, diagnostics.has_errors());
        if (good) position.resume(chance);
        return good;
    };
    for (const char* const good :
         {R"({})", R"({"board": {"a1": "B", "b2": "W"}, "turn": "W"})",
          R"({"board": {"s19": "W"}, "over": true})", R"({"board": {"s19": "W"}})",
          R"({"board": {"a1": "B", "b2": "W"}, "over": true})"}) {
        ASSERT_TRUE(load(*native, good)) << good;
        ASSERT_TRUE(load(*rules, good)) << good;
        expect_same(*native, *rules);
    }
    for (const char* const wrong :
         {R"([])", R"({"board": {"t1": "B"}})", R"({"board": {"a1": "X"}})", R"({"turn": 1})",
          R"({"bord": {}})", R"({"board": true})", R"({"over": "yes"})", R"({"over": 1})",
          R"({"over": null})", R"({"over": {}})", R"({"score": 3})"}) {
        EXPECT_FALSE(load(*native, wrong)) << wrong;
        EXPECT_FALSE(load(*rules, wrong)) << wrong;
    }
}

} // namespace
} // namespace croupier::games::life
