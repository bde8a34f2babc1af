// Adds and replaces nodes, variables and blocks of a function, for passes.
#pragma once

#include "engine/form/form.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// A value that can be used in many places: a known code, or a variable.
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
    // Adding a node invalidates references to nodes.
    Node& at(Id id) { return function_.nodes[id]; }
    Block& block(BlockId id) { return function_.blocks[id]; }
    Var& var(VarId id) { return function_.vars[id]; }

    Id add(Node node) {
        function_.nodes.push_back(std::move(node));
        return static_cast<Id>(function_.nodes.size() - 1);
    }
    Id make(Kind kind, Type type, std::vector<Id> operands, std::uint32_t x = 0,
            std::uint32_t y = 0) {
        return add({{kind, x, y}, type, kNothing, std::move(operands), {}});
    }
    Id variable(VarId id) { return make(Kind::Variable, var(id).type, {}, id); }
    Id constant(const Value& value) { return add(constant_of({TypeKind::Any}, value)); }
    Id atom(const Atom& atom) {
        if (!atom.known) return variable(atom.var);
        return add({{Kind::Constant, 0, 0, atom.code}, code_type(atom.list), kNothing, {}, {}});
    }
    Id let(VarId var, Id value) { return make(Kind::Let, {}, {value}, var); }
    VarId new_var(std::string name, Type type) {
        function_.vars.push_back({std::move(name), type, kNothing, false});
        return static_cast<VarId>(function_.vars.size() - 1);
    }
    BlockId new_block() {
        function_.blocks.emplace_back();
        return static_cast<BlockId>(function_.blocks.size() - 1);
    }
    std::uint32_t new_table(LookupTable table) {
        module_.tables.push_back(std::move(table));
        return static_cast<std::uint32_t>(module_.tables.size() - 1);
    }
    // Copies the expression for use in another place.
    Id copy(Id expression) {
        Node node = at(expression);
        for (Id& operand : node.operands)
            operand = copy(operand);
        return add(std::move(node));
    }
    // Replaces the node in its place; its note stays.
    void replace(Id id, Node by) {
        by.note = at(id).note;
        at(id) = std::move(by);
    }
    void become(Id id, Kind kind, Type type, std::vector<Id> operands, std::uint32_t x = 0,
                std::uint32_t y = 0) {
        replace(id, {{kind, x, y}, type, kNothing, std::move(operands), {}});
    }
    void become_truth(Id id, bool is) {
        replace(id, {{Kind::Constant, 0, 0, is ? 1 : 0}, {TypeKind::Truth}, kNothing, {}, {}});
    }
    // A constant of that type.
    Node constant_of(Type type, const Value& value) {
        Node made{{Kind::Constant}, type, kNothing, {}, {}};
        switch (type.kind) {
        case TypeKind::Truth:
            made.literal() = value.truth() ? 1 : 0;
            break;
        case TypeKind::Int:
            made.literal() = value.integer;
            break;
        case TypeKind::Code:
            made.literal() = code_of(module_, type.list, value);
            break;
        default:
            made.x = static_cast<std::uint32_t>(module_.values.size());
            module_.values.push_back(value);
            break;
        }
        return made;
    }

  private:
    Module& module_;
    Function& function_;
};

// Whether two expressions are equal node by node, apart from their notes. A variable equals only
// itself.
inline bool same_expression(const Module& module, const Function& function, Id a, Id b) {
    const Node& one = function.at(a);
    const Node& two = function.at(b);
    if (one.kind != two.kind || one.y != two.y || one.number != two.number ||
        !(one.type == two.type) || one.operands.size() != two.operands.size())
        return false;
    if (one.kind == Kind::Constant && one.type.kind == TypeKind::Any)
        return same_value(module.values[one.value()], module.values[two.value()]);
    return one.x == two.x && std::equal(one.operands.begin(), one.operands.end(),
                                        two.operands.begin(), [&](Id left, Id right) {
                                            return same_expression(module, function, left, right);
                                        });
}

} // namespace croupier::engine::form
