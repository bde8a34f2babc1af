// Values: codes and integers in registers, truths as jumps, any values in memory.
#include "engine/emit/emitter.h"

#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

using ListForm = ir::CodeList::Form;

} // namespace

// The code is never 0.
bool Emitter::is_sure(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Constant ? node.number != 0
                                       : node.kind == Kind::Variable && function_.vars[node.x].sure;
}

std::optional<std::int64_t> Emitter::known_integer(Id id) const {
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
bool Emitter::is_integer(Id id) const {
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
x86::Gp Emitter::code_of(Id id) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Constant: {
        const Gp made = new32();
        code_.mov(made, node.number);
        return made;
    }
    case Kind::Variable:
        return reg(node.x);
    case Kind::Load:
        return loaded_code(node);
    case Kind::Table: {
        const Tables::Entries entries = tables_.entries(node.x, node.type);
        const Gp index = table_index(node);
        const Gp base = new64();
        const Gp made = new32();
        code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(entries.data)));
        code_.movzx(made, entries.width == 1 ? x86::byte_ptr(base, index)
                                             : x86::word_ptr(base, index, 1));
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
        const Gp made = new32();
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
        const Gp made = new32();
        code_.mov(made, in_frame(offsetof(Frame, result), 4));
        return made;
    }
    }
}

x86::Gp Emitter::loaded_code(const Node& node) {
    const SchemaNode& known = schema(node.x);
    const Gp made = new32();
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
    const Label none = code_.newLabel();
    if (!all_sure) {
        code_.xor_(made, made);
    }
    const Mem place = leaf(node, 0, none);
    code_.movzx(made, place);
    code_.bind(none);
    return made;
}

// Which entry of the table its operands choose.
x86::Gp Emitter::table_index(const Node& node) {
    const std::vector<std::uint32_t>& sizes = module_.tables[node.x].sizes;
    const Gp index = new64();
    code_.mov(index.r32(), code_of(node.operands[0]));
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        code_.imul(index.r32(), index.r32(),
                   asmjit::Imm(sizes[CROUPIER_MISTAKE(TableBySizeBefore) ? i - 1 : i]));
        const Id operand = node.operands[i];
        if (at(operand).kind == Kind::Constant) {
            code_.add(index.r32(), at(operand).number);
        } else {
            code_.add(index.r32(), code_of(operand));
        }
    }
    return index;
}

x86::Gp Emitter::integer(Id id) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    const Gp made = new64();
    if (const auto known = known_integer(id)) {
        code_.mov(made, asmjit::Imm(*known));
        return made;
    }
    if (node.type.kind == TypeKind::Code) {
        const ir::CodeList& codes = list(node.type.list);
        code_.mov(made.r32(), code_of(id));
        const std::int64_t first = codes.form == ListForm::Range ? codes.low : 0;
        code_.add(made, asmjit::Imm(first - 1));
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
            const Gp index = table_index(at(node.operands[0]));
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
