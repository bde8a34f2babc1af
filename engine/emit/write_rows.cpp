// Writes what the rows of a set have in a map, all at once.
#include "engine/emit/statements.h"
#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

struct WideWrite {
    Gp rows; // where the words of the set are
    Gp code;
};

// A constant, or none, for rows of a map outside all others, which fit in a register.
bool is_written_wide(const Context& c, Id id) {
    const Node& node = c.at(id);
    const bool stores = node.kind == Kind::StoreRows;
    if ((!stores && node.kind != Kind::EraseRows) || c.schema(node.x).column != Column::Code8 ||
        node.operands.size() != (stores ? 2 : 1) ||
        !is_wide(c, c.at(node.operands[stores ? 1 : 0]).type.list))
        return false;
    const auto value = stores ? known_value(c, node.operands[0]) : Value{};
    return value &&
           (!stores || (node.y == 1 && is_code_for(c, c.schema(node.x), node.operands[0])));
}

// Where the words of a set are, which may have to be put there.
void address_of_set(Context& c, Id set, const Gp& address) {
    if (c.at(set).kind == Kind::RowsOf) {
        CROUPIER_PROBE(c.emission.write(set));
        address_rows(c, c.at(set).x, address);
        return;
    }
    Mem place = stack_for_rows(c, words_of(c, set));
    keep_rows(c, set, place);
    place.setSize(0);
    c.out.lea(address, place);
}

// The code for each row of the set: sixteen bytes at a time, what is left one by one.
void write_codes(Context& c, const Gp& base, const Gp& rows, const Gp& code, std::uint32_t size,
                 std::uint32_t width) {
    constexpr std::uint32_t kLane = 16;
    const std::uint32_t whole = width == 1 ? size / kLane * kLane : 0;
    if (whole != 0) {
        static constexpr struct alignas(16) {
            std::uint8_t bytes[kLane] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        } kBits;
        const x86::Xmm values = c.new_xmm();
        const x86::Xmm bits = c.new_xmm();
        const x86::Xmm chosen = c.new_xmm();
        const x86::Xmm old = c.new_xmm();
        const Gp row = c.new64();
        const Gp half = c.new64();
        const Label next = c.out.newLabel();
        c.out.movd(values, code);
        c.out.punpcklbw(values, values);
        c.out.pshuflw(values, values, asmjit::Imm(0));
        c.out.punpcklqdq(values, values);
        c.out.mov(half, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&kBits)));
        c.out.movdqa(bits, x86::xmmword_ptr(half));
        c.out.xor_(row.r32(), row.r32());
        c.out.bind(next);
        c.out.mov(half, row);
        c.out.shr(half, 3);
        c.out.movzx(half.r32(), x86::word_ptr(rows, half));
        // Each byte has the eight bits that its own is among.
        c.out.movd(chosen, half.r32());
        c.out.punpcklbw(chosen, chosen);
        c.out.pshuflw(chosen, chosen, asmjit::Imm(CROUPIER_MISTAKE(RowsOfFirstByte) ? 0 : 0x50));
        c.out.punpckldq(chosen, chosen);
        c.out.pand(chosen, bits);
        c.out.pcmpeqb(chosen, bits);
        c.out.movdqu(old, x86::xmmword_ptr(base, row));
        c.out.pxor(old, values);
        c.out.pandn(chosen, old); // what differs from the value and is to stay
        c.out.pxor(chosen, values);
        c.out.movdqu(x86::xmmword_ptr(base, row), chosen);
        c.out.add(row, kLane);
        c.out.cmp(row, whole);
        c.out.jb(next);
    }
    for (std::uint32_t first = whole; first < size;) {
        const std::uint32_t last = std::min(size, (first / kWordRows + 1) * kWordRows);
        const Gp left = c.new64();
        const Gp row = c.new64();
        const Label next = c.out.newLabel();
        const Label end = c.out.newLabel();
        c.out.mov(left, x86::qword_ptr(rows, static_cast<std::int32_t>(first / kWordRows * 8)));
        if (first % kWordRows != 0) c.out.shr(left, first % kWordRows);
        c.out.bind(next);
        c.out.test(left, left);
        c.out.jz(end);
        c.out.bsf(row, left);
        c.out.btr(left, row);
        const auto at_first = static_cast<std::int32_t>(first * width);
        if (width == 1)
            c.out.mov(x86::byte_ptr(base, row, 0, at_first), code.r8());
        else
            c.out.mov(x86::word_ptr(base, row, 1, at_first), code.r16());
        c.out.jmp(next);
        c.out.bind(end);
        first = last;
    }
}

