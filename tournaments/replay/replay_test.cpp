// Games to be looked at: what is drawn is what the position holds, and a game is the one recorded.
#include "tournaments/replay/recorder.h"
#include "tournaments/replay/scene.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace croupier::tournaments {
namespace {

using results::Replay;
using results::Scene;

std::shared_ptr<const games::Game> shipped(const games::GameName& name) {
    const games::Registry registry(games::Registry::source_folder(), [](const std::string& path) {
        std::ifstream in(path);
        return engine::FileText{std::string(std::istreambuf_iterator<char>(in), {}), {}};
    });
    return registry.open(name).game;
}

std::unique_ptr<games::Position> loaded(const games::Game& game, const std::string& json) {
    auto position = game.new_position();
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    games::Random chance(0);
    const auto document = engine::read_json(sources, sources.add("state", json), diagnostics);
    EXPECT_TRUE(document && position->load(*document, chance, diagnostics));
    position->resume(chance);
    return position;
}

std::string cards_of(const Scene& scene, const std::string& name) {
    std::string text;
    for (const results::SceneCards& cards : scene.cards) {
        if (cards.name != name) continue;
        for (const results::SceneCard& card : cards.cards)
            text += (text.empty() ? "" : " ") + card.label;
    }
    return text;
}

std::string fact_of(const Scene& scene, const std::string& name) {
    for (const auto& [key, value] : scene.facts)
        if (key == name) return value;
    return "none";
}

TEST(scene, stones_stand_on_their_cells) {
    for (const char* revision : {"", "rules"}) {
        const auto game = shipped({"life", revision});
        const SceneMaker maker(*game);
        EXPECT_EQ(maker.columns(), 19U);
        EXPECT_EQ(maker.rows(), 19U);
        const auto position =
            loaded(*game, R"({"board": {"a1": "B", "s1": "W", "b2": "B"}, "turn": "W"})");
        const Scene scene = maker.scene(*position);
        ASSERT_EQ(scene.cells.size(), 361U);
        std::map<std::size_t, results::SceneCell> stones;
        for (std::size_t cell = 0; cell < scene.cells.size(); ++cell)
            if (!scene.cells[cell].letter.empty()) stones[cell] = scene.cells[cell];
        const std::map<std::size_t, results::SceneCell> wanted = {
            {0, {"B", 0}}, {18, {"W", 1}}, {20, {"B", 0}}};
        EXPECT_EQ(stones, wanted);
        EXPECT_EQ(fact_of(scene, "turn"), "W");
        EXPECT_TRUE(scene.cards.empty());
    }
}

TEST(scene, pieces_stand_where_their_fields_say_small_letters_for_the_second_player) {
    const auto game = shipped({"krk", ""});
    const SceneMaker maker(*game);
    EXPECT_EQ(maker.columns(), 8U);
    const auto position = loaded(
        *game, R"({"wk": {"x": 4, "y": 2}, "wr": {"x": 3, "y": 2}, "bk": {"x": 1, "y": 1}})");
    const Scene scene = maker.scene(*position);
    EXPECT_EQ(scene.cells[0], (results::SceneCell{"♚", 1}));
    EXPECT_EQ(scene.cells[8 + 2], (results::SceneCell{"♜", 0}));
    EXPECT_EQ(scene.cells[8 + 3], (results::SceneCell{"♚", 0}));
    EXPECT_EQ(fact_of(scene, "wk"), "none") << "it stands on the board";
}

TEST(scene, cards_lie_in_hands_and_tricks) {
    const auto game = shipped({"belote", ""});
    const SceneMaker maker(*game);
    EXPECT_EQ(maker.columns(), 0U);
    const auto position = game->new_position();
    games::Random deal = games::stream(1, 0, games::Purpose::Deal);
    games::Random chance = games::stream(1, 0, games::Purpose::Play);
    position->start(deal);
    Scene scene = maker.scene(*position);
    // As games/belote/playthroughs/belote.txt has it.
    EXPECT_EQ(cards_of(scene, "A"), "10♠ K♥ K♦ 8♣ A♣");
    EXPECT_EQ(cards_of(scene, "turned"), "7♣");
    EXPECT_EQ(fact_of(scene, "phase"), "bid");
    for (const char* move : {"take", "JS", "AS"})
        position->play(*position->find_move(move), chance);
    scene = maker.scene(*position);
    EXPECT_EQ(cards_of(scene, "trick"), "B: J♠ C: A♠");
    EXPECT_EQ(fact_of(scene, "trump"), "C");
    EXPECT_EQ(cards_of(scene, "deck"), "") << "nobody may see it";
    std::set<std::string> hands;
    for (const results::SceneCards& cards : scene.cards)
        if (cards.hand) hands.insert(cards.name);
    EXPECT_EQ(hands, (std::set<std::string>{"A", "B", "C", "D"}));
}

TEST(scene, names_of_cards_are_read_from_both_ends) {
    EXPECT_EQ(card_of("TH").label, "10♥");
    EXPECT_TRUE(card_of("TH").red);
    EXPECT_EQ(card_of("S14").label, "14♠");
    EXPECT_FALSE(card_of("S14").red);
    EXPECT_EQ(card_of("T21").label, "T21") << "a trump of tarot";
    EXPECT_EQ(card_of("EX").label, "EX");
    EXPECT_EQ(card_of("C").label, "C");
}

class Replays : public RandomBelote {
  protected:
    // A game as the run plays it.
    results::GameRecord recorded(std::uint64_t index, std::uint32_t game) {
        std::mutex mutex;
        Player player(*game_, maker_, 3, mutex);
        schedule_->get(index, block_);
        results::GameRecord record;
        player.play(block_, game, facts_.seed, record);
        return record;
    }
    Replay replay(const results::GameRecord& record, std::size_t most = 1000) {
        return record_game({*game_, maker_, facts_.agents, facts_.seed, nullptr, most}, record);
    }
    Block block_;
};

TEST_F(Replays, a_game_is_played_once_more_move_by_move) {
    const results::GameRecord record = recorded(7, 1);
    const Replay again = replay(record);
    EXPECT_EQ(record.choices, 0U) << "nobody has asked for that";
    EXPECT_EQ(again.problem, "");
    ASSERT_EQ(again.frames.size(), record.plies + 1);
    EXPECT_EQ(again.frames[0].move, "");
    EXPECT_NE(again.frames[1].move, "");
    EXPECT_GT(again.frames[1].legal, 0U);
    EXPECT_EQ(again.block, 7U);
    EXPECT_EQ(again.game, 1U);
    EXPECT_TRUE(again.ending.starts_with("over: A ")) << again.ending;
    EXPECT_TRUE(again.seats[0].starts_with("A: ")) << again.seats[0];
    EXPECT_FALSE(again.frames.back().scene.cards.empty());
}

TEST_F(Replays, of_a_long_game_the_beginning_is_kept) {
    const results::GameRecord record = recorded(0, 0);
    const Replay again = replay(record, 5);
    EXPECT_EQ(again.frames.size(), 6U);
    EXPECT_EQ(again.plies, record.plies);
    EXPECT_EQ(again.problem, "");
}

TEST_F(Replays, a_game_that_goes_another_way_is_not_shown) {
    results::GameRecord record = recorded(0, 0);
    ++record.line;
    const Replay again = replay(record);
    EXPECT_TRUE(again.frames.empty());
    EXPECT_NE(again.problem.find("went another way"), std::string::npos);
}

TEST_F(Replays, what_an_agent_says_stands_with_its_move) {
    struct Talker : agents::RandomAgent {
        std::size_t choose_unseen(std::size_t moves, agents::Random& random) override {
            if (log != nullptr) log->line("because of " + std::to_string(moves));
            return RandomAgent::choose_unseen(moves, random);
        }
        void set_log(engine::Log* to) override { log = to; }
        engine::Log* log = nullptr;
    };
    maker_ = [](std::uint32_t) { return std::make_unique<Talker>(); };
    const Replay again = replay(recorded(3, 0));
    ASSERT_GT(again.frames.size(), 2U);
    for (std::size_t i = 1; i < again.frames.size(); ++i) {
        ASSERT_EQ(again.frames[i].log.size(), 1U);
        EXPECT_EQ(again.frames[i].log[0], "because of " + std::to_string(again.frames[i].legal));
    }
}

TEST_F(Replays, who_plays_by_time_is_not_asked_again) {
    struct Hasty : agents::RandomAgent {
        [[nodiscard]] bool is_reproducible() const override { return false; }
    };
    const results::GameRecord record = recorded(0, 0);
    maker_ = [](std::uint32_t) { return std::make_unique<Hasty>(); };
    EXPECT_NE(replay(record).problem.find("cannot be had again"), std::string::npos);
}

} // namespace
} // namespace croupier::tournaments
