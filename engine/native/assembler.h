// Writes x86-64 instructions into a buffer: those that plans are translated to, and no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace croupier::engine::native {

enum class Reg : std::uint8_t {
    Ax,
    Cx,
    Dx,
    Bx,
    Sp,
    Bp,
    Si,
    Di,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15
};

// A place in memory: base + index * scale + offset; an index of Sp is none.
struct Mem {
    Reg base;
    std::int32_t offset = 0;
    Reg index = Reg::Sp;
    std::uint8_t scale = 1;
};

// Of two-operand arithmetic; the numbers are those of the instructions.
enum class Alu : std::uint8_t { Add = 0, Or = 1, And = 4, Sub = 5, Xor = 6, Cmp = 7 };
// Of jumps, likewise.
enum class If : std::uint8_t {
    Overflow = 0x0,
    Below = 0x2,
    NotBelow = 0x3,
    Zero = 0x4,
    NotZero = 0x5,
    NotAbove = 0x6,
    Above = 0x7,
    Negative = 0x8,
    Less = 0xc,
    NotLess = 0xd,
    NotGreater = 0xe,
    Greater = 0xf,
};
constexpr If operator!(If condition) {
    return static_cast<If>(static_cast<std::uint8_t>(condition) ^ 1);
}

// A place in the code that jumps may name before it is known.
using Label = std::uint32_t;

// Operand order is destination first. A number after a name is the width in bits; loads of less
// than 64 bits clear the rest of the register.
class Assembler {
  public:
    [[nodiscard]] Label new_label();
    void place(Label label);
    [[nodiscard]] std::size_t size() const { return code_.size(); }
    [[nodiscard]] std::uint32_t place_of(Label label) const { return labels_[label]; }
    // With all jumps to their places; every label that is used must have been placed.
    [[nodiscard]] std::span<const std::uint8_t> finish();

    void load8(Reg to, const Mem& from) { memory(0, {0x0f, 0xb6}, to, from); }
    void load16(Reg to, const Mem& from) { memory(0, {0x0f, 0xb7}, to, from); }
    void load32(Reg to, const Mem& from) { memory(0, {0x8b}, to, from); }
    void load64(Reg to, const Mem& from) { memory(kWide, {0x8b}, to, from); }
    void store8(const Mem& to, Reg from); // of Ax, Cx, Dx, Bx
    void store16(const Mem& to, Reg from) { memory(kHalf, {0x89}, from, to); }
    void store32(const Mem& to, Reg from) { memory(0, {0x89}, from, to); }
    void store64(const Mem& to, Reg from) { memory(kWide, {0x89}, from, to); }
    void store8(const Mem& to, std::uint8_t value);
    void store16(const Mem& to, std::uint16_t value);
    void store32(const Mem& to, std::uint32_t value);
    void store64(const Mem& to, std::int32_t value);
    void load_value(const Mem& from) { memory(0, {0x0f, 0x10}, Reg::Ax, from); } // 16 bytes
    void store_value(const Mem& to) { memory(0, {0x0f, 0x11}, Reg::Ax, to); }
    void address(Reg to, const Mem& of) { memory(kWide, {0x8d}, to, of); }

    void move(Reg to, Reg from);
    void set32(Reg to, std::uint32_t value);
    void set64(Reg to, std::uint64_t value);

