// The pools; no result of the runner depends on them.
#include "agents/random/random_agent.h"
#include "agents/rules/rule_agent.h"
#include "agents/rules/rule_program.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "games/files.h"
#include "games/testing/testing.h"
#include "results/statistics/testing.h"
#include "tournaments/runner/ledger.h"
#include "tournaments/runner/player.h"
#include "tournaments/runner/runner.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

// Items take random times; checks the guarantees of pool.h.
class Probe : public Conveyor {
  public:
    Probe(std::size_t slots, std::uint64_t items) : slots_(slots), busy_(slots), left_(items) {}

    bool load(std::size_t slot) override {
        EXPECT_FALSE(loading_.exchange(true));
        const bool more = left_ > 0;
        if (more) {
            EXPECT_FALSE(busy_[slot].exchange(true)) << "a slot was given twice";
            slots_[slot] = --left_;
        }
        loading_ = false;
        return more;
    }
    void work(std::size_t slot, std::size_t worker) override {
        const int at_work = ++at_work_;
        for (int seen = most; at_work > seen && !most.compare_exchange_weak(seen, at_work);) {
        }
        workers |= 1U << worker;
        engine::Random random(slots_[slot]);
        for (std::uint64_t i = random.below(2000); i > 0; --i)
            sum_ += random.next();
        --at_work_;
    }
    void unload(std::size_t slot) override {
        EXPECT_FALSE(unloading_.exchange(true));
        order.push_back(slots_[slot]);
        EXPECT_TRUE(busy_[slot].exchange(false));
        unloading_ = false;
    }

    std::vector<std::uint64_t> order;
    std::atomic<int> most = 0;
    std::atomic<unsigned> workers = 0;

  private:
    std::vector<std::uint64_t> slots_;
    std::vector<std::atomic<bool>> busy_;
    std::uint64_t left_;
    std::atomic<bool> loading_ = false;
    std::atomic<bool> unloading_ = false;
    std::atomic<int> at_work_ = 0;
    std::atomic<std::uint64_t> sum_ = 0;
};

TEST(pool, items_leave_in_the_orderin_which_they_came) {
    for (const Pool pool : {kDefaultPool, Pool::Threads}) {
        for (const std::size_t threads : {1, 2, 7}) {
            constexpr std::uint64_t kItems = 3000;
            Probe probe(threads * 3, kItems);
            convey(probe, threads, threads * 3, pool);
            ASSERT_EQ(probe.order.size(), kItems);
            for (std::uint64_t i = 0; i < kItems; ++i)
                ASSERT_EQ(probe.order[i], kItems - 1 - i);
            EXPECT_LE(probe.most, static_cast<int>(threads));
            EXPECT_LT(probe.workers, 1U << threads);
        }
    }
}

struct Kept {
    std::vector<std::uint64_t> indices;
    std::string rows;
    std::uint64_t plies = 0;
};

// Keeps all blocks, up to a limit; sets `stop` at block 5.
class Keeper : public BlockSink {
  public:
    explicit Keeper(std::uint64_t most, std::atomic<bool>* stop = nullptr)
        : most_(most), stop_(stop) {}

    bool take(const PlayedBlock& block) override {
        kept.indices.push_back(block.index);
        kept.rows += block.rows;
        for (const results::GameRecord& game : block.games)
            kept.plies += game.plies;
        if (stop_ != nullptr && block.index == 5) *stop_ = true;
        return kept.indices.size() < most_;
    }

    Kept kept;

  private:
    std::uint64_t most_;
    std::atomic<bool>* stop_;
};

// Never answers.
class Quitter : public agents::Agent {
  public:
    void reset(const games::Game&, games::Seat) override {}
    std::size_t choose(const games::Position&, agents::Random&) override {
        return agents::kNoChoice;
    }
    [[nodiscard]] const agents::AgentFault* fault() const override { return &fault_; }

  private:
    agents::AgentFault fault_{agents::FaultKind::Stall, "no answer\nin time"};
};

