// What passes write with.
#include "engine/ir/edit.h"

#include "engine/ir/ir.h"

#include <algorithm>

namespace croupier::engine::ir {

Id Editor::make(Kind kind, Type type, std::vector<Id> operands, std::uint32_t x, std::uint32_t y) {
    Node node;
    node.kind = kind;
    node.type = type;
    node.x = x;
    node.y = y;
    node.operands = std::move(operands);
    function_.nodes.push_back(std::move(node));
    return static_cast<Id>(function_.nodes.size() - 1);
}

Id Editor::variable(VarId id) {
    return make(Kind::Variable, var(id).type, {}, id);
}

Id Editor::constant(const Value& value) {
    module_.values.push_back(value);
    return make(Kind::Constant, {TypeKind::Any}, {},
                static_cast<std::uint32_t>(module_.values.size() - 1));
}

Id Editor::atom(const Atom& atom) {
    if (!atom.known) return variable(atom.var);
    const Id id = make(Kind::Constant, code_type(atom.list), {});
    at(id).number = atom.code;
    return id;
}

Id Editor::let(VarId var, Id value) {
    return make(Kind::Let, {}, {value}, var);
}

VarId Editor::new_var(std::string name, Type type) {
    function_.vars.push_back({std::move(name), type, kNothing, false});
    return static_cast<VarId>(function_.vars.size() - 1);
}

BlockId Editor::new_block() {
    function_.blocks.emplace_back();
    return static_cast<BlockId>(function_.blocks.size() - 1);
}

Id Editor::copy(Id expression) {
    Node node = at(expression);
    for (Id& operand : node.operands)
        operand = copy(operand);
    function_.nodes.push_back(std::move(node));
    return static_cast<Id>(function_.nodes.size() - 1);
}

void Editor::replace(Id id, Node by) {
    by.note = at(id).note;
    at(id) = std::move(by);
}

// Whether two expressions are the same text.

bool same_expression(const Module& module, const Function& function, Id a, Id b) {
    const Node& one = function.at(a);
    const Node& two = function.at(b);
    if (one.kind != two.kind || one.y != two.y || one.number != two.number ||
        !(one.type == two.type) || one.operands.size() != two.operands.size())
        return false;
    if (one.kind == Kind::Constant && one.type.kind == TypeKind::Any)
        return same_value(module.values[one.x], module.values[two.x]);
    return one.x == two.x && std::equal(one.operands.begin(), one.operands.end(),
                                        two.operands.begin(), [&](Id left, Id right) {
                                            return same_expression(module, function, left, right);
                                        });
}

} // namespace croupier::engine::ir
