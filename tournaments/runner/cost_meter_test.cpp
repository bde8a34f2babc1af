// Which steps are watched, that watching changes no game, and that counts are the same however the
// work was shared out.
#include "engine/api/ruleset.h"
#include "tournaments/runner/cost_meter.h"

#include "agents/registry.h"
#include "games/registry.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/rule_facts.h"
#include "tournaments/runner/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <set>

namespace croupier::tournaments {
namespace {

using results::kNothing;
using results::Phase;
using results::ProfileMode;

TEST(cost_meter, every_stretch_of_every_game_has_one_step_of_the_sample) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t deal = 0; deal < 2000; ++deal) {
        const std::uint32_t step = sampled_step({7, deal, 1}, 0, 64);
        EXPECT_LT(step, 64u);
        seen.insert(step);
        const std::uint32_t later = sampled_step({7, deal, 1}, 5, 64);
        EXPECT_GE(later, 5u * 64);
        EXPECT_LT(later, 6u * 64);
    }
    EXPECT_EQ(seen.size(), 64u) << "no step is left out";
}

TEST(cost_meter, another_game_has_another_sample) {
    int same = 0;
    for (std::uint64_t deal = 0; deal < 1000; ++deal) {
        const std::uint32_t step = sampled_step({7, deal, 0}, 0, 1024);
        EXPECT_EQ(step, sampled_step({7, deal, 0}, 0, 1024));
        same += step == sampled_step({7, deal, 1}, 0, 1024) ? 1 : 0;
        same += step == sampled_step({8, deal, 0}, 0, 1024) ? 1 : 0;
        same += step == sampled_step({7, deal + 1, 0}, 0, 1024) ? 1 : 0;
    }
    EXPECT_LT(same, 20); // three of 1024 each
}

std::uint64_t tick() {
    static std::atomic<std::uint64_t> ticks = 0;
    return ++ticks;
}

class CostRuns : public testing::Test {
  protected:
    static engine::FileText read_file(const std::string& path) {
        std::ifstream in(path);
        return {std::string(std::istreambuf_iterator<char>(in), {}), {}};
    }

    void open(const std::string& game, const std::string& revision, std::uint64_t blocks) {
        const games::Registry registry(games::Registry::source_folder(), read_file);
        game_ = registry.open({game, revision}).game;
        ASSERT_NE(game_, nullptr);
        ScheduleRequest request;
        facts_.game = game;
        facts_.players = game_->facts().players;
        for (const games::Team& team : game_->facts().teams)
            request.sides.push_back(team.seats);
        for (games::Seat seat = 0; request.sides.size() < facts_.players.size() &&
                                   game_->facts().teams.empty() && seat < facts_.players.size();
             ++seat)
            request.sides.push_back({seat});
        facts_.agents = {"naive", "random"};
        facts_.seed = 11;
        request.agents = 2;
        request.seed = facts_.seed;
        request.blocks = blocks;
        schedule_ = make_schedule(request).schedule;
        ASSERT_NE(schedule_, nullptr);
    }

    // Agent 0 is made of rules where the test names them, agent 1 is not.
    agents::MadeAgent make(std::uint32_t agent) {
        const bool rules = agent == 0 && !rules_.empty();
        return agents::make_agent(agents::parse_agent_spec(rules ? "rules:" + rules_ : "random"),
                                  {*game_, read_file, agents::source_folder()});
    }

    struct Played {
        std::string rows;
        results::CostTable table;
        std::string costs; // row by row, without times
    };

    class Keeper : public BlockSink {
      public:
        bool take(const PlayedBlock& block) override {
            played.rows += block.rows;
            for (const results::CostRow& row : block.costs) {
                played.table.add(row);
                played.costs += std::to_string(block.index) + " " + std::to_string(row.key.rule) +
                                " " + std::to_string(row.key.entry) + " " +
                                std::to_string(static_cast<int>(row.key.phase)) + " " +
                                std::to_string(row.key.seat) + " " +
                                std::to_string(row.cost.tried) + " " +
                                std::to_string(row.cost.matches) + "\n";
            }
            for (const results::GameRecord& game : block.games)
                played.table.add_game(game.plies);
            return true;
        }
        Played played;
    };

    Played play(ProfileMode mode, std::size_t threads = 1, std::uint32_t stretch = 16) {
        profile_ = {};
        profile_.mode = mode;
        const bool full = mode == ProfileMode::Full;
        if (const games::RulesetGame* game = game_->ruleset_game(); game == game_.get())
            add_rule_facts(game->program(), game->sources(), {}, full, profile_);
        const agents::MadeAgent made = make(0);
        if (made.agent->rules() != nullptr)
            add_rule_facts(*made.agent->rules(), made.sources, 0, full, profile_);
        ProfileSettings settings;
        if (profile_.watches()) settings = {&profile_, tick, 0, stretch};
        const AgentMaker maker = [this](std::uint32_t agent) { return make(agent).agent; };
        const LocalWorkers workers(*game_, facts_, maker, threads, settings);
        Keeper keeper;
        play_blocks(*schedule_, workers.all(), {}, keeper);
        return std::move(keeper.played);
    }

    std::uint32_t rule(const std::string& name) const {
        for (std::uint32_t rule = 0; rule < profile_.rules.size(); ++rule) {
            if (profile_.rules[rule].name == name) return rule;
        }
        ADD_FAILURE() << "no rule " << name;
        return 0;
    }

