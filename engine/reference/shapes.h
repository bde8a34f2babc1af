// What a ruleset's `shape` permits, and the order that it gives to children of domain maps.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/reference/node.h"

#include <optional>
#include <string>

namespace croupier::engine::reference {

class Shapes {
  public:
    explicit Shapes(const Ruleset& ruleset);

    // The shape declared for `path`, Any where nothing is declared; nullptr if a declared part has
    // no such child. The state's root also takes children that it does not declare.
    [[nodiscard]] const Shape* at(const Path& path) const;

    // What a node of that shape holds when `value` is written to it; nullopt if it cannot.
    [[nodiscard]] std::optional<Scalar> stored(const Shape& shape, const Value& value) const;

    // True if everything below `node` is permitted there; puts children of domain maps in order.
    bool fit(Node& node, const Shape& shape) const;
    bool fit_state(Node& root) const { return fit(root, root_); }

    void sort_children(Node& node, const Shape& shape) const;

  private:
    [[nodiscard]] const Shape* child(const Shape& shape, const std::string& key) const;

    const Ruleset& ruleset_;
    Shape root_; // the declared one, or Any
};

// True if the node of that shape has children and can hold no value.
bool holds_children(const Shape& shape);
bool holds_value(const Shape& shape);

// True if the domain has that member; for the value of a leaf: integers only if it is numbered.
bool is_member(const Domain& domain, const Value& value);

} // namespace croupier::engine::reference
