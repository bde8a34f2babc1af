// The compiled engine against the model, on a sample of random cases in every test run.
#include "engine/reference/differential_check.h"

namespace {

using namespace croupier::engine::reference;

TEST(differential, sample) {
    check_cases(from_environment("CROUPIER_SEED", 1), from_environment("CROUPIER_CASES", 2000));
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

} // namespace