    std::shared_ptr<const games::Game> game_;
    std::string rules_;
    results::RunFacts facts_;
    results::ProfileFacts profile_;
    std::unique_ptr<Schedule> schedule_;
};

TEST_F(CostRuns, games_are_the_same_watched_or_not_and_counts_on_any_number_of_threads) {
    rules_ = "naive";
    open("belote", "", 12);
    const Played off = play(ProfileMode::Off);
    EXPECT_EQ(off.table.watched(), 0u);
    for (const ProfileMode mode : {ProfileMode::Sample, ProfileMode::Full}) {
        const Played one = play(mode);
        EXPECT_EQ(one.rows, off.rows);
        EXPECT_GT(one.table.watched(), 0u);
        for (const std::size_t threads : {2, 5}) {
            const Played more = play(mode, threads);
            EXPECT_EQ(more.rows, off.rows);
            EXPECT_EQ(more.costs, one.costs) << threads;
        }
    }
}

TEST_F(CostRuns, a_full_profile_counts_every_step_and_a_sample_its_part_of_them) {
    open("belote", "", 40);
    const Played full = play(ProfileMode::Full);
    EXPECT_EQ(full.table.watched(), full.table.steps());
    const std::uint64_t plies = full.table.steps() - full.table.games();
    // Each move runs the group play once, so each of its rules is tried once.
    EXPECT_EQ(full.table.rule(rule("card")).tried, plies);
    // Whose card it was is known: the four play equally many but for who ends with a pass.
    for (std::uint32_t seat = 0; seat < 4; ++seat)
        EXPECT_GE(full.table.rows().at({rule("card"), Phase::Play, seat, kNothing}).firings,
                  8u * 40);
    const Played sample = play(ProfileMode::Sample);
    EXPECT_GT(sample.table.watched(), full.table.steps() / 32);
    EXPECT_LT(sample.table.watched(), full.table.steps() / 8);
    EXPECT_LE(sample.table.rule(rule("card")).tried, sample.table.watched());
    EXPECT_GE(sample.table.rule(rule("card")).tried + sample.table.games(), sample.table.watched());
    EXPECT_GT(sample.table.rule(rule("card")).self_ns(), 0u);
}

TEST_F(CostRuns, rules_of_an_agent_have_its_phases_and_the_seats_it_sat_on) {
    rules_ = "naive";
    open("belote", "", 6);
    const Played played = play(ProfileMode::Full);
    std::set<Phase> phases;
    std::set<std::uint32_t> seats;
    std::uint64_t chosen = 0;
    for (const auto& [key, cost] : played.table.rows()) {
        if (!profile_.rules[key.rule].agent) {
            EXPECT_LT(key.phase, Phase::Choose);
            continue;
        }
        EXPECT_GE(key.phase, Phase::Choose);
        phases.insert(key.phase);
        seats.insert(key.seat);
        chosen += cost.tried;
    }
    EXPECT_EQ(phases.count(Phase::Choose), 1u);
    EXPECT_EQ(seats, (std::set<std::uint32_t>{0, 1, 2, 3})) << "the seats rotate";
    EXPECT_GT(chosen, 0u);
}

TEST_F(CostRuns, a_game_in_cpp_with_agents_in_cpp_has_nothing_to_watch) {
    open("life", "", 2);
    const Played played = play(ProfileMode::Full);
    EXPECT_TRUE(profile_.rules.empty());
    EXPECT_TRUE(played.costs.empty());
    // With an agent of rules there are its own alone.
    rules_ = "greedy";
    const Played greedy = play(ProfileMode::Full);
    EXPECT_GT(greedy.table.watched(), 0u);
    for (const auto& [key, cost] : greedy.table.rows())
        EXPECT_EQ(profile_.rules[key.rule].agent, 0u);
}

// An agent's fault ends a step that is watched: it is none, but what it cost is its own block's.
TEST_F(CostRuns, what_was_measured_before_a_fault_does_not_wait_for_another_block) {
    open("oldmaid", "", 1);
    const games::RulesetGame& game = *game_->ruleset_game();
    profile_.mode = ProfileMode::Full;
    add_rule_facts(game.program(), game.sources(), {}, true, profile_);
    const ProfileSettings settings{&profile_, tick, 0, 1};
    CostMeter meter(settings, game);
    EXPECT_EQ(meter.first({1, 2, 3}), 0u);
    meter.runs({games::Phase::Setup, games::kNobody, game.program(), game.groups().setup,
                game.budgets(), game.initial(), games::Random(1)});
    std::vector<results::CostRow> rows;
    meter.drain(rows);
    ASSERT_FALSE(rows.empty());
    for (const results::CostRow& row : rows)
        EXPECT_NE(row.key.rule, kNothing);
    rows.clear();
    meter.drain(rows);
    EXPECT_TRUE(rows.empty());
}

TEST_F(CostRuns, the_last_step_of_a_game_is_watched_to_its_score) {
    open("oldmaid", "", 3);
    const Played played = play(ProfileMode::Full);
    std::uint64_t scored = 0;
    for (const auto& [key, cost] : played.table.rows()) {
        if (key.phase != Phase::Score || key.entry != kNothing) continue;
        EXPECT_EQ(key.seat, kNothing) << "nobody's in particular";
        scored = std::max(scored, cost.tried);
    }
    EXPECT_EQ(scored, played.table.games());
}

} // namespace
} // namespace croupier::tournaments
