// Programs as agents: good ones play, and whatever bad ones do is their fault and ends in time.
#include "agents/process/process_agent.h"

#include "agents/random/random_agent.h"
#include "agents/table.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <signal.h> // kill

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace croupier::agents {
namespace {

using games::Ending;
using games::open_for_test;

class TestClock : public Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return std::chrono::steady_clock::now().time_since_epoch();
    }
};
const TestClock kClock;

std::string mock(const std::string& how, int good = 0) {
    return CROUPIER_MOCK_BOT " " + how + " " + std::to_string(good);
}

std::unique_ptr<Agent> make(const Game& game, const std::string& spec) {
    MadeAgent made = make_agent(parse_agent_spec(spec), {.game = game, .clock = &kClock});
    EXPECT_NE(made.agent, nullptr) << made.error;
    return std::move(made.agent);
}

// A game of Life in which the program sits on the first seat.
struct Played {
    std::optional<SeatFault> fault;
    Ending ending = Ending::None;
};

Played play(Agent& program, std::uint64_t deal = 0) {
    static const auto kLife = open_for_test("life", {{"max_plies", std::int64_t{30}}});
    Table table(*kLife);
    RandomAgent random;
    const Position& end = table.play(std::array<Agent*, 2>{&program, &random}, {1, deal, 0});
    return {table.fault(), end.ending()};
}

Played play(const std::string& command, const std::string& options = "") {
    const auto life = open_for_test("life");
    return play(*make(*life, "process:" + command + options));
}

TEST(process_agent, a_good_program_plays_one_game_after_the_other) {
    const auto life = open_for_test("life");
    const auto agent = make(*life, "process:" + mock("good"));
    for (std::uint64_t deal = 0; deal < 5; ++deal) {
        const Played played = play(*agent, deal);
        EXPECT_FALSE(played.fault) << played.fault->fault.what;
        EXPECT_NE(played.ending, Ending::None);
    }
    EXPECT_FALSE(agent->is_reproducible());
}

TEST(process_agent, the_examples_play) {
    for (const std::string bot :
         {CROUPIER_STONES_BOT, "python3 agents/process/examples/random_bot.py"}) {
        const Played played = play(bot);
        EXPECT_FALSE(played.fault) << bot << ": " << played.fault->fault.what;
        EXPECT_NE(played.ending, Ending::None);
    }
}

struct Misdeed {
    const char* how;
    FaultKind kind;
    const char* what;
};

class Misdeeds : public ::testing::TestWithParam<Misdeed> {};

TEST_P(Misdeeds, are_a_fault_of_their_kind) {
    const Misdeed& misdeed = GetParam();
    const auto begin = std::chrono::steady_clock::now();
    const Played played = play(mock(misdeed.how, 2), ",move_ms=400,start_ms=400");
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->seat, 0U);
    EXPECT_EQ(name_of(played.fault->fault.kind), name_of(misdeed.kind));
    EXPECT_EQ(played.fault->fault.what, misdeed.what);
    EXPECT_EQ(played.ending, Ending::None);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

INSTANTIATE_TEST_SUITE_P(
    process_agent, Misdeeds,
    ::testing::Values(
        Misdeed{"crash", FaultKind::Crash, "the program was killed by signal 15"},
        Misdeed{"exit", FaultKind::Crash, "the program ended with exit code 3"},
        Misdeed{"close", FaultKind::Crash, "the program closed its output"},
        Misdeed{"errors", FaultKind::Crash,
                "the program ended with exit code 4; it last said \"something is wrong\""},
        Misdeed{"stall", FaultKind::Stall, "the program did not answer in time"},
        Misdeed{"illegal", FaultKind::Illegal, "the move \"nowhere\" is not legal"},
        Misdeed{"garbage", FaultKind::Garbage, "expected an object of type move, found \"what?\""},
        Misdeed{"other", FaultKind::Garbage,
                R"(expected an object of type move, found "{\"type\":\"hello\",\"protocol\":1}")"},
        Misdeed{"twice", FaultKind::Garbage, "the program has spoken without being asked"},
        Misdeed{"flood", FaultKind::Flood, "the program writes more than anybody may"},
        Misdeed{"exit-at-start", FaultKind::Start, "the program ended with exit code 7"},
        Misdeed{"stall-at-start", FaultKind::Start, "the program did not answer in time"},
        Misdeed{"protocol", FaultKind::Start, "it does not speak protocol 1"}),
    [](const auto& tested) {
        std::string name = tested.param.how;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(process_agent, a_flood_of_errors_is_a_flood) {
    const Played played = play(mock("error-flood", 1));
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->fault.kind, FaultKind::Flood);
}

TEST(process_agent, a_command_that_is_not_there_cannot_be_started) {
    const Played played = play("/nowhere/bot");
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->fault.kind, FaultKind::Start);
    EXPECT_NE(played.fault->fault.what.find("exit code 127"), std::string::npos)
        << played.fault->fault.what;
}

TEST(process_agent, it_is_started_again_for_the_next_game) {
    const auto life = open_for_test("life");
    const auto agent =
        make(*life, "process:" + mock("crash", 20)); // 15 moves of a game are its own
    EXPECT_FALSE(play(*agent).fault);
    EXPECT_TRUE(play(*agent).fault) << "the sixth move of the second game";
    EXPECT_FALSE(play(*agent).fault) << "a new one";
}

TEST(process_agent, the_time_of_a_game_is_limited_too) {
    const Played played = play(mock("slow"), ",total_ms=100");
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->fault.kind, FaultKind::Stall);
}

TEST(process_agent, nothing_of_ours_is_open_there) {
    const std::ifstream held("README.md");
    ASSERT_TRUE(held);
    for (const char* const how : {"descriptors", "group"}) {
        const Played played = play(mock(how, 1000));
        EXPECT_FALSE(played.fault) << how << ": " << played.fault->fault.what;
    }
}

// Processes of a group, from the system's list.
int processes_named(const std::string& part) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "cmdline");
        std::string line;
        std::getline(file, line);
        std::replace(line.begin(), line.end(), '\0', ' ');
        count += line.find(part) != std::string::npos ? 1 : 0;
    }
    return count;
}

TEST(process_agent, what_it_has_started_goes_with_it) {
    const std::string mark = "child 77" + std::to_string(::getpid());
    const auto life = open_for_test("life");
    {
        const auto agent = make(*life, "process:" CROUPIER_MOCK_BOT " " + mark);
        EXPECT_FALSE(play(*agent).fault);
        EXPECT_GE(processes_named(mark), 2);
    }
    for (int tries = 0; processes_named(mark) > 0 && tries < 100; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(processes_named(mark), 0);
}

TEST(process_agent, options_stand_behind_the_command) {
    const auto life = open_for_test("life");
    const auto error = [&](const std::string& spec) {
        return make_agent(parse_agent_spec(spec), {.game = *life, .clock = &kClock}).error;
    };
    EXPECT_EQ(error("process:bot --a=1,2,move_ms=5"), "");
    EXPECT_EQ(error("process:bot,move_m=5"), "process has no option 'move_m' (did you mean "
                                             "'move_ms'?); it has move_ms, start_ms, total_ms");
    EXPECT_EQ(error("process:bot,move_ms=0"),
              "process: move_ms is a number from 1 to 86400000, found '0'");
    EXPECT_EQ(error("process"), "process takes a command, as in process:python3 bot.py");
    EXPECT_EQ(make_agent(parse_agent_spec("process:bot"), {.game = *life}).error,
              "process needs a clock, and there is none here");
}

} // namespace
} // namespace croupier::agents
