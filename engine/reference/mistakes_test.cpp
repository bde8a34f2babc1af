// A test that cannot fail is worthless: random cases of the differential test must notice each
// mistake of engine/reference/mistakes.def that is switched on. Each runs in its own process, since
// a mistake may crash it.
#include "engine/form/probe.h"
#include "engine/reference/differential_check.h"

#ifdef CROUPIER_PLANTED_MISTAKES

#include <array>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace croupier::engine;
using namespace croupier::engine::reference;

struct Planted {
    probe::Mistake mistake;
    const char* name;
    const char* meaning;
};

constexpr std::array kPlanted = {
#define MISTAKE(name, meaning) Planted{probe::Mistake::name, #name, meaning},
#include "engine/reference/mistakes.def"
#undef MISTAKE
};

void PrintTo(const Planted& planted, std::ostream* out) {
    *out << planted.name;
}

constexpr std::uint64_t kMaxCases = 3000; // the differential test has more
constexpr int kSeen = 3;
constexpr int kNotSeen = 4;

// The number of the first case that shows the mistake, or `cases` + 1 if none does.
std::uint64_t first_difference(std::uint64_t cases) {
    Profile tables;
    tables.table_percent = tables.skeleton_percent = 100;
    Profile of_form = tables;
    of_form.of_form = true;
    const Profile profiles[] = {of_form, tables, of_form, Profile{}};
    for (std::uint64_t seed = 1; seed <= cases; ++seed) {
        const Case random_case = generate_case(seed, profiles[seed % std::size(profiles)]);
        if (judge(random_case, model(), run_form).kind == Verdict::Kind::Different) return seed;
    }
    return cases + 1;
}

// NOLINTNEXTLINE(readability-identifier-naming): the name of the suite
class mistakes : public testing::TestWithParam<Planted> {};

TEST_P(mistakes, is_seen) {
    const std::uint64_t cases = from_environment("CROUPIER_CASES", kMaxCases);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        probe::planted = GetParam().mistake;
        const rlimit limit{20, 20}; // CPU seconds, for a mistake that never ends
        setrlimit(RLIMIT_CPU, &limit);
        std::uint64_t seed = 0;
        try {
            seed = first_difference(cases);
        } catch (const std::exception&) { // a mistake may lead to impossible states
        }
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

INSTANTIATE_TEST_SUITE_P(all, mistakes, testing::ValuesIn(kPlanted), name_of);

} // namespace

#endif
