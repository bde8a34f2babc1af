// Workers at the other end of a channel: the same games, whatever goes wrong there.
#include "tournaments/cluster/remote.h"

#include "tournaments/runner/runner.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

namespace croupier::tournaments {
namespace {

// Messages between two threads of this process.
class Pipe {
  public:
    void put(std::string_view message) {
        const std::lock_guard lock(mutex_);
        messages_.emplace_back(message);
        changed_.notify_all();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    std::optional<std::string> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closed_ || !messages_.empty(); });
        if (closed_) return std::nullopt;
        std::string message = std::move(messages_.front());
        messages_.pop_front();
        return message;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> messages_;
    bool closed_ = false;
};

class PipeEnd : public Channel {
  public:
    PipeEnd(Pipe& out, Pipe& in) : out_(out), in_(in) {}
    void send(std::string_view message) override { out_.put(message); }
    std::optional<std::string> receive() override { return in_.take(); }

  private:
    Pipe& out_;
    Pipe& in_;
};

struct Sink : BlockSink {
    bool take(const PlayedBlock& block) override {
        EXPECT_EQ(block.games.front().block, block.index);
        plies += block.games.back().plies;
        for (const results::GameRecord& game : block.games)
            all_plies += game.plies;
        rows += block.rows;
        return true;
    }
    std::string rows;
    std::uint64_t plies = 0;
    std::uint64_t all_plies = 0;
};

class Remote : public RandomBelote {
  protected:
    // Two remote workers; `spoil` may change the second one's answers, or close its channel. Then
    // the first answers after it, so that it does not play all blocks alone.
    std::uint64_t play(Sink& sink, const std::function<void(std::string&, Pipe&)>& spoil = {}) {
        PlayerSettings settings_there;
        settings_there.clock = clock_;
        const LocalWorkers players(*game_, facts_, maker_, 2, {}, settings_there);
        std::uint64_t taken = 0;
        at_other_ends(
            players.all(),
            [&](std::span<Worker* const> workers) {
                RunnerSettings settings;
                settings.pool = Pool::Threads;
                taken = play_blocks(*schedule_, workers, settings, sink);
                WorkerTimes times = measured_by(workers);
                times.resize(1);
                times_ = times.decisions[0];
            },
            spoil);
        return taken;
    }

    void at_other_ends(const std::vector<Worker*>& players,
                       const std::function<void(std::span<Worker* const>)>& use,
                       const std::function<void(std::string&, Pipe&)>& spoil = {}) {
        std::array<Pipe, 2> orders;
        std::array<Pipe, 2> answers;
        std::atomic<bool> spoiled = spoil == nullptr;
        std::vector<std::jthread> helpers;
        std::vector<std::unique_ptr<PipeEnd>> ends;
        std::vector<std::unique_ptr<RemoteWorker>> remote;
        std::vector<Worker*> workers;
        for (std::size_t i = 0; i < 2; ++i) {
            helpers.emplace_back([&, i, player = players.at(i)] {
                Spoiled end(answers[i], orders[i], i == 1 ? spoil : nullptr, spoiled);
                serve(end, *player);
            });
            ends.push_back(std::make_unique<PipeEnd>(orders[i], answers[i]));
            remote.push_back(std::make_unique<RemoteWorker>(*ends.back(), facts_));
            workers.push_back(remote.back().get());
        }
        use(workers);
        lost_ = remote[1]->lost();
        for (const auto& worker : remote)
            worker->dismiss();
    }

    class Spoiled : public PipeEnd {
      public:
        Spoiled(Pipe& out, Pipe& in, std::function<void(std::string&, Pipe&)> spoil,
                std::atomic<bool>& done)
            : PipeEnd(out, in), pipe_(out), spoil_(std::move(spoil)), done_(done) {}
        void send(std::string_view message) override {
            std::string answer(message);
            if (spoil_) {
                spoil_(answer, pipe_);
                done_ = true;
                done_.notify_all();
            }
            done_.wait(false);
            PipeEnd::send(answer);
        }

      private:
        Pipe& pipe_;
        std::function<void(std::string&, Pipe&)> spoil_;
        std::atomic<bool>& done_;
    };

