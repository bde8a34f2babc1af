// The node of an undeclared subtree, as stored in a state's block.
#pragma once

#include "engine/state/state.h"

namespace croupier::engine {

// Links are node ids; 0 is none. The topmost node of a subtree (Top) has no siblings here; `parent`
// and `previous` then name the declared instance that holds it.
struct State::ArenaNode {
    enum Flags : std::uint8_t { Used = 1, Array = 2, Top = 4, Rest = 8, Indexed = 16 };

    Symbol key = kNoSymbol;
    std::uint32_t parent = 0;   // Top: instance of the owner
    std::uint32_t next = 0;     // free nodes: the next free one
    std::uint32_t previous = 0; // Top: schema of the owner
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t count = 0;
    SchemaId schema = kNoSchema; // the schema that describes it, if any
    Value value;
    std::uint32_t flags = 0;
    std::uint32_t unused = 0;

    [[nodiscard]] bool is(Flags flag) const { return (flags & flag) != 0; }
    [[nodiscard]] bool top() const { return is(Top); }
};

} // namespace croupier::engine
