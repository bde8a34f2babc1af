// Writes what the rows of a set have in a map, all at once.
#include "engine/emit/emitter.h"
#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

// StoreRows and EraseRows.
void Changes::write_rows(Id id) {
    const Node& node = at(id);
    const bool stores = node.kind == Kind::StoreRows;
    const std::size_t set = stores ? 1 : 0;
    const SchemaNode& known = schema(node.x);
    const bool bits = known.column == Column::None && known.kind == ShapeKind::Unit;
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool fits = !stores || bits || is_code_for(known, node.operands[0]);
    if ((!bits && !codes) || !fits || (stores && node.y != 1) || agenda_ != nullptr) {
        perform(id);
        return;
    }
    const Label elsewhere = aside_step(id);
    const Label none = code_.newLabel();
    check_codes(node, set + 1, none);
    const std::uint32_t width = width_of(known.column);
    const auto size =
        static_cast<std::uint32_t>(list(at(node.operands[set]).type.list).values.size());
    std::int64_t constant = bits ? known.presence : known.values;
    const Index outer =
        scaled(node, set + 1, node.operands.size() - set - 1,
               bits ? std::int64_t{known.words} * 8 : std::int64_t{size} * width, constant);
    Mem place = outer.at(block_, constant, 8);
    if (bits) {
        for (std::uint32_t w = 0; w < words_for(size); ++w) {
            const Gp rows = word(node.operands[set], w);
            if (!stores) {
                code_.not_(rows);
            }
            stores ? code_.or_(place, rows) : code_.and_(place, rows);
            place.addOffset(8);
        }
    } else {
        const Gp code = new32();
        if (stores) {
            code_.mov(code, code_for(known, node.operands[0], elsewhere));
        } else {
            code_.xor_(code, code);
        }
        const Gp base = new64();
        const Gp rows = new64();
        place.setSize(0);
        code_.lea(base, place);
        address_of_set(node.operands[set], rows);
        if (width == 1 && is_wide(at(node.operands[set]).type.list)) {
            write_wide(base, {{rows, code}}, size);
        } else {
            write_codes(base, rows, code, size, width);
        }
    }
    code_.bind(none);
    bind_back();
}

// A constant, or none, for rows of a map outside all others, which fit in a register.
bool Changes::is_written_wide(Id id) const {
    const Node& node = at(id);
    const bool stores = node.kind == Kind::StoreRows;
    if ((!stores && node.kind != Kind::EraseRows) || agenda_ != nullptr ||
        schema(node.x).column != Column::Code8 || node.operands.size() != (stores ? 2 : 1) ||
        !is_wide(at(node.operands[stores ? 1 : 0]).type.list)) {
        return false;
    }
    const auto value = stores ? known_value(node.operands[0]) : Value{};
    return value && (!stores || (node.y == 1 && is_code_for(schema(node.x), node.operands[0])));
}

// Those among the first statements that write to one map, in one go; how many they are.
std::size_t Changes::write_together(std::span<const Id> statements) {
    std::size_t count = 0;
    while (count < statements.size() && is_written_wide(statements[count]) &&
           at(statements[count]).x == at(statements[0]).x) {
        ++count;
    }
    if (count < 2) {
        return 0;
    }
    std::vector<WideWrite> writes;
    const SchemaNode& known = schema(at(statements[0]).x);
    for (const Id each : statements.first(count)) {
        CROUPIER_PROBE(emission_.write(each));
        const bool stores = at(each).kind == Kind::StoreRows;
        const std::uint32_t code =
            stores ? module_.catalogue->layout->code_of(known, *known_value(at(each).operands[0]))
                   : 0;
        writes.push_back({new64(), new32()});
        code_.mov(writes.back().code, code);
        address_of_set(at(each).operands[stores ? 1 : 0], writes.back().rows);
    }
    const Gp base = new64();
    code_.lea(base, x86::ptr(block_, static_cast<std::int32_t>(known.values)));
    const auto size = module_.catalogue->layout->domain(schema(known.parent).domain).size();
    write_wide(base, writes, size);
    return count;
}

// Where the words of a set are, which may have to be put there.
void Changes::address_of_set(Id set, const Gp& address) {
    if (at(set).kind == Kind::RowsOf) {
        CROUPIER_PROBE(emission_.write(set));
        address_rows(at(set).x, address);
        return;
    }
    Mem place = stack_for_rows(words_of(set));
    keep_rows(set, place);
    place.setSize(0);
    code_.lea(address, place);
}