    void alu8(Alu op, const Mem& to, std::uint8_t value);
    void alu16(Alu op, const Mem& to, std::uint16_t value);
    void alu32(Alu op, const Mem& to, std::uint32_t value);
    void alu32(Alu op, Reg to, std::uint32_t value) { immediate(0, op, to, value); }
    void alu64(Alu op, Reg to, std::int32_t value) {
        immediate(kWide, op, to, static_cast<std::uint32_t>(value));
    }
    void alu64(Alu op, Reg to, Reg from) { registers(kWide, {opcode(op, 3)}, to, from); }
    void alu32(Alu op, Reg to, Reg from) { registers(0, {opcode(op, 3)}, to, from); }
    void alu64(Alu op, Reg to, const Mem& from) { memory(kWide, {opcode(op, 3)}, to, from); }
    void alu64(Alu op, const Mem& to, Reg from) { memory(kWide, {opcode(op, 1)}, from, to); }
    void alu8(Alu op, Reg with, const Mem& from) { memory(0, {opcode(op, 2)}, with, from); }
    void alu8(Alu op, const Mem& to, Reg from) { memory(0, {opcode(op, 0)}, from, to); }
    void test8(const Mem& of, std::uint8_t bits);
    void test32(Reg a, Reg b) { registers(0, {0x85}, b, a); }
    void test64(Reg a, Reg b) { registers(kWide, {0x85}, b, a); }
    void increment64(const Mem& to) { memory(kWide, {0xff}, Reg::Ax, to); }
    void increment16(const Mem& to) { memory(kHalf, {0xff}, Reg::Ax, to); }
    void multiply32(Reg to, Reg from, std::uint32_t by);
    void multiply64(Reg to, Reg by) { registers(kWide, {0x0f, 0xaf}, to, by); }
    void negate64(Reg to) { registers(kWide, {0xf7}, Reg::Bx, to); }
    void divide64(Reg by); // Ax, signed: the quotient to Ax, the rest to Dx
    void not64(Reg to) { registers(kWide, {0xf7}, Reg::Dx, to); }
    void shift_left32(Reg to, std::uint8_t by);
    void shift_right32(Reg to, std::uint8_t by);
    void shift_left32_by_cx(Reg to) { registers(0, {0xd3}, Reg::Sp, to); }
    void shift_right64_by_cx(Reg to) { registers(kWide, {0xd3}, Reg::Bp, to); }
    void bit64(Reg of, Reg number) { registers(kWide, {0x0f, 0xa3}, number, of); } // to the carry
    void set_bit64(Reg of, Reg number) { registers(kWide, {0x0f, 0xab}, number, of); }
    void bit32(Reg of, Reg number) { registers(0, {0x0f, 0xa3}, number, of); }
    void first_bit64(Reg to, Reg of) { registers(kWide, {0x0f, 0xbc}, to, of); } // `of` is not 0
    void count_bits64(Reg to, Reg of);                                           // needs popcnt

    void jump(Label to);
    void jump(If condition, Label to);
    void jump(Reg to);
    void call(Label to);
    void call(const Mem& to) { memory(0, {0xff}, Reg::Dx, to); }
    void call(Reg to);
    void push(Reg reg);
    void pop(Reg reg);
    void leave() { byte(0xc3); } // returns

  private:
    // Prefixes that an instruction may need.
    static constexpr unsigned kWide = 1; // 64 bits
    static constexpr unsigned kHalf = 2; // 16 bits

    struct Opcode {
        std::uint8_t first;
        std::uint8_t second = 0; // after 0x0f
    };
    struct Use {
        std::size_t at; // of the four bytes that hold the distance
        Label label;
    };

    [[nodiscard]] static std::uint8_t opcode(Alu op, unsigned form) {
        return static_cast<std::uint8_t>(static_cast<unsigned>(op) * 8 + form);
    }
    void byte(unsigned value) { code_.push_back(static_cast<std::uint8_t>(value)); }
    void number(std::uint64_t value, int bytes);
    void prefixes(unsigned flags, unsigned reg, unsigned index, unsigned base);
    void memory(unsigned flags, Opcode opcode, Reg reg, const Mem& mem);
    void registers(unsigned flags, Opcode opcode, Reg reg, Reg rm);
    void immediate(unsigned flags, Alu op, Reg to, std::uint32_t value);
    void distance(Label to);

    std::vector<std::uint8_t> code_;
    std::vector<std::uint32_t> labels_;
    std::vector<Use> uses_;
};

} // namespace croupier::engine::native
