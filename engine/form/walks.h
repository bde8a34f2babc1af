// The nodes that rules reach one by one, and why. Declared nodes have an address, which the
// compiler knows, and sets of them are words; all others are searched for, each time.
#pragma once

#include "engine/form/form.h"
#include "engine/text/source.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::form {

struct Walk {
    std::string path;          // the first such node on the way, as "hands.$Seat"; empty: the root
    std::string_view reason;   // as "the shape does not declare it"
    std::string_view cure;     // what to write
    Span span;                 // where the first of the rules reaches it
    std::vector<RuleId> rules; // in the order in which they appear in the module

    // "seen is reached node by node: the shape does not declare it".
    [[nodiscard]] std::string text() const;
};

// One for each path and reason, in the order in which they first appear in these groups, or in all
// if none is given. Nodes that only serve to report an error
// are left out.
std::vector<Walk> walks(const Module& module, std::span<const std::string_view> groups = {});

} // namespace croupier::engine::form