// The codes for the rows of their sets, one after the other, in a column of bytes.
void write_wide(Context& c, const Gp& base, const std::vector<WideWrite>& writes,
                std::uint32_t size) {
    const std::size_t before = c.pool->used[3];
    const x86::Zmm bytes = c.new_zmm();
    std::vector<x86::Zmm> values;
    for (const WideWrite& each : writes) {
        values.push_back(c.new_zmm());
        c.out.vpbroadcastb(values.back(), each.code);
    }
    for (std::uint32_t w = 0; w < words_for(size); ++w) {
        const Mem place = Mem(base, static_cast<std::int32_t>(w * kWideBytes), kWideBytes);
        const bool whole = size - w * kWordRows >= kWordRows;
        if (whole) c.out.vmovdqu8(bytes, place);
        for (std::size_t i = 0; i < writes.size(); ++i) {
            c.out.kmovq(c.mask(), x86::qword_ptr(writes[i].rows, static_cast<std::int32_t>(w * 8)));
            if (whole)
                c.out.k(c.mask()).vpblendmb(bytes, bytes, values[i]);
            else // what is behind is not touched
                c.out.k(c.mask()).vmovdqu8(place, values[i]);
        }
        if (whole) c.out.vmovdqu8(place, bytes);
    }
    c.pool->used[3] = before;
}

} // namespace

// StoreRows and EraseRows.
void write_rows(Context& c, Id id) {
    const Node& node = c.at(id);
    const bool stores = node.kind == Kind::StoreRows;
    const std::size_t set = stores ? 1 : 0;
    const SchemaNode& known = c.schema(node.x);
    const bool bits = known.column == Column::None && known.kind == ShapeKind::Unit;
    const bool codes = known.column == Column::Code8 || known.column == Column::Code16;
    const bool fits = !stores || bits || is_code_for(c, known, node.operands[0]);
    if ((!bits && !codes) || !fits || (stores && node.y != 1)) {
        perform(c, id);
        return;
    }
    const Label elsewhere = aside_step(c, id);
    const Label none = c.out.newLabel();
    check_codes(c, node, set + 1, none);
    const std::uint32_t width = width_of(known.column);
    const std::uint32_t size = size_of(c, c.at(node.operands[set]).type);
    std::int64_t constant = bits ? known.presence : known.values;
    const Index outer =
        scaled(c, node, set + 1, node.operands.size() - set - 1,
               bits ? std::int64_t{known.words} * 8 : std::int64_t{size} * width, constant);
    Mem place = outer.at(c.block, constant, 8);
    if (bits) {
        for (std::uint32_t w = 0; w < words_for(size); ++w) {
            const Gp rows = word(c, node.operands[set], w);
            if (!stores) c.out.not_(rows);
            stores ? c.out.or_(place, rows) : c.out.and_(place, rows);
            place.addOffset(8);
        }
    } else {
        const Gp code = c.new32();
        if (stores)
            c.out.mov(code, code_for(c, known, node.operands[0], elsewhere));
        else
            c.out.xor_(code, code);
        const Gp base = c.new64();
        const Gp rows = c.new64();
        place.setSize(0);
        c.out.lea(base, place);
        address_of_set(c, node.operands[set], rows);
        if (width == 1 && is_wide(c, c.at(node.operands[set]).type.list))
            write_wide(c, base, {{rows, code}}, size);
        else
            write_codes(c, base, rows, code, size, width);
    }
    c.out.bind(none);
    bind_back(c);
}

// Those among the first statements that write to one map, in one go; how many they are.
std::size_t write_together(Context& c, std::span<const Id> statements) {
    std::size_t count = 0;
    while (count < statements.size() && is_written_wide(c, statements[count]) &&
           c.at(statements[count]).x == c.at(statements[0]).x)
        ++count;
    if (count < 2) return 0;
    std::vector<WideWrite> writes;
    const SchemaNode& known = c.schema(c.at(statements[0]).x);
    for (const Id each : statements.first(count)) {
        CROUPIER_PROBE(c.emission.write(each));
        const bool stores = c.at(each).kind == Kind::StoreRows;
        const std::uint32_t code =
            stores ? c.layout().code_of(known, *known_value(c, c.at(each).operands[0])) : 0;
        writes.push_back({c.new64(), c.new32()});
        c.out.mov(writes.back().code, code);
        address_of_set(c, c.at(each).operands[stores ? 1 : 0], writes.back().rows);
    }
    const Gp base = c.new64();
    c.out.lea(base, x86::ptr(c.block, static_cast<std::int32_t>(known.values)));
    const auto size = c.layout().domain(c.schema(known.parent).domain).size();
    write_wide(c, base, writes, size);
    return count;
}

} // namespace croupier::engine::emit
