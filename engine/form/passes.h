// The passes, in their order: each makes of a function one that does the same.
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
    bool tells_matches = true; // behind it, of all their variables
};
// Finds out where nodes of the tree are and of what type values are: what is at a declared path or
// among the constants is addressed there from then on.
void resolve(Module& module, Function& function);
// Computes in advance what depends on a few codes.
void tabulate(Module& module, Function& function);
// Finds out what is surely an integer, and between which bounds: the arithmetic of such values that
// cannot overflow ends in no error.
void find_ranges(Module& module, Function& function);
// Decides what is known, and leaves out what never happens.
void fold(Module& module, Function& function);
// Makes sets of rows of loops that test each row.
void make_sets(Module& module, Function& function);
// Leaves out what earlier tests and changes have made sure of.
void facts(Module& module, Function& function);
// Makes sets before the loops that would make them again and again.
void hoist(Module& module, Function& function);
// Takes away what computes something that nobody reads.
void sweep(Module& module, Function& function);
// Lets rules act on all rows of a set at once.
void together(Module& module, Function& function);

// Tests that a later one makes needless.

// A test goes if a stricter one follows in its search with nothing between that anybody could tell
// was done: whether `hands[$P][$D]` is there says as much of `hands`. Comes before anything is
// concluded from tests, such as that other variables are surely codes.
void drop_implied(const Module& module, Function& function);

// Sets of rows that several searches make alike.

// A set that a search makes twice is made once; one that several rules of a group at once make,
// which all look at the same state, is made before the group.
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
