// The effects of a node with all below it, and which statements may be swapped.
#pragma once

#include "engine/form/form.h"

#include <vector>

namespace croupier::engine::form {

// Numbers in ascending order, each once.
using Numbers = std::vector<std::uint32_t>;

// Nodes of the state's tree: all instances of declared nodes, or anything. The constants, which
// never change, are not included.
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
    bool loops = false;     // counted by budgets, so it may end the run
    bool goes_back = false; // in its search: what follows may be skipped
    bool yields = false;    // a result of its search
    bool told = false;      // reported to observers

    void join(const Effects& other);
    // Whether the run may end here.
    [[nodiscard]] bool may_stop() const { return raises || loops; }
    friend bool operator==(const Effects&, const Effects&) = default;
};

Effects effects_of(const Module& module, const Function& function, Id node);

// The variables that the node itself sets, and those set with all below it: `sets` of its effects.
Numbers variables_set_at(const Node& node);
Numbers variables_set(const Function& function, Id node);

// Whether it and all below it have no effect but reading, so that passes may drop it.
bool is_total(const Function& function, Id expression);
// Whether it may also be computed although a test before it fails. An integer must exist, so its
// load may not.
bool may_come_early(const Function& function, Id expression);

// Whether two adjacent statements may be swapped without a difference to rules, to observers, or to
// the state that an error leaves.
bool may_swap(const Effects& a, const Effects& b);

} // namespace croupier::engine::form