class Runner : public RandomBelote {
  protected:
    Kept play(std::size_t threads, const RunnerSettings& settings = {},
              std::uint64_t most = ~std::uint64_t{0}, std::atomic<bool>* stop = nullptr) {
        Keeper keeper(most, stop);
        const LocalWorkers workers(*game_, facts_, maker_, threads);
        const std::uint64_t taken = play_blocks(*schedule_, workers.all(), settings, keeper);
        EXPECT_EQ(taken, keeper.kept.indices.size());
        return keeper.kept;
    }
    static RunnerSettings on(Pool pool) {
        RunnerSettings settings;
        settings.pool = pool;
        return settings;
    }
};

TEST_F(Runner, results_are_the_same_for_any_number_of_threads) {
    const Kept one = play(1);
    ASSERT_EQ(one.indices.size(), 40U);
    EXPECT_EQ(one.indices.front(), 0U);
    EXPECT_EQ(one.indices.back(), 39U);
    for (const Pool pool : {kDefaultPool, Pool::Threads})
        for (const std::size_t threads : {1, 2, 8})
            EXPECT_EQ(play(threads, on(pool)).rows, one.rows) << threads;
    // The number of blocks in a work item must not matter either.
    RunnerSettings clocked;
    std::atomic<int> ticks = 0;
    clocked.clock = [&] { return 1e-5 * ++ticks; };
    EXPECT_EQ(play(2, clocked).rows, one.rows);
}

TEST_F(Runner, who_cannot_go_on_is_named_and_has_lost_with_its_partner) {
    std::mutex mutex;
    const AgentMaker make = [](std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
        if (agent == 1) return std::make_unique<Quitter>();
        return std::make_unique<agents::RandomAgent>();
    };
    Player player(*game_, make, 3, mutex);
    Block block;
    schedule_->get(0, block);
    results::GameRecord record;
    ASSERT_TRUE(player.play(block, 0, facts_.seed, record));
    EXPECT_EQ(record.end, results::End::Fault);
    EXPECT_EQ(record.fault, "stall: no answer in time"); // records are lines
    int at_fault = 0;
    for (const results::SeatRecord& seat : record.seats) {
        EXPECT_EQ(seat.place, seat.agent == 1 ? 2U : 1U);
        EXPECT_EQ(seat.score, 0);
        EXPECT_TRUE(seat.role.empty());
        EXPECT_TRUE(!seat.at_fault || seat.agent == 1);
        at_fault += seat.at_fault ? 1 : 0;
    }
    EXPECT_EQ(at_fault, 1);
    // Or no seat has a place: the game is void.
    PlayerSettings settings;
    settings.terms.faults = FaultRule::Void;
    Player lenient(*game_, make, 3, mutex, settings);
    ASSERT_TRUE(lenient.play(block, 0, facts_.seed, record));
    EXPECT_EQ(record.end, results::End::Fault);
    for (const results::SeatRecord& seat : record.seats)
        EXPECT_EQ(seat.place, 0U);
    // A game that is cut is a draw, whatever its position.
    settings.terms.cut = 3;
    Player hasty(*game_, maker_, 3, mutex, settings);
    ASSERT_TRUE(hasty.play(block, 0, facts_.seed, record));
    EXPECT_EQ(record.end, results::End::Cut);
    EXPECT_EQ(record.plies, 3U);
    for (const results::SeatRecord& seat : record.seats) {
        EXPECT_EQ(seat.place, 1U);
        EXPECT_EQ(seat.score, 0);
        EXPECT_FALSE(seat.at_fault);
    }
}

