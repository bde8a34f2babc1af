// Sequential tests over the real runner, with workers for whom a lost game lasts longer than a won
// one.
#include "results/statistics/sampling.h"
#include "tournaments/runner/ledger.h"

#include <gtest/gtest.h>

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

// For tests: runs over the real conveyor and ledger, of agents of equal strength who lose slowly.

constexpr double kAlpha = 0.05;

struct SimulatedRun {
    std::string verdict;
    std::uint64_t blocks = 0; // after which the test stopped
};

// Results are a function of the seed; how long they take, of the results.
SimulatedRun run_in_flight(std::uint64_t seed, std::size_t workers);

// The scores of so many blocks in the order in which workers finish them.
std::vector<double> completion_order(std::uint64_t seed, std::size_t workers, std::uint64_t blocks);

// Of the same test, fed in that order.
std::string verdict_of_order(std::span<const double> scores);

// A worker that waits instead of playing.

namespace {

constexpr std::uint64_t kMostBlocks = 2500;
constexpr std::size_t kLate = 2; // times the games in flight that end before a lost one does

results::RunFacts facts_of(std::uint64_t seed) {
    results::RunFacts facts;
    facts.players = {"A", "B"};
    facts.agents = {"one", "two"};
    facts.seed = seed;
    return facts;
}

// Single games: in a pair one loss would hide the other.
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

// Time without a clock: a lost game ends when so many others have ended since it began to wait. The
// one that has waited longest ends when nothing else can: all workers wait, or no more games come.
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
    std::uint64_t left_; // games that have not begun
    bool closed_ = false;
    std::mutex mutex_;
    std::uint64_t waited_ = 0;
    std::map<std::pair<std::size_t, std::uint64_t>, Waiter*> waiting_;
    std::vector<double> finished_;
};

// The ledger, which tells the hall when the run has ended.
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
        results::Sampler sampler(seed_ * kMostBlocks + block.index);
        const double score = sampler.game(0.45, 0.1);
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

// All blocks through the pool, with one worker for each thread.
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
    // All workers must be there to wait: oneTBB may start fewer threads than it was asked for.
    settings.pool = workers == 1 ? kDefaultPool : Pool::Threads;
    play_blocks(*schedule, all, settings, gate);
    return hall.take_finished();
}

} // namespace

SimulatedRun run_in_flight(std::uint64_t seed, std::size_t workers) {
    LedgerSettings settings;
    settings.rules.push_back(std::make_unique<results::Sprt>(bounds(), 1));
    Ledger ledger(facts_of(seed), std::move(settings));
    play(seed, workers, kMostBlocks, ledger);
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

// The same block, whatever is in flight; the other order is another test.
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

// Error rates of the sequential test with 1, 8, 64 and 1024 games in flight, over the real runner.

namespace {

constexpr int kRuns = 400;

// 99 % of runs of a sound test fall in here.
bool is_alpha(double rate) {
    return std::abs(rate - kAlpha) <= 2.576 * std::sqrt(kAlpha * (1 - kAlpha) / kRuns);
}

TEST(slow_in_flight, equal_agents_are_accepted_as_often_as_alpha_says) {
    std::vector<std::uint64_t> blocks;
    for (const std::size_t workers : {1U, 8U, 64U, 1024U}) {
        double accepted = 0;
        const int runs = workers > 64 ? kRuns / 10 : kRuns; // a thousand threads take their time
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

// What the order of the schedule is for: fed as blocks finish, the same results say something else.
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
