// The passes, in their order.
#include "engine/ir/passes.h"

#include <array>

namespace croupier::engine::ir {

std::span<const Pass> passes() {
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

} // namespace croupier::engine::ir
