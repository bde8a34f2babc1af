// Plants wrong rules into a copy of the games and runs the tests there: each must be noticed. The
// playthroughs would notice most of them as well, but only compare with what was played before;
// these tests know what is right.
#include "engine/api/text.h"
#include "games/testing/mistakes.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

namespace croupier::games {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string program_of(std::string_view test) {
    const std::string name = std::string(test);
    const bool has_folder = test == "belote" || test == "coinche";
    return beside_this_program((has_folder ? name + "/" : "") + "games_" + name + "_test") +
           (test == "contract" ? " '--gtest_filter=*every_card*'" : "");
}

// A copy of all rulesets, with one mistake in it at most.
class Copy {
  public:
    // Tests run beside each other.
    Copy()
        : folder_(fs::path(testing::TempDir()) /
                  ("croupier_mistakes_" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        for (const auto& entry : fs::recursive_directory_iterator("games")) {
            if (entry.path().extension() != ".json") continue;
            fs::create_directories((folder_ / entry.path()).parent_path());
            fs::copy_file(entry.path(), folder_ / entry.path());
        }
    }
    ~Copy() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    // False: the text that should be changed is not there.
    [[nodiscard]] bool plant(const Mistake& mistake) const {
        std::string text = read(fs::path("games") / mistake.file);
        const std::size_t at = text.find(mistake.right);
        if (at == std::string::npos) return false;
        text.replace(at, mistake.right.size(), mistake.wrong);
        write(mistake, text);
        return true;
    }
    // What loading says against the games: a mistake that cannot be loaded shows nothing.
    [[nodiscard]] std::string problems() const {
        std::string text;
        const Registry registry((folder_ / "games").string(), test_opener());
        for (const char* name : {"belote", "coinche", "tarot", "tarot:five", "oldmaid", "whist"}) {
            const OpenedGame opened = registry.open(parse_game_name(name));
            for (const engine::Diagnostic& each : opened.diagnostics.sorted())
                if (each.severity == engine::Severity::Error)
                    text += engine::format(each, opened.sources);
        }
        return text;
    }
    // Whether the test program finds something wrong, or the tests that the game has in files.
    [[nodiscard]] bool fails(std::string_view test) const {
        if (!is_good(program_of(test) + " --gtest_fail_fast --gtest_brief=1")) return true;
        const std::string game = "games/" + std::string(test);
        return fs::exists(folder_ / game / "tests") &&
               !is_good(beside_this_program("../croupier") + " test " + game +
                        " --include-from games");
    }

  private:
    [[nodiscard]] bool is_good(const std::string& program) const {
        const std::string command =
            "cd '" + folder_.string() + "' && " + program + " >/dev/null 2>&1";
        return std::system(command.c_str()) == 0; // NOLINT: one test runs another
    }

    void write(const Mistake& mistake, const std::string& text) const {
        std::ofstream(folder_ / "games" / mistake.file, std::ios::binary) << text;
    }

    fs::path folder_;
};

TEST(mistakes, tests_are_good_without_them) {
    const Copy copy;
    std::set<std::string_view> tests;
    for (const Mistake& mistake : mistakes())
        tests.insert(mistake.test);
    for (const std::string_view test : tests)
        EXPECT_FALSE(copy.fails(test)) << test;
}

} // namespace

// Found beside Mistake by the test library.
static void PrintTo(const Mistake& mistake, std::ostream* out) {
    *out << mistake.file;
}

namespace {

class OneMistake : public testing::TestWithParam<Mistake> {};

TEST_P(OneMistake, is_noticed) {
    const Mistake& mistake = GetParam();
    const Copy copy;
    ASSERT_TRUE(copy.plant(mistake)) << mistake.file << " has changed";
    ASSERT_EQ(copy.problems(), "");
    EXPECT_TRUE(copy.fails(mistake.test)) << mistake.test << ": " << mistake.name;
}

INSTANTIATE_TEST_SUITE_P(mistakes, OneMistake, testing::ValuesIn(mistakes()), [](const auto& each) {
    std::string name = std::to_string(each.index) + "_" + std::string(each.param.test) + "_";
    for (const char c : each.param.name)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
});

} // namespace
} // namespace croupier::games
