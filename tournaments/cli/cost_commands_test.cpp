// Rule costs for their users: in a run's folder and report, by `profile`, and refusals.
#include "agents/agent.h"
#include "engine/api/origins.h"
#include "engine/api/program.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/testing.h"
#include "tournaments/machine/machine.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace croupier::cli {

namespace {

using nlohmann::json;

class CostCommands : public FolderTest {
  protected:
    // A small custom game: each move adds one, with a search that never finds anything.
    void write_game(const std::string& name, const std::string& extra = "") const {
        write(name, R"({
            "game": {"name": "count", "players": ["A", "B"]},
            "options": {"target": 4, "limit": 9, "nobody": 1},
            "shape": {"turn": ["A", "B"], "n": "int", "moves": {"$:Move": true}, "move": "Move",
                      "over": "bool", "score": {"$": "int"}, "item": {"$:Item": "int"}},
            "types": {"Move": ["one"], "Item": 8},
            "state": {"turn": "A", "n": 0,
                      "item": {"0": 1, "1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1}},
            "moves": [{"name": "may", "action": {"moves": {"one": true}}}],
            "play": [
                {"name": "add", "condition": {"turn": "$_P"}, "action": {"n": "$this + 1"}},
                {"name": "vain", "condition": {"n": "> 100", "item": {"$_X": "> options.limit"}},
                 "action": {"n": 0}})" +
                        extra + R"(,
                {"name": "end", "condition": {"n": ">= options.target"}, "action": {"over": true}}
            ],
            "score": [{"name": "tie", "action": {"score": {"A": 1, "B": 1}}}]
        })");
    }
};

TEST_F(CostCommands, a_full_profile_of_a_run_is_exact) {
    write_game("count.json");
    const Ran ran =
        run_in_process({"run", "--game", path("count.json"), "--agents", "random", "--games", "10",
                        "--profile", "full", "--json", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json costs = json::parse(ran.out)["costs"];
    EXPECT_EQ(costs["profile"], "full");
    EXPECT_EQ(costs["times"]["ticks"], 0) << "they would find little but the watching";
    EXPECT_EQ(costs["steps"], 50); // ten deals, and four moves a game
    EXPECT_EQ(costs["watched"], 50);
    std::uint64_t added = 0;
    for (const json& row : costs["rows"]) {
        if (row["name"] != "add") continue;
        EXPECT_EQ(row["phase"], "play");
        EXPECT_EQ(row["player"], "A"); // whose turn never ends
        added += row["firings"].get<std::uint64_t>();
    }
    EXPECT_EQ(added, 40u);
    EXPECT_TRUE(
        contains(text("a/rules.csv"), "add,play,0,A,0,\"\"\"turn\"\": \"\"$_P\"\"\",40,40,"))
        << text("a/rules.csv");
    // The summary contains only functions of the seed.
    const json summary = json::parse(text("a/summary.json"))["report"]["costs"];
    EXPECT_EQ(summary["watched"], 50);
    EXPECT_FALSE(contains(summary.dump(), "_ns"));
    // A second report is the same, including times: they are in rules.csv.
    const Ran again = run_in_process({"report", path("a"), "--json"});
    EXPECT_EQ(json::parse(again.out)["costs"], costs);
}

// Gives ten ticks per work item, and a millisecond of CPU time.
class Planted : public tournaments::Sampler {
  public:
    Planted(tournaments::Ticks kind, std::optional<results::HardwareCounts>* counted)
        : ticks_(kind == tournaments::Ticks::None ? 0 : 10), counted_(counted) {}
    void sample(tournaments::TickBuffer* into) override {
        if (into == nullptr && counted_ != nullptr) {
            if (!*counted_) counted_->emplace();
            ++(**counted_)[1];
        }
        for (int i = 0; into != nullptr && i < ticks_; ++i)
            into->note(1);
    }
    [[nodiscard]] std::uint64_t cpu_ns() const override { return now_ += 1'000'000; }

  private:
    int ticks_;
    std::optional<results::HardwareCounts>* counted_;
    mutable std::uint64_t now_ = 0;
};

TEST_F(CostCommands, games_are_timed_until_there_are_ticks_enough_or_no_time_is_left) {
    write_game("count.json");
    std::ostringstream told;
    std::istringstream nothing;
    Terminal terminal(told, told, {});
    Context context(terminal, nothing);
    tournaments::SpecificationInput input;
    input.add_text("GAME", "game", path("count.json"));
    input.add_agents("--agents", {"random"});
    const tournaments::PreparedRun run =
        prepare_run(input, "", "", results::ProfileMode::Sample, context);
    double now = 0;
    tournaments::Timing timing;
    timing.ticks = 385;
    timing.sampler = [](tournaments::Ticks kind, auto* counted) {
        return std::make_unique<Planted>(kind, counted);
    };
    timing.clock = [&] { return now; };
    const tournaments::TimedGames known = time_games(run, agent_maker(run), timing);
    const results::CostTable& enough = known.times;
    EXPECT_TRUE(enough.has_times());
    ASSERT_TRUE(known.hardware.has_value());
    EXPECT_GT((*known.hardware)[1], 0) << "of a game; one was counted for several of them";
    EXPECT_LE((*known.hardware)[1], 1);
    EXPECT_GT(enough.cpu_per_game(), 0);

    timing.ticks = ~std::uint64_t{0};
    timing.clock = [&] { return now += 0.1; };
    const tournaments::TimedGames late = time_games(run, agent_maker(run), timing);
    EXPECT_GT(late.played, 0u);
    EXPECT_GT(late.times.ticks(), 0u);
    EXPECT_LT(late.times.ticks(), 1000u) << "the clock was asked twenty times";

    const std::atomic<bool> stop = true;
    timing.clock = [] { return 0; };
    timing.stop = &stop;
    EXPECT_EQ(time_games(run, agent_maker(run), timing).times.ticks(), 0u);
}

// A nanosecond per byte of code: each instruction takes as many as its length.
TEST_F(CostCommands, ticks_of_addresses_are_those_of_instructions_and_rules) {
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
    std::ostringstream told;
    std::istringstream nothing;
    Terminal terminal(told, told, {});
    Context context(terminal, nothing);
    tournaments::SpecificationInput input;
    input.add_text("GAME", "game", "belote");
    input.add_agents("--agents", {"random,rules:naive"});
    const tournaments::PreparedRun run =
        prepare_run(input, "", "", results::ProfileMode::Full, context);
    const tournaments::AgentMaker make = agent_maker(run);
    const games::RulesetGame& game = *run.game->ruleset_game();
    const auto agent = make(1);
    tournaments::CodeTimes times;
    const auto add = [&](std::size_t owner, const engine::x86::Code& code, std::size_t function) {
        const auto begin = reinterpret_cast<std::uintptr_t>(code.entry(function));
        for (std::uint32_t i = 0; code.origin(begin + i) != nullptr; ++i)
            times[{owner, function, i}] = 1;
    };
    add(0, *game.program().code(), game.groups().play);
    add(0, *game.program().code(), game.groups().score);
    add(2, *agent->rules()->code(), agent->rules()->catalogue().group_id("choose"));

    std::uint64_t all = 0;
    std::uint64_t before = ~std::uint64_t{0};
    bool own = false;
    bool agents = false;
    std::size_t before_data = 0; // last instructions, which take what data follow as well
    for (const results::HotCode& code : hot_code(run, make, times)) {
        EXPECT_LE(code.ns, before) << "the hottest first";
        before = code.ns;
        all += code.ns;
        for (const results::HotCode::Line& line : code.lines) {
            before_data += line.ns > 15 ? 1 : 0;
            EXPECT_EQ(line.ns > 0, line.is_instruction) << line.text;
            EXPECT_TRUE(line.entry == results::kNothing ||
                        line.entry < run.profile.rules[code.rules.at(0)].entries.size());
        }
        for (const std::uint32_t rule : code.rules) {
            EXPECT_EQ(run.profile.rules[rule].agent, code.agent);
            own = own || run.profile.rules[rule].name == "card";
            agents = agents || run.profile.rules[rule].agent == 1u;
        }
    }
    EXPECT_EQ(all, times.size());
    EXPECT_LE(before_data, 3U) << "one for each group";
    EXPECT_TRUE(own);
    EXPECT_TRUE(agents);
}

TEST_F(CostCommands, profile_shows_the_machine_code_of_the_hottest_rules) {
    if (!engine::runs_machine_code()) {
        EXPECT_TRUE(contains(run_in_process({"profile", "belote", "--asm"}).err,
                             "there is no machine code here"));
        return;
    }
    write_game("count.json");
    const Ran ran =
        run_in_process({"profile", path("count.json"), "--games", "2", "--asm", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json profile = json::parse(ran.out);
    EXPECT_TRUE(profile.contains("hardware")) << "null where the machine has no counters";
    // A busy machine may give too few ticks for any statement.
    EXPECT_EQ(profile.contains("code"), profile["times"].contains("rules"));
    for (const json& code : profile.value("code", json::array())) {
        std::uint64_t sum = 0;
        for (const json& line : code["lines"])
            sum += line["self_ns"].get<std::uint64_t>();
        EXPECT_EQ(code["self_ns"], sum);
        EXPECT_GT(sum, 0u);
    }
    for (const std::vector<std::string>& other :
         {std::vector<std::string>{"--counts"}, {"--compare", path("none")}}) {
        std::vector<std::string> both = {"profile", path("count.json"), "--asm"};
        both.insert(both.end(), other.begin(), other.end());
        EXPECT_EQ(run_in_process(both).code, 2);
    }
}

// However short and however watched, a run reports the costs of rules and is the same run.
TEST_F(CostCommands, a_run_that_is_too_short_plays_on_to_tell_times) {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "signals come when the sanitizer likes";
#endif
    if (make_sampler(tournaments::Ticks::Fine) == nullptr) {
        GTEST_SKIP() << "nothing interrupts threads here";
    }
    write_game("count.json");
    constexpr double kGuard = 600; // seconds
    for (const std::string profile : {"sample", "full"}) {
        const auto run = [&](const std::string& folder, double plays_on) {
            return run_in_process({"run", "--game", path("count.json"), "--agents", "random",
                                   "--games", "10", "--profile", profile, "--json", "--out",
                                   path(folder + profile)},
                                  "", {}, plays_on);
        };
        const Ran ran = run("on", kGuard);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_TRUE(contains(ran.err, " more games were played to see what rules cost; they count "
                                      "for nothing else\n"))
            << ran.err;
        const json costs = json::parse(ran.out)["costs"];
        EXPECT_EQ(costs["games"], 10);
        EXPECT_EQ(costs["steps"], 50);
        EXPECT_GE(costs["times"]["ticks"].get<int>(), 385);
        EXPECT_FALSE(costs["times"]["rules"].empty());
        EXPECT_FALSE(contains(run("off", 0).err, "more games"));
        for (const char* file : {"/games.csv", "/summary.json"})
            EXPECT_EQ(text("on" + profile + file), text("off" + profile + file));
        const Ran again = run_in_process({"report", path("on" + profile), "--json"});
        EXPECT_EQ(json::parse(again.out)["costs"], costs);
    }
}

TEST_F(CostCommands, coverage_watches_all_and_tells_what_never_happened) {
    write_game("count.json");
    const Ran ran = run_in_process({"run", "--game", path("count.json"), "--agents", "random",
                                    "--games", "4", "--coverage", "--json", "--out", path("a")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json coverage = json::parse(ran.out)["costs"]["coverage"];
    EXPECT_EQ(coverage["never_matched"], json{"vain"});
    EXPECT_EQ(coverage["options_never_looked_at"], json{"limit"});
    EXPECT_EQ(coverage["options_no_rule_reads"], json{"nobody"});
    ASSERT_EQ(coverage["never_passed"].size(), 1u);
    EXPECT_EQ(coverage["never_passed"][0], "vain: \"n\": \"> 100\"");
    const Ran later = run_in_process({"report", path("a"), "--coverage"});
    EXPECT_TRUE(contains(later.out, "never passed in vain: \"n\": \"> 100\"")) << later.out;
    EXPECT_EQ(run_in_process({"run", "--game", "belote", "--agents", "random", "--coverage",
                              "--profile", "off"})
                  .err,
              "croupier run: --coverage watches every step, which --profile off forbids\n");
}

TEST_F(CostCommands, rules_of_agents_are_measured_beside_those_of_the_game) {
    const Ran greedy = run_in_process(
        {"profile", "life", "--agents", "rules:greedy,random", "--games", "2", "--counts"});
    EXPECT_EQ(greedy.code, 0) << greedy.err;
    EXPECT_TRUE(contains(greedy.out, "rules:greedy: weigh")) << greedy.out;
}

TEST_F(CostCommands, counts_of_a_profile_are_the_same_every_time) {
    write_game("count.json");
    const std::vector<std::string> command = {"profile", path("count.json"), "--games", "10",
                                              "--counts"};
    const Ran ran = run_in_process(command);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "rule  tried  passed  matches  firings\n"
                                  "may      40      40       40       40\n"
                                  "add      40      40       40       40\n"
                                  "end      40      10       10       10\n"
                                  "tie      10      10       10       10\n"
                                  "vain     40       0        0        0\n"))
        << ran.out;
    EXPECT_TRUE(contains(ran.out, "vain: tried 40 times, never matched: none of 40 tries passed "
                                  "\"n\":"))
        << ran.out;
    EXPECT_EQ(run_in_process(command).out, ran.out);
    std::vector<std::string> threads = command;
    threads.insert(threads.end(), {"--threads", "3"});
    EXPECT_EQ(run_in_process(threads).out, ran.out);
    const Ran one = run_in_process({"profile", path("count.json"), "--rule", "vain", "--counts"});
    EXPECT_TRUE(contains(one.out,
                         "     tried    passed  condition\n"
                         "       400         0  \"n\": \"> 100\"\n"
                         "         0         0  \"item\": {\"$_X\": \"> options.limit\"}\n"))
        << one.out;
    EXPECT_EQ(run_in_process({"profile", path("count.json"), "--rule", "vein"}).err,
              "croupier profile: there is no rule 'vein' (did you mean 'vain'?)\n");
}

TEST_F(CostCommands, flame_graphs_are_written) {
    write_game("count.json");
    const Ran ran =
        run_in_process({"profile", path("count.json"), "--games", "2", "--folded", path("f"),
                        "--speedscope", path("s"), "--chrome-trace", path("t")});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(text("f"), "count;play;play.add;")) << text("f");
    EXPECT_EQ(json::parse(text("s"))["profiles"][0]["unit"], "nanoseconds");
    EXPECT_FALSE(json::parse(text("t"))["traceEvents"].empty());
    EXPECT_EQ(
        run_in_process({"profile", path("count.json"), "--games", "2", "--folded", path("none/f")})
            .code,
        1);
}

TEST_F(CostCommands, what_got_slower_is_measured_again_in_turn) {
    write_game("count.json");
    const auto run = [&](const std::string& folder, const std::string& profile) {
        return run_in_process({"run", "--game", path("count.json"), "--agents", "random", "--games",
                               "20", "--profile", profile, "--out", path(folder)})
            .code;
    };
    ASSERT_EQ(run("old", "full"), 0);
    // Changes the file. cost_proof_test.cpp checks that it became slower.
    write_game("count.json", R"(,
                {"name": "triples",
                 "condition": {"item": {"$X": "$A"}, "item@2": {"$Y": "$B"}, "item@3": {"$Z": "$C"}},
                 "action": {"n": "$this + 0"}})");
    const Ran ran = run_in_process(
        {"profile", path("count.json"), "--compare", path("old"), "--games", "90", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json changes = json::parse(ran.out);
    EXPECT_EQ(changes[0]["name"], "whole game");
    EXPECT_EQ(changes[1]["name"], "all rules");
    bool triples = false;
    bool vain = false;
    for (const json& change : changes) {
        if (change["name"] == "triples") {
            triples = true;
            EXPECT_EQ(change["verdict"], "new");
            EXPECT_TRUE(change["recorded_ns"].is_null());
        }
        if (change["name"] != "vain") continue;
        vain = true;
        EXPECT_TRUE(change["old_ns"].is_number()) << "measured now, from the copy of the old file";
        EXPECT_NE(change["verdict"], "new");
    }
    EXPECT_TRUE(triples);
    EXPECT_TRUE(vain);

    ASSERT_EQ(run("sampled", "sample"), 0);
    EXPECT_TRUE(contains(
        run_in_process({"profile", "belote", "--compare", path("old"), "--games", "9"}).err,
        "old is a run of count, and this is belote\n"));
    ASSERT_EQ(run("off", "off"), 0);
    EXPECT_TRUE(
        contains(run_in_process({"profile", path("count.json"), "--compare", path("off")}).err,
                 "no rules were watched in that run"));
    // An altered copy is not what was played.
    write("old/" + json::parse(text("old/run.json"))["inputs"][0]["copy"].get<std::string>(),
          text("count.json"));
    EXPECT_TRUE(
        contains(run_in_process({"profile", path("count.json"), "--compare", path("old")}).err,
                 "cannot be put together again"));
}

} // namespace

// The names of compiled rules for perf.

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

std::uint64_t monotonic_ns() {
    return static_cast<std::uint64_t>(tournaments::SteadyClock().now().count());
}

TEST(perf_map, each_instruction_of_what_is_compiled_has_the_name_of_its_rule) {
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
    const auto game = games::open_for_test("belote");
    const engine::Program& program = game->ruleset_game()->program();
    tournaments::PerfMap map(monotonic_ns());
    map.add("belote", program);
    map.add("belote", program);
    EXPECT_EQ(map.text(), "") << "nothing has been compiled yet";
    const engine::x86::Code& code = *program.code();
    (void)code.entry(game->ruleset_game()->groups().play);
    std::uintptr_t bytes = 0;
    std::uintptr_t last = 0;
    std::set<std::string> names;
    for (const Line& line : lines_of(map.text())) {
        EXPECT_GE(line.begin, last) << "pieces do not overlap";
        last = line.begin + line.size;
        bytes += line.size;
        names.insert(line.name);
        const engine::x86::Origin* const origin = code.origin(line.begin);
        ASSERT_NE(origin, nullptr);
        EXPECT_EQ(origin->rules.empty(), line.name == "belote:between rules") << line.name;
        EXPECT_NE(code.origin(last - 1), nullptr);
    }
    EXPECT_TRUE(names.contains("belote:play/card action"));
    EXPECT_TRUE(names.contains("belote:between rules"));
    std::uintptr_t all = 0;
    for (const engine::x86::CodePiece& piece : code.pieces())
        all += piece.bytes;
    EXPECT_EQ(bytes, all);
    EXPECT_GT(bytes, 1000u);
    const std::string first = map.text();
    (void)code.entry(game->ruleset_game()->groups().moves);
    EXPECT_GT(map.text().size(), first.size()) << "what is compiled later is told later";
}

class PerfMapOfRun : public FolderTest {};

TEST_F(PerfMapOfRun, has_the_rules_of_the_game_and_of_agents) {
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
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
    if (!engine::runs_machine_code()) {
        GTEST_SKIP();
    }
    const auto game = games::open_for_test("belote");
    const engine::Program& program = game->ruleset_game()->program();
    tournaments::PerfMap map(monotonic_ns());
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
    EXPECT_LE(time, monotonic_ns());
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
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the address was read from a text
        const auto* const code = reinterpret_cast<const char*>(line.begin);
        EXPECT_EQ(std::memcmp(dump.data() + at, code, line.size), 0);
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