TEST_F(Runner, decisions_are_measured_and_no_game_knows) {
    const Kept plain = play(1);
    Ticking clock;
    maker_ = [&](std::uint32_t) { return std::make_unique<SlowAgent>(clock); };
    Keeper keeper(~std::uint64_t{0}, nullptr);
    PlayerSettings settings;
    settings.clock = &clock;
    const LocalWorkers workers(*game_, facts_, maker_, 1, {}, settings);
    play_blocks(*schedule_, workers.all(), {}, keeper);
    EXPECT_EQ(keeper.kept.rows, plain.rows);
    const results::TimeTable times = measured_by(workers.all()).decisions.at(0);
    std::uint64_t decisions = 0;
    for (std::size_t agent = 0; agent < 3; ++agent) {
        const results::DecisionTimes all = times.of(agent);
        decisions += all.decisions();
        EXPECT_DOUBLE_EQ(*all.mean(), 1e6);
        EXPECT_DOUBLE_EQ(*all.cpu(), 0.5e6);
        // They are slow: every decision is measured.
        EXPECT_EQ(all.measured(), all.decisions());
    }
    EXPECT_EQ(decisions, keeper.kept.plies);
}

// A decision takes 13 ns. Reading the processor's clock takes at least 600, and later 1,700.
class DearClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override { return wall; }
    [[nodiscard]] Time processor() const override {
        constexpr int kFirstReads = 32;
        used_ += std::chrono::nanoseconds(++reads_ <= kFirstReads ? 600 : 1700);
        return used_;
    }
    std::chrono::nanoseconds wall{0};

  private:
    mutable std::chrono::nanoseconds used_{0};
    mutable int reads_ = 0;
};

class QuickAgent : public agents::RandomAgent {
  public:
    explicit QuickAgent(DearClock& clock) : clock_(clock) {}
    std::size_t choose_by_count(std::size_t moves, agents::Random& random) override {
        clock_.wall += std::chrono::nanoseconds(13);
        return RandomAgent::choose_by_count(moves, random);
    }

  private:
    DearClock& clock_;
};

TEST_F(Runner, a_decision_is_not_charged_with_reading_the_processors_clock) {
    DearClock clock;
    maker_ = [&](std::uint32_t) { return std::make_unique<QuickAgent>(clock); };
    Keeper keeper(~std::uint64_t{0}, nullptr);
    PlayerSettings settings;
    settings.clock = &clock;
    const LocalWorkers workers(*game_, facts_, maker_, 1, {}, settings);
    play_blocks(*schedule_, workers.all(), {}, keeper);
    const results::TimeTable times = measured_by(workers.all()).decisions.at(0);
    EXPECT_DOUBLE_EQ(*times.of(0).mean(), 13);
    EXPECT_DOUBLE_EQ(*times.of(0).cpu(), 13);
}

TEST_F(Runner, a_run_ends_with_the_same_block_on_any_number_of_threads) {
    const Kept one = play(1, {}, 17);
    EXPECT_EQ(one.indices.size(), 17U);
    for (const Pool pool : {kDefaultPool, Pool::Threads})
        for (const std::size_t threads : {2, 8})
            EXPECT_EQ(play(threads, on(pool), 17).rows, one.rows) << threads;
}

TEST_F(Runner, parts_of_a_schedule_are_parts_of_the_whole) {
    const Kept whole = play(1);
    RunnerSettings rest;
    rest.range = {30, 1};
    const Kept end = play(2, rest);
    EXPECT_EQ(end.indices.front(), 30U);
    EXPECT_TRUE(whole.rows.ends_with(end.rows));
    RunnerSettings third;
    third.range = {2, 3};
    EXPECT_EQ(play(2, third).indices,
              (std::vector<std::uint64_t>{2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38}));
}

TEST_F(Runner, a_wish_to_stop_leaves_a_beginning_of_the_run) {
    const Kept whole = play(1);
    std::atomic<bool> stop = false;
    for (const std::size_t threads : {1, 4}) {
        stop = false;
        RunnerSettings stoppable;
        stoppable.stop = &stop;
        const Kept kept = play(threads, stoppable, ~std::uint64_t{0}, &stop);
        EXPECT_GE(kept.indices.size(), 6U);
        EXPECT_TRUE(whole.rows.starts_with(kept.rows));
    }
}

