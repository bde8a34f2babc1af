// What perf is told of the code that rules became.
#include "tournaments/cli/perf_map.h"

#include "engine/api/origins.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"
#include "tournaments/cli/testing.h"

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
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

} // namespace
} // namespace croupier::cli
