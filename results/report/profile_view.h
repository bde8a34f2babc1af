// What rules cost as `croupier profile` shows it, and as other programs read it.
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
    std::uint64_t ns = 0;            // of the last frame alone
};
std::vector<Stack> cost_stacks(const Costs& costs, const RunFacts& facts);

// The machine code that is for the same rules of one owner, with what ticks have found of it.
struct HotCode {
    struct Line {
        std::string text;
        bool is_instruction = true;     // false: it tells of the next one
        std::uint64_t ns = 0;           // with what it calls
        std::uint32_t entry = kNothing; // of the rule's condition, which it is for
    };
    std::optional<std::uint32_t> agent; // whose rules they are; absent: the game's
    std::vector<std::uint32_t> rules;   // none: it leads from rule to rule
    std::uint64_t ns = 0;
    std::vector<Line> lines; // in the order of their addresses
};

// What the processor counts: instructions, cycles, branch misses, cache misses.
using HardwareCounts = std::array<double, 4>;

struct ProfileView {
    bool times = true;                      // false: counts alone, a function of the seed
    bool all_entries = false;               // conditions of all rules, not only of the dearest
    std::optional<std::uint32_t> rule = {}; // only this one
    std::size_t width = 80;
    std::vector<HotCode> code = {};
    std::optional<HardwareCounts> hardware = {}; // of a game; absent: the machine has no counters
};

// For people: rules, conditions and machine code with what they cost in the margin, hints.
std::string profile_text(const CostReport& report, const RunFacts& facts, const ProfileView& view);

// One object: what cost_json says, with lists of the rules, their entries, the code and the hints.
std::string profile_json(const CostReport& report, const RunFacts& facts,
                         const ProfileView& view = {});

// ---- stacks: owner, phase, player, rule, the entries of its condition from outside in
// ------------

// Brendan Gregg's folded stacks, for flame graphs: a line each, frames apart by semicolons, the
// nanoseconds last.
std::string folded_stacks(const Costs& costs, const RunFacts& facts);
// https://www.speedscope.app
std::string speedscope_json(const Costs& costs, const RunFacts& facts);
// Chrome's trace format, for chrome://tracing and Perfetto: the stacks one after the other, each as
// long as it took in sum. Not when things happened, but what they took.
std::string chrome_trace_json(const Costs& costs, const RunFacts& facts);

} // namespace croupier::results
