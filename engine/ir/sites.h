// Where a node of the tree is, if that is known: at a declared path, or among the constants.
#pragma once

#include "engine/ir/edit.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace croupier::engine::ir {

struct Site {
    bool constant = false;
    // -- declared --
    SchemaId schema = 0;
    std::vector<Atom> rows; // one for each map on the way
    // -- constant: keys from the constants' root --
    struct Key {
        Symbol name = kNoSymbol;
        Atom atom; // where it has no name
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::vector<Key> keys;

    friend bool operator==(const Site&, const Site&) = default;
};

// Answers what can be told of sites without a state. A declared site is a dense node: not the
// instance of a column of undeclared subtrees, and nothing below one.
class Sites {
  public:
    explicit Sites(Module& module)
        : module_(module), catalogue_(*module.catalogue), layout_(*catalogue_.layout) {}

    [[nodiscard]] Site root() const { return {}; }
    // The child of that name. A declared site has none outside its shape.
    std::optional<Site> child(const Site& site, Symbol name);
    // Whose code picks a child of the site: the members of the map's domain, or all keys that
    // children of a constant have. None where children are not picked by code.
    [[nodiscard]] std::optional<std::uint32_t> child_list(const Site& site);
    // The child that the code of such a list picks.
    [[nodiscard]] Site child(const Site& site, const Atom& atom) const;
    // The node above; none of a root.
    [[nodiscard]] std::optional<Site> parent(const Site& site) const;

    [[nodiscard]] const SchemaNode& schema(const Site& site) const {
        return layout_.node(site.schema);
    }
    // For every choice of codes of the constant's atoms whether its node is there, or its value;
    // nothing if these are too many. The type is that of the entries.
    struct Entries {
        std::uint32_t table = 0; // of Module::tables
        std::vector<Atom> atoms; // its operands; none: it has one entry
        Type type;
    };
    enum class Of : std::uint8_t { Presence, Value };
    std::optional<Entries> table(const Site& site, Of what);
    // The value of the constant's node, wherever it is there; none if it is not always the same.
    std::optional<Value> only_value(const Site& site);
    // The same for the children that are there, in the rows of the list that gives their codes.
    // None where they stand in another order than the list's.
    struct Children {
        std::uint32_t list = 0;
        std::uint32_t table = 0;
        std::vector<Atom> atoms;
        bool all = false; // always all rows of the list
    };
    std::optional<Children> children(const Site& site);

  private:
    using Visit = std::function<void(std::size_t choice, NodeRef)>;
    // Calls `visit` for every choice of codes whose node is there, in their order; false if there
    // are too many choices.
    bool each_there(const Site& site, const Visit& visit) const;
    void each_below(std::span<const Site::Key> keys,
                    std::span<const std::unordered_map<Symbol, std::uint32_t>> codes, NodeRef node,
                    std::size_t choice, const Visit& visit) const;
    [[nodiscard]] std::unordered_map<Symbol, std::uint32_t> codes_by_key(std::uint32_t list) const;
    [[nodiscard]] static std::vector<std::uint64_t> place_of(const Site& site, std::uint64_t what);
    [[nodiscard]] std::vector<Atom> atoms_of(const Site& site) const;
    [[nodiscard]] std::vector<Symbol> keys_below(const Site& site) const;
    std::optional<Children> new_children(const Site& site);
    [[nodiscard]] Table empty_table(const std::vector<Atom>& atoms) const;

    std::map<std::vector<std::uint64_t>, std::optional<Value>> only_values_; // that were asked for
    Module& module_;
    const Catalogue& catalogue_;
    const Layout& layout_;
};

} // namespace croupier::engine::ir