// The code for each row of the set: sixteen bytes at a time, what is left one by one.
void Changes::write_codes(const Gp& base, const Gp& rows, const Gp& code, std::uint32_t size,
                          std::uint32_t width) {
    constexpr std::uint32_t kLane = 16;
    const std::uint32_t whole = width == 1 ? size / kLane * kLane : 0;
    if (whole != 0) {
        static constexpr struct alignas(16) {
            std::uint8_t bytes[kLane] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        } kBits;
        const x86::Xmm values = new_xmm();
        const x86::Xmm bits = new_xmm();
        const x86::Xmm chosen = new_xmm();
        const x86::Xmm old = new_xmm();
        const Gp row = new64();
        const Gp half = new64();
        const Label next = code_.newLabel();
        code_.movd(values, code);
        code_.punpcklbw(values, values);
        code_.pshuflw(values, values, asmjit::Imm(0));
        code_.punpcklqdq(values, values);
        code_.mov(half, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&kBits)));
        code_.movdqa(bits, x86::xmmword_ptr(half));
        code_.xor_(row.r32(), row.r32());
        code_.bind(next);
        code_.mov(half, row);
        code_.shr(half, 3);
        code_.movzx(half.r32(), x86::word_ptr(rows, half));
        // Each byte has the eight bits that its own is among.
        code_.movd(chosen, half.r32());
        code_.punpcklbw(chosen, chosen);
        code_.pshuflw(chosen, chosen, asmjit::Imm(CROUPIER_MISTAKE(RowsOfFirstByte) ? 0 : 0x50));
        code_.punpckldq(chosen, chosen);
        code_.pand(chosen, bits);
        code_.pcmpeqb(chosen, bits);
        code_.movdqu(old, x86::xmmword_ptr(base, row));
        code_.pxor(old, values);
        code_.pandn(chosen, old); // what differs from the value and is to stay
        code_.pxor(chosen, values);
        code_.movdqu(x86::xmmword_ptr(base, row), chosen);
        code_.add(row, kLane);
        code_.cmp(row, whole);
        code_.jb(next);
    }
    for (std::uint32_t first = whole; first < size;) {
        const std::uint32_t last = std::min(size, (first / kWordRows + 1) * kWordRows);
        const Gp left = new64();
        const Gp row = new64();
        const Label next = code_.newLabel();
        const Label end = code_.newLabel();
        code_.mov(left, x86::qword_ptr(rows, static_cast<std::int32_t>(first / kWordRows * 8)));
        if (first % kWordRows != 0) {
            code_.shr(left, first % kWordRows);
        }
        code_.bind(next);
        code_.test(left, left);
        code_.jz(end);
        code_.bsf(row, left);
        code_.btr(left, row);
        const auto at_first = static_cast<std::int32_t>(first * width);
        if (width == 1) {
            code_.mov(x86::byte_ptr(base, row, 0, at_first), code.r8());
        } else {
            code_.mov(x86::word_ptr(base, row, 1, at_first), code.r16());
        }
        code_.jmp(next);
        code_.bind(end);
        first = last;
    }
}

// The codes for the rows of their sets, one after the other, in a column of bytes.
void Changes::write_wide(const Gp& base, const std::vector<WideWrite>& writes, std::uint32_t size) {
    const std::size_t before = pool_->used[3];
    const x86::Zmm bytes = new_zmm();
    std::vector<x86::Zmm> values;
    for (const WideWrite& each : writes) {
        values.push_back(new_zmm());
        code_.vpbroadcastb(values.back(), each.code);
    }
    for (std::uint32_t w = 0; w < words_for(size); ++w) {
        const Mem place = Mem(base, static_cast<std::int32_t>(w * kWideBytes), kWideBytes);
        const bool whole = size - w * kWordRows >= kWordRows;
        if (whole) {
            code_.vmovdqu8(bytes, place);
        }
        for (std::size_t i = 0; i < writes.size(); ++i) {
            code_.kmovq(mask(), x86::qword_ptr(writes[i].rows, static_cast<std::int32_t>(w * 8)));
            if (whole) {
                code_.k(mask()).vpblendmb(bytes, bytes, values[i]);
            } else { // what is behind is not touched
                code_.k(mask()).vmovdqu8(place, values[i]);
            }
        }
        if (whole) {
            code_.vmovdqu8(place, bytes);
        }
    }
    pool_->used[3] = before;
}

} // namespace croupier::engine::emit
