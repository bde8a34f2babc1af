// The sample of the differential test must reach all kinds of nodes of the intermediate form,
// interpreted and as machine code, and all rewrites of the passes; the rest would be untested.
#include "engine/form/probe.h"
#include "engine/reference/differential_check.h"
#include "engine/x86/code.h"

#ifdef CROUPIER_PLANTED_MISTAKES

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace croupier::engine;
using namespace croupier::engine::reference;

constexpr std::uint64_t kCases = 2000; // the same number as the sample of the differential test

constexpr std::array kKindNames = {
#define NODE(name, operands, result, fields, blocks, effects, text) std::string_view(#name),
#include "engine/form/nodes.def"
};
constexpr std::array kRewriteNames = {
#define REWRITE(name, meaning) std::string_view(#name),
#include "engine/reference/rewrites.def"
#undef REWRITE
};

// Kinds that machine code leaves to the executor: generic access, data, chance, observer events.
const std::vector<std::string_view> kLeft = {
    "Fits",     "Truth",       "Random",     "Name",      "KeyText",      "Root",
    "Here",     "Child",       "Parent",     "PathNode",  "ValueOf",      "SizeOf",
    "Try",      "Pass",        "Inner",      "MakeChild", "MakePath",     "SetChild",
    "SetPath",  "RemoveChild", "RemovePath", "PutChild",  "PutPath",      "DataValue",
    "DataList", "DataObject",  "DataMember", "Do",        "ArgumentPath", "ArgumentValue",
    "Print",    "Before",      "After"};

template <std::size_t n>
std::string missing(const std::array<std::string_view, n>& names,
                    const std::array<probe::Reached::Counter, n>& counts,
                    const std::vector<std::string_view>& exceptions = {}) {
    std::string found;
    for (std::size_t i = 0; i < n; ++i) {
        const bool excepted =
            std::find(exceptions.begin(), exceptions.end(), names[i]) != exceptions.end();
        if (excepted != (counts[i] == 0))
            found += std::string(names[i]) + (excepted ? " (no exception any more)\n" : "\n");
    }
    return found;
}

TEST(reached, sample) {
    const std::uint64_t cases = from_environment("CROUPIER_CASES", kCases);
    Profile of_form;
    of_form.table_percent = of_form.skeleton_percent = 100;
    of_form.of_form = true;
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        const Case random_case = generate_case(seed, seed % 2 == 0 ? of_form : Profile{});
        // The fast form has no nodes that report to observers.
        const Verdict verdict =
            judge(random_case, model(), seed % 16 == 0 ? run_subject : run_form);
        ASSERT_NE(verdict.kind, Verdict::Kind::Different) << verdict.detail << "\n"
                                                          << write_case(random_case);
    }
    EXPECT_EQ(missing(kKindNames, probe::reached.built), "") << "no case has these nodes";
    EXPECT_EQ(missing(kKindNames, probe::reached.interpreted), "")
        << "no case interprets these nodes";
    EXPECT_EQ(missing(kRewriteNames, probe::reached.rewrites), "") << "no case has these rewrites";
    if (x86::can_emit()) {
        EXPECT_EQ(missing(kKindNames, probe::reached.emitted, kLeft), "")
            << "no case has machine code for these nodes";
    }
}

} // namespace

#endif