    bool lost_ = false;
    const agents::Clock* clock_ = nullptr; // of the other ends
    results::TimeTable times_;             // received from there
};

TEST_F(Remote, times_of_decisions_come_along) {
    Ticking clock;
    maker_ = [&](std::uint32_t) { return std::make_unique<SlowAgent>(clock); };
    clock_ = &clock;
    Sink sink;
    EXPECT_EQ(play(sink), 40U);
    std::uint64_t decisions = 0;
    for (std::size_t agent = 0; agent < facts_.agents.size(); ++agent) {
        const results::DecisionTimes all = times_.of(agent);
        decisions += all.decisions();
        EXPECT_EQ(all.measured(), all.decisions());
        EXPECT_GE(*all.mean(), 1e6); // two threads read one clock
        EXPECT_GE(*all.quantile(0.5), 0.9e6);
    }
    EXPECT_EQ(decisions, sink.all_plies);
}

TEST_F(Remote, the_same_blocks_come_back_as_from_threads_of_this_process) {
    Sink here;
    const LocalWorkers local(*game_, facts_, maker_, 1);
    ASSERT_EQ(play_blocks(*schedule_, local.all(), {}, here), 40U);
    Sink there;
    EXPECT_EQ(play(there), 40U);
    EXPECT_EQ(there.rows, here.rows);
    EXPECT_EQ(there.plies, here.plies);
    EXPECT_FALSE(lost_);
}

TEST_F(Remote, variants_come_back_with_all_that_is_counted_of_them) {
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), maker_},
                              Variant{game_.get(), maker_}};
    const results::RowFormat rows(facts_, true);
    Ticking clock;
    PlayerSettings settings;
    settings.playouts = 4; // for the course of the lead
    settings.clock = &clock;
    using Counts = std::vector<std::vector<std::uint64_t>>;
    WorkerTimes times;
    const auto play_in_turns = [&](std::span<Worker* const> workers) {
        Counts counts;
        VariantSink sink([&](std::span<const results::GameRecord> games) {
            for (const results::GameRecord& game : games)
                counts.push_back({game.block, game.game, game.line, game.choices, game.forced,
                                  game.course->settled, game.course->leads});
            return true;
        });
        RunnerSettings runner;
        runner.pool = Pool::Threads;
        for (const auto& playing : {std::vector<std::uint32_t>{0, 1, 2}, {1}}) {
            for (Worker* worker : workers)
                worker->set_up({playing});
            runner.range.end = playing.size() == 3 ? 10 : 40;
            play_blocks(*schedule_, workers, runner, sink);
            runner.range.first = 10;
        }
        times = measured_by(workers);
        return counts;
    };
    double second = 0;
    const auto ticks = [&] { return second += 1; };
    const VariantWorkers local(variants, 3, facts_.seed, 1, ticks, settings, &rows);
    const Counts here = play_in_turns(local.all());
    const WorkerTimes times_here = times;
    EXPECT_EQ(here.size(), (3 * 10 + 30) * schedule_->games_per_block());
    const VariantWorkers other(variants, 3, facts_.seed, 2, {}, settings, &rows);
    Counts there;
    at_other_ends(other.all(), [&](auto workers) { there = play_in_turns(workers); });
    EXPECT_EQ(there, here);
    ASSERT_EQ(times.decisions.size(), 3U);
    EXPECT_EQ(times.decisions[1].games(), 40 * schedule_->games_per_block());
    EXPECT_EQ(times.decisions[2].of(0).decisions(), times_here.decisions[2].of(0).decisions());
    EXPECT_EQ(times_here.games[1], 20 * schedule_->games_per_block()) << "of the later half";
    EXPECT_EQ(times_here.seconds_a_game(1), 1.0 / schedule_->games_per_block());
    EXPECT_EQ(times.seconds_a_game(1), 0) << "nobody had a clock";
}

TEST_F(Remote, an_answer_that_makes_no_sense_ends_the_run_before_its_block) {
    Sink good;
    play(good);
    // Truncated; another block's rows; an invalid row; an empty answer.
    const std::function<void(std::string&, Pipe&)> spoils[] = {
        [](std::string& answer, Pipe&) { answer.resize(answer.size() / 2); },
        [](std::string& answer, Pipe&) { answer[4 * sizeof(std::uint64_t)] = '9'; },
        [](std::string& answer, Pipe&) { answer += "nonsense\n"; },
        [](std::string& answer, Pipe&) { answer.clear(); },
    };
    for (const auto& spoil : spoils) {
        Sink sink;
        EXPECT_LT(play(sink, spoil), 40U);
        EXPECT_TRUE(lost_);
        EXPECT_TRUE(good.rows.starts_with(sink.rows));
    }
}

TEST_F(Remote, a_worker_that_is_gone_ends_the_run_before_its_block) {
    Sink sink;
    EXPECT_LT(play(sink, [](std::string&, Pipe& pipe) { pipe.close(); }), 40U);
}

} // namespace
} // namespace croupier::tournaments
