// What is known at a place of a function: which nodes are there, which codes things may have.
#pragma once

#include "engine/ir/edit.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

// An instance of a declared node whose rows are known or in variables.
struct Place {
    SchemaId schema = kNoSchema;
    std::vector<Atom> rows;
    friend bool operator==(const Place&, const Place&) = default;
};

// For each code of a list, and 0, whether it is possible.
using Codes = std::vector<char>;

// What may have been done to nodes of the tree, whichever rows they have.
struct Changes {
    bool anything = false;
    std::vector<char> made; // by schema
    std::vector<char> written;
    std::vector<char> removed;
};

class Knowledge {
  public:
    explicit Knowledge(const Layout& layout) : layout_(&layout) {}

    // Whether the node is there, if that is known.
    [[nodiscard]] std::optional<bool> present(const Place& place) const;
    [[nodiscard]] bool parent_present(const Place& place) const;
    void set_present(const Place& place);
    void set_absent(const Place& place);

    [[nodiscard]] const Codes* codes(VarId var) const;
    [[nodiscard]] const Codes* codes(const Place& leaf) const;
    void set_codes(VarId var, Codes codes) { of_vars_[var] = std::move(codes); }
    void set_codes(const Place& leaf, Codes codes);

    // The variable has the value of the leaf.
    [[nodiscard]] std::optional<VarId> holder(const Place& leaf) const;
    [[nodiscard]] std::vector<Place> held_by(VarId var) const;
    void set_holder(const Place& leaf, VarId var);

    void forget(const Changes& changes);
    void forget_places();
    // What does not hold by `other` as well.
    void meet(const Knowledge& other);
    // Of places, as someone says it who has other variables for some of `own`; what depends on the
    // rest of these goes.
    [[nodiscard]] Knowledge of_places(const std::map<VarId, Atom>& names,
                                      const std::vector<std::uint32_t>& own) const;
    // What holds here of places holds there, too.
    void take_places(const Knowledge& other);

  private:
    [[nodiscard]] bool is_below(const Place& place, const Place& above) const;

    const Layout* layout_;
    std::vector<Place> present_;
    std::vector<Place> absent_;
    std::vector<std::pair<Place, Codes>> of_places_;
    std::vector<std::pair<Place, VarId>> held_;
    std::map<VarId, Codes> of_vars_;
};

} // namespace croupier::engine::ir
