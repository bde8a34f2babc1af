// What perf is told of the code that rules became.
#include "tournaments/cli/perf_map.h"

#include "engine/api/origins.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"
#include "tournaments/cli/testing.h"

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace croupier::cli {
namespace {

struct Line {
    std::uintptr_t begin = 0;
    std::uintptr_t size = 0;
    std::string name;
};

std::vector<Line> lines_of(const std::string& text) {
    std::vector<Line> found;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream parts(line);
        Line& made = found.emplace_back();
        parts >> std::hex >> made.begin >> made.size;
        parts.get();
        std::getline(parts, made.name);
    }
    return found;
}

TEST(perf_map, each_instruction_of_what_is_compiled_has_the_name_of_its_rule) {
    if (!engine::runs_machine_code()) GTEST_SKIP();
    const auto game = games::open_for_test("belote");
    const engine::Program& program = game->ruleset_game()->program();
    PerfMap map;
    map.add("belote", program);
    map.add("belote", program);
    EXPECT_EQ(map.text(), "") << "nothing has been compiled yet";
    const engine::emit::Code& code = *program.code();
    (void)code.entry(game->ruleset_game()->groups().play);
    std::uintptr_t bytes = 0;
    std::uintptr_t last = 0;
    std::set<std::string> names;
    for (const Line& line : lines_of(map.text())) {
        EXPECT_GE(line.begin, last) << "pieces do not overlap";
        last = line.begin + line.size;
        bytes += line.size;
        names.insert(line.name);
        const engine::emit::Origin* const origin = code.origin(line.begin);
        ASSERT_NE(origin, nullptr);
        EXPECT_EQ(origin->rules.empty(), line.name == "belote:between rules") << line.name;
        EXPECT_NE(code.origin(last - 1), nullptr);
    }
    EXPECT_TRUE(names.contains("belote:play/card action"));
    EXPECT_TRUE(names.contains("belote:between rules"));
    std::uintptr_t all = 0;
    for (const engine::emit::CodePiece& piece : code.pieces())
        all += piece.bytes;
    EXPECT_EQ(bytes, all);
    EXPECT_GT(bytes, 1000u);
    const std::string first = map.text();
    (void)code.entry(game->ruleset_game()->groups().moves);
    EXPECT_GT(map.text().size(), first.size()) << "what is compiled later is told later";
}

class PerfMapOfRun : public FolderTest {};

TEST_F(PerfMapOfRun, has_the_rules_of_the_game_and_of_agents) {
    if (!engine::runs_machine_code()) GTEST_SKIP();
    const std::string file = "/tmp/perf-" + std::to_string(::getpid()) + ".map";
    const Ran ran = run_in_process({"run", "--game", "belote", "--agents", "Me=rules:naive,random",
                                    "--games", "4", "--perf-map", "--out", path("run")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ::unlink(file.c_str());
    EXPECT_TRUE(contains(text, " belote:play/card")) << text.substr(0, 500);
    EXPECT_TRUE(contains(text, " Me:choose/"));
}

TEST_F(PerfMapOfRun, dumps_the_bytes_of_each_piece_with_its_name) {
    if (!engine::runs_machine_code()) GTEST_SKIP();
    const auto game = games::open_for_test("belote");
    const engine::Program& program = game->ruleset_game()->program();
    PerfMap map;
    map.add("belote", program);
    (void)program.code()->entry(game->ruleset_game()->groups().play);
    ASSERT_EQ(map.dump(path("")), std::nullopt);
    const std::string dump = text("jit-" + std::to_string(::getpid()) + ".dump");
    std::size_t at = 0;
    const auto number = [&]<class Number>(Number made) {
        std::memcpy(&made, dump.data() + at, sizeof made);
        at += sizeof made;
        return made;
    };
    const auto word = [&] { return number(std::uint32_t{0}); };
    const auto wide = [&] { return number(std::uint64_t{0}); };
    EXPECT_EQ(dump.substr(0, 4), "DTiJ") << "the magic number, its lowest byte first";
    word();
    EXPECT_EQ(word(), 1u) << "version";
    EXPECT_EQ(word(), 40u) << "bytes of this header";
    EXPECT_EQ(word(), 62u) << "x86-64";
    word();
    EXPECT_EQ(word(), static_cast<std::uint32_t>(::getpid()));
    const std::uint64_t time = wide();
    EXPECT_LE(time, nanoseconds_now());
    wide();
    std::uint64_t index = 0;
    for (const Line& line : lines_of(map.text())) {
        const std::size_t begin = at;
        EXPECT_EQ(word(), 0u) << "code is loaded";
        const std::size_t end = begin + word();
        ASSERT_LE(end, dump.size());
        EXPECT_EQ(wide(), time);
        EXPECT_EQ(word(), static_cast<std::uint32_t>(::getpid()));
        EXPECT_EQ(word(), static_cast<std::uint32_t>(::getpid()));
        EXPECT_EQ(wide(), line.begin);
        EXPECT_EQ(wide(), line.begin);
        EXPECT_EQ(wide(), line.size);
        EXPECT_EQ(wide(), index++);
        EXPECT_EQ(dump.c_str() + at, line.name);
        at += line.name.size() + 1;
        EXPECT_EQ(
            std::memcmp(dump.data() + at, reinterpret_cast<const char*>(line.begin), line.size), 0);
        at += line.size;
        ASSERT_EQ(at, end);
    }
    EXPECT_GT(index, 10u);
    EXPECT_EQ(at, dump.size());

    const Ran ran = run_in_process({"run", "--game", "belote", "--agents", "random", "--games", "4",
                                    "--jitdump", path("none"), "--out", path("run")});
    EXPECT_EQ(ran.code, 0);
    EXPECT_TRUE(contains(ran.err, "warning: --jitdump: ")) << ran.err;
}

} // namespace
} // namespace croupier::cli
