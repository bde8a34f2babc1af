// Values of expressions: codes and integers in registers, truths as jumps, sets of rows as words of
// 64 rows or in one register, any values in memory.
#pragma once

#include "engine/x86/context.h"

#include <cstdint>
#include <functional>

namespace croupier::engine::x86 {

// Word `w` of a set.
Gp word(Context& c, Id set, std::uint32_t w);
void map_rows(Context& c, const Node& node, std::size_t first, const Gp& rows, std::uint32_t w);
Gp population(Context& c, const Gp& rows);

// Sets of up to 512 rows in one register each, where the processor has AVX-512.
x86::Zmm wide(Context& c, Id set);
void wide_to(Context& c, const x86::Zmm& to, Id set);
[[nodiscard]] bool is_wide_bytes(const Context& c, Id set);
void each_wide_word(Context& c, Id set, Label none,
                    const std::function<void(std::uint32_t w, const x86::KReg& found)>& use);
void jump_wide(Context& c, Id set, bool when, Label to);
void set_wide(Context& c, VarId var, Id set);
void count_wide(Context& c, VarId var, const Gp& count);

// Sets that are kept, and their numbers of rows.
void make_rows(Context& c, const Node& let);
void set_rows(Context& c, VarId var, Id set);
void keep_rows(Context& c, Id set, Mem place);
Gp number_at(Context& c, const Node& node);
Gp count_rows(Context& c, Id set);
bool count_bytes(Context& c, const Node& rows, const Gp& count);

// Codes, integers, truths, and assignments to variables.
[[nodiscard]] bool is_integer(const Context& c, Id id);
Gp code_of(Context& c, Id id, Gp into = Gp());
Gp integer(Context& c, Id id, Gp into = Gp());
void jump(Context& c, Id truth, bool when, Label to);
// Sets `made` to what `side` writes for the operand that a Choose chooses.
template <class Side>
void choose(Context& c, const Node& node, const Gp& made, const Side& side) {
    const Label otherwise = c.out.newLabel();
    const Label end = c.out.newLabel();
    jump(c, node.operands[0], false, otherwise);
    c.out.mov(made, side(node.operands[1]));
    c.out.jmp(end);
    c.out.bind(otherwise);
    c.out.mov(made, side(node.operands[2]));
    c.out.bind(end);
}
[[nodiscard]] std::uint64_t codes_of(const Context& c, const Node& table);
[[nodiscard]] bool draws(const Context& c, Id id);
void set_variable(Context& c, VarId var, Id value);

} // namespace croupier::engine::x86
