// The bytes of instructions, as GNU as 2.40 writes them or objdump reads them.
#include "engine/native/assembler.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::engine::native {
namespace {

template <typename Write>
std::string bytes_of(Write write) {
    Assembler code;
    write(code);
    std::string text;
    for (const std::uint8_t byte : code.finish()) {
        constexpr char kDigits[] = "0123456789abcdef";
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

using A = Assembler;

TEST(assembler, places_in_memory) {
    // movzx eax, byte ptr [r12+200]
    EXPECT_EQ(bytes_of([](A& a) { a.load8(Reg::Ax, {Reg::R12, 200}); }), "410fb68424c8000000");
    // movzx ecx, byte ptr [rbp]: without an offset Bp would mean something else
    EXPECT_EQ(bytes_of([](A& a) { a.load8(Reg::Cx, {Reg::Bp}); }), "0fb64d00");
    EXPECT_EQ(bytes_of([](A& a) { a.load64(Reg::Ax, {Reg::R13}); }), "498b4500");
    EXPECT_EQ(bytes_of([](A& a) { a.load64(Reg::Bp, {Reg::R12, 56, Reg::Ax}); }), "498b6c0438");
    // mov rcx, [rdx+rcx*8-8]
    EXPECT_EQ(bytes_of([](A& a) { a.load64(Reg::Cx, {Reg::Dx, -8, Reg::Cx, 8}); }), "488b4ccaf8");
    EXPECT_EQ(bytes_of([](A& a) { a.store16({Reg::Sp}, std::uint16_t{513}); }), "66c704240102");
    // movzx r10d, byte ptr [r13+r9*4]
    EXPECT_EQ(bytes_of([](A& a) { a.load8(Reg::R10, {Reg::R13, 0, Reg::R9, 4}); }), "470fb6548d00");
    EXPECT_EQ(bytes_of([](A& a) { a.call(Mem{Reg::Ax, 696}); }), "ff90b8020000");
}

TEST(assembler, moves) {
    EXPECT_EQ(bytes_of([](A& a) { a.load16(Reg::Dx, {Reg::R13, 18}); }), "410fb75512");
    EXPECT_EQ(bytes_of([](A& a) { a.load32(Reg::Ax, {Reg::Bx, 4}); }), "8b4304");
    EXPECT_EQ(bytes_of([](A& a) {
                  a.store16({Reg::R12, 1192, Reg::Cx, 2}, Reg::Dx);
              }),
              "664189944ca8040000");
    EXPECT_EQ(bytes_of([](A& a) { a.store8({Reg::R12, 1}, std::uint8_t{7}); }), "41c644240107");
    EXPECT_EQ(bytes_of([](A& a) { a.store32({Reg::Bx, 120}, 5u); }), "c7437805000000");
    EXPECT_EQ(bytes_of([](A& a) { a.store64({Reg::R13, 16}, 3); }), "49c7451003000000");
    EXPECT_EQ(bytes_of([](A& a) { a.load_value({Reg::R14, 160, Reg::Ax}); }), "410f108406a0000000");
    EXPECT_EQ(bytes_of([](A& a) { a.store_value({Reg::R13, 32}); }), "410f114520");
    EXPECT_EQ(bytes_of([](A& a) { a.address(Reg::Ax, {Reg::Si, -1}); }), "488d46ff");
    EXPECT_EQ(bytes_of([](A& a) { a.move(Reg::Di, Reg::Bx); }), "488bfb");
    EXPECT_EQ(bytes_of([](A& a) { a.set32(Reg::Ax, 0); }), "33c0");
    EXPECT_EQ(bytes_of([](A& a) { a.set64(Reg::R14, 0x12345678); }), "41be78563412");
    EXPECT_EQ(bytes_of([](A& a) { a.set64(Reg::R15, 0x123456789abcdef); }), "49bfefcdab8967452301");
    EXPECT_EQ(bytes_of([](A& a) { a.push(Reg::R12); }), "4154");
    EXPECT_EQ(bytes_of([](A& a) { a.pop(Reg::R12); }), "415c");
}

TEST(assembler, arithmetic) {
    EXPECT_EQ(bytes_of([](A& a) {
                  a.alu8(Alu::Cmp, {Reg::R12, 44}, std::uint8_t{2});
              }),
              "41807c242c02");
    EXPECT_EQ(bytes_of([](A& a) {
                  a.alu16(Alu::Cmp, {Reg::R12, 1192, Reg::Ax, 2}, 300);
              }),
              "664181bc44a80400002c01");
    EXPECT_EQ(bytes_of([](A& a) { a.alu32(Alu::Cmp, {Reg::R13, 4}, 9u); }), "41817d0409000000");
    EXPECT_EQ(bytes_of([](A& a) { a.alu32(Alu::Add, Reg::Cx, 1u); }), "83c101");
    EXPECT_EQ(bytes_of([](A& a) { a.alu64(Alu::Cmp, Reg::Ax, 1000); }), "4881f8e8030000");
    EXPECT_EQ(bytes_of([](A& a) { a.alu64(Alu::Sub, Reg::R8, Reg::R9); }), "4d2bc1");
    // and rbp, [r15+rax*8+4096]; or [r12+216], rbp
    EXPECT_EQ(bytes_of([](A& a) {
                  a.alu64(Alu::And, Reg::Bp, {Reg::R15, 4096, Reg::Ax, 8});
              }),
              "4923acc700100000");
    EXPECT_EQ(bytes_of([](A& a) {
                  a.alu64(Alu::Or, {Reg::R12, 216}, Reg::Bp);
              }),
              "4909ac24d8000000");
    EXPECT_EQ(bytes_of([](A& a) { a.alu8(Alu::Cmp, Reg::Ax, {Reg::R12, 9}); }), "413a442409");
    EXPECT_EQ(bytes_of([](A& a) {
                  a.alu8(Alu::Or, {Reg::R12, 64, Reg::Ax}, Reg::Dx);
              }),
              "4108540440");
    EXPECT_EQ(bytes_of([](A& a) { a.test8({Reg::R12, 448}, 1); }), "41f68424c001000001");
    EXPECT_EQ(bytes_of([](A& a) { a.test64(Reg::Bp, Reg::Bp); }), "4885ed");
    EXPECT_EQ(bytes_of([](A& a) { a.increment64({Reg::Bx, 72}); }), "48ff4348");
    EXPECT_EQ(bytes_of([](A& a) { a.increment16({Reg::R13, 2}); }), "6641ff4502");
    EXPECT_EQ(bytes_of([](A& a) { a.multiply32(Reg::Ax, Reg::Ax, 24); }), "69c018000000");
    EXPECT_EQ(bytes_of([](A& a) { a.multiply64(Reg::Ax, Reg::Cx); }), "480fafc1");
    EXPECT_EQ(bytes_of([](A& a) { a.not64(Reg::Dx); }), "48f7d2");
    EXPECT_EQ(bytes_of([](A& a) { a.negate64(Reg::Ax); }), "48f7d8");
    EXPECT_EQ(bytes_of([](A& a) { a.divide64(Reg::Cx); }), "489948f7f9");
    EXPECT_EQ(bytes_of([](A& a) { a.divide64(Reg::R9); }), "489949f7f9");
}

TEST(assembler, bits) {
    EXPECT_EQ(bytes_of([](A& a) { a.shift_left32(Reg::Ax, 4); }), "c1e004");
    EXPECT_EQ(bytes_of([](A& a) { a.shift_right32(Reg::Ax, 3); }), "c1e803");
    EXPECT_EQ(bytes_of([](A& a) { a.shift_left32_by_cx(Reg::Dx); }), "d3e2");
    EXPECT_EQ(bytes_of([](A& a) { a.bit64(Reg::Dx, Reg::Cx); }), "480fa3ca");
    EXPECT_EQ(bytes_of([](A& a) { a.bit32(Reg::Dx, Reg::Cx); }), "0fa3ca");
    EXPECT_EQ(bytes_of([](A& a) { a.set_bit64(Reg::Dx, Reg::Cx); }), "480fabca");
    EXPECT_EQ(bytes_of([](A& a) { a.first_bit64(Reg::Cx, Reg::Si); }), "480fbcce");
    EXPECT_EQ(bytes_of([](A& a) { a.count_bits64(Reg::Ax, Reg::Bp); }), "f3480fb8c5");
}

TEST(assembler, jumps_lead_forward_and_back) {
    const std::string bytes = bytes_of([](A& a) {
        const Label begin = a.new_label();
        const Label end = a.new_label();
        a.place(begin);
        a.jump(If::Zero, end); // 6 bytes
        a.jump(begin);         // 5 bytes: 11 back
        a.place(end);
        a.call(begin); // 5 bytes: 16 back
        a.leave();
    });
    EXPECT_EQ(bytes, "0f8405000000"
                     "e9f5ffffff"
                     "e8f0ffffff"
                     "c3");
    EXPECT_EQ(bytes_of([](A& a) { a.jump(Reg::Ax); }), "ffe0");
    EXPECT_EQ(bytes_of([](A& a) { a.call(Reg::Si); }), "ffd6");
    EXPECT_EQ(!If::Zero, If::NotZero);
    EXPECT_EQ(!If::Below, If::NotBelow);
}

} // namespace
} // namespace croupier::engine::native
