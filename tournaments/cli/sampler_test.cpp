// Ticks come as CPU time goes by, on the thread that spends it, and find where it is.
#include "tournaments/cli/sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <thread>

namespace croupier::cli {
namespace {

using agents::Whereabouts;
using tournaments::Tick;
using tournaments::TickBuffer;
using Area = Whereabouts::Area;

// The thread sanitizer hands signals on when it likes.
#if defined(__SANITIZE_THREAD__)
constexpr bool kSignalsCome = false;
#else
constexpr bool kSignalsCome = true;
#endif

constexpr std::uint64_t kMilli = 1'000'000;
constexpr std::uint64_t kTickNs = 249'989;

class Sampled : public testing::Test {
  protected:
    void SetUp() override {
        if (!kSignalsCome) GTEST_SKIP();
        if (make_sampler(Ticks::Coarse) == nullptr)
            GTEST_SKIP() << "nothing here to interrupt threads with";
    }

    // Spends CPU time, and keeps the buffer from being full.
    struct Thread {
        explicit Thread(tournaments::Sampler& with) : sampler(with) {}

        void spend(Area area, std::uint64_t ns) {
            const Whereabouts::Stay here(where, area);
            const std::uint64_t end = sampler.cpu_ns() + ns;
            while (sampler.cpu_ns() < end) {
                for (int i = 0; i < 1000; ++i)
                    sink.fetch_add(1, std::memory_order_relaxed);
                take();
            }
        }
        void take() {
            buffer.drain([this](const Tick& tick, std::uint64_t weight) {
                ticks[static_cast<std::size_t>(tick.place.area)] += weight;
                addresses += tick.glimpse.at != 0 ? 1 : 0;
            });
        }
        [[nodiscard]] std::uint64_t all() const {
            return ticks[0] + ticks[1] + ticks[2] + ticks[3];
        }

        tournaments::Sampler& sampler;
        Whereabouts where;
        TickBuffer buffer{where};
        std::array<std::uint64_t, 4> ticks{};
        std::uint64_t addresses = 0;
        std::atomic<std::uint64_t> sink = 0;
    };
};

TEST_F(Sampled, ticks_are_shared_out_as_the_time_is_spent) {
    const auto sampler = make_sampler(Ticks::Fine);
    Thread thread(*sampler);
    sampler->sample(&thread.buffer);
    const std::uint64_t begun = sampler->cpu_ns();
    for (int round = 0; round < 30; ++round) {
        thread.spend(Area::Game, 15 * kMilli);
        thread.spend(Area::Agent, 5 * kMilli);
    }
    sampler->sample(nullptr);
    const auto spent = static_cast<double>(sampler->cpu_ns() - begun);
    thread.take();
    const auto ticks = static_cast<double>(thread.all());
    ASSERT_GT(ticks, 60) << "of 600 ms; the slowest timers tick a hundred times in a second";
    EXPECT_EQ(thread.addresses, thread.all());
    // Reading the clock is the kernel's work, which the counter leaves out, in both areas alike.
    const double game = static_cast<double>(thread.ticks[1]) / ticks;
    const double chance = std::sqrt(0.75 * 0.25 / ticks);
    EXPECT_NEAR(game, 0.75, 4 * chance + 0.01);
    EXPECT_LT(ticks * static_cast<double>(kTickNs), 1.05 * spent) << "no time comes twice";
}

TEST_F(Sampled, a_timer_ticks_more_slowly_and_as_evenly) {
    const auto sampler = make_sampler(Ticks::Coarse);
    Thread thread(*sampler);
    sampler->sample(&thread.buffer);
    for (int round = 0; round < 20; ++round) {
        thread.spend(Area::Agent, 30 * kMilli);
        thread.spend(Area::Game, 10 * kMilli);
    }
    sampler->sample(nullptr);
    thread.take();
    const auto ticks = static_cast<double>(thread.all());
    ASSERT_GT(ticks, 40) << "of 800 ms";
    const double agent = static_cast<double>(thread.ticks[2]) / ticks;
    EXPECT_NEAR(agent, 0.75, 4 * std::sqrt(0.75 * 0.25 / ticks) + 0.02);
}

TEST_F(Sampled, each_thread_has_its_own_ticks_and_none_when_it_rests) {
    const auto sampler = make_sampler(Ticks::Fine);
    Thread idle(*sampler);
    Thread busy(*sampler);
    sampler->sample(&idle.buffer);
    std::jthread([&] {
        sampler->sample(&busy.buffer);
        busy.spend(Area::Game, 200 * kMilli);
        sampler->sample(nullptr);
        busy.spend(Area::Agent, 100 * kMilli);
    }).join();
    sampler->sample(nullptr);
    idle.take();
    EXPECT_GT(busy.ticks[1], 15u);
    EXPECT_EQ(busy.ticks[2], 0u);
    EXPECT_LT(idle.all(), 15u) << "it has waited";
}

} // namespace
} // namespace croupier::cli
