// A worker that waits instead of playing; see in_flight.h.
#include "tournaments/runner/in_flight.h"

#include "results/statistics/sampling.h"
#include "tournaments/runner/ledger.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace croupier::tournaments {
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

} // namespace croupier::tournaments