TEST_F(Runner, equal_games_have_equal_lines_and_the_deal_is_that_of_the_block) {
    std::mutex mutex;
    Player first(*game_, maker_, 3, mutex);
    Player second(*game_, maker_, 3, mutex);
    Block block;
    schedule_->get(3, block);
    results::GameRecord a;
    results::GameRecord b;
    first.play(block, 1, 11, a);
    second.play(block, 0, 11, b); // independent of what was played before
    const std::uint64_t other = b.line;
    second.play(block, 1, 11, b);
    EXPECT_EQ(a.line, b.line);
    EXPECT_NE(a.line, other);
    EXPECT_EQ(a.block, 3U);
    EXPECT_EQ(a.game, 1U);
    EXPECT_GT(a.plies, 0U);
    ASSERT_EQ(a.seats.size(), facts_.players.size());
    for (std::uint32_t seat = 0; seat < a.seats.size(); ++seat)
        EXPECT_EQ(a.seats[seat].agent, block.seating(1)[seat]);
}

// At the first move X may take the lead for good, at the sixth one O, each by one of twenty moves:
// random playouts expect neither. FirstMove finds both.
constexpr std::string_view kTakes = R"({
  "game": {"name": "takes", "players": ["X", "O"]},
  "types": {"Player": {"members": ["X", "O"], "order": "cyclic"},
            "Way": {"members": ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11",
                                "m12", "m13", "m14", "m15", "m16", "m17", "m18", "m19", "m20"]}},
  "shape": {"turn": "Player", "ply": "number", "moves": {"$:Way": true}, "move": "Way",
            "leader": "Player", "over": "bool", "score": {"$:Player": "number"}},
  "state": {"turn": "X", "ply": 0},
  "moves": [{"condition": {"Way": {"$W": true}}, "action": {"moves": {"$W": true}}}],
  "play": [
    {"condition": {"move": "m1", "turn": "$P", "ply": "$N", "_": "$N == 0 || $N == 5"},
     "action": {"leader": "$P"}},
    {"condition": {"ply": "$N", "turn": "$P", "next": {"$P": "$Q"}},
     "action": {"ply": "$N + 1", "turn": "$Q"}},
    {"condition": {"ply": 8}, "action": {"over": true}}],
  "score": [
    {"condition": {"leader": "$P"}, "action": {"score": {"X": 0, "O": 0, "$P": 1}}},
    {"condition": {"leader": "@absent"}, "action": {"score": {"X": 0, "O": 0}}}]
})";

class NthMove : public agents::Agent {
  public:
    explicit NthMove(std::size_t n) : n_(n) {}
    void reset(const games::Game&, games::Seat) override {}
    std::size_t choose(const games::Position&, games::Random&) override { return n_; }

  private:
    std::size_t n_;
};

TEST(player, the_course_of_a_game_tells_who_led_and_from_when) {
    const games::OpenedGame opened = games::open_text(std::string(kTakes));
    ASSERT_NE(opened.game, nullptr);
    std::mutex mutex;
    const Block block{0, 0, 0, 2, {0, 1}};
    const auto played = [&](std::size_t x, std::size_t o, std::uint32_t playouts) {
        const AgentMaker make = [&](std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
            return std::make_unique<NthMove>(agent == 0 ? x : o);
        };
        Player player(*opened.game, make, 2, mutex, {.playouts = playouts});
        results::GameRecord record;
        EXPECT_TRUE(player.play(block, 0, 7, record));
        EXPECT_EQ(record.plies, 8U);
        return record;
    };
    using Course = results::Course;
    EXPECT_EQ(played(0, 0, 64).course, (Course{6, 1, true})) << "O takes the lead from X";
    EXPECT_EQ(played(0, 1, 64).course, (Course{1, 0, false})) << "X leads from the first move on";
    EXPECT_EQ(played(1, 0, 64).course, (Course{6, 0, false})) << "O takes a lead that nobody had";
    EXPECT_EQ(played(1, 1, 64).course, (Course{8, 0, false})) << "a draw";
    EXPECT_FALSE(played(0, 0, 0).course);
    EXPECT_EQ(played(0, 0, 0).line, played(0, 0, 64).line) << "playouts change no game";
}

