// How instructions are written as bytes: prefix, opcode, the byte that names the operands, offset.
#include "engine/native/assembler.h"

#include <cassert>

namespace croupier::engine::native {

namespace {

constexpr std::uint32_t kNotPlaced = 0xffffffff;

unsigned number_of(Reg reg) {
    return static_cast<unsigned>(reg);
}

bool is_short(std::int32_t offset) {
    return offset >= -128 && offset < 128;
}

} // namespace

// ---- labels ------------------------------------------------------------------------------------

Label Assembler::new_label() {
    labels_.push_back(kNotPlaced);
    return static_cast<Label>(labels_.size() - 1);
}

void Assembler::place(Label label) {
    assert(labels_[label] == kNotPlaced);
    labels_[label] = static_cast<std::uint32_t>(code_.size());
}

void Assembler::distance(Label to) {
    uses_.push_back({code_.size(), to});
    number(0, 4);
}

std::span<const std::uint8_t> Assembler::finish() {
    for (const Use& use : uses_) {
        assert(labels_[use.label] != kNotPlaced);
        const auto from = static_cast<std::uint32_t>(use.at + 4); // where the instruction ends
        const std::uint32_t distance = labels_[use.label] - from;
        for (unsigned i = 0; i < 4; ++i) {
            code_[use.at + i] = static_cast<std::uint8_t>(distance >> (8 * i));
        }
    }
    uses_.clear();
    return code_;
}

// ---- forms of instructions ---------------------------------------------------------------------

void Assembler::number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        byte(static_cast<unsigned>(value >> (8 * i)) & 0xff);
    }
}

// A byte with the high bits of the registers' numbers, where there are any.
void Assembler::prefixes(unsigned flags, unsigned reg, unsigned index, unsigned base) {
    if ((flags & kHalf) != 0) {
        byte(0x66);
    }
    const unsigned high =
        ((flags & kWide) != 0 ? 8u : 0u) | ((reg >> 3) << 2) | ((index >> 3) << 1) | (base >> 3);
    if (high != 0) {
        byte(0x40 | high);
    }
}

void Assembler::memory(unsigned flags, Opcode opcode, Reg reg, const Mem& mem) {
    const unsigned base = number_of(mem.base);
    const bool indexed = mem.index != Reg::Sp;
    const unsigned index = indexed ? number_of(mem.index) : 4;
    prefixes(flags, number_of(reg), indexed ? index : 0, base);
    byte(opcode.first);
    if (opcode.first == 0x0f) {
        byte(opcode.second);
    }
    // Bp and R13 as a base always have an offset, Sp and R12 always the byte that names an index.
    const bool none = mem.offset == 0 && (base & 7) != 5;
    const unsigned mode = none ? 0 : is_short(mem.offset) ? 1 : 2;
    const bool with_index = indexed || (base & 7) == 4;
    byte(mode << 6 | (number_of(reg) & 7) << 3 | (with_index ? 4 : (base & 7)));
    if (with_index) {
        const unsigned scale = mem.scale == 8 ? 3 : mem.scale == 4 ? 2 : mem.scale == 2 ? 1 : 0;
        byte(scale << 6 | (index & 7) << 3 | (base & 7));
    }
    if (mode != 0) {
        number(static_cast<std::uint32_t>(mem.offset), mode == 1 ? 1 : 4);
    }
}

void Assembler::registers(unsigned flags, Opcode opcode, Reg reg, Reg rm) {
    prefixes(flags, number_of(reg), 0, number_of(rm));
    byte(opcode.first);
    if (opcode.first == 0x0f) {
        byte(opcode.second);
    }
    byte(0xc0 | (number_of(reg) & 7) << 3 | (number_of(rm) & 7));
}

void Assembler::immediate(unsigned flags, Alu op, Reg to, std::uint32_t value) {
    const bool fits = is_short(static_cast<std::int32_t>(value));
    registers(flags, {static_cast<std::uint8_t>(fits ? 0x83 : 0x81)}, static_cast<Reg>(op), to);
    number(value, fits ? 1 : 4);
}

