// Programs as agents: good ones play; errors of bad ones are their fault and end in time.
#include "agents/game_runner.h"
#include "agents/process/child.h"
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <signal.h> // kill
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
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

// Time stands still: no program is late, however slow the machine is.
class StandingClock : public Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        ++looks;
        return {};
    }
    mutable std::atomic<int> looks = 0;
};
const StandingClock kNoTime;

// 20 ms per byte of a file: a program that adds one to it takes equally long on any machine.
class CountedClock : public Clock {
  public:
    CountedClock() { std::ofstream{file}; }
    CountedClock(const CountedClock&) = delete;
    CountedClock& operator=(const CountedClock&) = delete;
    ~CountedClock() override { std::filesystem::remove(file); }
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return std::chrono::milliseconds(20 * std::filesystem::file_size(file));
    }
    const std::string file =
        std::filesystem::temp_directory_path() / ("croupier-clock-" + std::to_string(::getpid()));
};

// A fast clock, for programs that never answer.
class TestClock : public Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return 50 * std::chrono::steady_clock::now().time_since_epoch();
    }
};
const TestClock kClock;

// The path of a program beside this one, quoted for the shell.
std::string in_shell(const std::string& program) {
    return "'" + games::beside_this_program(program) + "'";
}

std::string mock_bot(const std::string& how) {
    return in_shell("mock_bot") + " " + how;
}

std::string mock(const std::string& how, int good = 0) {
    return mock_bot(how) + " " + std::to_string(good);
}

std::unique_ptr<Agent> make(const Game& game, const std::string& spec,
                            const Clock& clock = kNoTime) {
    MadeAgent made = make_agent(parse_agent_spec(spec), {.game = game, .clock = &clock});
    EXPECT_NE(made.agent, nullptr) << made.error;
    return std::move(made.agent);
}

// A game of Life with the program on the first seat.
struct Played {
    std::optional<SeatFault> fault;
    Ending ending = Ending::None;
    std::optional<Verdict> verdict;
    std::uint32_t plies = 0;
};

Played play(Agent& program, std::uint64_t deal = 0) {
    static const auto kLife = open_for_test("life", {{"max_plies", std::int64_t{30}}});
    GameRunner table(*kLife);
    RandomAgent random;
    const Position& end = table.play(std::array<Agent*, 2>{&program, &random}, {1, deal, 0});
    return {table.fault(), end.ending(), table.verdict(), end.plies()};
}

Played play(const std::string& command, const std::string& options = "",
            const Clock& clock = kNoTime) {
    const auto life = open_for_test("life");
    return play(*make(*life, "process:" + command + options, clock));
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
    for (const std::string& bot :
         {in_shell("stones_bot"), std::string("python3 agents/process/examples/random_bot.py")}) {
        const Played played = play(bot);
        EXPECT_FALSE(played.fault) << bot << ": " << played.fault->fault.what;
        EXPECT_NE(played.ending, Ending::None);
    }
}

struct Misdeed {
    const char* how;
    FaultKind kind;
    std::string what;
    const char* limits = nullptr; // set if time ends the game; otherwise time stands still
    int good = 2;                 // good moves before the error
};

class Misdeeds : public ::testing::TestWithParam<Misdeed> {};

TEST_P(Misdeeds, are_a_fault_of_their_kind) {
    const Misdeed& misdeed = GetParam();
    const std::string command = mock(misdeed.how, misdeed.good);
    const Played played =
        misdeed.limits == nullptr ? play(command) : play(command, misdeed.limits, kClock);
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->seat, 0U);
    EXPECT_EQ(name_of(played.fault->fault.kind), name_of(misdeed.kind));
    EXPECT_EQ(played.fault->fault.what, misdeed.what);
    EXPECT_EQ(played.ending, Ending::None);
}

constexpr const char* kDay = ",move_ms=86400000,start_ms=86400000,total_ms=86400000";

