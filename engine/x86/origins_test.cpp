// Origins of instructions: at all addresses of the code, in calls, and while other threads compile.
#include "engine/language/testing.h"
#include "engine/run/glimpse.h"
#include "engine/run/machine.h"
#include "engine/state/state.h"
#include "engine/x86/code.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace croupier::engine {
namespace {

using x86::Origin;

struct Opened {
    explicit Opened(const std::string& rules, const LoadSettings& settings = {})
        : loaded(load_ruleset_text("f", rules, {}, settings)) {
        EXPECT_TRUE(loaded.ruleset) << shown(loaded);
        program = std::make_unique<Program>(*loaded.ruleset);
    }

    std::vector<std::string> names(const Origin& origin) const {
        std::vector<std::string> names;
        for (const RuleId rule : origin.rules)
            names.push_back(program->catalogue().rules[rule].name);
        return names;
    }
    // The origins in the code of the function, byte by byte, each where it begins.
    std::vector<Origin> origins(std::size_t function) const {
        std::vector<Origin> all;
        const x86::Code& code = *program->code();
        const auto begin = reinterpret_cast<std::uintptr_t>(code.entry(function));
        for (std::uintptr_t at = begin; const Origin* origin = code.origin(at); ++at)
            if (all.empty() || all.back() != *origin) all.push_back(*origin);
        return all;
    }

    Loaded loaded;
    std::unique_ptr<Program> program;
};

TEST(origins, ranges_are_found_by_any_byte_in_them) {
    x86::Origins origins;
    const std::uint32_t first = origins.number_of({{1}});
    const std::uint32_t second = origins.number_of({{1, 2}, Origin::Part::Action});
    EXPECT_EQ(origins.number_of({{1}}), first);
    origins.begin(4, first);
    origins.begin(9, first); // nothing has changed
    origins.begin(10, second);
    origins.begin(10, first); // nothing was written for the second
    origins.begin(20, second);
    origins.end(24);
    EXPECT_EQ(*origins.at(0), Origin{});
    EXPECT_EQ(*origins.at(3), Origin{});
    EXPECT_EQ(*origins.at(4), Origin{{1}});
    EXPECT_EQ(*origins.at(19), Origin{{1}});
    EXPECT_EQ(*origins.at(20), (Origin{{1, 2}, Origin::Part::Action}));
    EXPECT_EQ(*origins.at(23), (Origin{{1, 2}, Origin::Part::Action}));
    EXPECT_EQ(origins.at(24), nullptr);
}

TEST(origins, each_instruction_knows_rule_part_and_entry) {
    if (!runs_machine_code()) {
        GTEST_SKIP();
    }
    const Opened opened(R"({
        "shape": {"n": "int", "m": "int", "seen": "int"},
        "state": {"n": 1, "m": 2},
        "rules": [
            {"name": "both", "condition": {"n": "> 3", "m": "> 4"}, "action": {"n": "$this + 1"}},
            {"name": "other", "condition": {"m": "> 5"}, "action": {"seen": 1}}
        ]})");
    const std::vector<Origin> origins = opened.origins(0);
    std::set<std::string> found;
    for (const Origin& origin : origins) {
        std::string text;
        for (const std::string& name : opened.names(origin))
            text += name + ' ';
        text += origin.part == Origin::Part::Search ? "search" : "action";
        if (origin.entry != kNone) text += ' ' + std::to_string(origin.entry);
        found.insert(text);
    }
    for (const char* each :
         {"both search 0", "both search 1", "both action", "other search 0", "other action"})
        EXPECT_TRUE(found.count(each) != 0) << each;
    EXPECT_EQ(origins.front(), Origin{}) << "the function's entry is no rule's";
    EXPECT_EQ(origins.back(), Origin{}) << "nor is its end";
}

// Instructions of the code that runs begin where its listing says that they do.
TEST(origins, the_listing_is_of_the_code_that_runs) {
    if (!runs_machine_code()) {
        GTEST_SKIP();
    }
    const Opened opened(R"({
        "shape": {"n": "int", "m": {"$:Item": "int"}}, "types": {"Item": 9},
        "state": {"n": 1},
        "rules": [
            {"name": "seek", "condition": {"m": {"$X": "> 3"}, "n": "> 4"}, "action": {"n": 1}},
            {"name": "grow", "condition": {"n": "$N"}, "action": {"m": {"1": "$N + 1"}}}
        ]})");
    const x86::Code& code = *opened.program->code();
    const auto begin = reinterpret_cast<std::uintptr_t>(code.entry(0));
    std::set<std::uint32_t> begins;
    std::size_t returns = 0;
    std::string statements;
    for (const x86::CodeLine& line : x86::listing(opened.program->unwatched(), 0)) {
        if (!line.is_instruction()) statements += line.text + '\n';
        if (line.is_instruction()) begins.insert(line.offset);
        if (line.text != "    ret") continue;
        ++returns;
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        EXPECT_EQ(*reinterpret_cast<const unsigned char*>(begin + line.offset), 0xc3);
    }
    EXPECT_GT(returns, 0u);
    EXPECT_NE(statements.find("; rule grow {"), std::string::npos) << statements;
    const std::vector<x86::CodePiece> pieces = code.pieces();
    for (const x86::CodePiece& piece : pieces)
        EXPECT_TRUE(begins.contains(static_cast<std::uint32_t>(piece.address - begin)));
    const std::uintptr_t end = pieces.back().address + pieces.back().bytes - begin;
    EXPECT_LT(*begins.rbegin(), end);
    EXPECT_GT(*begins.rbegin() + 16, end) << "no instruction is longer than 15 bytes";
    const auto place = code.place(begin + 5);
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(place->function, 0u);
    EXPECT_EQ(place->offset, 5u);
}

