// Steps of SPSA compared with Spall's formulas and with a known best; the file of steps.
#include "engine/api/run.h"
#include "results/store/testing.h"
#include "tournaments/tuning/plan.h"
#include "tournaments/tuning/spsa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace croupier::tournaments {
namespace {

TunedParameter parameter(const std::string& name, double start, double least, double greatest) {
    TunedParameter made{name, start, least, greatest};
    made.end_perturbation = default_apart(made);
    made.end_rate = 0.01;
    return made;
}

// The mean result of a side with these values: lower, the further from 30 and -5.
double strength(const std::vector<double>& values) {
    const double a = (values[0] - 30) / 30;
    const double b = (values[1] + 5) / 20;
    return -a * a - b * b;
}

std::vector<double> found(std::vector<double> start, std::uint64_t seed) {
    constexpr std::uint64_t kBlocks = 8000;
    TunedParameter a = parameter("a", start[0], 0, 60);
    TunedParameter b = parameter("b", start[1], -20, 20);
    a.end_rate = b.end_rate = default_rate(kBlocks);
    Spsa spsa({a, b}, kBlocks, 16, seed);
    engine::Random luck(seed + 1000);
    while (!spsa.is_done()) {
        const Spsa::Pair pair = spsa.pair();
        const double edge = (strength(pair.one) - strength(pair.other)) / 2;
        double result = 0;
        for (int block = 0; block < static_cast<int>(spsa.step_blocks()); ++block) {
            const double won = static_cast<double>(luck.below(1'000'000)) / 1e6 < 0.5 + edge;
            result += 2 * (2 * won - 1);
        }
        spsa.learn(result);
    }
    return spsa.values();
}

TEST(tuning, goes_to_the_values_that_win_the_most) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const auto far = found({5, 18}, seed);
        EXPECT_NEAR(far[0], 30, 6) << seed;
        EXPECT_NEAR(far[1], -5, 5) << seed;
    }
    const auto there = found({30, -5}, 9);
    EXPECT_NEAR(there[0], 30, 4) << "what is best stays";
}

TEST(tuning, a_step_is_as_long_as_spall_says) {
    TunedParameter one = parameter("one", 50, 0, 100);
    one.end_perturbation = 2;
    Spsa spsa({one}, 100, 1, 1);
    const Spsa::Pair pair = spsa.pair();
    // Perturbed by 2 * 100^0.101 = 3.184 to both sides, rounded equally.
    const double up = pair.one[0] > pair.other[0] ? 1 : -1;
    EXPECT_GE(std::abs(pair.one[0] - pair.other[0]), 6);
    EXPECT_LE(std::abs(pair.one[0] - pair.other[0]), 7);
    spsa.learn(3);
    // a = 0.01 * 2^2 * (110 / 11)^0.602 = 0.15998, and a / 3.1843 * 3
    EXPECT_NEAR(spsa.values()[0], 50 + up * 0.15072, 1e-4);
    // The last block has weight r_end, at c_end: 0.01 * 2 * 1.
    for (int block = 1; block < 99; ++block)
        spsa.learn(0);
    const double before = spsa.values()[0];
    spsa.learn(1);
    EXPECT_NEAR(std::abs(spsa.values()[0] - before), 0.02, 1e-12);
    EXPECT_TRUE(spsa.is_done());
}

TEST(tuning, fractions_of_whole_numbers_count_in_the_mean) {
    double sum = 0;
    double square = 0;
    constexpr int kSeeds = 4000;
    for (int seed = 0; seed < kSeeds; ++seed) {
        TunedParameter one = parameter("one", 5.25, 0, 10);
        const Spsa spsa({one}, 1, 1, static_cast<std::uint64_t>(seed));
        const Spsa::Pair pair = spsa.pair();
        EXPECT_EQ(pair.one[0], std::round(pair.one[0]));
        EXPECT_EQ(std::abs(pair.one[0] - pair.other[0]), 1) << "twice a half";
        sum += (pair.one[0] + pair.other[0]) / 2;
        square += pair.one[0] > pair.other[0];
    }
    EXPECT_NEAR(sum / kSeeds, 5.25, 0.03);
    EXPECT_NEAR(square / kSeeds, 0.5, 0.03) << "up as often as down";
    const Spsa ended({parameter("one", 10, 0, 10)}, 1, 1, 3);
    EXPECT_LE(std::max(ended.pair().one[0], ended.pair().other[0]), 10);
}

