// The passes in their order: each rewrites a function into an equivalent one.
#pragma once

#include "engine/form/form.h"

#include <array>
#include <span>
#include <string_view>

namespace croupier::engine::form {

struct Pass {
    std::string_view name;
    std::string_view meaning;
    void (*run)(Module& module, Function& function);
    bool tells_matches = true; // after it, matches can be reported with all variables
};
// Infers where nodes of the tree are and the types of values. From then on, nodes at declared paths
// and among the constants are addressed directly.
void resolve(Module& module, Function& function);
// Replaces expressions that depend on a few codes by tables.
void tabulate(Module& module, Function& function);
// Infers which values are always integers, and their bounds: arithmetic on them that cannot
// overflow cannot end in an error.
void find_ranges(Module& module, Function& function);
// Evaluates what is known, and drops what never runs.
void fold(Module& module, Function& function);
// Turns loops that test each row into sets of rows.
void make_sets(Module& module, Function& function);
// Drops tests and changes that earlier ones make redundant.
void facts(Module& module, Function& function);
// Moves sets before the loops that would make them again and again.
void hoist(Module& module, Function& function);
// Removes computations whose results are never read.
void sweep(Module& module, Function& function);
// Lets rules act on all rows of a set at once.
void together(Module& module, Function& function);

// Tests that a later test makes redundant.

// Drops a test if a stricter one follows in its search with nothing observable between them: if
// `hands[$P][$D]` exists, so does `hands`. Must run before anything is concluded from tests, such
// as that a variable is never 0.
void drop_implied(const Module& module, Function& function);

// Sets of rows that are made more than once.

// Makes a set once that a search makes twice. A set that several rules of an at-once group make is
// made before the group, since all its rules see the same state.
void share_sets(Module& module, Function& function);

inline std::span<const Pass> passes() {
    static constexpr std::array kPasses = {
        Pass{"resolve", "nodes are addressed where they are declared, values have types", resolve},
        Pass{"tabulate", "what depends on a few codes is looked up", tabulate},
        Pass{"ranges", "what is surely an integer is known to be one", find_ranges},
        Pass{"fold", "what is known is decided", fold},
        Pass{"sets", "tests of each row of a loop are sets of rows", make_sets},
        Pass{"facts", "what has been made sure of is not asked again", facts},
        Pass{"hoist", "sets are made before the loops that use them", hoist},
        Pass{"sweep", "what nobody reads is not computed", sweep},
        Pass{"together", "what is done at each row of a set is done at once", together, false},
    };
    return kPasses;
}

} // namespace croupier::engine::form
