// The instructions of a plan.
#pragma once

#include <cstdint>

namespace croupier::engine {

enum class OpCode : std::uint16_t {
#define OP(name, operands, meaning) name,
#include "engine/plan/opcodes.def"
#undef OP
};

inline constexpr std::uint16_t kNoRegister = 0xffff;
inline constexpr std::uint16_t kZeroRow = 0;   // the value register whose row is always 0
inline constexpr std::uint16_t kStateRoot = 0; // the node register of the state's root
inline constexpr std::uint32_t kNoTarget = 0xffffffff;

// Operands as opcodes.def names them. Ops on declared paths address a column at
// x + row(b) * s + row(c) * t, where row() is the hint of a value register; register 0 has row 0.
struct Op {
    OpCode code{};
    std::uint16_t a = kNoRegister;
    std::uint16_t b = kNoRegister;
    std::uint16_t c = kNoRegister;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t s = 0;
    std::uint32_t t = 0;
    std::uint32_t fail = kNoTarget;
    std::uint32_t note = 0; // place in the ruleset: index into Program::notes
};
static_assert(sizeof(Op) == 32);

} // namespace croupier::engine