TEST(player, which_rules_fire_is_told_in_the_first_deals) {
    const games::OpenedGame opened = games::open_text(std::string(kTakes));
    ASSERT_NE(opened.game, nullptr);
    std::mutex mutex;
    const auto fired = [&](std::uint64_t block, std::size_t move) {
        const AgentMaker make = [&](std::uint32_t) { return std::make_unique<NthMove>(move); };
        Player player(*opened.game, make, 2, mutex, {.coverage = 5});
        results::GameRecord record;
        EXPECT_TRUE(player.play({block, block, 0, 2, {0, 1}}, 0, 7, record));
        return record.fired;
    };
    EXPECT_EQ(fired(0, 0), "#####.") << "X and O take the lead; the rule for no leader is not used";
    EXPECT_EQ(fired(4, 1), "#.##.#") << "nobody takes it";
    EXPECT_EQ(fired(5, 0), "") << "not watched any more";
}

} // namespace

// Variants on the same deals: which games are returned; threads make no difference.

namespace {

class Variants : public RandomBelote {
  protected:
    struct Played {
        std::vector<std::uint64_t> lines;
        std::vector<double> seconds;
        std::vector<results::TimeTable> times;
    };
    Played play(std::span<const Variant> variants, std::size_t threads,
                std::function<double()> clock = {}, const agents::Clock* decisions = nullptr) {
        const VariantWorkers workers(variants, 3, facts_.seed, threads, std::move(clock),
                                     {.clock = decisions});
        Played played;
        VariantSink sink([&](std::span<const results::GameRecord> games) {
            EXPECT_EQ(games.size(), variants.size() * schedule_->games_per_block());
            for (const results::GameRecord& game : games) {
                played.lines.push_back(game.line);
                EXPECT_GE(game.choices, game.plies) << "who compares wants to know";
            }
            return true;
        });
        EXPECT_EQ(play_blocks(*schedule_, workers.all(), {}, sink), 40U);
        WorkerTimes times = measured_by(workers.all());
        for (std::size_t variant = 0; variant < variants.size(); ++variant)
            played.seconds.push_back(times.seconds_a_game(variant));
        played.times = std::move(times.decisions);
        return played;
    }

    std::shared_ptr<const agents::RuleProgram> table(const agents::RuleAt* without = nullptr) {
        auto opened =
            agents::open_rule_agent(agents::parse_agent_spec("rules:table"),
                                    {*game_, games::read_file, games::kAgentsFolder}, without);
        EXPECT_NE(opened.rules.program, nullptr);
        return opened.rules.program;
    }
};

TEST_F(Variants, two_that_are_one_play_the_same_games_on_any_number_of_threads) {
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), maker_}};
    const std::vector<std::uint64_t> one = play(variants, 1).lines;
    const std::size_t each = schedule_->games_per_block();
    ASSERT_EQ(one.size(), 40 * 2 * each);
    for (std::size_t block = 0; block < one.size(); block += 2 * each)
        for (std::size_t game = 0; game < each; ++game)
            EXPECT_EQ(one[block + game], one[block + each + game]);
    for (const std::size_t threads : {2, 5})
        EXPECT_EQ(play(variants, threads).lines, one);
}

