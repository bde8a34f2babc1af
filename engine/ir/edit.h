// What passes write with: new nodes, variables and blocks of a function.
#pragma once

#include "engine/ir/ir.h"

#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

// A value that may stand in many places: a code that is known, or a variable.
struct Atom {
    bool known = false;
    std::uint32_t code = 0; // if it is known
    VarId var = kNothing;
    std::uint32_t list = 0; // whose code it is

    friend bool operator==(const Atom&, const Atom&) = default;
};

class Editor {
  public:
    Editor(Module& module, Function& function) : module_(module), function_(function) {}

    Module& module() { return module_; }
    [[nodiscard]] const Module& module() const { return module_; }
    [[nodiscard]] const Layout& layout() const { return *module_.catalogue->layout; }
    Function& function() { return function_; }
    [[nodiscard]] const Function& function() const { return function_; }
    // References to nodes end with the next call that makes one.
    Node& at(Id id) { return function_.nodes[id]; }
    Block& block(BlockId id) { return function_.blocks[id]; }
    Var& var(VarId id) { return function_.vars[id]; }

    Id make(Kind kind, Type type, std::vector<Id> operands, std::uint32_t x = 0,
            std::uint32_t y = 0);
    Id variable(VarId id);
    Id constant(const Value& value);
    Id atom(const Atom& atom);
    Id let(VarId var, Id value);
    VarId new_var(std::string name, Type type);
    BlockId new_block();
    // The expression once more, for another place.
    Id copy(Id expression);
    // It becomes another node, in its place; its note stays.
    void replace(Id id, Node by);

  private:
    Module& module_;
    Function& function_;
};

// Whether two expressions are the same text.

// Node by node, notes left aside. Variables are the same if they are one.
bool same_expression(const Module& module, const Function& function, Id a, Id b);

} // namespace croupier::engine::ir
