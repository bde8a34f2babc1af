// The compiled engine against the model, on a sample of random cases in every test run.
#include "engine/reference/differential_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace croupier::engine::reference;

constexpr std::uint64_t kCases = 2000;

TEST(differential, sample) {
    const std::uint64_t cases = from_environment("CROUPIER_CASES", kCases);
    check_cases(from_environment("CROUPIER_SEED", 1), cases);
    if (cases >= kCases) {
        // Some rewrites are for forms that few rulesets have: which of these cases do depends on
        // the order in which a compiler has arguments evaluated.
        Profile skeletons;
        skeletons.table_percent = skeletons.skeleton_percent = 100;
        check_cases(1, kCases / 2, skeletons);
    }
}

TEST(differential, a_case_is_a_file) {
    const Case written = generate_case(5);
    std::string error;
    const auto read = read_case(write_case(written), error);
    ASSERT_TRUE(read) << error;
    EXPECT_EQ(read->seed, written.seed);
    EXPECT_EQ(read->budgets.firings, written.budgets.firings);
    EXPECT_EQ(judge(*read, model(), model()).kind, judge(written, model(), model()).kind);
    EXPECT_EQ(write_case(*read), write_case(written));
}

TEST(differential, the_same_seed_gives_the_same_case) {
    EXPECT_EQ(write_case(generate_case(9)), write_case(generate_case(9)));
    EXPECT_NE(write_case(generate_case(9)), write_case(generate_case(10)));
}

TEST(differential, bytes_decide_a_case) {
    const std::vector<std::uint8_t> choices{99, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
    std::vector<std::uint8_t> others = choices;
    others[4] ^= 1;
    const std::string written = write_case(generate_case(choices));
    EXPECT_EQ(write_case(generate_case(choices)), written);
    EXPECT_NE(write_case(generate_case(others)), written);
    int loaded = 0;
    for (std::uint8_t first = 0; first < 200; ++first) {
        others[0] = first;
        others[1] = static_cast<std::uint8_t>(7 * first);
        const Verdict verdict = judge(generate_case(others), model(), run_subject);
        EXPECT_NE(verdict.kind, Verdict::Kind::Different) << verdict.detail;
        loaded += verdict.kind == Verdict::Kind::NotLoaded ? 0 : 1;
    }
    EXPECT_GE(loaded, 180);
}

} // namespace
