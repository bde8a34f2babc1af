// Matches between a search and the actions: in registers, or waiting in the buffer.
#include "engine/emit/matches.h"

namespace croupier::engine::emit {

// Matches wait in the buffer, a word for a code, an integer or a truth, two for any other value.
std::uint32_t Matches::width_of_match(const Node& apply, Copies which) const {
    std::uint32_t width = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(apply.number); ++i) {
        if (which == Copies::All || read_[apply.y + i]) {
            width += in_register(apply.y + i) ? 1 : 2;
        }
    }
    return width;
}

// The match goes to the buffer at `top`, which moves on.
void Matches::put_in_buffer(const Node& apply, const Node& yield, const Gp& top,
                            std::uint32_t width, Copies which) {
    const Label fits = code_.newLabel();
    const Gp needed = new64();
    code_.lea(needed, x86::ptr(top, static_cast<std::int32_t>(width)));
    code_.cmp(needed, in_frame(offsetof(Frame, buffer_size)));
    code_.jbe(fits);
    call(offsetof(Frame, grow), width);
    code_.bind(fits);
    set_match(apply, yield, which);
    const Gp place = new64();
    code_.mov(place, in_frame(offsetof(Frame, buffer)));
    code_.lea(place, x86::ptr(place, top, 3));
    copy_match(apply, place, true, which);
    code_.mov(top, needed);
}

void Matches::set_match(const Node& apply, const Node& yield, Copies which) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        if (which == Copies::All || read_[apply.y + i] ||
            at(yield.operands[i]).kind != Kind::Variable) {
            set_variable(apply.y + i, yield.operands[i]);
        }
    }
}

// The same where the action follows before the search goes on: it reads the variables of the search
// where these are.
void Matches::keep_match(const Node& apply, const Node& yield) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const VarId var = apply.y + i;
        const Node& given = at(yield.operands[i]);
        const bool is_there = given.kind == Kind::Variable && in_register(var) &&
                              registers_[given.x] && !registers_[var] &&
                              given.type == function_.vars[var].type &&
                              given.type == function_.vars[given.x].type;
        if (is_there && read_[var]) {
            registers_[var] = registers_[given.x];
        } else if (read_[var] || given.kind != Kind::Variable) {
            set_variable(var, yield.operands[i]);
        }
    }
}

// Between the variables of the rule's action and a place where the match is kept: only those that
// the action reads have room there, or all have, since by them matches are told apart.
void Matches::copy_match(const Node& apply, const Gp& place, bool to_buffer, Copies which) {
    std::int32_t offset = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(apply.number); ++i) {
        const VarId var = apply.y + i;
        if (!read_[var] && (which == Copies::Read || !to_buffer)) {
            offset += which == Copies::Read ? 0 : in_register(var) ? 8 : 16;
            continue;
        }
        if (in_register(var)) {
            const bool wide = function_.vars[var].type.kind == TypeKind::Int;
            if (which == Copies::All && to_buffer && !wide) { // whole words are compared
                const Gp whole = new64();
                code_.mov(whole.r32(), reg(var));
                code_.mov(x86::Mem(place, offset, 8), whole);
                offset += 8;
                continue;
            }
            const Mem word = x86::Mem(place, offset, wide ? 8 : 4);
            to_buffer ? code_.mov(word, reg(var)) : code_.mov(reg(var), word);
            offset += 8;
            continue;
        }
        const x86::Xmm whole = new_xmm();
        const Mem word = x86::Mem(place, offset, 16);
        const Mem slot = x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16));
        code_.movups(whole, to_buffer ? slot : word);
        code_.movups(to_buffer ? word : slot, whole);
        offset += 16;
    }
}

} // namespace croupier::engine::emit