TEST_F(Variants, each_has_its_own_time) {
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), maker_}};
    EXPECT_EQ(play(variants, 1).seconds, (std::vector<double>{0, 0}));
    // The runner does not read this clock, variants do so twice each: all take one tick per block.
    int ticks = 0;
    const auto seconds = play(variants, 1, [&] { return ++ticks; }).seconds;
    const double games = schedule_->games_per_block();
    EXPECT_EQ(seconds, (std::vector<double>{1 / games, 1 / games}));
    // The first games, in which code is compiled, are excluded.
    int calls = 0;
    const auto warm = play(variants, 1, [&] { return ticks += ++calls <= 4 ? 100 : 1; }).seconds;
    EXPECT_EQ(warm, (std::vector<double>{1 / games, 1 / games}));
}

TEST_F(Variants, each_has_the_decisions_of_its_own_agents) {
    Ticking clock;
    const AgentMaker slow = [&](std::uint32_t) { return std::make_unique<SlowAgent>(clock); };
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), slow}};
    for (const results::TimeTable& none : play(variants, 1).times)
        EXPECT_TRUE(none.empty());
    const Played played = play(variants, 1, {}, &clock);
    EXPECT_EQ(played.lines, play(variants, 1).lines);
    ASSERT_EQ(played.times.size(), 2U);
    for (std::size_t agent = 0; agent < 3; ++agent) {
        EXPECT_GT(played.times[0].of(agent).decisions(), 0U);
        EXPECT_DOUBLE_EQ(*played.times[0].of(agent).mean(), 0);
        EXPECT_DOUBLE_EQ(*played.times[1].of(agent).mean(), 1e6);
    }
}

TEST_F(Variants, a_rule_that_is_switched_off_is_not_there_and_the_others_are) {
    const auto whole = table();
    const engine::Group* all = whole->ruleset().group("choose");
    ASSERT_NE(all, nullptr);
    const agents::RuleAt first{"choose", all->rules[0].name};
    const auto part = table(&first);
    const engine::Group* rest = part->ruleset().group("choose");
    ASSERT_EQ(rest->rules.size(), all->rules.size() - 1);
    for (std::size_t i = 0; i < rest->rules.size(); ++i)
        EXPECT_EQ(rest->rules[i].name, all->rules[i + 1].name);
    EXPECT_EQ(part->program().catalogue().rule_id(first.name), engine::kNone);
    const agents::RuleAt nobody{"choose", "no such rule"};
    EXPECT_EQ(table(&nobody)->ruleset().group("choose")->rules.size(), all->rules.size());
}

} // namespace

// Sequential tests with the real runner, with workers for which lost games last longer than won
// ones.

// Test runs with the real conveyor and ledger, of equal agents that lose slowly.

constexpr double kAlpha = 0.05;

struct SimulatedRun {
    std::string verdict;
    std::uint64_t blocks = 0; // after which the test stopped
};

// Results are a function of the seed; their duration is a function of the results.
SimulatedRun run_in_flight(std::uint64_t seed, std::size_t workers);

// The scores of that many blocks in the order in which workers finish them.
std::vector<double> completion_order(std::uint64_t seed, std::size_t workers, std::uint64_t blocks);

// The verdict of the same test, fed in that order.
std::string verdict_of_order(std::span<const double> scores);

// A worker that waits instead of playing.

namespace {

constexpr std::uint64_t kMaxBlocks = 2500;
constexpr std::size_t kLate = 2; // a lost game ends after that many times the games in flight

results::RunFacts facts_of(std::uint64_t seed) {
    results::RunFacts facts;
    facts.players = {"A", "B"};
    facts.agents = {"one", "two"};
    facts.seed = seed;
    return facts;
}

// Single games: in a pair the won game would hide the lost one.
std::unique_ptr<Schedule> schedule_of(std::uint64_t seed, std::uint64_t blocks) {
    ScheduleRequest request;
    request.sides = {{0}, {1}};
    request.agents = 2;
    request.rotation = Rotation::None;
    request.seed = seed;
    request.blocks = blocks;
    return make_schedule(request).schedule;
}

results::SprtBounds bounds() {
    return {0, 60, kAlpha, kAlpha, results::EloModel::Logistic};
}

// Time without a clock: a lost game ends after a number of others have ended. The one waiting
// longest ends when no other can: all workers wait, or no more games come.
class Hall {
  public:
    Hall(std::size_t workers, std::uint64_t blocks)
        : workers_(workers), late_(kLate * workers), left_(blocks) {}

