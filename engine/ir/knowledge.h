// What is known at a place of a function: which nodes are there, which codes things may have.
#pragma once

#include "engine/ir/code_tables.h"
#include "engine/ir/edit.h"

#include <map>
#include <optional>
#include <unordered_map>
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

// Which values expressions may have by what is known, and what tests tell.

class Possible {
  public:
    Possible(Editor& edit, Knowledge& knowledge) : edit_(edit), knowledge_(knowledge) {}

    // The node that a declared one speaks of, whose rows are its operands from `first` on; nothing
    // if they are not plain.
    [[nodiscard]] std::optional<Place> place_of(Id declared, std::size_t first = 0) const;
    // Whether the test holds, if that is known.
    [[nodiscard]] std::optional<bool> truth(Id test) const;
    void learn(Id test, bool holds);
    // The variable is the value, which depends on what does not change while it is read.
    void define(VarId var, Id value);
    // Which codes of the list the expression may have; nothing if that cannot be told.
    [[nodiscard]] std::optional<Codes> codes_of(Id id, std::uint32_t list) const;
    // For each code of the one variable the code that the other has then, if nothing else chooses
    // it.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> codes_by(VarId var, VarId by) const;
    // It is never none here.
    [[nodiscard]] bool is_code(VarId var) const;

  private:
    // What an expression depends on: the code of a variable or of a leaf.
    struct Root {
        VarId var = kNothing;
        Place place;
        std::uint32_t list = 0;
        friend bool operator==(const Root&, const Root&) = default;
    };
    struct Image {
        Root root;
        std::vector<std::optional<Value>> values; // for each code of the root
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::optional<Root> root_of(Id id) const;
    [[nodiscard]] bool find_roots(Id id, std::vector<Root>& roots) const;
    [[nodiscard]] OutcomesPtr outcomes_of(Id id, const std::vector<Root>& roots) const;
    [[nodiscard]] Codes codes(const Root& root) const;
    // Which codes of each root leave the test true, and which false.
    struct Outcome {
        std::vector<Codes> when[2];
        bool some[2] = {false, false};
    };
    [[nodiscard]] std::optional<Outcome> try_all(Id test, const std::vector<Root>& roots) const;
    void narrow(const Root& root, const Codes& codes);
    void learn_present(Id value);

    Editor& edit_;
    Knowledge& knowledge_;
    std::unordered_map<VarId, Image> images_;
};

} // namespace croupier::engine::ir
