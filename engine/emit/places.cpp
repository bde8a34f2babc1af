// Where declared nodes are in the block.
#include "engine/emit/places.h"

#include "engine/tree/layout.h"

#include <bit>

namespace croupier::engine::emit {

namespace {

// The sizes of the domains of the maps on the way to a schema node, from the outermost inwards.
std::vector<std::uint32_t> sizes_of(const Layout& layout, SchemaId id) {
    std::vector<std::uint32_t> sizes;
    for (SchemaId each = id; each != kNoSchema; each = layout.node(each).parent) {
        const SchemaId above = layout.node(each).parent;
        if (above != kNoSchema && layout.node(above).kind == ShapeKind::Map) {
            sizes.insert(sizes.begin(), layout.domain(layout.node(above).domain).size());
        }
    }
    return sizes;
}

} // namespace

// A code that may be 0 leads nowhere.
void Places::check_codes(const Node& node, std::size_t first, Label none) {
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const Id operand = node.operands[i];
        if (at(operand).kind == Kind::Constant) {
            if (at(operand).number == 0) {
                code_.jmp(none);
            }
        } else if (!is_sure(operand) && !CROUPIER_MISTAKE(CodeNoneIsRow)) {
            const Gp code = code_of(operand);
            code_.test(code, code);
            code_.jz(none);
        }
    }
}

// Without an index the register is none.
x86::Mem Places::Index::at(const Gp& base, std::int64_t offset, std::uint32_t size) const {
    const auto by = static_cast<std::int32_t>(offset);
    return reg.isValid() ? x86::Mem(base, reg, shift, by, size) : x86::Mem(base, by, size);
}

Places::Index Places::times(const Gp& code, std::int64_t by) {
    const bool is_power = by > 0 && (by & (by - 1)) == 0;
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(by)));
    if (is_power && shift <= 3) {
        return {code.r64(), shift};
    }
    const Gp made = new64();
    if (is_power) {
        code_.mov(made.r32(), code);
        code_.shl(made.r32(), shift);
    } else {
        code_.imul(made.r32(), code, asmjit::Imm(by));
    }
    return {made, 0};
}

Places::Index Places::sum(const Index& a, const Index& b) {
    if (!a.reg.isValid() || !b.reg.isValid()) {
        return a.reg.isValid() ? a : b;
    }
    const Gp made = new64();
    if (a.shift == 0) {
        code_.lea(made, x86::ptr(a.reg, b.reg, b.shift));
    } else {
        code_.mov(made, a.reg);
        code_.shl(made, a.shift);
        code_.lea(made, x86::ptr(made, b.reg, b.shift));
    }
    return {made, 0};
}

// What `count` operands from `first` on add to an address, in units of an instance; what is known
// of it is added to `constant`.
Places::Index Places::scaled(const Node& node, std::size_t first, std::size_t count,
                             std::int64_t unit, std::int64_t& constant) {
    const std::vector<std::uint32_t> sizes = sizes_of(*module_.catalogue->layout, node.x);
    std::vector<std::int64_t> strides(count);
    std::int64_t stride = unit;
    for (std::size_t i = count; i-- > 0;) {
        strides[i] = stride;
        stride *= sizes[i];
    }
    Index all;
    for (std::size_t i = 0; i < count; ++i) {
        const Id operand = node.operands[first + i];
        constant -= strides[i];
        if (at(operand).kind == Kind::Constant) {
            constant += at(operand).number * strides[i];
        } else {
            all = sum(all, times(code_of(operand), strides[i]));
        }
    }
    return all;
}

// The value of a leaf.
x86::Mem Places::leaf(const Node& node, std::size_t first, Label none) {
    check_codes(node, first, none);
    const SchemaNode& known = schema(node.x);
    const std::uint32_t width = width_of(known.column);
    std::int64_t constant = known.values;
    return scaled(node, first, node.operands.size() - first, width, constant)
        .at(block_, constant, width);
}

