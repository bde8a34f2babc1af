// What a node may do with all below it, and which statements may change places.
#pragma once

#include "engine/form/form.h"

#include <vector>

namespace croupier::engine::form {

// Numbers in ascending order, each once.
using Numbers = std::vector<std::uint32_t>;

// Nodes of the state's tree: all instances of declared nodes, or anything. The constants never
// change and are none of them.
struct Places {
    bool anything = false;
    Numbers schemas;

    [[nodiscard]] bool empty() const { return !anything && schemas.empty(); }
    [[nodiscard]] bool meet(const Places& other) const;
    void add(SchemaId schema);
    void join(const Places& other);
    friend bool operator==(const Places&, const Places&) = default;
};

struct Effects {
    Places reads;
    Places writes;
    Numbers uses; // variables
    Numbers sets;
    bool raises = false;
    bool draws = false;
    bool loops = false;     // budgets count it, and one of them may end the run
    bool goes_back = false; // in the search it stands in: what follows may be skipped
    bool yields = false;    // to the search it stands in
    bool told = false;      // to observers

    void join(const Effects& other);
    // The run may end here.
    [[nodiscard]] bool may_stop() const { return raises || loops; }
    friend bool operator==(const Effects&, const Effects&) = default;
};

Effects effects_of(const Module& module, const Function& function, Id node);

// The variables that the node sets, and those with all below it: the `sets` of its effects.
Numbers variables_set_at(const Node& node);
Numbers variables_set(const Function& function, Id node);

// It has no effect but reading, neither itself nor below: as an expression it may be left out.
bool is_total(const Function& function, Id expression);

// Whether two statements, one right after the other, may change places: all is the same, to rules,
// to observers, and in the state that an error leaves behind.
bool may_swap(const Effects& a, const Effects& b);

} // namespace croupier::engine::form
