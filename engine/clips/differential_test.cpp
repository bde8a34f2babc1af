// Against CLIPS itself: the corpus in cases/ and random programs must print the same bytes. Without
// the program `clips` the corpus is compared with what it printed when the cases were written.
#include "engine/clips/session.h"
#include "engine/clips/testing/compare.h"
#include "engine/clips/testing/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace croupier::engine::clips {
namespace {

Outcome run_ours(const std::string& text) {
    Outcome outcome;
    Session session([&](std::string_view piece) { outcome.text += piece; });
    session.set_opener([](const std::string& name) -> std::optional<std::string> {
        if (!std::filesystem::is_regular_file(name)) return std::nullopt;
        return read_text(name);
    });
    session.load("program.clp", text, true);
    outcome.code = session.exit_code().value_or(0);
    return outcome;
}

std::vector<std::filesystem::path> cases() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator("engine/clips/cases")) {
        if (entry.path().extension() == ".clp") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class ClipsCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ClipsCase, prints_what_clips_prints) {
    std::filesystem::path expected = GetParam();
    expected.replace_extension(".out");
    const Outcome ours = run_ours(read_text(GetParam()));
    EXPECT_EQ(ours.text, read_text(expected));
    if (!have_clips()) GTEST_SKIP() << "compared with the stored output only: no program 'clips'";
    const Outcome theirs = run_clips(GetParam());
    EXPECT_EQ(ours.text, theirs.text);
    EXPECT_EQ(ours.code, theirs.code);
}

std::string case_name(const testing::TestParamInfo<std::filesystem::path>& file) {
    return file.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(clips, ClipsCase, testing::ValuesIn(cases()), case_name);

// CROUPIER_CLIPS_FIRST and _COUNT choose other programs than those of every test run.
std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name); // NOLINT
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(clips_differential, random_programs_print_what_clips_prints) {
    if (!have_clips()) GTEST_SKIP() << "needs the program 'clips'";
    const std::uint64_t first = number_from("CROUPIER_CLIPS_FIRST", 1);
    const std::uint64_t count = number_from("CROUPIER_CLIPS_COUNT", 150);
    const auto file =
        std::filesystem::temp_directory_path() /
        ("croupier_clips_" + std::to_string(first) + "_" + std::to_string(getpid()) + ".clp");
    std::uint64_t failures = 0;
    std::uint64_t left_out = 0;
    std::size_t printed = 0;
    for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
        const std::string program = generate_program(seed);
        std::ofstream(file) << program;
        const Outcome theirs = run_clips(file);
        const Outcome ours = run_ours(program);
        // CLIPS refuses rules whose constraints contradict each other, which we warn of with --lint
        // only; and it crashes on some groups within groups.
        const auto says = [&](const char* code) {
            return theirs.text.find(code) != std::string::npos;
        };
        if (theirs.code != 0 || says("[CSTRNCHK1]") || says("[RULECSTR1]")) {
            ++left_out;
            continue;
        }
        printed += theirs.text.size();
        if (ours.text == theirs.text) continue;
        ++failures;
        ADD_FAILURE() << "seed " << seed << "\n"
                      << program << "\nCLIPS:\n"
                      << theirs.text << "\nours:\n"
                      << ours.text;
    }
    std::filesystem::remove(file);
    // Programs that print nothing would agree in everything.
    EXPECT_GT(printed, count * 200);
    EXPECT_LT(left_out * 20, count);
}

} // namespace
} // namespace croupier::engine::clips
