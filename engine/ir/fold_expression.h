// Expressions whose values are known before any state is.
#pragma once

#include "engine/ir/edit.h"

#include <optional>
#include <unordered_map>

namespace croupier::engine::ir {

class ExpressionFolder {
  public:
    explicit ExpressionFolder(Editor& edit) : edit_(edit) {}

    // Wherever the variable is read, it is this constant.
    void define(VarId var, Id constant) { constants_[var] = constant; }
    // What is known in the expression is decided, in its place.
    void fold(Id id);

    // Of an expression of a truth that is known by now.
    [[nodiscard]] std::optional<bool> truth(Id id) const;
    // Of a set that has no row, whatever the state.
    [[nodiscard]] bool is_empty(Id set) const;

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] bool is_total(Id id) const;
    [[nodiscard]] bool is_none(Id id) const;
    [[nodiscard]] bool is_full(Id set) const;
    [[nodiscard]] bool is_known_set(Id set) const;

    bool evaluates(Id id);
    void has(Id id);
    void compare(Id id);
    void both_or_one(Id id);
    void choose(Id id);
    void present(Id id);
    void table(Id id);
    void both(Id id);
    void become(Id id, Id other);
    void become(Id id, bool truth);

    Editor& edit_;
    std::unordered_map<VarId, Id> constants_;
};

} // namespace croupier::engine::ir