    void begin() {
        const std::lock_guard lock(mutex_);
        if (--left_ == 0) closed_ = true;
    }

    void end(double score) {
        std::unique_lock lock(mutex_);
        if (score == 0) wait(lock);
        finished_.push_back(score);
        wake();
    }

    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        wake();
    }

    std::vector<double> take_finished() { return std::move(finished_); }

  private:
    struct Waiter {
        std::condition_variable woken;
        bool may_end = false;
    };

    void wait(std::unique_lock<std::mutex>& lock) {
        Waiter waiter;
        waiting_.emplace(std::pair(finished_.size() + late_, ++waited_), &waiter);
        wake();
        waiter.woken.wait(lock, [&] { return waiter.may_end; });
    }

    void wake() {
        while (!waiting_.empty()) {
            const auto first = waiting_.begin();
            const bool is_late = first->first.first <= finished_.size();
            if (!is_late && !closed_ && waiting_.size() < workers_) return;
            first->second->may_end = true;
            first->second->woken.notify_one();
            waiting_.erase(first);
        }
    }

    std::size_t workers_;
    std::size_t late_;
    std::uint64_t left_; // games not begun
    bool closed_ = false;
    std::mutex mutex_;
    std::uint64_t waited_ = 0;
    std::map<std::pair<std::size_t, std::uint64_t>, Waiter*> waiting_;
    std::vector<double> finished_;
};

// The ledger; tells the hall when the run has ended.
class Gate : public BlockSink {
  public:
    Gate(Ledger& ledger, Hall& hall) : ledger_(ledger), hall_(hall) {}
    bool take(const PlayedBlock& block) override {
        const bool on = ledger_.take(block);
        if (!on) hall_.close();
        return on;
    }

  private:
    Ledger& ledger_;
    Hall& hall_;
};

class Waiting : public Worker {
  public:
    Waiting(std::uint64_t seed, Hall& hall) : seed_(seed), hall_(hall) {}

    bool play(std::span<const Block> blocks, PlayedBlocks& into) override {
        into.ends.clear();
        into.games.resize(blocks.size());
        into.rows.clear();
        into.costs.clear();
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            hall_.begin();
            hall_.end(play(blocks[i], into.games[i]));
            into.ends.push_back({i + 1, 0, 0});
        }
        return true;
    }

  private:
    // The first agent's score.
    [[nodiscard]] double play(const Block& block, results::GameRecord& into) const {
        results::Dice dice(seed_ * kMaxBlocks + block.index);
        const double score = dice.game(0.45, 0.1);
        into = {};
        into.block = block.index;
        into.plies = 1;
        for (const std::uint32_t agent : block.seating(0)) {
            results::SeatRecord seat;
            seat.agent = agent;
            const double own = agent == 0 ? score : 1 - score;
            seat.place = own >= 0.5 ? 1 : 2;
            into.seats.push_back(seat);
        }
        return score;
    }

    std::uint64_t seed_;
    Hall& hall_;
};

// All blocks through the pool, with one worker per thread.
std::vector<double> play(std::uint64_t seed, std::size_t workers, std::uint64_t blocks,
                         Ledger& ledger) {
    Hall hall(workers, blocks);
    Gate gate(ledger, hall);
    std::vector<std::unique_ptr<Waiting>> made;
    std::vector<Worker*> all;
    for (std::size_t i = 0; i < workers; ++i) {
        made.push_back(std::make_unique<Waiting>(seed, hall));
        all.push_back(made.back().get());
    }
    const auto schedule = schedule_of(seed, blocks);
    RunnerSettings settings;
    // All workers must run in order to wait: oneTBB may start fewer threads than requested.
    settings.pool = workers == 1 ? kDefaultPool : Pool::Threads;
    play_blocks(*schedule, all, settings, gate);
    return hall.take_finished();
}

} // namespace

