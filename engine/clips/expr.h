// Expressions compiled for evaluation: a tree whose nodes know their function.
#pragma once

#include "engine/clips/value.h"
#include "engine/text/source.h"

#include <cstdint>
#include <vector>

namespace croupier::engine::clips {

class Session;
struct Expr;
using Evaluate = Value (*)(Session&, const Expr&);

// Where a variable of a condition finds its value in a fact.
struct Place {
    enum class Kind : std::uint8_t {
        Address,    // the fact itself
        Slot,       // a whole slot
        FromStart,  // field `index` of a multislot
        FromEnd,    // field `index`, counted from the last
        Miscounted, // field `index` as if a $? before it were one field; may not be there
        Between,    // field `index` after the segment `marker`
        Rest,       // the fields from `index` on but for the last `after`
        Segment,    // the fields that `marker` stands for
    };
    Kind kind = Kind::Slot;
    std::uint16_t slot = 0;
    std::uint16_t index = 0;
    std::uint16_t after = 0;
    std::uint16_t marker = 0;

    friend bool operator==(const Place&, const Place&) = default;
};

struct Expr {
    Evaluate eval = nullptr;
    std::uint32_t a = 0; // a local's number, a position, ...
    Place place;
    Value value;                // of a constant
    const void* data = nullptr; // a function, a global, a template
    std::vector<Expr> args;
    Span span;
};

} // namespace croupier::engine::clips
