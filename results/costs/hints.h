// What the numbers of a profile suggest to the author of the rules.
#pragma once

#include "results/costs/cost.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

// What a run has never exercised: rules, entries of conditions, options.

struct EntryRef {
    std::uint32_t rule = 0;
    std::uint32_t entry = 0;

    friend bool operator==(const EntryRef&, const EntryRef&) = default;
};

// All are indices into ProfileFacts, in its order. A sample may have missed what it did not see.
struct Coverage {
    std::vector<std::uint32_t> never_tried;   // rules
    std::vector<std::uint32_t> never_matched; // rules that were tried
    std::vector<EntryRef> never_reached;      // entries of rules that were tried
    std::vector<EntryRef> never_passed;       // entries that were reached, and always failed
    std::vector<std::uint32_t> unread;        // options that no rule looks at: the harness may
    std::vector<std::uint32_t> unused;        // options that no rule came to look at
};

Coverage coverage_of(const Costs& costs);

struct Hint {
    enum class Kind : std::uint8_t {
        NeverMatches, // the rule is tried in vain; `entry` is where all its searches end
        NeverPasses,  // the entry lets nothing through, though the rule has other ways to match
        Earlier,      // the entry would save work if it stood before `other`
        Square,       // entry and `other` range over much, and all pairs match
    };
    Kind kind = Kind::NeverMatches;
    std::uint32_t rule = 0;
    std::uint32_t entry = kNothing;
    std::uint32_t other = kNothing;
    std::string text; // a sentence with the numbers that it follows from

    friend bool operator==(const Hint&, const Hint&) = default;
};

// In the order of the rules and of their entries. Needs counts of entries: the whole run watched.
std::vector<Hint> hints_of(const Costs& costs);

} // namespace croupier::results
