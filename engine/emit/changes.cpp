// Changes of declared nodes.
#include "engine/emit/changes.h"

#include "engine/tree/layout.h"

#include <cstring>

namespace croupier::engine::emit {

void Changes::ensure(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    if (known.column != Column::None || known.presence == kNoOffset) {
        perform(id);
        return;
    }
    make_present(id, 0);
}

// A node that is only there or not, comes to be; what it hangs below may have to be made.
void Changes::make_present(Id id, std::size_t first) {
    const Node& node = at(id);
    const bool hangs = node.y == 1 || schema(node.x).parent == 0;
    const Label elsewhere = aside_step(id);
    const asmjit::BaseNode* const begin = code_.cursor();
    const Label end = code_.newLabel();
    const Bit bit = presence(node, first, elsewhere);
    const bool is_set = first != 0; // it is given its value, even if it has it
    if (is_set) {
        note_write(node, first);
    }
    if (!hangs) {
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bt(word, bit.number.r64());
            code_.jnc(elsewhere);
        } else {
            code_.test(bit.byte(), bit.mask());
            code_.jz(elsewhere);
        }
    } else {
        const bool asks = schema(node.x).above_order != kNoOffset || (!is_set && is_noted(node.x));
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bts(word, bit.number.r64());
            if (asks) {
                code_.jc(end);
            }
            code_.mov(bit.word, word);
        } else {
            if (asks) {
                code_.test(bit.byte(), bit.mask());
                code_.jnz(end);
            }
            code_.or_(bit.byte(), bit.mask());
        }
        if (asks) {
            append_to_record(node, first);
            if (!is_set) {
                note_write(node, first);
            }
        }
    }
    bind_if_asked_for(end, begin);
    bind_back();
}

void Changes::store(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const Id value = node.operands[0];
    const bool is_there = node.number == ir::kThere;
    const bool hangs = is_there || node.y == 1 || known.parent == 0;
    const Node& given = at(value);
    const bool is_true = given.kind == Kind::Constant && given.type.kind == TypeKind::Any &&
                         module_.values[given.x].tag == Tag::Bool &&
                         module_.values[given.x].truth();
    if (known.kind == ShapeKind::Unit && is_true) {
        make_present(id, 1);
        return;
    }
    const auto constant = known_value(value);
    const bool is_real = constant && constant->tag == Tag::Double;
    if (known.kind == ShapeKind::Number && known.column == Column::Value &&
        (is_real || is_integer(value)) && !draws(value)) {
        store_number(id, hangs);
        return;
    }
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool integers = known.column == Column::Int && is_integer(value);
    if ((!integers && !(codes && is_code_for(known, value))) || draws(value)) {
        store_otherwise(id);
        return;
    }
    const Label elsewhere = stored_aside(id);
    if (integers) {
        const Gp integer = this->integer(value);
        check_range(known.low, known.high, value, integer, elsewhere);
        const Mem place = leaf(node, 1, elsewhere);
        note_write(node, 1);
        if (!is_there) {
            const Label there = code_.newLabel();
            const Bit bit = presence(node, 1, elsewhere);
            const Gp word = new64();
            code_.mov(word, bit.word);
            if (bit.number.isValid()) {
                code_.bts(word, bit.number.r64());
            } else {
                code_.bts(word, asmjit::Imm(bit.known));
            }
            if (!hangs) {
                code_.jnc(elsewhere);
            } else {
                code_.jc(there);
                code_.mov(bit.word, word);
                append_to_record(node, 1);
            }
            code_.bind(there);
        }
        code_.mov(place, integer);
        bind_back();
        return;
    }
    const Gp code = code_for(known, value, elsewhere);
    const Mem place = leaf(node, 1, elsewhere);
    note_write(node, 1);
    if (!hangs || (known.above_order != kNoOffset && !is_there)) {
        const Label there = code_.newLabel();
        if (!hangs || node.number != ir::kAbsent) {
            code_.cmp(place, 0);
            hangs ? code_.jne(there) : code_.je(elsewhere);
        }
        if (hangs) {
            append_to_record(node, 1);
        }
        code_.bind(there);
    }
    if (known.column == Column::Code8) {
        count_stored(known, place);
        code_.mov(place, code.r8());
    } else {
        code_.mov(place, code.r16());
    }
    bind_back();
}

// Of a constant that is no code.
std::optional<Value> Changes::known_value(Id id) const {
    const Node& node = at(id);
    if (node.kind != Kind::Constant) {
        return std::nullopt;
    }
    return node.type.kind == TypeKind::Any   ? std::optional(module_.values[node.x])
           : node.type.kind == TypeKind::Int ? std::optional(Value::number(node.number))
                                             : std::nullopt;
}

