// Arithmetic of integers, and what the interpreter does where it ends in an error.
#include "engine/emit/values.h"

#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

// Chance is asked in it: it cannot be computed once more.
bool Values::draws(Id id) const {
    const Node& node = at(id);
    const auto in = [&](Id each) { return draws(each); };
    return ir::info_of(node.kind).has('D') ||
           std::any_of(node.operands.begin(), node.operands.end(), in) ||
           std::any_of(node.blocks.begin(), node.blocks.end(), [&](BlockId block) {
               const auto& statements = function_.blocks[block].statements;
               return std::any_of(statements.begin(), statements.end(), in);
           });
}

// Where the interpreter finds the error in which the expression ends.
Label Values::failure(Id id) {
    return aside([this, id] {
        spill(id);
        call(offsetof(Frame, evaluate), id);
        code_.jmp(thrown_);
    });
}

// The integer that is read, if there is one; false if it is not known how.
bool Values::given(const Node& node, Id id, const Gp& made) {
    const Node& read = at(node.operands[0]);
    if (read.kind == Kind::Load && schema(read.x).column == Column::Int) {
        const Label none = failure(id);
        if (read.type.kind != TypeKind::Int) { // else it is there
            jump_present(read, 0, false, none);
        }
        code_.mov(made, leaf(read, 0, none));
        return true;
    }
    if (read.kind == Kind::Variable && !in_register(read.x)) {
        code_.cmp(x86::byte_ptr(slots_, static_cast<std::int32_t>(read.x * 16)), 0);
        code_.je(failure(id));
        code_.mov(made, slot(read.x, 8));
        return true;
    }
    return false;
}

// What the operator makes of integers; `odd`, if it is one, where that is an error.
void Values::calculate(const Node& node, const Gp& made, Label odd) {
    const auto how = static_cast<ExprOp>(node.x);
    code_.mov(made, integer(node.operands[0]));
    const auto check = [&] {
        if (odd.isValid() && !CROUPIER_MISTAKE(SumsWrap)) {
            code_.jo(odd);
        }
    };
    if (how == ExprOp::Negate) {
        code_.neg(made);
        check();
    } else if (how == ExprOp::Abs) {
        const Gp other = new64();
        code_.mov(other, made);
        code_.neg(other);
        check();
        code_.cmovns(made, other);
    }
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        const auto known = known_integer(node.operands[i]);
        const bool small = known && *known >= INT32_MIN && *known <= INT32_MAX;
        if (how == ExprOp::Modulo) {
            divide(made, integer(node.operands[i]), odd, true);
        } else if (small && how == ExprOp::Add) {
            code_.add(made, asmjit::Imm(*known));
            check();
        } else if (small && how == ExprOp::Subtract) {
            code_.sub(made, asmjit::Imm(*known));
            check();
        } else if (small && how == ExprOp::Multiply) {
            code_.imul(made, made, asmjit::Imm(*known));
            check();
        } else {
            const Gp other = integer(node.operands[i]);
            if (how == ExprOp::Add) {
                code_.add(made, other);
                check();
            } else if (how == ExprOp::Subtract) {
                code_.sub(made, other);
                check();
            } else if (how == ExprOp::Multiply) {
                code_.imul(made, other);
                check();
            } else {
                code_.cmp(other, made);
                how == ExprOp::Min ? code_.cmovl(made, other) : code_.cmovg(made, other);
            }
        }
    }
}

// Divides `made`, which becomes the rest, or the quotient; `odd`, if it is one, where that is not
// known here: by 0, and of what is not whole.
void Values::divide(const Gp& made, const Gp& by, Label odd, bool wants_rest) {
    const Gp rest = new64();
    const Label end = code_.newLabel();
    const Label plain = code_.newLabel();
    if (odd.isValid()) {
        code_.test(by, by);
        code_.jz(odd);
        code_.cmp(by, -1); // the least integer by it is a fault of the machine
        code_.jne(plain);
        if (wants_rest) {
            code_.xor_(made.r32(), made.r32());
        } else {
            code_.neg(made);
            code_.jo(odd);
        }
        code_.jmp(end);
        code_.bind(plain);
    }
    code_.cqo(rest, made);
    code_.idiv(rest, made, by);
    if (wants_rest) {
        code_.mov(made, rest);
    } else {
        code_.test(rest, rest);
        code_.jnz(odd);
    }
    code_.bind(end);
}

// What a division makes: where it is not whole, the interpreter does.
void Values::divided(VarId var, Id value) {
    const Label end = code_.newLabel();
    const Label odd = aside([this, var, value, end] {
        spill(value);
        call(offsetof(Frame, evaluate), value);
        read_result(var);
        code_.jmp(end);
    });
    const Gp whole = new64();
    code_.mov(whole, integer(at(value).operands[0]));
    divide(whole, integer(at(value).operands[1]), odd, false);
    code_.mov(slot(var, 8), whole);
    code_.mov(x86::qword_ptr(slots_, static_cast<std::int32_t>(var * 16)),
              static_cast<int>(Tag::Int));
    code_.bind(end);
}

// The member of a numbered domain whose number an integer is.
std::optional<x86::Gp> Values::numbered(const Node& code) {
    const ir::CodeList& members = list(code.type.list);
    const bool is_number = code.operands.size() == 1 && is_integer(code.operands[0]);
    const bool in_domain =
        members.form == ir::CodeList::Form::Keys || members.form == ir::CodeList::Form::Numbers;
    if (!is_number || !in_domain || !module_.catalogue->layout->domain(members.domain).numbered) {
        return std::nullopt;
    }
    const Gp whole = new64();
    const Gp none = new64();
    code_.mov(whole, integer(code.operands[0]));
    code_.xor_(none.r32(), none.r32());
    code_.inc(whole);
    code_.cmp(whole, asmjit::Imm(members.values.size()));
    CROUPIER_MISTAKE(NegativeIsMember) ? code_.cmovg(whole, none)
                                       : code_.cmova(whole, none); // also of what is below 0
    return whole.r32();
}

} // namespace croupier::engine::emit
