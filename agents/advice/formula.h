// Names joined by not, and, or, then: the goals, conditions and move constraints of a table.
#pragma once

#include "engine/api/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::agents::advice {

// "depth < 3"
enum class Compare : std::uint8_t { Equal, Less, AtMost, More, AtLeast };

inline bool compares(Compare compare, std::int64_t a, std::int64_t b) {
    switch (compare) {
    case Compare::Equal:
        return a == b;
    case Compare::Less:
        return a < b;
    case Compare::AtMost:
        return a <= b;
    case Compare::More:
        return a > b;
    case Compare::AtLeast:
        return a >= b;
    }
    return false;
}

struct Formula {
    enum class Op : std::uint8_t { Name, Depth, Not, And, Or, Then };

    Op op = Op::Name;
    std::string name;           // Name
    Compare compare{};          // Depth
    std::int64_t depth = 0;     // Depth
    std::vector<Formula> parts; // Not has one, the others two or more
    engine::Span span;
    std::string text; // as it was written
};

// Tightest first: not, and, or, then. What is wrong goes to `diagnostics` and gives nothing.
std::optional<Formula> parse_formula(const engine::Quoted& text, engine::Diagnostics& diagnostics);

} // namespace croupier::agents::advice
