// Changes of declared nodes.
#include "engine/emit/emitter.h"

#include "engine/tree/layout.h"
#include "engine/tree/root_field.h"

#include <cstring>

namespace croupier::engine::emit {

void Emitter::ensure(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    if (known.column != Column::None || known.presence == kNoOffset) {
        perform(id);
        return;
    }
    make_present(id, 0);
}

// A node that is only there or not, comes to be; what it hangs below may have to be made.
void Emitter::make_present(Id id, std::size_t first) {
    const Node& node = at(id);
    const bool hangs = node.y == 1 || schema(node.x).parent == 0;
    const Label elsewhere = aside_step(id);
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
            Mem byte = bit.word;
            byte.addOffset(bit.known / 8);
            byte.setSize(1);
            code_.test(byte, 1 << bit.known % 8);
            code_.jz(elsewhere);
        }
    } else {
        const Gp word = new64();
        code_.mov(word, bit.word);
        if (bit.number.isValid()) {
            code_.bts(word, bit.number.r64());
        } else {
            code_.bts(word, asmjit::Imm(bit.known));
        }
        if (schema(node.x).above_order == kNoOffset && (is_set || !is_noted(node.x))) {
            code_.mov(bit.word, word);
        } else {
            code_.jc(end);
            code_.mov(bit.word, word);
            append_to_record(node, first);
            if (!is_set) {
                note_write(node, first);
            }
        }
    }
    code_.bind(end);
    bind_back();
}

