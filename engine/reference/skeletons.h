// Rules that belong together, as games have them: random rulesets are made of some, with random
// rules between.
#pragma once

#include <span>

namespace croupier::engine::reference {

struct Skeleton {
    // Fields of the root, state or constants; #N: a deck of at least N cards.
    const char* needs;
    const char* rules; // a list; LASTCARD stands for the deck's last card
};

// For what the compiler treats in ways of its own: each shows a mistake of
// engine/catalogue/planted.def, or reaches a rewrite of engine/catalogue/rewrites.def, that others
// hardly ever do.
std::span<const Skeleton> skeletons_of_passes();

// The same for the intermediate form: engine/ir/mistakes.def, engine/ir/rewrites.def.
std::span<const Skeleton> skeletons_of_form();

// The same for the rules of an agenda.
std::span<const Skeleton> skeletons_of_agendas();

} // namespace croupier::engine::reference