INSTANTIATE_TEST_SUITE_P(
    process_agent, Misdeeds,
    ::testing::Values(
        Misdeed{"crash", FaultKind::Crash, "the program was killed by signal 15"},
        Misdeed{"exit", FaultKind::Crash, "the program ended with exit code 3"},
        Misdeed{"close", FaultKind::Crash, "the program closed its output", kDay},
        Misdeed{"orphan", FaultKind::Crash, "the program ended with exit code 5"},
        Misdeed{"errors", FaultKind::Crash,
                "the program ended with exit code 4; it last said \"something is wrong\""},
        Misdeed{"stall", FaultKind::Stall, "the program did not answer in time",
                ",move_ms=5000,start_ms=86400000", 0}, // a good move might be late as well
        Misdeed{"illegal", FaultKind::Illegal, "the move \"nowhere\" is not legal"},
        Misdeed{"garbage", FaultKind::Garbage, "expected an object of type move, found \"what?\""},
        Misdeed{"bytes", FaultKind::Garbage, // the first is three bytes by now, the last is cut off
                "expected an object of type move, found \"\xEF\xBF\xBD" + std::string(76, 'a') +
                    "\""},
        Misdeed{"other", FaultKind::Garbage,
                R"(expected an object of type move, found "{\"type\":\"hello\",\"protocol\":1}")"},
        Misdeed{"twice", FaultKind::Garbage, "the program has spoken without being asked"},
        Misdeed{"flood", FaultKind::Flood, "the program writes more than a program may"},
        Misdeed{"exit-at-start", FaultKind::Start, "the program ended with exit code 7"},
        Misdeed{"stall-at-start", FaultKind::Start, "the program did not answer in time",
                ",start_ms=5000"},
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
    const CountedClock clock;
    const Played played = play(mock("slow") + " " + clock.file, ",total_ms=110", clock);
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->fault.kind, FaultKind::Stall);
    EXPECT_EQ(played.plies, 10U) << "five moves take 100 ms";
}

TEST(process_agent, nothing_of_ours_is_open_there) {
    const std::ifstream held("README.md");
    ASSERT_TRUE(held);
    for (const char* const how : {"descriptors", "group"}) {
        const Played played = play(mock(how, 1000));
        EXPECT_FALSE(played.fault) << how << ": " << played.fault->fault.what;
    }
}

TEST(process_agent, may_give_up) {
    const Played played = play(mock("resign", 3));
    EXPECT_FALSE(played.fault);
    ASSERT_TRUE(played.verdict);
    EXPECT_EQ(played.verdict->kind, Verdict::Kind::Resigned);
    EXPECT_EQ(played.verdict->seat, 0U);
    EXPECT_EQ(played.plies, 6U);
}

TEST(process_agent, two_that_offer_a_draw_have_one) {
    const auto life = open_for_test("life");
    const auto one = make(*life, "process:" + mock("draw"));
    const auto other = make(*life, "process:" + mock("draw"));
    GameRunner table(*life);
    table.play(std::array<Agent*, 2>{one.get(), other.get()}, {1, 0, 0});
    ASSERT_TRUE(table.verdict());
    EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Agreed);
    // A program without a substitute has none.
    EXPECT_FALSE(play(*one).verdict);
}

TEST(process_agent, another_may_play_on_in_its_place) {
    const auto life = open_for_test("life");
    const auto agent = make(*life, "process:" + mock("exit", 4) + ",else=random");
    Played played = play(*agent);
    EXPECT_FALSE(played.fault);
    EXPECT_NE(played.ending, Ending::None);
    ASSERT_NE(agent->substitution(), nullptr);
    EXPECT_EQ(agent->substitution()->ply, 8U) << "its fifth move";
    EXPECT_EQ(agent->substitution()->fault.kind, FaultKind::Crash);
    EXPECT_EQ(agent->substitution()->fault.what, "the program ended with exit code 3");
    // Also from the beginning; the substitute can be at fault, too.
    const auto never = make(*life, "process:/nowhere/bot,else=random");
    EXPECT_FALSE(play(*never).fault);
    ASSERT_NE(never->substitution(), nullptr);
    EXPECT_EQ(never->substitution()->ply, 0U);
    // A spec with commas needs parentheses.
    const auto deep = make(*life, "process:/nowhere/bot,else=(eval:depth=2,nodes=50),move_ms=900");
    EXPECT_FALSE(play(*deep).fault);
    ASSERT_NE(deep->substitution(), nullptr);
    const auto good = make(*life, "process:" + mock("good") + ",else=random");
    EXPECT_FALSE(play(*good).fault);
    EXPECT_EQ(good->substitution(), nullptr);
}

