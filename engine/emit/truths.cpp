// Truths as jumps, and values on their way to variables.
#include "engine/emit/emitter.h"

#include "engine/tree/layout.h"

namespace croupier::engine::emit {

namespace {

// When two integers compare so; `reversed`: when they do not.
asmjit::x86::CondCode condition(ExprOp how, bool when) {
    using asmjit::x86::CondCode;
    CondCode code = CondCode::kEqual;
    switch (how) {
    case ExprOp::Equal:
        break;
    case ExprOp::NotEqual:
        code = CondCode::kNotEqual;
        break;
    case ExprOp::Less:
        code = CROUPIER_MISTAKE(LessWithoutSign) ? CondCode::kUnsignedLT : CondCode::kSignedLT;
        break;
    case ExprOp::LessEqual:
        code = CondCode::kSignedLE;
        break;
    case ExprOp::Greater:
        code = CondCode::kSignedGT;
        break;
    default:
        code = CondCode::kSignedGE;
        break;
    }
    return when ? code : asmjit::x86::negateCond(code);
}

} // namespace

// ---- truths ----------------------------------------------------------------------------------

void Emitter::jump(Id id, bool when, Label to) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Constant:
        if ((node.number != 0) == when) {
            code_.jmp(to);
        }
        return;
    case Kind::Variable:
        if (in_register(node.x)) {
            code_.test(reg(node.x), reg(node.x));
            when ? code_.jnz(to) : code_.jz(to);
            return;
        }
        break;
    case Kind::Not:
        jump(node.operands[0], !when, to);
        return;
    case Kind::And:
    case Kind::Or: {
        // Both ways out on the first, or on the second alone.
        if ((node.kind == Kind::And) == when) {
            const Label end = code_.newLabel();
            jump(node.operands[0], !when, end);
            jump(node.operands[1], when, to);
            code_.bind(end);
        } else {
            jump(node.operands[0], when, to);
            jump(node.operands[1], when, to);
        }
        return;
    }
    case Kind::Present:
        jump_present(node, 0, when, to);
        return;
    case Kind::Has: {
        const Node& asked = at(node.operands[0]);
        if (asked.type.kind == TypeKind::Int || asked.type.kind == TypeKind::Truth) {
            if (when) {
                code_.jmp(to);
            }
            return;
        }
        if (asked.type.kind == TypeKind::Code) {
            const Gp code = code_of(node.operands[0]);
            code_.test(code, code);
            when ? code_.jnz(to) : code_.jz(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Any) {
            code_.cmp(x86::byte_ptr(slots_, static_cast<std::int32_t>(asked.x * 16)), 0);
            when ? code_.jne(to) : code_.je(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Node) {
            code_.cmp(x86::dword_ptr(slots_, static_cast<std::int32_t>(asked.x * 16)), -1);
            when ? code_.jne(to) : code_.je(to);
            return;
        }
        if (asked.kind == Kind::Load) {
            jump_present(asked, 0, when, to);
            return;
        }
        break;
    }
    case Kind::Compare: {
        const Id a = node.operands[0];
        const Id b = node.operands[1];
        const bool codes = at(a).type.kind == TypeKind::Code && at(a).type == at(b).type &&
                           is_equality(static_cast<ExprOp>(node.x));
        if (codes || (is_integer(a) && is_integer(b))) {
            jump_compare(node, when, to);
            return;
        }
        break;
    }
    case Kind::AnyRow: {
        const Id set = node.operands[0];
        if (is_wide(at(set).type.list)) {
            jump_wide(set, when, to);
            return;
        }
        const Gp all = new64();
        for (std::uint32_t w = 0; w < words_of(set); ++w) {
            const Gp rows = word(set, w);
            w == 0 ? code_.mov(all, rows) : code_.or_(all, rows);
        }
        code_.test(all, all);
        when ? code_.jnz(to) : code_.jz(to);
        return;
    }
    case Kind::Table:
        jump_table(node, when, to);
        return;
    default:
        break;
    }
    spill(id);
    call(offsetof(Frame, evaluate), id);
    code_.cmp(in_frame(offsetof(Frame, result) + 8, 4), 0);
    when ? code_.jne(to) : code_.je(to);
}

void Emitter::jump_compare(const Node& node, bool when, Label to) {
    const Id a = node.operands[0];
    const Id b = node.operands[1];
    const auto how = static_cast<ExprOp>(node.x);
    if (at(a).type.kind != TypeKind::Code || !is_equality(how) || !(at(a).type == at(b).type)) {
        const auto known = known_integer(b);
        const Gp left = integer(a);
        if (known && *known >= INT32_MIN && *known <= INT32_MAX) {
            code_.cmp(left, asmjit::Imm(*known));
        } else {
            code_.cmp(left, integer(b));
        }
        code_.j(condition(how, when), to);
        return;
    }
    // None equals nothing, not even none.
    const bool equal = (how == ExprOp::Equal) == when; // jumps if they are equal
    const Gp left = code_of(a);
    const Label unequal = equal ? code_.newLabel() : to;
    if (at(b).kind == Kind::Constant && at(b).number != 0) {
        code_.cmp(left, at(b).number);
    } else {
        if (!is_sure(a) && !is_sure(b)) {
            code_.test(left, left);
            code_.jz(unequal);
        }
        code_.cmp(left, code_of(b));
    }
    equal ? code_.je(to) : code_.jne(to);
    if (equal) {
        code_.bind(unequal);
    }
}

void Emitter::jump_table(const Node& node, bool when, Label to) {
    const ir::Entries& values = module_.tables[node.x].values;
    if (values.size() <= 64 && node.operands.size() == 1) {
        const Gp table = new64();
        code_.mov(table, asmjit::Imm(codes_of(node)));
        code_.bt(table, code_of(node.operands[0]).r64());
        when ? code_.jc(to) : code_.jnc(to);
        return;
    }
    const Tables::Entries entries = tables_.entries(node.x, node.type);
    const Gp index = table_index(node);
    const Gp base = new64();
    code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(entries.data)));
    code_.cmp(x86::byte_ptr(base, index), 0);
    when ? code_.jne(to) : code_.je(to);
}

// ---- variables -------------------------------------------------------------------------------

// The variable gets the value, as its type holds it.
void Emitter::set_variable(VarId var, Id value) {
    const ir::Type& type = function_.vars[var].type;
    const Node& node = at(value);
    CROUPIER_PROBE(emission_.write(value));
    const auto low = x86::qword_ptr(slots_, static_cast<std::int32_t>(var * 16));
    switch (type.kind) {
    case TypeKind::Code:
        if (node.type == type) {
            code_.mov(reg(var), code_of(value));
            return;
        }
        break;
    case TypeKind::Int:
        if (is_integer(value)) {
            code_.mov(reg(var), integer(value));
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
void Emitter::read_result(VarId var) {
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
