// The costs of rules as `croupier profile` shows them, and in formats for other programs.
#pragma once

#include "results/costs/cost.h"
#include "results/record.h"
#include "results/report/report.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::results {

// Costs as stacks: owner, phase, player, rule, the entries of its condition from outside in.

struct Stack {
    std::vector<std::string> frames; // outermost first
    std::uint64_t ns = 0;            // of the last frame only
};
std::vector<Stack> cost_stacks(const Costs& costs, const RunFacts& facts);

// A piece of machine code for rules of one owner, with its sampled times.
struct HotCode {
    struct Line {
        std::string text;
        bool is_instruction = true;     // false for a comment on the next instruction
        std::uint64_t ns = 0;           // includes its callees
        std::uint32_t entry = kNothing; // the entry of the rule's condition that it implements
    };
    std::optional<std::uint32_t> agent; // owner of the rules; absent for the game
    std::vector<std::uint32_t> rules;   // empty for code between rules
    std::uint64_t ns = 0;
    std::vector<Line> lines; // by address
};

// Processor counters: instructions, cycles, branch misses, cache misses.
using HardwareCounts = std::array<double, 4>;

struct ProfileView {
    bool times = true;                      // if false, only counts: a function of the seed
    bool all_entries = false;               // conditions of all rules, not only the dearest
    std::optional<std::uint32_t> rule = {}; // only this one
    std::size_t width = 80;
    std::vector<HotCode> code = {};
    std::optional<HardwareCounts> hardware = {}; // per game; absent if the machine has no counters
};

// For people: rules, conditions and machine code with costs in the margin, and hints.
std::string profile_text(const CostReport& report, const RunFacts& facts, const ProfileView& view);

// A JSON object: the contents of cost_json, with lists of rules, entries, code and hints.
std::string profile_json(const CostReport& report, const RunFacts& facts,
                         const ProfileView& view = {});

// ---- stacks: owner, phase, player, rule, the entries of its condition from outside in ----------

// Brendan Gregg's folded stacks, for flame graphs: one line each, frames separated by semicolons,
// nanoseconds last.
std::string folded_stacks(const Costs& costs, const RunFacts& facts);
// https://www.speedscope.app
std::string speedscope_json(const Costs& costs, const RunFacts& facts);
// Chrome's trace format, for chrome://tracing and Perfetto: the stacks one after another, each as
// long as its total time. Shows durations, not when things happened.
std::string chrome_trace_json(const Costs& costs, const RunFacts& facts);

} // namespace croupier::results
