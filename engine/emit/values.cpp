// Values: codes and integers in registers, truths as jumps, any values in memory.
#include "engine/emit/values.h"

#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>

namespace croupier::engine::emit {

namespace {

using ListForm = ir::CodeList::Form;

} // namespace

std::optional<std::int64_t> Values::known_integer(Id id) const {
    const Node& node = at(id);
    if (node.kind != Kind::Constant) {
        return std::nullopt;
    }
    if (node.type.kind == TypeKind::Int) {
        return node.number;
    }
    Value value;
    if (node.type.kind == TypeKind::Any) {
        value = module_.values[node.x];
    } else if (node.type.kind == TypeKind::Code && node.number != 0) {
        value = list(node.type.list).values[static_cast<std::size_t>(node.number - 1)];
    }
    return value.tag == Tag::Int ? std::optional(value.integer) : std::nullopt;
}

// It is surely an integer, or ends in an error.
bool Values::is_integer(Id id) const {
    const Node& node = at(id);
    if (known_integer(id) || node.type.kind == TypeKind::Int) {
        return true;
    }
    if (node.type.kind == TypeKind::Code) {
        const ListForm form = list(node.type.list).form;
        const bool numbers = form == ListForm::Range || form == ListForm::Numbers;
        return numbers && (is_sure(id) || node.kind == Kind::Given);
    }
    return false;
}

// Of a type Code. The register may be a variable's own: it is not to be changed.
x86::Gp Values::code_of(Id id, Gp into) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    const auto register_for_it = [&] { return into.isValid() ? into : new32(); };
    switch (node.kind) {
    case Kind::Constant: {
        const Gp made = register_for_it();
        code_.mov(made, node.number);
        return made;
    }
    case Kind::Variable:
        return reg(node.x);
    case Kind::Load:
        return loaded_code(node, register_for_it());
    case Kind::Table: {
        const Tables::Entries entries = tables_.entries(node.x, node.type);
        const Mem entry = in_table(entries.data, table_index(node), entries.width);
        const Gp made = register_for_it();
        code_.movzx(made, entry);
        return made;
    }
    case Kind::Given: {
        const Gp code = code_of(node.operands[0]);
        const Label none = aside([this, id] { // ends in its error
            spill(id);
            call(offsetof(Frame, evaluate), id);
            code_.jmp(thrown_);
        });
        code_.test(code, code);
        code_.jz(none);
        return code;
    }
    case Kind::Choose: {
        const Gp made = register_for_it();
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(made, code_of(node.operands[1]));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(made, code_of(node.operands[2]));
        code_.bind(end);
        return made;
    }
    case Kind::KeyCode:
        if (const auto made = numbered(node)) {
            return *made;
        }
        [[fallthrough]];
    default: {
        spill(id);
        call(offsetof(Frame, evaluate), id);
        const Gp made = register_for_it();
        code_.mov(made, in_frame(offsetof(Frame, result), 4));
        return made;
    }
    }
}

x86::Gp Values::loaded_code(const Node& node, const Gp& made) {
    const SchemaNode& known = schema(node.x);
    const bool all_sure = std::all_of(node.operands.begin(), node.operands.end(),
                                      [&](Id operand) { return is_sure(operand); });
    if (known.column == Column::None) { // there: true, which has code 2
        const Label absent = code_.newLabel();
        code_.xor_(made, made);
        jump_present(node, 0, false, absent);
        code_.mov(made, 2);
        code_.bind(absent);
        return made;
    }
    if (all_sure) {
        code_.movzx(made, leaf(node, 0, Label()));
        return made;
    }
    const Label none = code_.newLabel();
    code_.xor_(made, made);
    const Mem place = leaf(node, 0, none);
    code_.movzx(made, place);
    code_.bind(none);
    return made;
}

// Where a code lies that is always read from the same kind of place, and never from none: an
// instruction can read it there.
std::optional<x86::Mem> Values::code_in_memory(Id id) {
    const Node& node = at(id);
    if (node.kind != Kind::Load || node.type.kind != TypeKind::Code ||
        schema(node.x).column != Column::Code8 ||
        !std::all_of(node.operands.begin(), node.operands.end(),
                     [&](Id operand) { return is_sure(operand); })) {
        return std::nullopt;
    }
    CROUPIER_PROBE(emission_.write(id));
    return leaf(node, 0, Label());
}

x86::Gp Values::integer(Id id, Gp into) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    const Gp made = into.isValid() ? into : new64();
    if (const auto known = known_integer(id)) {
        code_.mov(made, asmjit::Imm(*known));
        return made;
    }
    if (node.type.kind == TypeKind::Code) {
        const ir::CodeList& codes = list(node.type.list);
        const Gp code = code_of(id).r64();
        const std::int64_t before = (codes.form == ListForm::Range ? codes.low : 0) - 1;
        if (before >= INT32_MIN && before <= INT32_MAX) {
            code_.lea(made, x86::ptr(code, static_cast<std::int32_t>(before)));
        } else {
            code_.mov(made, asmjit::Imm(before));
            code_.add(made, code);
        }
        return made;
    }
    switch (node.kind) {
    case Kind::Variable:
        if (!in_register(node.x)) {
            code_.mov(made, slot(node.x, 8));
            return made;
        }
        return reg(node.x);
    case Kind::Load: {
        const Label never = code_.newLabel();
        code_.mov(made, leaf(node, 0, never));
        code_.bind(never);
        return made;
    }
    case Kind::CountRows:
        return count_rows(node.operands[0]);
    case Kind::NumberAt:
        return number_at(node);
    case Kind::Whole:
        if (at(node.operands[0]).kind == Kind::Table &&
            at(node.operands[0]).type.kind == TypeKind::Any) {
            const Gp index = new64();
            code_.mov(index, table_index(at(node.operands[0])));
            const Gp base = code_.newIntPtr();
            const Value* const entries = tables_.values(at(node.operands[0]).x);
            code_.shl(index, 4);
            code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(entries)));
            code_.mov(made, x86::qword_ptr(base, index, 0, 8));
            return made;
        }
        return integer(node.operands[0]);
    case Kind::Choose: {
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(made, integer(node.operands[1]));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(made, integer(node.operands[2]));
        code_.bind(end);
        return made;
    }
    case Kind::Given:
        if (given(node, id, made)) {
            return made;
        }
        break;
    case Kind::Calculate:
        calculate(node, made, Label());
        return made;
    case Kind::Arithmetic: {
        const auto how = static_cast<ExprOp>(node.x);
        const bool simple = how != ExprOp::Floor && how != ExprOp::Round && how != ExprOp::Divide;
        if (simple && !draws(id) &&
            std::all_of(node.operands.begin(), node.operands.end(),
                        [&](Id operand) { return is_integer(operand); })) {
            calculate(node, made, failure(id));
            return made;
        }
        break;
    }
    default:
        break;
    }
    spill(id);
    call(offsetof(Frame, evaluate), id);
    code_.mov(made, in_frame(offsetof(Frame, result) + 8));
    return made;
}

} // namespace croupier::engine::emit
