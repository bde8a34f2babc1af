// Ticks come with CPU time, on the thread that uses it, and find its activity.
#include "tournaments/machine/machine.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <thread>
#include <vector>

namespace croupier::tournaments {
namespace {

using agents::Whereabouts;
using Area = Whereabouts::Area;

// The thread sanitizer delays signals.
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
        if (!kSignalsCome) {
            GTEST_SKIP();
        }
        if (make_sampler(Ticks::Coarse) == nullptr) {
            GTEST_SKIP() << "nothing here to interrupt threads with";
        }
    }

    // Uses CPU time, and keeps the buffer from filling up.
    struct Thread {
        explicit Thread(Sampler& with) : sampler(with) {}

        // Three quarters in one area and a quarter in the other, until there are that many ticks.
        // Their rate depends on the machine. Rounds differ in length, so that ticks do not
        // synchronize with them.
        void spend_until(std::uint64_t wanted, Area more, Area less) {
            for (std::uint64_t round = 0; all() < wanted && round < 20'000; ++round) {
                const std::uint64_t part = (3 + round * 3 % 5) * kMilli;
                spend(more, 3 * part);
                spend(less, part);
                take();
            }
        }
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

        Sampler& sampler;
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
    thread.spend_until(200, Area::Game, Area::Agent);
    sampler->sample(nullptr);
    const auto spent = static_cast<double>(sampler->cpu_ns() - begun);
    thread.take();
    const auto ticks = static_cast<double>(thread.all());
    ASSERT_GE(ticks, 200);
    EXPECT_EQ(thread.addresses, thread.all());
    // Reading the clock is kernel time, which the counter excludes, equally in both areas.
    const double game = static_cast<double>(thread.ticks[1]) / ticks;
    EXPECT_NEAR(game, 0.75, 5 * std::sqrt(0.75 * 0.25 / ticks) + 0.01);
    EXPECT_LT(ticks * static_cast<double>(kTickNs), 1.5 * spent) << "no time comes twice";
}

TEST_F(Sampled, a_timer_ticks_more_slowly_and_as_evenly) {
    const auto sampler = make_sampler(Ticks::Coarse);
    Thread thread(*sampler);
    sampler->sample(&thread.buffer);
    thread.spend_until(100, Area::Agent, Area::Game);
    sampler->sample(nullptr);
    thread.take();
    const auto ticks = static_cast<double>(thread.all());
    ASSERT_GE(ticks, 100);
    const double agent = static_cast<double>(thread.ticks[2]) / ticks;
    EXPECT_NEAR(agent, 0.75, 5 * std::sqrt(0.75 * 0.25 / ticks) + 0.02);
}

TEST_F(Sampled, each_thread_has_its_own_ticks_and_none_when_it_rests) {
    const auto sampler = make_sampler(Ticks::Fine);
    Thread idle(*sampler);
    Thread busy(*sampler);
    sampler->sample(&idle.buffer);
    std::jthread([&] {
        sampler->sample(&busy.buffer);
        busy.spend_until(100, Area::Game, Area::Harness);
        sampler->sample(nullptr);
        busy.spend(Area::Agent, 100 * kMilli);
    }).join();
    sampler->sample(nullptr);
    idle.take();
    EXPECT_GE(busy.ticks[1], 60u);
    EXPECT_EQ(busy.ticks[2], 0u);
    EXPECT_LT(idle.all(), busy.all() / 2) << "it has waited";
}

// The kernel's answer if four counters shared three registers: each counted for two thirds of the
// time.
TEST(hardware, counts_are_extrapolated_to_the_time_in_which_they_were_wanted) {
    const std::vector<std::uint64_t> read{4, 30'000'000, 20'000'000, 90'000, 60'000, 200, 0};
    const auto counts = decode_counters(read);
    ASSERT_TRUE(counts.has_value());
    EXPECT_DOUBLE_EQ((*counts)[0], 135'000);
    EXPECT_DOUBLE_EQ((*counts)[1], 90'000);
    EXPECT_DOUBLE_EQ((*counts)[2], 300);
    EXPECT_DOUBLE_EQ((*counts)[3], 0);
    std::vector<std::uint64_t> never = read;
    never[2] = 0;
    EXPECT_FALSE(decode_counters(never).has_value());
    std::vector<std::uint64_t> other = read;
    other[0] = 3;
    EXPECT_FALSE(decode_counters(other).has_value());
    EXPECT_FALSE(decode_counters({read.data(), 6}).has_value());
    EXPECT_FALSE(decode_counters({}).has_value());
}

// Whatever the machine has: nothing is an error, and counts grow.
TEST(hardware, a_thread_at_work_is_counted_where_the_machine_can) {
    std::optional<results::HardwareCounts> counted;
    const auto sampler = make_sampler(Ticks::None, &counted);
    Whereabouts where;
    TickBuffer buffer(where);
    results::HardwareCounts before{};
    for (int i = 0; i < 2; ++i) {
        sampler->sample(&buffer);
        std::atomic<std::uint64_t> sink = 0;
        for (int k = 0; k < 100'000; ++k)
            sink.fetch_add(1, std::memory_order_relaxed);
        sampler->sample(nullptr);
        if (!counted) {
            GTEST_SKIP() << "no counters here";
        }
        EXPECT_GT((*counted)[0], before[0] + 100'000);
        before = *counted;
    }
}

} // namespace
} // namespace croupier::tournaments
