// Times of parts add up to the whole, with a precision of a sixteenth.
#include "results/costs/cost.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace croupier::results {
namespace {

TEST(decision_times, buckets_hold_what_they_say) {
    std::size_t before = 0;
    for (std::uint64_t time = 1; time < 2'000'000; time += 1 + time / 50) {
        const std::size_t bucket = DecisionTimes::bucket_of(time);
        EXPECT_LE(DecisionTimes::least_of(bucket), static_cast<double>(time)) << time;
        EXPECT_GT(DecisionTimes::least_of(bucket + 1), static_cast<double>(time)) << time;
        EXPECT_GE(bucket, before);
        before = bucket;
    }
    EXPECT_LT(DecisionTimes::bucket_of(~std::uint64_t{0}), DecisionTimes::kBuckets);
    EXPECT_EQ(DecisionTimes::bucket_of(7), 7U);
    EXPECT_EQ(DecisionTimes::bucket_of(8), 8U);
    EXPECT_EQ(DecisionTimes::bucket_of(16), 16U);
}

TEST(decision_times, a_sample_stands_for_its_stretch) {
    DecisionTimes times;
    EXPECT_FALSE(times.mean());
    EXPECT_FALSE(times.quantile(0.99));
    times.count(300);
    times.measure(1000, 1);
    times.measure_processor(800, 1);
    times.measure(100, 99);
    EXPECT_EQ(times.decisions(), 300U);
    EXPECT_EQ(times.measured(), 2U);
    EXPECT_DOUBLE_EQ(*times.mean(), (1000 + 99 * 100) / 100.0);
    EXPECT_DOUBLE_EQ(*times.cpu(), 800);
    EXPECT_EQ(times.most(), 1000U);
    EXPECT_NEAR(*times.quantile(0.5), 100, 100 / 16.0);
    EXPECT_NEAR(*times.quantile(0.99), 100, 100 / 16.0);
    EXPECT_NEAR(*times.quantile(0.995), 1000, 1000 / 16.0);
}

TEST(decision_times, parts_add_up_to_the_whole) {
    TimeTable whole(2, 2);
    TimeTable parts;
    for (const std::uint64_t part : {1, 2, 3}) {
        TimeTable table(2, 2);
        for (std::uint64_t i = 0; i < 100; ++i) {
            const std::uint64_t time = 50 * part + i * i;
            table.at(i % 2, part % 2).measure(time, 1);
            whole.at(i % 2, part % 2).measure(time, 1);
            table.at(i % 2, part % 2).measure_processor(time / 2, 1);
            whole.at(i % 2, part % 2).measure_processor(time / 2, 1);
        }
        table.at(1, 0).count(100);
        whole.at(1, 0).count(100);
        parts.add(table);
    }
    for (const std::size_t agent : {0, 1}) {
        EXPECT_EQ(parts.of(agent).mean(), whole.of(agent).mean());
        EXPECT_EQ(parts.of(agent).quantile(0.99), whole.of(agent).quantile(0.99));
        EXPECT_EQ(parts.of(agent).cpu(), whole.of(agent).cpu());
        EXPECT_EQ(parts.of(agent).most(), whole.of(agent).most());
    }
    EXPECT_EQ(parts.of(1).decisions(), 300U);
    EXPECT_FALSE(parts.empty());
    EXPECT_TRUE(TimeTable(3, 2).empty());
}

} // namespace
} // namespace croupier::results
