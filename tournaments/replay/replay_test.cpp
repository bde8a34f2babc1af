// Replayed games: drawings show the position, and the game is the recorded one.
#include "engine/api/run.h"
#include "games/drawing/cards.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace croupier::tournaments {
namespace {

using results::Replay;

TEST(scene, a_position_is_data_for_a_page) {
    games::Drawing drawing;
    drawing.boards = {{"at", 2, 2, games::Look::Chess, {{"K", 0}, {}, {}, {"k", 1}}}};
    drawing.cards = {{"A", {games::read_card("TH")}, 0, false}, {"B", {}, 1, true, 8}};
    drawing.cards[1].notes = {"from"};
    drawing.facts = {{"phase", "play"}, {"trump", "S", 'S'}};
    EXPECT_EQ(
        scene_json(drawing).dump(),
        R"({"boards":[{"name":"at","rows":2,"columns":["a","b"],"look":"chess",)"
        R"("pieces":[[0,"♚",0],[3,"♚",1]]}],)"
        R"("piles":[{"name":"A","hand":0,"cards":[{"name":"TH","rank":"10","suit":"H"}]},)"
        R"({"name":"B","hand":1,"notes":["from"],"hidden":8}],)"
        R"("facts":[{"name":"phase","text":"play"},{"name":"trump","text":"S","suit":"S"}]})");
}

class Replays : public RandomBelote {
  protected:
    // A game as played by the run.
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
    EXPECT_NE(again.frames[0].scene.find(R"("hand":0,"cards":[{)"), std::string::npos)
        << again.frames[0].scene;
}

TEST_F(Replays, reasons_are_few_and_short) {
    const results::GameRecord record = recorded(7, 1);
    ReplayRequest request{*game_, maker_, facts_.agents, facts_.seed, nullptr, 1000};
    request.refusals = [](const games::Position& position, const games::Drawing& drawing) {
        EXPECT_EQ(drawing.turn, position.turn());
        std::vector<std::string> lines(14, "short");
        for (int i = 0; i < 150; ++i)
            lines[1] += "é";
        return lines;
    };
    const Replay again = record_game(request, record);
    ASSERT_EQ(again.problem, "");
    const std::vector<std::string>& refused = again.frames[0].refused;
    ASSERT_EQ(refused.size(), 13U);
    EXPECT_EQ(refused[0], "short");
    EXPECT_EQ(refused[1].size(), 199U + 3) << "no half of a letter, and dots: " << refused[1];
    EXPECT_TRUE(refused[1].ends_with("é ..")) << refused[1];
    EXPECT_EQ(refused[12], "and 2 more");
    EXPECT_TRUE(again.frames.back().refused.empty()) << "the game is over";
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
        std::size_t choose_by_count(std::size_t moves, agents::Random& random) override {
            if (log != nullptr) log->line("because of " + std::to_string(moves));
            return RandomAgent::choose_by_count(moves, random);
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
    EXPECT_NE(replay(record).problem.find("cannot be reproduced"), std::string::npos);
}

} // namespace
} // namespace croupier::tournaments