// One test skips three rules that test the same leaf first.
TEST(origins, a_test_that_several_rules_share_belongs_to_all_of_them) {
    if (!runs_machine_code()) {
        GTEST_SKIP();
    }
    std::string rules;
    for (const char* name : {"one", "two", "three"})
        rules += std::string(rules.empty() ? "" : ",") + R"({"name": ")" + name +
                 R"(", "condition": {"phase": "late", "n": ">= 0"}, "action": {"n": 1}})";
    const Opened opened(R"({
        "shape": {"phase": ["early", "middle", "late"], "n": "int"},
        "state": {"phase": "early", "n": 0}, "rules": [)" +
                        rules + "]}");
    const std::vector<std::string> all{"one", "two", "three"};
    bool shared = false;
    for (const Origin& origin : opened.origins(0))
        shared = shared || opened.names(origin) == all;
    EXPECT_TRUE(shared);
}

// A function of the host is called by the interpreter, which is called by machine code.
TEST(origins, a_call_belongs_to_the_rule_that_makes_it) {
    for (const bool native : {true, false}) {
        std::vector<RuleId> rules;
        std::vector<bool> inside;
        LoadSettings settings;
        settings.functions = {
            {"look", {"n"}, [&](std::span<const Scalar>) {
                 const Glimpse here = glimpse(1); // of no code
                 const TickOrigin what = tick_origin(here);
                 rules.push_back(what.origin.rules.size() == 1 ? what.origin.rules[0] : kNone);
                 inside.push_back(what.in_code);
                 EXPECT_EQ(here.group, 0u);
                 return HostResult{};
             }}};
        const Opened opened(R"({
            "shape": {"n": "int"}, "state": {"n": 1},
            "rules": [
                {"name": "first", "condition": {"n": 1}, "action": {"@call": {"look": {"n": 1}}}},
                {"name": "second", "condition": {"n": 2}, "action": {"@call": {"look": {"n": 2}}}},
                {"name": "third", "condition": {"n": "< 5"},
                 "action": {"n": 7, "@call": {"look": {"n": 3}}}}
            ]})",
                            settings);
        State state = opened.program->catalogue().initial_state();
        Machine machine(*opened.program);
        machine.use_code(native);
        Random random(1);
        EXPECT_EQ(glimpse(1).program, nullptr);
        EXPECT_FALSE(machine.run(0, state, random).error);
        EXPECT_EQ(rules, (std::vector<RuleId>{opened.program->catalogue().rule_id("first"),
                                              opened.program->catalogue().rule_id("third")}));
        EXPECT_EQ(inside, (std::vector<bool>{false, false}));
        EXPECT_EQ(glimpse(1).program, nullptr) << "the run is over";
    }
}

TEST(origins, are_read_while_other_threads_compile) {
    if (!runs_machine_code()) {
        GTEST_SKIP();
    }
    std::string groups;
    constexpr std::size_t kGroups = 60;
    for (std::size_t i = 0; i < kGroups; ++i)
        groups += R"(, "g)" + std::to_string(i) + R"(": [{"name": "r)" + std::to_string(i) +
                  R"(", "condition": {"n": "> )" + std::to_string(i) +
                  R"("}, "action": {"n": "$this + 1"}}])";
    const Opened opened(R"({"shape": {"n": "int"}, "state": {"n": 1})" + groups + "}");
    const x86::Code& code = *opened.program->code();
    std::atomic<bool> done = false;
    std::atomic<std::uintptr_t> newest = 0;
    std::uint64_t missed = 0;
    std::jthread reader([&] {
        while (!done) {
            const std::uintptr_t at = newest;
            missed += at != 0 && code.origin(at) == nullptr ? 1 : 0;
            missed += code.origin(1) == nullptr ? 0 : 1;
        }
    });
    for (std::size_t i = 0; i < kGroups; ++i)
        newest = reinterpret_cast<std::uintptr_t>(code.entry(i));
    done = true;
    reader.join();
    EXPECT_EQ(missed, 0u);
    for (std::size_t i = 0; i < kGroups; ++i) {
        bool own = false;
        for (const Origin& origin : opened.origins(i))
            for (const std::string& name : opened.names(origin))
                own = own || name == "r" + std::to_string(i);
        EXPECT_TRUE(own) << i;
    }
}

} // namespace
} // namespace croupier::engine