void Emitter::store(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const Id value = node.operands[0];
    const bool hangs = node.y == 1 || known.parent == 0;
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
        code_.mov(place, integer);
        bind_back();
        return;
    }
    const Gp code = code_for(known, value, elsewhere);
    const Mem place = leaf(node, 1, elsewhere);
    note_write(node, 1);
    if (!hangs || known.above_order != kNoOffset) {
        const Label there = code_.newLabel();
        code_.cmp(place, 0);
        if (!hangs) {
            code_.je(elsewhere);
        } else {
            code_.jne(there);
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
std::optional<Value> Emitter::known_value(Id id) const {
    const Node& node = at(id);
    if (node.kind != Kind::Constant) {
        return std::nullopt;
    }
    return node.type.kind == TypeKind::Any   ? std::optional(module_.values[node.x])
           : node.type.kind == TypeKind::Int ? std::optional(Value::number(node.number))
                                             : std::nullopt;
}

// Whether `code_for` knows how the leaf holds the value.
bool Emitter::is_code_for(const SchemaNode& leaf, Id value) const {
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
x86::Gp Emitter::code_for(const SchemaNode& leaf, Id value, Label odd) {
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
        code_.mov(code, code_of(value));
        if (held.data != nullptr) {
            const Gp base = new64();
            const Gp index = new64();
            code_.mov(index.r32(), code);
            code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(held.data)));
            code_.movzx(code, held.width == 1 ? x86::byte_ptr(base, index)
                                              : x86::word_ptr(base, index, 1));
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
        const Gp whole = new64();
        code_.mov(whole, integer(value));
        if (leaf.kind == ShapeKind::Member) { // of a numbered domain
            const auto size = module_.catalogue->layout->domain(leaf.domain).size();
            check_range(0, std::int64_t{size} - 1, value, whole, odd);
        } else {
            check_range(leaf.low, leaf.high, value, whole, odd);
            code_.sub(whole, asmjit::Imm(leaf.low));
        }
        code_.lea(code, x86::ptr(whole, 1));
    }
    return code;
}

// The value, which is in the register, is from `low` to `high`.
void Emitter::check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer,
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

void Emitter::erase(Id id) {
    const Node& node = at(id);
    const SchemaNode& known = schema(node.x);
    const bool in_map = schema(known.parent).kind == ShapeKind::Map;
    if (in_map && known.kind == ShapeKind::Unit) {
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
        code_.bind(end);
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
    if (node.operands.empty() && erase_field(node)) {
        return;
    }
    // Nothing to do where nothing is there.
    const Label there = aside_step(id);
    jump_present(node, 0, true, there);
    bind_back();
}

namespace {

// The entry goes from a record's list of fields, which has it.
void forget_entry(std::byte* order, std::uint32_t slot) noexcept {
    const auto entry = static_cast<std::uint16_t>(slot);
    if (CROUPIER_MISTAKE(GapFilledByLast)) {
        std::uint16_t count = 0;
        std::memcpy(&count, order, sizeof count);
        std::byte* at = order + 2;
        while (std::memcmp(at, &entry, 2) != 0) {
            at += 2;
        }
        std::memcpy(at, order + 2 * std::size_t{count}, 2);
        std::memcpy(order + 2 * std::size_t{count}, &entry, 2);
    }
    erase_listed(order, entry);
}

// Bytes that are cleared one store after the other.
constexpr std::uint32_t kFewBytes = 64;

} // namespace

// The field goes from its record's list: mostly it is one of the last two.
void Emitter::forget_field(const SchemaNode& field) {
    const Gp order = new64();
    const Gp count = new64();
    const Gp last = new32();
    const Label back = code_.newLabel();
    const Label removed = code_.newLabel();
    const Label elsewhere = aside([this, order, back, slot = field.slot] {
        asmjit::InvokeNode* made = nullptr;
        code_.invoke(&made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&forget_entry)),
                     asmjit::FuncSignatureT<void, std::byte*, std::uint32_t>());
        made->setArg(0, order);
        made->setArg(1, asmjit::Imm(slot));
        code_.jmp(back);
    });
    code_.lea(order, x86::ptr(block_, static_cast<std::int32_t>(field.above_order)));
    code_.movzx(count.r32(), x86::word_ptr(order));
    code_.movzx(last, x86::word_ptr(order, count, 1));
    code_.cmp(last, field.slot);
    code_.je(removed);
    code_.cmp(count.r32(), 2);
    code_.jb(elsewhere);
    code_.cmp(x86::word_ptr(order, count, 1, -2), field.slot);
    code_.jne(elsewhere);
    code_.mov(x86::word_ptr(order, count, 1, -2), last.r16());
    code_.bind(removed);
    code_.mov(x86::word_ptr(order, count, 1), 0);
    code_.dec(count.r32());
    code_.mov(x86::word_ptr(order), count.r16());
    code_.bind(back);
}

// The only instance of a declared path, which is a field of a record.
bool Emitter::erase_field(const Node& node) {
    const SchemaNode& known = schema(node.x);
    const auto gone = module_.catalogue->layout->erasure(node.x, 0);
    std::uint32_t bytes = 0;
    for (const Erasure::Range& range : gone ? gone->ranges : std::vector<Erasure::Range>()) {
        bytes += range.size;
    }
    if (!gone || bytes > kFewBytes || known.above_order == kNoOffset) {
        return false;
    }
    const Label end = code_.newLabel();
    jump_present(node, 0, false, end);
    note_write(node, 0); // who looks at something below it looks at it
    for (const Erasure::Range& range : gone->ranges) {
        for (std::uint32_t done = 0; done < range.size;) {
            const std::uint32_t left = range.size - done;
            const std::uint32_t size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
            code_.mov(Mem(block_, static_cast<std::int32_t>(range.begin + done), size), 0);
            done += size;
        }
    }
    for (const Erasure::Bits& bits : gone->bits) {
        const Gp keep = new64();
        code_.mov(keep, asmjit::Imm(~bits.mask));
        code_.and_(Mem(block_, static_cast<std::int32_t>(bits.word), 8), keep);
    }
    if (gone->listed != kNoSchema && !CROUPIER_MISTAKE(RemovedFieldListed)) {
        forget_field(known);
    }
    code_.bind(end);
    return true;
}

} // namespace croupier::engine::emit
