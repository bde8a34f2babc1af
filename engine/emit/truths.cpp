// Truths as jumps.
#include "engine/emit/values.h"

#include "engine/tree/layout.h"

#include <bit>
#include <utility>

namespace croupier::engine::emit {

namespace {

constexpr int kPresent = 2; // the code of what is there or not: true

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

void Values::jump(Id id, bool when, Label to) {
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
        if (asked.type.kind == TypeKind::Code && asked.kind != Kind::Load) {
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

void Values::jump_compare(const Node& node, bool when, Label to) {
    Id a = node.operands[0];
    Id b = node.operands[1];
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
    if (at(b).kind == Kind::Constant && at(b).number != 0) {
        if (const auto place = code_in_memory(a)) {
            code_.cmp(*place, at(b).number);
            equal ? code_.je(to) : code_.jne(to);
            return;
        }
    } else if (at(a).kind == Kind::Load && at(b).kind == Kind::Variable) {
        std::swap(a, b); // the first is in a register
    }
    const Gp left = code_of(a);
    const Label unequal = equal ? code_.newLabel() : to;
    if (at(b).kind == Kind::Constant && at(b).number != 0) {
        code_.cmp(left, at(b).number);
    } else {
        if (!is_sure(a) && !is_sure(b)) {
            code_.test(left, left);
            code_.jz(unequal);
        }
        if (const auto place = code_in_memory(b)) {
            code_.cmp(left.r8(), *place);
        } else {
            code_.cmp(left, code_of(b));
        }
    }
    equal ? code_.je(to) : code_.jne(to);
    if (equal) {
        code_.bind(unequal);
    }
}

void Values::jump_table(const Node& node, bool when, Label to) {
    const ir::Entries& values = module_.tables[node.x].values;
    if (values.size() <= 64 && node.operands.size() == 1) {
        const std::uint64_t codes = codes_of(node);
        const Node& asked = at(node.operands[0]);
        if (asked.kind == Kind::Load && schema(asked.x).column == Column::None &&
            (codes >> kPresent & 1) != (codes & 1)) {
            jump_present(asked, 0, when == ((codes & 1) == 0), to);
            return;
        }
        if (std::has_single_bit(codes)) {
            const int only = std::countr_zero(codes);
            const auto place = code_in_memory(node.operands[0]);
            place ? code_.cmp(*place, only) : code_.cmp(code_of(node.operands[0]), only);
            when ? code_.je(to) : code_.jne(to);
            return;
        }
        const Gp table = new64();
        code_.mov(table, asmjit::Imm(codes));
        code_.bt(table, code_of(node.operands[0]).r64());
        when ? code_.jc(to) : code_.jnc(to);
        return;
    }
    const Tables::Entries entries = tables_.entries(node.x, node.type);
    const Gp index = table_index(node);
    code_.cmp(in_table(entries.data, index, 1), 0);
    when ? code_.jne(to) : code_.je(to);
}

// A bit for each code for which the table is true; it has few.
std::uint64_t Values::codes_of(const Node& table) const {
    const ir::Entries& values = module_.tables[table.x].values;
    std::uint64_t codes = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        codes |= std::uint64_t{values[i].truth()} << i;
    }
    return codes;
}

} // namespace croupier::engine::emit
