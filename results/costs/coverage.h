// What a run has never exercised: rules, entries of conditions, options.
#pragma once

#include "results/costs/cost.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

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

} // namespace croupier::results
