// Compares the compiled engine with the model on a sample of random cases in every test run.
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
        // Some rewrites need forms that few rulesets have. Which of these cases have them depends
        // on the order in which the compiler evaluates arguments.
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

// A test that cannot fail is worthless: it must soon catch a model with a deliberate mistake, and
// shrink the case to one that a person reads at a glance.

namespace {

using namespace croupier::engine::reference;

struct Named {
    Fault fault;
    const char* name;
};

void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name of the suite
class faults : public testing::TestWithParam<Named> {};

TEST_P(faults, is_found_and_shrunk) {
    const Fault fault = GetParam().fault;
    const Subject mistaken = [fault](auto&&... args) { return run_model(args..., fault); };
    const Tally tally = run_cases(1, 2000, Profile{}, model(), mistaken);
    ASSERT_TRUE(tally.failure) << "not found in " << tally.cases << " cases";
    const std::string shown = write_case(tally.failure->shrunk);
    EXPECT_LE(shown.size(), 1200u) << shown;
    EXPECT_EQ(judge(tally.failure->shrunk, model(), model()).kind, Verdict::Kind::Same);
}

INSTANTIATE_TEST_SUITE_P(all, faults,
                         testing::Values(Named{Fault::SiblingsReversed, "siblings_reversed"},
                                         Named{Fault::FirstIgnored, "first_ignored"},
                                         Named{Fault::AtOnceIgnored, "at_once_ignored"},
                                         Named{Fault::RepeatIgnored, "repeat_ignored"},
                                         Named{Fault::ElseForgotten, "else_forgotten"},
                                         Named{Fault::NewNodesFirst, "new_nodes_first"},
                                         Named{Fault::KeysAreText, "keys_are_text"},
                                         Named{Fault::EmptyIsAbsent, "empty_is_absent"},
                                         Named{Fault::DomainOrderIgnored, "domain_order_ignored"},
                                         Named{Fault::AnyTakesFirst, "any_takes_first"},
                                         Named{Fault::DivisionRounds, "division_rounds"},
                                         Named{Fault::FiresOnceForEver, "fires_once_for_ever"},
                                         Named{Fault::DepthIsBreadth, "depth_is_breadth"},
                                         Named{Fault::SalienceIgnored, "salience_ignored"}),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
