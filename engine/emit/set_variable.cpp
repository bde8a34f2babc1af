// Values on their way to variables.
#include "engine/emit/values.h"

#include "engine/tree/layout.h"

namespace croupier::engine::emit {

// What such a leaf holds, to a variable of any value.
void Values::load_whole(VarId var, const Node& node) {
    const x86::Xmm whole = new_xmm();
    const Label none = code_.newLabel();
    code_.pxor(whole, whole); // no value, which is not there either
    Mem place = leaf(node, 0, none);
    place.setSize(16);
    code_.movups(whole, place);
    code_.bind(none);
    code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
}

// The variable gets the value, as its type holds it.
void Values::set_variable(VarId var, Id value) {
    const ir::Type& type = function_.vars[var].type;
    const Node& node = at(value);
    CROUPIER_PROBE(emission_.write(value));
    const auto low = x86::qword_ptr(slots_, static_cast<std::int32_t>(var * 16));
    switch (type.kind) {
    case TypeKind::Code:
        if (node.type == type) {
            const Gp code = code_of(value, reg(var));
            if (code != reg(var)) {
                code_.mov(reg(var), code);
            }
            return;
        }
        break;
    case TypeKind::Int:
        if (is_integer(value)) {
            const Gp whole = integer(value, reg(var));
            if (whole != reg(var)) {
                code_.mov(reg(var), whole);
            }
            return;
        }
        break;
    case TypeKind::Truth: {
        const Gp to = reg(var);
        const Label end = code_.newLabel();
        code_.xor_(to, to);
        jump(value, false, end);
        code_.mov(to, 1);
        code_.bind(end);
        return;
    }
    case TypeKind::Any: {
        if (node.kind == Kind::Variable && node.type.kind == TypeKind::Any) {
            const x86::Xmm whole = new_xmm();
            code_.movups(whole, x86::xmmword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)));
            code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
            return;
        }
        if (node.type.kind == TypeKind::Code) {
            const Gp index = new64();
            const Gp base = new64();
            code_.mov(index.r32(), code_of(value));
            code_.shl(index, 4);
            code_.mov(base,
                      asmjit::Imm(reinterpret_cast<std::uintptr_t>(tables_.list(node.type.list))));
            const x86::Xmm whole = new_xmm();
            code_.movups(whole, x86::xmmword_ptr(base, index));
            code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
            return;
        }
        if (is_integer(value)) {
            const Gp from = integer(value);
            code_.mov(slot(var, 8), from);
            code_.mov(low, static_cast<int>(Tag::Int));
            return;
        }
        if (node.kind == Kind::Load && schema(node.x).column == Column::Int) {
            const Gp from = new64();
            const Label end = code_.newLabel();
            code_.mov(low, static_cast<int>(Tag::None));
            jump_present(node, 0, false, end);
            code_.mov(from, leaf(node, 0, end));
            code_.mov(slot(var, 8), from);
            code_.mov(low, static_cast<int>(Tag::Int));
            code_.bind(end);
            return;
        }
        if (node.kind == Kind::Load && schema(node.x).column == Column::Value) {
            load_whole(var, node);
            return;
        }
        if (node.kind == Kind::Arithmetic && node.x == static_cast<std::uint32_t>(ExprOp::Divide) &&
            !draws(value) && is_integer(node.operands[0]) && is_integer(node.operands[1])) {
            divided(var, value);
            return;
        }
        break;
    }
    case TypeKind::Node:
        // The only instance of a declared node that has a place of its own in the block.
        if (node.kind == Kind::NodeAt && node.operands.empty() &&
            schema(node.x).column != Column::Arena) {
            const auto number = x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16));
            const Label end = code_.newLabel();
            code_.mov(low, static_cast<std::int32_t>(kNoSchema)); // and index 0
            code_.mov(x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16 + 4)), 0);
            jump_present(node, 0, false, end);
            code_.mov(number, node.x);
            code_.bind(end);
            return;
        }
        break;
    default:
        break;
    }
    spill(value);
    call(offsetof(Frame, evaluate), value);
    read_result(var);
}

// What `evaluate` has found, which is of the variable's type or to be any value.
void Values::read_result(VarId var) {
    const ir::Type& type = function_.vars[var].type;
    if (type.kind == TypeKind::Code) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result), 4));
    } else if (type.kind == TypeKind::Int) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result) + 8));
    } else if (type.kind == TypeKind::Truth) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result) + 8, 4));
    } else {
        const x86::Xmm whole = new_xmm();
        code_.movups(whole, x86::Mem(frame_, offsetof(Frame, result), 16));
        code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
    }
}

} // namespace croupier::engine::emit