// Whether `code_for` knows how the leaf holds the value.
bool Changes::is_code_for(const SchemaNode& leaf, Id value) const {
    const Node& node = at(value);
    if (const auto known = known_value(value)) {
        return module_.catalogue->layout->code_of(leaf, *known) != 0;
    }
    if (node.kind == Kind::Choose) {
        return is_code_for(leaf, node.operands[1]) && is_code_for(leaf, node.operands[2]);
    }
    if (node.type.kind == TypeKind::Code) {
        return true;
    }
    const bool numbers =
        leaf.kind == ShapeKind::Int ||
        (leaf.kind == ShapeKind::Member && module_.catalogue->layout->domain(leaf.domain).numbered);
    return (numbers && is_integer(value)) ||
           (leaf.kind == ShapeKind::Bool && node.type.kind == TypeKind::Truth);
}

// The code with which the leaf holds the value; `odd` where it cannot.
x86::Gp Changes::code_for(const SchemaNode& leaf, Id value, Label odd) {
    const Node& node = at(value);
    const Gp code = new32();
    if (const auto known = known_value(value)) {
        code_.mov(code, module_.catalogue->layout->code_of(leaf, *known));
    } else if (node.kind == Kind::Choose) {
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(code, code_for(leaf, node.operands[1], odd));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(code, code_for(leaf, node.operands[2], odd));
        code_.bind(end);
    } else if (node.type.kind == TypeKind::Code) {
        // The list's values as the leaf holds them; of no value, and of one that does not fit, 0.
        const Tables::Entries held = tables_.held(node.type.list, leaf);
        const Gp given = code_of(value);
        if (held.data != nullptr) {
            code_.movzx(code, in_table(held.data, given.r64(), held.width));
        } else if (is_sure(value)) {
            return given;
        } else {
            code_.mov(code, given);
        }
        if (held.data != nullptr || !is_sure(value)) {
            code_.test(code, code);
            code_.jz(odd);
        }
    } else if (node.type.kind == TypeKind::Truth) {
        const Label end = code_.newLabel();
        code_.mov(code, 1);
        jump(value, false, end);
        code_.mov(code, 2);
        code_.bind(end);
    } else {
        Gp whole = integer(value);
        if (leaf.kind == ShapeKind::Member) { // of a numbered domain
            const auto size = module_.catalogue->layout->domain(leaf.domain).size();
            check_range(0, std::int64_t{size} - 1, value, whole, odd);
        } else {
            check_range(leaf.low, leaf.high, value, whole, odd);
            if (leaf.low != 0) {
                const Gp above = new64();
                code_.mov(above, whole);
                code_.sub(above, asmjit::Imm(leaf.low));
                whole = above;
            }
        }
        code_.lea(code, x86::ptr(whole, 1));
    }
    return code;
}

// The value, which is in the register, is from `low` to `high`.
void Changes::check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer,
                          Label odd) {
    const ir::Type& known = at(value).type;
    const bool bounded = known.kind == TypeKind::Int;
    const auto compare = [&](std::int64_t bound) {
        if (bound >= INT32_MIN && bound <= INT32_MAX) {
            code_.cmp(integer, asmjit::Imm(bound));
        } else {
            const Gp wide = new64();
            code_.mov(wide, asmjit::Imm(bound));
            code_.cmp(integer, wide);
        }
    };
    if (low != INT64_MIN && !(bounded && known.low >= low)) {
        compare(low);
        if (!CROUPIER_MISTAKE(LowEndUnchecked)) code_.jl(odd);
    }
    if (high != INT64_MAX && !(bounded && known.high <= high)) {
        compare(high);
        code_.jg(odd);
    }
}

void Changes::erase(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const bool in_map = schema(known.parent).kind == ShapeKind::Map;
    if (in_map && known.kind == ShapeKind::Unit) {
        const asmjit::BaseNode* const begin = code_.cursor();
        const Label end = code_.newLabel();
        const Bit bit = presence(node, 0, end);
        const Gp word = new64();
        code_.mov(word, bit.word);
        if (bit.number.isValid()) {
            code_.btr(word, bit.number.r64());
        } else {
            code_.btr(word, asmjit::Imm(bit.known));
        }
        code_.mov(bit.word, word);
        if (is_noted(node.x)) {
            code_.jnc(end);
            note_write(node, 0);
        }
        bind_if_asked_for(end, begin);
        return;
    }
    if (in_map && (known.column == Column::Code8 || known.column == Column::Code16)) {
        const Label end = code_.newLabel();
        const Mem place = leaf(node, 0, end);
        if (is_noted(node.x)) {
            code_.cmp(place, 0);
            code_.je(end);
            note_write(node, 0);
        }
        code_.mov(place, 0);
        code_.bind(end);
        return;
    }
    if (erase_field(id)) {
        return;
    }
    // Nothing to do where nothing is there.
    const Label there = aside_step(id);
    jump_present(node, 0, true, there);
    bind_back();
}

} // namespace croupier::engine::emit
