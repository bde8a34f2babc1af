// The pools, and that nothing which comes out of the runner depends on them.
#include "engine/api/random.h"
#include "tournaments/runner/runner.h"

#include "agents/random/random_agent.h"
#include "tournaments/runner/player.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace croupier::tournaments {
namespace {

// Items take random times; what is checked is the promise of pool.h.
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

// Keeps all that it is given, until it has so many blocks; sets `stop` at block 5.
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
    for (const Pool pool : {kDefaultPool, Pool::Threads}) {
        for (const std::size_t threads : {1, 2, 8})
            EXPECT_EQ(play(threads, on(pool)).rows, one.rows) << threads;
    }
    // How many blocks go into one work item is nobody's business either.
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
    // Or nobody has a place: the game is void.
    PlayerSettings settings;
    settings.terms.faults = FaultRule::Void;
    Player lenient(*game_, make, 3, mutex, settings);
    ASSERT_TRUE(lenient.play(block, 0, facts_.seed, record));
    EXPECT_EQ(record.end, results::End::Fault);
    for (const results::SeatRecord& seat : record.seats)
        EXPECT_EQ(seat.place, 0U);
    // What is cut is a draw, whatever is on the table.
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
    results::TimeTable times;
    workers.all().front()->add_times(times);
    std::uint64_t decisions = 0;
    for (std::size_t agent = 0; agent < 3; ++agent) {
        const results::DecisionTimes all = times.of(agent);
        decisions += all.decisions();
        EXPECT_DOUBLE_EQ(*all.mean(), 1e6);
        EXPECT_DOUBLE_EQ(*all.cpu(), 0.5e6);
        // They are slow: none is left out.
        EXPECT_EQ(all.measured(), all.decisions());
    }
    EXPECT_EQ(decisions, keeper.kept.plies);
}

// A decision takes 13 ns. To read the processor's clock takes 600 at best, and later 1,700.
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
    std::size_t choose_unseen(std::size_t moves, agents::Random& random) override {
        clock_.wall += std::chrono::nanoseconds(13);
        return RandomAgent::choose_unseen(moves, random);
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
    results::TimeTable times;
    workers.all().front()->add_times(times);
    EXPECT_DOUBLE_EQ(*times.of(0).mean(), 13);
    EXPECT_DOUBLE_EQ(*times.of(0).cpu(), 13);
}

TEST_F(Runner, a_run_ends_with_the_same_block_on_any_number_of_threads) {
    const Kept one = play(1, {}, 17);
    EXPECT_EQ(one.indices.size(), 17U);
    for (const Pool pool : {kDefaultPool, Pool::Threads}) {
        for (const std::size_t threads : {2, 8})
            EXPECT_EQ(play(threads, on(pool), 17).rows, one.rows) << threads;
    }
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
    second.play(block, 0, 11, b); // whatever was played before
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

} // namespace
} // namespace croupier::tournaments