TEST(tuning, what_cannot_be_tuned_is_said) {
    EXPECT_EQ(wrong_with(parameter("one", 5, 0, 10)), "");
    EXPECT_EQ(wrong_with(parameter("one", 5, 10, 10)), "there is nothing between 10 and 10");
    EXPECT_EQ(wrong_with(parameter("one", 11, 0, 10)),
              "it starts at 11, which is not between 0 and 10");
    EXPECT_EQ(wrong_with(parameter("one", 0, 0, std::numeric_limits<double>::infinity())),
              "its numbers must be finite");
    TunedParameter still = parameter("one", 5, 0, 10);
    still.end_perturbation = 0;
    EXPECT_NE(wrong_with(still), "");
}

class Steps : public results::FolderTest {
  protected:
    static Spsa fresh() {
        return Spsa({parameter("ace", 10, 0, 40), parameter("ruff", 0.5, 0, 1)}, 85, 10, 7);
    }
    // Plays that many steps of 10 blocks.
    void play(int steps) {
        Spsa spsa = fresh();
        StepsFile file;
        ASSERT_EQ(file.open(path(""), spsa), results::Failure());
        for (int step = 0; step < steps; ++step) {
            const double result = static_cast<double>(spsa.blocks() % 7) - 2.5;
            spsa.learn(result);
            ASSERT_EQ(file.append(spsa, result), results::Failure());
        }
    }
};

TEST_F(Steps, that_were_interrupted_go_on_to_the_same_values) {
    play(9);
    const std::string whole = text(kStepsFile);
    std::filesystem::remove(path(kStepsFile));
    play(4);
    write(kStepsFile, text(kStepsFile) + "50,1.5,10.0");
    play(5);
    EXPECT_EQ(text(kStepsFile), whole);
    EXPECT_TRUE(whole.starts_with("blocks,result,ace,ruff\n10,-2.5,")) << whole;

    Spsa spsa = fresh();
    StepsFile file;
    ASSERT_EQ(file.open(path(""), spsa), results::Failure());
    EXPECT_EQ(spsa.blocks(), 85U) << "the last step is shorter";
    EXPECT_TRUE(spsa.is_done());
    ASSERT_EQ(file.steps().size(), 9U);
    EXPECT_EQ(file.steps().back().values, spsa.values());
}

TEST_F(Steps, that_somebody_has_altered_are_refused) {
    play(5);
    const std::string whole = text(kStepsFile);
    const auto refused = [&](const std::string& altered) {
        write(kStepsFile, altered);
        Spsa spsa = fresh();
        StepsFile file;
        return file.open(path(""), spsa).value_or("taken");
    };
    std::string other = whole;
    other.replace(other.find("\n20,"), 4, "\n21,");
    EXPECT_NE(refused(other).find("steps.csv:3: not what"), std::string::npos) << refused(other);
    other = whole;
    other.replace(other.find("-2.5"), 4, "-2.4");
    EXPECT_NE(refused(other).find("steps.csv:2: not what"), std::string::npos) << refused(other);
    EXPECT_NE(refused("blocks,result,ace\n").find("its first line is not"), std::string::npos);
    EXPECT_NE(refused(whole + "nonsense\n").find("steps.csv:7"), std::string::npos);
    EXPECT_EQ(refused(whole), "taken");
}

} // namespace
} // namespace croupier::tournaments