TEST(process_agent, is_told_its_limits_and_what_is_left) {
    const auto told = [](const std::string& options, int good) {
        const Played played = play(mock("limits", good) + options);
        const std::string what = played.fault ? played.fault->fault.what : "";
        const std::string begin = "the program ended with exit code 8; it last said ";
        return what.substr(std::min(begin.size(), what.size()));
    };
    EXPECT_EQ(told("", 1),
              R"("limits:{clock_ms:600000,increment_ms:0,move_ms:5000}} 600000 0 5000")");
    EXPECT_EQ(told(",clock=60+0.5", 1),
              R"("limits:{clock_ms:60000,increment_ms:500,move_ms:86400000}} 60000 500 60000")");
    EXPECT_EQ(told(",clock=60+0.5,move_ms=700", 1),
              R"("limits:{clock_ms:60000,increment_ms:500,move_ms:700}} 60000 500 700")");
}

// Moves of 20 ms: with an equal increment the clock does not run down.
TEST(process_agent, a_clock_runs_down_and_goes_up) {
    const CountedClock clock;
    const std::string slow = mock("slow") + " " + clock.file;
    Played played = play(slow, ",clock=0.11", clock);
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.fault->fault.kind, FaultKind::Stall);
    EXPECT_EQ(played.plies, 10U) << "five moves take 100 ms";
    played = play(slow, ",clock=0.115+0.01", clock);
    ASSERT_TRUE(played.fault);
    EXPECT_EQ(played.plies, 20U) << "after ten moves there are 15 ms left";
    played = play(slow, ",clock=0.03+0.02", clock);
    EXPECT_FALSE(played.fault) << played.fault->fault.what;
    EXPECT_GE(played.plies, 24U) << "twelve moves are 240 ms";
}

TEST(process_agent, nobody_waits_for_it_once_games_are_broken_off) {
    const auto life = open_for_test("life");
    std::atomic<bool> abandon = false;
    const StandingClock clock; // so that only `abandon` ends it
    AgentServices services{.game = *life, .clock = &clock};
    services.abandon = &abandon;
    const auto agent = make_agent(parse_agent_spec("process:" + mock("stall", 2)), services).agent;
    GameRunner table(*life);
    table.set_abandon(&abandon);
    // Makes its moves, and counts them.
    struct Opponent : RandomAgent {
        std::size_t choose_by_count(std::size_t count, Random& choice) override {
            ++moves;
            return RandomAgent::choose_by_count(count, choice);
        }
        std::atomic<int> moves = 0;
    } opponent;
    const std::jthread hurry([&] {
        const auto wait_until = [](const auto& holds) {
            while (!holds())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        };
        wait_until([&] { return opponent.moves == 2; });
        const int before = clock.looks;
        // A game reads the clock only a few more times while a program is awaited.
        wait_until([&] { return clock.looks > before + 10; });
        abandon = true;
    });
    table.play(std::array<Agent*, 2>{agent.get(), &opponent}, {1, 0, 0});
    EXPECT_TRUE(table.abandoned());
    EXPECT_FALSE(table.fault());
}

// Number of processes whose command line has that part, from the system's list.
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

