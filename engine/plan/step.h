// A condition over declared paths, taken apart into steps that know where they look: what the
// compiler rearranges before it writes ops.
#pragma once

#include "engine/plan/program.h"

#include <cstdint>
#include <vector>

namespace croupier::engine {

// Loops over the rows of larger maps go the general way.
inline constexpr std::uint32_t kMostRows = 2048;

// Part of an address that is known at run time only: the row of a register, times a stride.
struct Term {
    std::uint16_t reg = kZeroRow;
    std::uint32_t stride = 0;
    std::uint32_t domain = 0;
};

// A node of the state at a declared path, or a node of the constants, for given rows of variables.
struct Site {
    bool constant = false;
    // -- declared: instance `fixed` + sum of row(reg) * stride --
    SchemaId schema = kNoSchema;
    std::uint32_t fixed = 0;
    std::vector<Term> terms; // the innermost map's row is the last of them, if `row_is_term`
    bool row_is_term = false;
    std::uint32_t row = 0; // the row, where it is no term
    // -- constant: keys from the constants' root; a key is a symbol or a row --
    struct Key {
        Symbol symbol = kNoSymbol;
        Term term;
    };
    std::vector<Key> keys;

    [[nodiscard]] bool depends_on(std::uint16_t reg) const;
    // Its last key or row is that register's, and nothing else in it is.
    [[nodiscard]] bool ends_in(std::uint16_t reg) const;
};

// A leaf pattern whose expressions are compiled and whose variable has its register.
struct LeafForm {
    PatternKind kind = PatternKind::Any;
    ExprOp compare = ExprOp::Equal;
    std::uint16_t reg = kNoRegister; // Bind, Assign
    bool fresh = false;              // binds it; else tests it
    bool literal = false;            // Value: `value` it is, not `expr`
    Value value;
    ExprId expr = kNone;
    std::uint32_t type = 0;
    bool type_free = true;    // any value will do
    std::uint32_t domain = 0; // Bind that tests: the domain whose row the variable carries
    std::uint32_t list = kNone;

    // It says `true` and nothing else.
    [[nodiscard]] bool is_true() const {
        return kind == PatternKind::Value && literal && value.tag == Tag::Bool && value.truth();
    }
};

struct Step {
    enum class Kind {
        Exists, // the node at `site` exists
        Absent, // it does not
        Leaf,   // its value fits `leaf`
        Each,   // for each child: `reg` is its key
        Row,    // `reg` is `source` as a member of domain `domain`
        Test,   // `leaf` is an expression over variables alone
        Not,    // `steps` have no match
        Some,   // `steps` have one
        Gather, // what `gathers` makes of `value` over all matches of `steps` fits `leaf`
    };
    Kind kind = Kind::Exists;
    Site site;
    LeafForm leaf;
    std::uint16_t reg = kNoRegister;
    std::uint16_t source = kNoRegister;
    std::uint32_t domain = 0;
    std::uint32_t only = 0;           // Each: keys of that domain alone; 0: all
    KeyKind gathers = KeyKind::Count; // else Sum, Min or Max
    ExprId value = kNone;             // of which; none of Count
    std::uint32_t note = 0;
    std::vector<Step> steps;
};

// The place of the first Each; the number of steps if there is none.
inline std::size_t first_loop(const std::vector<Step>& steps) {
    std::size_t at = 0;
    while (at < steps.size() && steps[at].kind != Step::Kind::Each) {
        ++at;
    }
    return at;
}

} // namespace croupier::engine