SimulatedRun run_in_flight(std::uint64_t seed, std::size_t workers) {
    LedgerSettings settings;
    settings.rules.push_back(std::make_unique<results::Sprt>(bounds(), 1));
    Ledger ledger(facts_of(seed), std::move(settings));
    play(seed, workers, kMaxBlocks, ledger);
    return {ledger.stop_status().front().verdict, ledger.blocks()};
}

std::vector<double> completion_order(std::uint64_t seed, std::size_t workers,
                                     std::uint64_t blocks) {
    Ledger ledger(facts_of(seed), {});
    return play(seed, workers, blocks, ledger);
}

std::string verdict_of_order(std::span<const double> scores) {
    results::Sprt rule(bounds(), 1);
    for (const double score : scores)
        if (rule.feed({score, 1 - score})) break;
    return rule.status().verdict;
}

namespace {

// The same block, for any number in flight; the other order has its own test.
TEST(in_flight, a_test_stops_at_the_same_block_for_any_number_of_workers) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const SimulatedRun one = run_in_flight(seed, 1);
        EXPECT_NE(one.verdict, "undecided");
        for (const std::size_t workers : {2U, 8U, 64U}) {
            const SimulatedRun many = run_in_flight(seed, workers);
            EXPECT_EQ(many.blocks, one.blocks) << workers;
            EXPECT_EQ(many.verdict, one.verdict) << workers;
        }
    }
}

TEST(in_flight, blocks_do_finish_in_another_order) {
    std::size_t early = 0; // won blocks among the first that finish
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::vector<double> finished = completion_order(seed, 64, 200);
        for (std::size_t i = 0; i < 40; ++i)
            early += finished[i] > 0.5 ? 1 : 0;
    }
    EXPECT_GT(early, 12U * 40 * 6 / 10) << "the durations of this test say nothing";
}

} // namespace

// Error rates of the sequential test with 1, 8, 64 and 1024 games in flight, with the real runner.

namespace {

constexpr int kRuns = 400;

// 99 % of runs of a sound test are in this range.
bool is_alpha(double rate) {
    return std::abs(rate - kAlpha) <= 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kRuns);
}

TEST(slow_in_flight, equal_agents_are_accepted_as_often_as_alpha_says) {
    std::vector<std::uint64_t> blocks;
    for (const std::size_t workers : {1U, 8U, 64U, 1024U}) {
        double accepted = 0;
        const int runs = workers > 64 ? kRuns / 10 : kRuns; // a thousand threads are slow
        for (int run = 0; run < runs; ++run) {
            const SimulatedRun one = run_in_flight(static_cast<std::uint64_t>(run), workers);
            if (one.verdict == "H1 accepted") accepted += 1.0 / runs;
            if (workers == 1)
                blocks.push_back(one.blocks);
            else
                EXPECT_EQ(one.blocks, blocks[static_cast<std::size_t>(run)]) << workers;
        }
        std::printf("%zu in flight: accepted %.1f %%\n", workers, 100 * accepted);
        if (runs == kRuns) {
            EXPECT_TRUE(is_alpha(accepted)) << workers << ": " << accepted;
        }
    }
}

// Why the order of the schedule matters: fed in completion order, the same results give other
// verdicts.
TEST(slow_in_flight, in_the_order_of_completion_alpha_means_nothing) {
    double accepted = 0;
    for (int run = 0; run < kRuns / 4; ++run) {
        const auto finished = completion_order(static_cast<std::uint64_t>(run), 64, 1000);
        if (verdict_of_order(finished) == "H1 accepted") accepted += 4.0 / kRuns;
    }
    std::printf("64 in flight, as they finish: accepted %.1f %%\n", 100 * accepted);
    EXPECT_GT(accepted, 0.9);
}

} // namespace

} // namespace croupier::tournaments
