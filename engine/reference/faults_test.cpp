// A test that cannot fail is worth nothing: the model with a deliberate mistake must be caught
// soon, and the case that shows it must shrink to something that a person reads at a glance.
#include "engine/reference/differential_check.h"

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