// ---- instructions ------------------------------------------------------------------------------

void Assembler::store8(const Mem& to, Reg from) {
    assert(number_of(from) < 4); // the others' low bytes have other names
    memory(0, {0x88}, from, to);
}

void Assembler::store8(const Mem& to, std::uint8_t value) {
    memory(0, {0xc6}, Reg::Ax, to);
    number(value, 1);
}

void Assembler::store16(const Mem& to, std::uint16_t value) {
    memory(kHalf, {0xc7}, Reg::Ax, to);
    number(value, 2);
}

void Assembler::store32(const Mem& to, std::uint32_t value) {
    memory(0, {0xc7}, Reg::Ax, to);
    number(value, 4);
}

void Assembler::store64(const Mem& to, std::int32_t value) {
    memory(kWide, {0xc7}, Reg::Ax, to);
    number(static_cast<std::uint32_t>(value), 4);
}

void Assembler::move(Reg to, Reg from) {
    registers(kWide, {0x8b}, to, from);
}

void Assembler::set32(Reg to, std::uint32_t value) {
    if (value == 0) {
        registers(0, {0x33}, to, to);
        return;
    }
    prefixes(0, 0, 0, number_of(to));
    byte(0xb8 | (number_of(to) & 7));
    number(value, 4);
}

void Assembler::set64(Reg to, std::uint64_t value) {
    if (value <= 0xffffffff) {
        set32(to, static_cast<std::uint32_t>(value));
        return;
    }
    prefixes(kWide, 0, 0, number_of(to));
    byte(0xb8 | (number_of(to) & 7));
    number(value, 8);
}

void Assembler::alu8(Alu op, const Mem& to, std::uint8_t value) {
    memory(0, {0x80}, static_cast<Reg>(op), to);
    number(value, 1);
}

void Assembler::alu16(Alu op, const Mem& to, std::uint16_t value) {
    memory(kHalf, {0x81}, static_cast<Reg>(op), to);
    number(value, 2);
}

void Assembler::alu32(Alu op, const Mem& to, std::uint32_t value) {
    memory(0, {0x81}, static_cast<Reg>(op), to);
    number(value, 4);
}

void Assembler::test8(const Mem& of, std::uint8_t bits) {
    memory(0, {0xf6}, Reg::Ax, of);
    number(bits, 1);
}

void Assembler::multiply32(Reg to, Reg from, std::uint32_t by) {
    registers(0, {0x69}, to, from);
    number(by, 4);
}

void Assembler::divide64(Reg by) {
    byte(0x48); // the sign of Ax to Dx
    byte(0x99);
    registers(kWide, {0xf7}, Reg::Di, by);
}

void Assembler::shift_left32(Reg to, std::uint8_t by) {
    registers(0, {0xc1}, Reg::Sp, to);
    number(by, 1);
}

void Assembler::shift_right32(Reg to, std::uint8_t by) {
    registers(0, {0xc1}, Reg::Bp, to);
    number(by, 1);
}

void Assembler::count_bits64(Reg to, Reg of) {
    byte(0xf3);
    registers(kWide, {0x0f, 0xb8}, to, of);
}

void Assembler::jump(Label to) {
    byte(0xe9);
    distance(to);
}

void Assembler::jump(If condition, Label to) {
    byte(0x0f);
    byte(0x80 | static_cast<unsigned>(condition));
    distance(to);
}

void Assembler::jump(Reg to) {
    registers(0, {0xff}, Reg::Sp, to);
}

void Assembler::call(Label to) {
    byte(0xe8);
    distance(to);
}

void Assembler::call(Reg to) {
    registers(0, {0xff}, Reg::Dx, to);
}

void Assembler::push(Reg reg) {
    prefixes(0, 0, 0, number_of(reg));
    byte(0x50 | (number_of(reg) & 7));
}

void Assembler::pop(Reg reg) {
    prefixes(0, 0, 0, number_of(reg));
    byte(0x58 | (number_of(reg) & 7));
}

} // namespace croupier::engine::native
