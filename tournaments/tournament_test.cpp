// Tournaments in one call: their result depends on seed and entrants, not on threads.
#include "tournaments/tournament.h"

#include "games/files.h"
#include "games/registry.h"
#include "games/testing/testing.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace croupier::tournaments {
namespace {

class FirstMove : public agents::Agent {
  public:
    void reset(const games::Game&, games::Seat) override {}
    std::size_t choose(const games::Position&, games::Random&) override { return 0; }
};

class TournamentTest : public testing::Test {
  protected:
    void SetUp() override {
        const games::Registry registry(games::kGamesFolder, games::read_file);
        opened_ = registry.open({"belote", ""});
        ASSERT_NE(opened_.game, nullptr) << opened_.error;
    }
    Entrant entrant(const std::string& spec) {
        const MadeEntrant made =
            make_entrant(spec, {*opened_.game, games::read_file, games::kAgentsFolder});
        EXPECT_TRUE(made.entrant) << made.error;
        return made.entrant.value_or(Entrant{});
    }

    games::OpenedGame opened_;
    const Entrant first_{"first", [] { return std::make_unique<FirstMove>(); }};
};

TEST_F(TournamentTest, rules_beat_the_first_move_and_blocks_are_paired) {
    const Tournament played =
        play_tournament(*opened_.game, {entrant("rules:table"), first_}, {.blocks = 40});
    ASSERT_EQ(played.error, "");
    EXPECT_EQ(played.summary.blocks, 40U);
    EXPECT_EQ(played.summary.games, 80U); // two partnerships, so two games per deal
    ASSERT_EQ(played.summary.contestants.size(), 2U);
    const results::ContestantRow& rules = played.summary.contestants[0];
    EXPECT_EQ(rules.name, "rules:table");
    EXPECT_EQ(rules.games, 80U);
    EXPECT_GT(rules.win_rate.low.value_or(0), 0.5);
    EXPECT_NEAR(*rules.win_rate.value + *played.summary.contestants[1].win_rate.value, 1, 1e-12);
}

TEST_F(TournamentTest, a_clock_tells_what_decisions_take) {
    Ticking clock;
    const Entrant slow{"slow", [&] { return std::make_unique<SlowAgent>(clock); }};
    const Tournament played =
        play_tournament(*opened_.game, {slow, first_}, {.blocks = 2, .clock = &clock});
    EXPECT_EQ(played.times.of(0).mean(), 1e6);
    EXPECT_EQ(played.times.of(1).mean(), 0);
    EXPECT_TRUE(play_tournament(*opened_.game, {slow, first_}, {.blocks = 2}).times.empty());
}

TEST_F(TournamentTest, seed_decides_and_threads_do_not) {
    const std::vector<Entrant> two{entrant("random"), entrant("Other=random")};
    const Tournament one = play_tournament(*opened_.game, two, {.blocks = 60, .seed = 3});
    const Tournament many =
        play_tournament(*opened_.game, two, {.blocks = 60, .seed = 3, .threads = 3});
    const Tournament other = play_tournament(*opened_.game, two, {.blocks = 60, .seed = 4});
    EXPECT_EQ(one.hash, many.hash);
    EXPECT_EQ(one.summary.contestants[0].points.value, many.summary.contestants[0].points.value);
    EXPECT_NE(one.hash, other.hash);
    EXPECT_EQ(one.summary.contestants[1].name, "Other");
}

// At a table of four that only rotates, a pair always sits in one order, which matters much in Old
// Maid: who draws from whom. Such pairs get no verdict; if orders vary, at most 5 % of verdicts are
// wrong.
TEST_F(TournamentTest, equal_agents_are_not_told_to_differ) {
    const games::Registry registry(games::kGamesFolder, games::read_file);
    const games::OpenedGame old_maid = registry.open({"oldmaid", ""});
    ASSERT_NE(old_maid.game, nullptr) << old_maid.error;
    std::vector<Entrant> four;
    for (const char* spec : {"A=random", "B=random", "C=random", "D=random"})
        four.push_back(*make_entrant(spec, {*old_maid.game, games::read_file}).entrant);
    const auto told_apart = [&](TournamentSettings settings) {
        int apart = 0;
        for (settings.seed = 1; settings.seed <= 10; ++settings.seed) {
            const Tournament played = play_tournament(*old_maid.game, four, settings);
            EXPECT_EQ(played.summary.meetings.size(), 6U);
            for (const results::MeetingRow& row : played.summary.meetings)
                apart += row.los && (*row.los < 0.025 || *row.los > 0.975) ? 1 : 0;
        }
        return apart;
    };
    EXPECT_EQ(told_apart({.blocks = 100}), 0);
    // More than 9 of 60 have a probability of 0.1 %.
    EXPECT_LE(told_apart({.blocks = 20, .rotation = Rotation::All}), 9);
    EXPECT_LE(told_apart({.blocks = 100, .schedule = ScheduleKind::FreeForAll}), 9);
}

TEST_F(TournamentTest, listener_hears_blocks_in_order_and_may_end_it) {
    std::vector<std::uint64_t> heard;
    TournamentSettings settings{.blocks = 50, .threads = 2};
    settings.listener = [&](std::span<const results::GameRecord> games) {
        heard.push_back(games.front().block);
        return heard.size() < 3;
    };
    const Tournament played = play_tournament(*opened_.game, {entrant("random"), first_}, settings);
    EXPECT_EQ(heard, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(played.summary.blocks, 3U);

    // A shorter tournament is the beginning of a longer one.
    const Tournament three =
        play_tournament(*opened_.game, {entrant("random"), first_}, {.blocks = 3});
    EXPECT_EQ(played.hash, three.hash);
}

TEST_F(TournamentTest, knockout_depends_on_results_and_ends) {
    const Tournament played =
        play_tournament(*opened_.game, {first_, entrant("random"), entrant("rules:table")},
                        {.blocks = 10, .threads = 2, .schedule = ScheduleKind::Knockout});
    ASSERT_EQ(played.error, "");
    // Two matches of five deals: the winner of the first plays the second against the agent that
    // had a bye.
    EXPECT_EQ(played.summary.blocks, 10U);
    std::vector<std::uint64_t> blocks;
    for (const results::ContestantRow& row : played.summary.contestants)
        blocks.push_back(row.blocks);
    std::sort(blocks.begin(), blocks.end());
    EXPECT_EQ(blocks, (std::vector<std::uint64_t>{5, 5, 10}));
}

TEST_F(TournamentTest, searches_that_may_resign_lose_what_they_resign) {
    const games::Registry registry(games::kGamesFolder, games::read_file);
    const games::OpenedGame life = registry.open({"life", ""});
    const auto of_life = [&](const char* spec) {
        return *make_entrant(spec, {*life.game, games::read_file}).entrant;
    };
    std::uint64_t resigned = 0;
    TournamentSettings settings{.blocks = 4};
    settings.listener = [&](std::span<const results::GameRecord> games) {
        for (const results::GameRecord& game : games)
            resigned += game.end == results::End::Resigned ? 1 : 0;
        return true;
    };
    const Tournament played = play_tournament(
        *life.game, {of_life("Quits=eval:resign=5"), of_life("eval:depth=2")}, settings);
    EXPECT_GE(resigned, 4U);
    EXPECT_EQ(played.summary.contestants[0].wins + played.summary.contestants[0].losses, 8U);
    EXPECT_GE(played.summary.contestants[0].losses, resigned);
}

// Reading and compiling rules takes longer than many games.
TEST_F(TournamentTest, seats_and_threads_share_the_rules_of_an_entrant) {
    std::map<std::string, int> read;
    const agents::AgentServices here{*opened_.game,
                                     [&](const std::string& path) {
                                         ++read[path];
                                         return games::read_file(path);
                                     },
                                     games::kAgentsFolder};
    const MadeEntrant rules = make_entrant("rules:naive", here);
    ASSERT_TRUE(rules.entrant) << rules.error;
    const std::map<std::string, int> at_first = read;
    EXPECT_FALSE(at_first.empty());
    ASSERT_EQ(
        play_tournament(*opened_.game, {*rules.entrant, first_}, {.blocks = 8, .threads = 3}).error,
        "");
    EXPECT_EQ(read, at_first);
    EXPECT_EQ(rules.entrant->make()->rules(), rules.entrant->make()->rules());
}

TEST_F(TournamentTest, what_is_wrong_is_said) {
    const agents::AgentServices here{*opened_.game, games::read_file, games::kAgentsFolder};
    EXPECT_EQ(make_entrant("randm", here).error.substr(0, 50),
              "there is no agent 'randm' (did you mean 'random'?)");
    EXPECT_NE(make_entrant("rules:nowhere.json", here).error.find("nowhere.json"),
              std::string::npos);
    EXPECT_EQ(play_tournament(*opened_.game, {first_, first_}).error,
              "two entrants are named 'first'");
    EXPECT_EQ(games::read_file("/nowhere/rules.json").error,
              "/nowhere/rules.json: No such file or directory");
    EXPECT_EQ(games::read_file("/").error, "/: is a directory");
    EXPECT_FALSE(games::read_file("/").text);
}

} // namespace
} // namespace croupier::tournaments
