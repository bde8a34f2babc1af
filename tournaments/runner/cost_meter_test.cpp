// The selection of watched steps; watching changes no game; and counts are independent of how work
// is distributed.
#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "games/registry.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"
#include "tournaments/runner/cost_meter.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/run_facts.h"
#include "tournaments/runner/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

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

// Never interrupts by itself: tests add the ticks.
class ByHand : public Sampler {
  public:
    void sample(TickBuffer* into) override { buffer = into; }
    [[nodiscard]] std::uint64_t cpu_ns() const override { return now; }

    TickBuffer* buffer = nullptr;
    std::uint64_t now = 0;
};

class CostRuns : public testing::Test {
  protected:
    static engine::FileText read_file(const std::string& path) {
        std::ifstream in(path);
        return {std::string(std::istreambuf_iterator<char>(in), {}), {}};
    }

    void open(const std::string& game, const std::string& revision, std::uint64_t blocks) {
        const games::Registry registry(games::kGamesFolder, read_file);
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

    // Agent 0 runs rules if the test names them, agent 1 does not.
    agents::MadeAgent make(std::uint32_t agent) {
        const bool rules = agent == 0 && !rules_.empty();
        return agents::make_agent(agents::parse_agent_spec(rules ? "rules:" + rules_ : "random"),
                                  {*game_, read_file, games::kAgentsFolder});
    }

    struct Played {
        std::string rows;
        results::CostTable table;
        std::string costs; // by row, without times
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

    Played play(ProfileMode mode, std::size_t threads = 1, std::uint32_t stretch = 16,
                std::uint32_t first_stretch = 0) {
        profile_ = {};
        profile_.mode = mode;
        const bool full = mode == ProfileMode::Full;
        if (const games::RulesetGame* game = game_->ruleset_game())
            add_rule_facts(game->program(), game->sources(), {}, full, profile_);
        const agents::MadeAgent made = make(0);
        if (made.agent->rules() != nullptr)
            add_rule_facts(*made.agent->rules(), made.sources, 0, full, profile_);
        ProfileSettings settings;
        if (profile_.watches()) settings = {&profile_, nullptr, stretch, first_stretch};
        const AgentMaker maker = [this](std::uint32_t agent) { return make(agent).agent; };
        const LocalWorkers workers(*game_, facts_, maker, threads, settings);
        Keeper keeper;
        play_blocks(*schedule_, workers.all(), {}, keeper);
        return std::move(keeper.played);
    }

    std::uint32_t rule(const std::string& name) const {
        for (std::uint32_t rule = 0; rule < profile_.rules.size(); ++rule)
            if (profile_.rules[rule].name == name) return rule;
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
    // The player of a card is known: all four play equally many, except for a pass at the end.
    for (std::uint32_t seat = 0; seat < 4; ++seat)
        EXPECT_GE(full.table.rows().at({rule("card"), Phase::Play, seat, kNothing}).firings,
                  8u * 40);
    const Played sample = play(ProfileMode::Sample);
    EXPECT_GT(sample.table.watched(), full.table.steps() / 32);
    EXPECT_LT(sample.table.watched(), full.table.steps() / 8);
    EXPECT_LE(sample.table.rule(rule("card")).tried, sample.table.watched());
    EXPECT_GE(sample.table.rule(rule("card")).tried + sample.table.games(), sample.table.watched());
}

TEST_F(CostRuns, the_first_deals_are_watched_oftener_and_no_others) {
    constexpr std::uint32_t kHardlyEver = 1U << 30;
    open("belote", "", kFirstDeals);
    const Played few = play(ProfileMode::Sample, 1, kHardlyEver, 16);
    EXPECT_GT(few.table.watched(), few.table.steps() / 32);
    EXPECT_EQ(play(ProfileMode::Sample, 1, kHardlyEver).table.watched(), 0u);
    open("belote", "", kFirstDeals + 40);
    const Played more = play(ProfileMode::Sample, 3, kHardlyEver, 16);
    EXPECT_EQ(more.table.watched(), few.table.watched());
    EXPECT_GT(more.table.steps(), few.table.steps());
}

// Life's rules do a hundred times as much work in a step as those of Belote.
TEST_F(CostRuns, steps_of_a_sample_are_the_rarer_the_more_they_look_at) {
    const auto stretch = [&](const char* name) {
        open(name, "", 1);
        return sample_stretch(*game_);
    };
    EXPECT_EQ(stretch("belote"), kLeastStretch);
    EXPECT_GT(stretch("life"), 8 * kLeastStretch);
    EXPECT_EQ(stretch("life"), stretch("life"));
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

TEST_F(CostRuns, a_run_ends_with_the_block_that_made_the_work_enough) {
    open("belote", "", 12);
    profile_.mode = ProfileMode::Full;
    const games::RulesetGame& game = *game_->ruleset_game();
    add_rule_facts(game.program(), game.sources(), {}, true, profile_);
    const AgentMaker maker = [this](std::uint32_t agent) { return make(agent).agent; };
    std::uint64_t work = 0;
    const auto blocks = [&](std::uint64_t most_work, std::size_t threads) {
        const LocalWorkers workers(*game_, facts_, maker, threads, {&profile_, nullptr, 1});
        LedgerSettings settings;
        settings.most_work = most_work;
        Ledger ledger(facts_, std::move(settings));
        play_blocks(*schedule_, workers.all(), {}, ledger);
        work = 0;
        for (const auto& [key, cost] : ledger.costs().rows())
            work += cost.tried + cost.matches;
        return ledger.blocks();
    };
    EXPECT_EQ(blocks(1, 1), 1u);
    EXPECT_EQ(blocks(~std::uint64_t{0}, 1), 12u);
    const std::uint64_t half = work / 2;
    const std::uint64_t some = blocks(half, 1);
    EXPECT_GT(some, 3u);
    EXPECT_LT(some, 10u);
    EXPECT_EQ(blocks(half, 3), some);
}

// A step ended by an agent's fault does not count, but its costs belong to its own block.
TEST_F(CostRuns, what_was_measured_before_a_fault_does_not_wait_for_another_block) {
    open("oldmaid", "", 1);
    const games::RulesetGame& game = *game_->ruleset_game();
    profile_.mode = ProfileMode::Full;
    add_rule_facts(game.program(), game.sources(), {}, true, profile_);
    const ProfileSettings settings{&profile_, nullptr, 1};
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

// The activity shows the phase of a group of rules, and the code around it.
TEST_F(CostRuns, what_is_done_is_marked_before_it_is_begun) {
    open("belote", "", 1);
    rules_ = "counting"; // which also observes
    struct Marks : agents::StepWatch, agents::Listener {
        std::uint32_t first(const agents::GameKey&) override { return 0; }
        std::uint32_t after(std::uint32_t step) override { return step + 1; }
        void runs(const games::RuleRun& run) override { seen[run.phase].insert(games::doing); }
        void moves(const games::Position&, games::Move) override { hashed = games::doing; }
        std::map<games::Phase, std::set<games::Doing>> seen;
        games::Doing hashed = games::Doing::Table;
    } marks;
    std::vector<std::unique_ptr<agents::Agent>> agents;
    std::vector<agents::Agent*> seated;
    for (games::Seat seat = 0; seat < game_->facts().seats(); ++seat) {
        agents.push_back(make(0).agent);
        seated.push_back(agents.back().get());
    }
    agents::GameRunner table(*game_);
    table.set_watch(&marks);
    table.play(seated, {1, 2, 3}, &marks);
    using games::Doing;
    using Seen = std::map<games::Phase, std::set<Doing>>;
    EXPECT_EQ(marks.seen, (Seen{{games::Phase::Setup, {Doing::Deal}},
                                {games::Phase::Moves, {Doing::Moves}},
                                {games::Phase::Play, {Doing::Play}},
                                {games::Phase::Score, {Doing::Score}},
                                {games::Phase::Choose, {Doing::Look}},
                                {games::Phase::Observe, {Doing::Look}}}));
    EXPECT_EQ(marks.hashed, Doing::Line);
}

// ---- times -------------------------------------------------------------------------------------

class Ticks : public CostRuns {
  protected:
    using Area = agents::Whereabouts::Area;
    using Stay = agents::Whereabouts::Stay;
    static constexpr std::uint64_t kTick = 250'000;

    void open_game(const std::string& game) {
        open(game, "", 1);
        profile_.mode = ProfileMode::Sample;
        add_rule_facts(rules().program(), rules().sources(), {}, true, profile_);
        settings_ = {&profile_, &sampler_, 0};
        meter_ = std::make_unique<CostMeter>(settings_, *game_);
        meter_->look_at(where_);
        meter_->works();
        frame_.program = &rules().program().catalogue();
        games::now(games::Doing::Table); // opening a game has played some
    }
    const games::RulesetGame& rules() const { return *game_->ruleset_game(); }
    void tick(Area area, games::Seat seat = 0, std::uintptr_t at = 1) {
        const Stay here(where_, area, seat);
        sampler_.buffer->note(at);
    }
    // A tick while rules run.
    void tick_in(engine::RuleId rule, std::uintptr_t at = 1) {
        frame_.counters.rule = rule;
        const engine::x86::Running running(frame_);
        tick(Area::Game, 0, at);
    }
    results::CostTable table() {
        meter_->rests();
        std::vector<results::CostRow> rows;
        meter_->drain_times(rows);
        results::CostTable table;
        for (const results::CostRow& row : rows)
            table.add(row);
        return table;
    }

    ByHand sampler_;
    ProfileSettings settings_;
    agents::Whereabouts where_;
    engine::x86::Frame frame_;
    std::unique_ptr<CostMeter> meter_;
};

TEST_F(Ticks, what_no_rule_does_has_rows_of_its_own) {
    open_game("oldmaid");
    tick(Area::Harness);
    tick(Area::Game);
    tick(Area::Game);
    tick(Area::Agent, 2);
    tick(Area::Watch); // not part of the games
    tick_in(engine::kNone);
    const auto tick_as = [this](games::Doing doing, Area area) {
        games::now(doing);
        tick(area, 2);
        games::now(games::Doing::Table);
    };
    tick_as(games::Doing::Moves, Area::Game);
    tick_as(games::Doing::Weights, Area::Agent);
    tick_as(games::Doing::Rows, Area::Harness);
    tick_as(games::Doing::Moves, Area::Agent); // of a game that an agent plays internally
    tick_as(games::Doing::Look, Area::Game);   // left by an agent
    sampler_.now = 900;
    const results::CostTable times = table();
    EXPECT_EQ(times.ticks(), 10u);
    EXPECT_EQ(times.cpu_ns(), 900u);
    EXPECT_EQ(times.outside(results::Outside::Harness), kTick);
    EXPECT_EQ(times.outside(results::Outside::Game), 3 * kTick);
    EXPECT_EQ(times.outside(results::Outside::Agents), 2 * kTick);
    EXPECT_EQ(times.outside(results::Outside::Moves), kTick);
    EXPECT_EQ(times.outside(results::Outside::Weights), kTick);
    EXPECT_EQ(times.outside(results::Outside::Rows), kTick);
    EXPECT_EQ(times.outside(results::Outside::Engine), kTick);
    EXPECT_EQ(times.self_ns(), 0u);
    std::vector<results::CostRow> rows;
    meter_->drain_times(rows);
    EXPECT_TRUE(rows.empty()) << "once is enough";
}

// A decision of ten seconds has more ticks than the buffer holds: its second half counts, too.
TEST_F(Ticks, long_decisions_are_thinned_out_evenly) {
    open_game("oldmaid");
    constexpr std::size_t kMany = 20 * TickBuffer::kSize;
    for (std::size_t i = 0; i < kMany; ++i)
        tick(i < kMany / 4 ? Area::Game : Area::Agent);
    const results::CostTable times = table();
    EXPECT_LE(times.ticks(), TickBuffer::kSize) << "so many are known";
    EXPECT_GT(times.ticks(), TickBuffer::kSize / 2);
    const double game = *times.share(times.outside(results::Outside::Game)).value;
    EXPECT_NEAR(game, 0.25, 0.01);
    const std::uint64_t all =
        times.outside(results::Outside::Game) + times.outside(results::Outside::Agents);
    EXPECT_NEAR(static_cast<double>(all), static_cast<double>(kMany * kTick), 32.0 * kTick);
    meter_->works();
    tick(Area::Game);
    EXPECT_EQ(table().outside(results::Outside::Game), kTick) << "then each counts again";
}

TEST_F(Ticks, a_rule_inside_an_action_is_part_of_the_rule_around_it) {
    open_game("belote");
    const std::vector<engine::RuleId> around =
        engine::enclosing_rules(rules().program().catalogue());
    const auto inner = std::find_if(around.begin(), around.end(),
                                    [](engine::RuleId rule) { return rule != engine::kNone; });
    ASSERT_NE(inner, around.end());
    tick_in(static_cast<engine::RuleId>(inner - around.begin()));
    const results::CostTable times = table();
    EXPECT_EQ(times.rule(*inner).self_ns(), 0u);
    EXPECT_EQ(times.rule(*inner).total_ns, kTick);
    const results::Cost own = times.rule(static_cast<std::uint32_t>(inner - around.begin()));
    EXPECT_EQ(own.self_ns(), kTick);
    EXPECT_EQ(own.total_ns, kTick);
    EXPECT_EQ(own.shared_ns, 0u);
}

// Every instruction of the code that plays Belote: no tick is lost or counted twice.
TEST_F(Ticks, shared_work_is_divided_and_all_ticks_add_up) {
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
    open_game("belote");
    CodeTimes times_of_code;
    settings_.code = &times_of_code;
    const engine::x86::Code& code = *rules().program().code();
    frame_.code = &code;
    std::uint64_t ticks = 0;
    std::uint64_t shared = 0;
    const auto begin = reinterpret_cast<std::uintptr_t>(code.entry(rules().groups().play));
    for (std::uintptr_t at = begin; const engine::x86::Origin* origin = code.origin(at); at += 3) {
        tick_in(engine::kNone, at);
        ++ticks;
        shared += origin->rules.size() > 1 ? kTick : 0;
        if (ticks % 500 == 0) meter_->seat({}, {}); // before the buffer is full
    }
    EXPECT_GT(ticks, 1000u);
    EXPECT_GT(shared, 0u);
    const results::CostTable times = table();
    EXPECT_EQ(times.ticks(), ticks);
    std::uint64_t all = times.self_ns();
    for (std::size_t i = 0; i < results::kOutsides; ++i)
        all += times.outside(static_cast<results::Outside>(i));
    EXPECT_EQ(all, ticks * kTick);
    std::uint64_t divided = 0;
    std::uint64_t of_entries = 0;
    for (const auto& [key, cost] : times.rows()) {
        if (key.entry == kNothing) divided += cost.shared_ns;
        if (key.entry != kNothing) of_entries += cost.match_ns;
    }
    EXPECT_EQ(divided, shared);
    EXPECT_GT(of_entries, times.self_ns() / 3) << "most of a search is for some entry";
    EXPECT_LE(of_entries, times.self_ns());
    EXPECT_EQ(times_of_code.size(), ticks);
    EXPECT_EQ((times_of_code[{0, rules().groups().play, 3}]), kTick);
}

TEST_F(Ticks, what_an_instruction_calls_is_that_instructions) {
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
    open_game("belote");
    CodeTimes times;
    settings_.code = &times;
    frame_.code = rules().program().code();
    const engine::GroupId play = rules().groups().play;
    const std::uintptr_t back = reinterpret_cast<std::uintptr_t>(frame_.code->entry(play)) + 100;
    const std::uintptr_t stack[] = {back, 0};
    frame_.stack = &stack[1];
    tick_in(engine::kNone); // at an instruction of the engine
    table();
    EXPECT_EQ(times, (CodeTimes{{{0, play, 99}, kTick}}));
}

} // namespace
} // namespace croupier::tournaments