// A program that starts another may play a whole game before the system lists what it started.
template <typename Condition>
bool soon(Condition holds) {
    for (int tries = 0; tries < 12'000; ++tries) { // two minutes
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

bool soon_named(const std::string& part, int at_least) {
    return soon([&] { return processes_named(part) >= at_least; });
}

bool soon_gone(const std::string& part) {
    return soon([&] { return processes_named(part) == 0; });
}

TEST(process_agent, what_it_has_started_goes_with_it) {
    const std::string mark = "child 77" + std::to_string(::getpid());
    const auto life = open_for_test("life");
    {
        const auto agent = make(*life, "process:" + mock_bot(mark));
        EXPECT_FALSE(play(*agent).fault);
        EXPECT_TRUE(soon_named(mark, 2));
    }
    EXPECT_TRUE(soon_gone(mark));
}

TEST(process_agent, a_session_of_its_own_saves_nobody) {
    const std::string mark = "session 78" + std::to_string(::getpid());
    const auto life = open_for_test("life");
    {
        const auto agent = make(*life, "process:" + mock_bot(mark));
        EXPECT_FALSE(play(*agent).fault);
        EXPECT_TRUE(soon_named(mark, 2));
    }
    EXPECT_EQ(processes_named(mark), 0) << "the agent's end waits for theirs";
}

TEST(process_agent, one_that_kills_its_guardian_saves_nobody) {
    const std::string mark = "parricide 0 80" + std::to_string(::getpid());
    const auto life = open_for_test("life");
    {
        const auto agent = make(*life, "process:" + mock_bot(mark));
        EXPECT_EQ(play(*agent).fault->fault.kind, FaultKind::Crash);
    }
    EXPECT_EQ(processes_named(mark), 0) << "the agent's end waits for theirs";
}

// After SIGKILL no process can clean up: the system informs the guardian.
TEST(process_agent, kill_nine_of_the_harness_takes_programs_along) {
    const std::string mark = "session 79" + std::to_string(::getpid());
    const pid_t harness = ::fork();
    if (harness == 0) {
        Child child(kClock);
        if (child.start(mock_bot(mark))) ::_exit(1);
        for (;;)
            ::pause();
    }
    ASSERT_GT(harness, 0);
    ASSERT_TRUE(soon_named(mark, 2));
    ::kill(harness, SIGKILL);
    ::waitpid(harness, nullptr, 0);
    EXPECT_TRUE(soon_gone(mark));
}

TEST(process_agent, options_stand_behind_the_command) {
    const auto life = open_for_test("life");
    const auto error = [&](const std::string& spec) {
        return make_agent(parse_agent_spec(spec), {.game = *life, .clock = &kNoTime}).error;
    };
    EXPECT_EQ(error("process:bot --a=1,2,move_ms=5"), "");
    EXPECT_EQ(error("process:bot,move_m=5"),
              "process has no option 'move_m' (did you mean "
              "'move_ms'?); it has start_ms, move_ms, total_ms, clock, "
              "else");
    EXPECT_EQ(error("process:bot,clock=60+0.5,else=random"), "");
    EXPECT_EQ(error("process:bot,clock=60+x"),
              "process: clock is SECONDS+SECONDS, as in 60+0.5, found '60+x'");
    EXPECT_EQ(error("process:bot,clock=0"),
              "process: clock is SECONDS+SECONDS, as in 60+0.5, found '0'");
    EXPECT_EQ(error("process:bot,clock=1,total_ms=5"),
              "process: clock or total_ms is the limit, not both");
    EXPECT_EQ(error("process:bot,else=randm").substr(0, 46),
              "process: else: there is no agent 'randm' (did ");
    EXPECT_EQ(error("process:bot,move_ms=0"),
              "process: move_ms is a number from 1 to 86400000, found '0'");
    EXPECT_EQ(error("process"), "process takes a command, as in process:python3 bot.py");
    EXPECT_EQ(make_agent(parse_agent_spec("process:bot"), {.game = *life}).error,
              "process needs a clock, and there is none here");
}

} // namespace
} // namespace croupier::agents
