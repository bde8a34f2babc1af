// The differential test on 200,000 cases, in parts that a test runner can spread.
#include "engine/reference/differential_check.h"

namespace {

using namespace croupier::engine::reference;

constexpr std::uint64_t kParts = 8;
constexpr std::uint64_t kFirst = 1'000'000; // seeds outside the sample

// NOLINTNEXTLINE(readability-identifier-naming): the name of the suite
class differential_slow : public testing::TestWithParam<std::uint64_t> {};

TEST_P(differential_slow, part) {
    const std::uint64_t count = from_environment("CROUPIER_CASES", 200'000) / kParts;
    check_cases(from_environment("CROUPIER_SEED", kFirst) + GetParam() * count, count);
}

INSTANTIATE_TEST_SUITE_P(all, differential_slow, testing::Range(std::uint64_t{0}, kParts));

} // namespace