Places::Bit Places::presence(const Node& node, std::size_t first, Label none) {
    check_codes(node, first, none);
    const SchemaNode& known = schema(node.x);
    const std::size_t count = node.operands.size() - first;
    const bool in_map = known.group != 1 || count != 0;
    const std::size_t outer = in_map ? count - 1 : 0;
    // The innermost code is the bit; those around it choose the words.
    std::vector<std::uint32_t> sizes = sizes_of(*module_.catalogue->layout, node.x);
    std::int64_t constant = known.presence;
    Index words;
    std::int64_t stride = std::int64_t{known.words} * 8;
    for (std::size_t i = outer; i-- > 0;) {
        const Id operand = node.operands[first + i];
        constant -= stride;
        if (at(operand).kind == Kind::Constant) {
            constant += at(operand).number * stride;
        } else {
            words = sum(words, times(code_of(operand), stride));
        }
        stride *= sizes[i];
    }
    Bit bit;
    if (in_map) {
        const Id row = node.operands.back();
        if (at(row).kind == Kind::Constant) {
            const auto number = static_cast<std::uint32_t>(at(row).number - 1);
            constant += number / 64 * 8;
            bit.known = number % 64;
        } else {
            bit.number = new32();
            code_.lea(bit.number, x86::ptr(code_of(row).r64(), -1));
            if (known.words > 1) {
                const Gp word = new64();
                code_.mov(word.r32(), bit.number);
                code_.shr(word, CROUPIER_MISTAKE(WordShiftedBySeven) ? 7 : 6);
                words = sum(words, {word, 3});
            }
        }
    }
    bit.word = words.at(block_, constant, 8);
    return bit;
}

x86::Mem Places::Bit::byte() const {
    Mem byte = word;
    byte.addOffset(CROUPIER_MISTAKE(PresenceInFirstByte) ? 0 : known / 8);
    byte.setSize(1);
    return byte;
}

void Places::jump_present(const Node& node, std::size_t first, bool when, Label to) {
    const SchemaNode& known = schema(node.x);
    const Label absent = when ? code_.newLabel() : to;
    if (node.x == 0) { // the root
        if (when) {
            code_.jmp(to);
        }
    } else if (known.column == Column::None || known.column == Column::Int) {
        const Bit bit = presence(node, first, absent);
        if (bit.number.isValid()) {
            const Gp word = new64();
            code_.mov(word, bit.word);
            code_.bt(word, bit.number.r64());
            when ? code_.jc(to) : code_.jnc(to);
        } else {
            code_.test(bit.byte(), bit.mask());
            when ? code_.jnz(to) : code_.jz(to);
        }
    } else {
        Mem place = leaf(node, first, absent);
        if (known.column == Column::Value) {
            place.setSize(1); // its tag
        }
        code_.cmp(place, 0);
        when ? code_.jne(to) : code_.je(to);
    }
    if (when) {
        code_.bind(absent);
    }
}

// The instance, which has come to be, is its record's last field.
void Places::append_to_record(const Node& node, std::size_t first) {
    const SchemaNode& known = schema(node.x);
    if (known.above_order == kNoOffset || CROUPIER_MISTAKE(NewFieldNotListed)) {
        return;
    }
    std::int64_t constant = known.above_order;
    const Index index =
        scaled(node, first, node.operands.size() - first, known.above_stride, constant);
    Gp order = block_;
    if (index.reg.isValid()) {
        order = new64();
        code_.lea(order, index.at(block_, constant, 0));
        constant = 0;
    }
    const auto offset = static_cast<std::int32_t>(constant);
    const Gp count = new64();
    code_.movzx(count.r32(), x86::word_ptr(order, offset));
    code_.inc(count.r32());
    code_.mov(x86::word_ptr(order, offset), count.r16());
    code_.mov(x86::word_ptr(order, count, 1, offset), known.slot);
}

// Which entry of the table its operands choose. The register may be a variable's own.
x86::Gp Places::table_index(const Node& node) {
    const std::vector<std::uint32_t>& sizes = module_.tables[node.x].sizes;
    if (node.operands.size() == 1) {
        return code_of(node.operands[0]).r64();
    }
    const Gp index = new64();
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        code_.imul(index.r32(), i == 1 ? code_of(node.operands[0]) : index.r32(),
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

// The entry of that number.
x86::Mem Places::in_table(const void* entries, const Gp& index, std::uint32_t width) {
    const auto address = reinterpret_cast<std::uintptr_t>(entries);
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(width));
    if (address <= INT32_MAX) {
        return x86::Mem(std::uint64_t{address}, index, shift, width);
    }
    const Gp base = new64();
    code_.mov(base, asmjit::Imm(address));
    return x86::Mem(base, index, shift, 0, width);
}

} // namespace croupier::engine::emit
