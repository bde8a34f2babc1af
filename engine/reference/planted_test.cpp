// A test that cannot fail is worth nothing: each mistake of engine/plan/planted.def, switched on,
// must be seen by the differential test's random cases. It is looked for in a process of its own,
// since a mistake may also end that one.
#include "engine/plan/planted.h"
#include "engine/reference/differential_check.h"

#ifdef CROUPIER_PLANTED_MISTAKES

#include <array>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace croupier::engine;
using namespace croupier::engine::reference;

struct Planted {
    Mistake mistake;
    const char* name;
    const char* meaning;
};

#define PLANTED(name, meaning) Planted{Mistake::name, #name, meaning},
#define NOTHING(name, meaning)
constexpr std::array kPlanted = {
#define MISTAKE PLANTED
#define UNSEEN NOTHING
#include "engine/plan/planted.def"
#undef MISTAKE
};
constexpr std::array kUnseen = {
#define MISTAKE NOTHING
#define UNSEEN PLANTED
#include "engine/plan/planted.def"
#undef MISTAKE
};

void PrintTo(const Planted& planted, std::ostream* out) {
    *out << planted.name;
}

constexpr std::uint64_t kMostCases = 2000; // as many as the sample of the differential test
constexpr int kSeen = 3;
constexpr int kNotSeen = 4;

// The number of the first case that shows the mistake; more than `cases` if none does.
std::uint64_t first_difference(std::uint64_t cases) {
    Profile tables;
    tables.table_percent = tables.skeleton_percent = 100;
    tables.features &= ~(feature::kAtOnce | feature::kAgendas);
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        // Most mistakes concern declared states, so every other case has one.
        const Case random_case = generate_case(seed, seed % 4 != 0 ? tables : Profile{});
        if (judge(random_case, model(), run_subject).kind == Verdict::Kind::Different) {
            return seed;
        }
    }
    return cases + 1;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name of the suite
class planted : public testing::TestWithParam<Planted> {};

TEST_P(planted, is_seen) {
    const std::uint64_t cases = from_environment("CROUPIER_CASES", kMostCases);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        planted_mistake = GetParam().mistake;
        const rlimit limit{60, 60}; // seconds of a mistake that never ends
        setrlimit(RLIMIT_CPU, &limit);
        const std::uint64_t seed = first_difference(cases);
        std::fprintf(stderr, "seen in case %llu\n", static_cast<unsigned long long>(seed));
        _exit(seed <= cases ? kSeen : kNotSeen);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == kNotSeen)
        << "no case shows that " << GetParam().meaning;
}

std::string name_of(const testing::TestParamInfo<Planted>& test) {
    return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(all, planted, testing::ValuesIn(kPlanted), name_of);
INSTANTIATE_TEST_SUITE_P(DISABLED_unseen, planted, testing::ValuesIn(kUnseen), name_of);

} // namespace

#endif
