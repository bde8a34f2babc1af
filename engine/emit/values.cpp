// Values: codes and integers in registers, truths as jumps, any values in memory.
#include "engine/emit/values.h"

#include "engine/tree/layout.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace croupier::engine::emit {

namespace {

using ListForm = ir::CodeList::Form;

} // namespace

std::optional<std::int64_t> Values::known_integer(Id id) const {
    const Node& node = at(id);
    if (node.kind != Kind::Constant) {
        return std::nullopt;
    }
    if (node.type.kind == TypeKind::Int) {
        return node.number;
    }
    Value value;
    if (node.type.kind == TypeKind::Any) {
        value = module_.values[node.x];
    } else if (node.type.kind == TypeKind::Code && node.number != 0) {
        value = list(node.type.list).values[static_cast<std::size_t>(node.number - 1)];
    }
    return value.tag == Tag::Int ? std::optional(value.integer) : std::nullopt;
}

// It is surely an integer, or ends in an error.
bool Values::is_integer(Id id) const {
    const Node& node = at(id);
    if (known_integer(id) || node.type.kind == TypeKind::Int) {
        return true;
    }
    if (node.type.kind == TypeKind::Code) {
        const ListForm form = list(node.type.list).form;
        const bool numbers = form == ListForm::Range || form == ListForm::Numbers;
        return numbers && (is_sure(id) || node.kind == Kind::Given);
    }
    return false;
}

// Of a type Code. The register may be a variable's own: it is not to be changed.
x86::Gp Values::code_of(Id id, Gp into) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    const auto register_for_it = [&] { return into.isValid() ? into : new32(); };
    switch (node.kind) {
    case Kind::Constant: {
        const Gp made = register_for_it();
        code_.mov(made, node.number);
        return made;
    }
    case Kind::Variable:
        return reg(node.x);
    case Kind::Load:
        return loaded_code(node, register_for_it());
    case Kind::Table: {
        const Tables::Entries entries = tables_.entries(node.x, node.type);
        const Mem entry = in_table(entries.data, table_index(node), entries.width);
        const Gp made = register_for_it();
        code_.movzx(made, entry);
        return made;
    }
    case Kind::Given: {
        const Gp code = code_of(node.operands[0]);
        const Label none = aside([this, id] { // ends in its error
            spill(id);
            call(offsetof(Frame, evaluate), id);
            code_.jmp(thrown_);
        });
        code_.test(code, code);
        code_.jz(none);
        return code;
    }
    case Kind::Choose: {
        const Gp made = register_for_it();
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(made, code_of(node.operands[1]));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(made, code_of(node.operands[2]));
        code_.bind(end);
        return made;
    }
    case Kind::KeyCode:
        if (const auto made = numbered(node)) {
            return *made;
        }
        [[fallthrough]];
    default: {
        spill(id);
        call(offsetof(Frame, evaluate), id);
        const Gp made = register_for_it();
        code_.mov(made, in_frame(offsetof(Frame, result), 4));
        return made;
    }
    }
}

x86::Gp Values::loaded_code(const Node& node, const Gp& made) {
    const SchemaNode& known = schema(node.x);
    const bool all_sure = std::all_of(node.operands.begin(), node.operands.end(),
                                      [&](Id operand) { return is_sure(operand); });
    if (known.column == Column::None) { // there: true, which has code 2
        const Label absent = code_.newLabel();
        code_.xor_(made, made);
        jump_present(node, 0, false, absent);
        code_.mov(made, 2);
        code_.bind(absent);
        return made;
    }
    if (all_sure) {
        code_.movzx(made, leaf(node, 0, Label()));
        return made;
    }
    const Label none = code_.newLabel();
    code_.xor_(made, made);
    const Mem place = leaf(node, 0, none);
    code_.movzx(made, place);
    code_.bind(none);
    return made;
}

// Where a code lies that is always read from the same kind of place, and never from none: an
// instruction can read it there.
std::optional<x86::Mem> Values::code_in_memory(Id id) {
    const Node& node = at(id);
    if (node.kind != Kind::Load || node.type.kind != TypeKind::Code ||
        schema(node.x).column != Column::Code8 ||
        !std::all_of(node.operands.begin(), node.operands.end(),
                     [&](Id operand) { return is_sure(operand); })) {
        return std::nullopt;
    }
    CROUPIER_PROBE(emission_.write(id));
    return leaf(node, 0, Label());
}

x86::Gp Values::integer(Id id, Gp into) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    const Gp made = into.isValid() ? into : new64();
    if (const auto known = known_integer(id)) {
        code_.mov(made, asmjit::Imm(*known));
        return made;
    }
    if (node.type.kind == TypeKind::Code) {
        const ir::CodeList& codes = list(node.type.list);
        const Gp code = code_of(id).r64();
        const std::int64_t before = (codes.form == ListForm::Range ? codes.low : 0) - 1;
        if (before >= INT32_MIN && before <= INT32_MAX) {
            code_.lea(made, x86::ptr(code, static_cast<std::int32_t>(before)));
        } else {
            code_.mov(made, asmjit::Imm(before));
            code_.add(made, code);
        }
        return made;
    }
    switch (node.kind) {
    case Kind::Variable:
        if (!in_register(node.x)) {
            code_.mov(made, slot(node.x, 8));
            return made;
        }
        return reg(node.x);
    case Kind::Load: {
        const Label never = code_.newLabel();
        code_.mov(made, leaf(node, 0, never));
        code_.bind(never);
        return made;
    }
    case Kind::CountRows:
        return count_rows(node.operands[0]);
    case Kind::NumberAt:
        return number_at(node);
    case Kind::Whole:
        if (at(node.operands[0]).kind == Kind::Table &&
            at(node.operands[0]).type.kind == TypeKind::Any) {
            const Gp index = new64();
            code_.mov(index, table_index(at(node.operands[0])));
            const Gp base = code_.newIntPtr();
            const Value* const entries = tables_.values(at(node.operands[0]).x);
            code_.shl(index, 4);
            code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(entries)));
            code_.mov(made, x86::qword_ptr(base, index, 0, 8));
            return made;
        }
        return integer(node.operands[0]);
    case Kind::Choose: {
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        code_.mov(made, integer(node.operands[1]));
        code_.jmp(end);
        code_.bind(otherwise);
        code_.mov(made, integer(node.operands[2]));
        code_.bind(end);
        return made;
    }
    case Kind::Given:
        if (given(node, id, made)) {
            return made;
        }
        break;
    case Kind::Calculate:
        calculate(node, made, Label());
        return made;
    case Kind::Arithmetic: {
        const auto how = static_cast<ExprOp>(node.x);
        const bool simple = how != ExprOp::Floor && how != ExprOp::Round && how != ExprOp::Divide;
        if (simple && !draws(id) &&
            std::all_of(node.operands.begin(), node.operands.end(),
                        [&](Id operand) { return is_integer(operand); })) {
            calculate(node, made, failure(id));
            return made;
        }
        break;
    }
    default:
        break;
    }
    spill(id);
    call(offsetof(Frame, evaluate), id);
    code_.mov(made, in_frame(offsetof(Frame, result) + 8));
    return made;
}

// Truths as jumps.

namespace {

constexpr int kPresent = 2; // the code of what is there or not: true

// When two integers compare so; `reversed`: when they do not.
asmjit::x86::CondCode condition(ExprOp how, bool when) {
    using asmjit::x86::CondCode;
    CondCode code = CondCode::kEqual;
    switch (how) {
    case ExprOp::Equal:
        break;
    case ExprOp::NotEqual:
        code = CondCode::kNotEqual;
        break;
    case ExprOp::Less:
        code = CROUPIER_MISTAKE(LessWithoutSign) ? CondCode::kUnsignedLT : CondCode::kSignedLT;
        break;
    case ExprOp::LessEqual:
        code = CondCode::kSignedLE;
        break;
    case ExprOp::Greater:
        code = CondCode::kSignedGT;
        break;
    default:
        code = CondCode::kSignedGE;
        break;
    }
    return when ? code : asmjit::x86::negateCond(code);
}

} // namespace

void Values::jump(Id id, bool when, Label to) {
    const Node& node = at(id);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Constant:
        if ((node.number != 0) == when) {
            code_.jmp(to);
        }
        return;
    case Kind::Variable:
        if (in_register(node.x)) {
            code_.test(reg(node.x), reg(node.x));
            when ? code_.jnz(to) : code_.jz(to);
            return;
        }
        break;
    case Kind::Not:
        jump(node.operands[0], !when, to);
        return;
    case Kind::And:
    case Kind::Or: {
        // Both ways out on the first, or on the second alone.
        if ((node.kind == Kind::And) == when) {
            const Label end = code_.newLabel();
            jump(node.operands[0], !when, end);
            jump(node.operands[1], when, to);
            code_.bind(end);
        } else {
            jump(node.operands[0], when, to);
            jump(node.operands[1], when, to);
        }
        return;
    }
    case Kind::Present:
        jump_present(node, 0, when, to);
        return;
    case Kind::Has: {
        const Node& asked = at(node.operands[0]);
        if (asked.type.kind == TypeKind::Int || asked.type.kind == TypeKind::Truth) {
            if (when) {
                code_.jmp(to);
            }
            return;
        }
        if (asked.type.kind == TypeKind::Code && asked.kind != Kind::Load) {
            const Gp code = code_of(node.operands[0]);
            code_.test(code, code);
            when ? code_.jnz(to) : code_.jz(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Any) {
            code_.cmp(x86::byte_ptr(slots_, static_cast<std::int32_t>(asked.x * 16)), 0);
            when ? code_.jne(to) : code_.je(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Node) {
            code_.cmp(x86::dword_ptr(slots_, static_cast<std::int32_t>(asked.x * 16)), -1);
            when ? code_.jne(to) : code_.je(to);
            return;
        }
        if (asked.kind == Kind::Load) {
            jump_present(asked, 0, when, to);
            return;
        }
        break;
    }
    case Kind::Compare: {
        const Id a = node.operands[0];
        const Id b = node.operands[1];
        const bool codes = at(a).type.kind == TypeKind::Code && at(a).type == at(b).type &&
                           is_equality(static_cast<ExprOp>(node.x));
        if (codes || (is_integer(a) && is_integer(b))) {
            jump_compare(node, when, to);
            return;
        }
        break;
    }
    case Kind::AnyRow: {
        const Id set = node.operands[0];
        if (is_wide(at(set).type.list)) {
            jump_wide(set, when, to);
            return;
        }
        const Gp all = new64();
        for (std::uint32_t w = 0; w < words_of(set); ++w) {
            const Gp rows = word(set, w);
            w == 0 ? code_.mov(all, rows) : code_.or_(all, rows);
        }
        code_.test(all, all);
        when ? code_.jnz(to) : code_.jz(to);
        return;
    }
    case Kind::Table:
        jump_table(node, when, to);
        return;
    default:
        break;
    }
    spill(id);
    call(offsetof(Frame, evaluate), id);
    code_.cmp(in_frame(offsetof(Frame, result) + 8, 4), 0);
    when ? code_.jne(to) : code_.je(to);
}

void Values::jump_compare(const Node& node, bool when, Label to) {
    Id a = node.operands[0];
    Id b = node.operands[1];
    const auto how = static_cast<ExprOp>(node.x);
    if (at(a).type.kind != TypeKind::Code || !is_equality(how) || !(at(a).type == at(b).type)) {
        const auto known = known_integer(b);
        const Gp left = integer(a);
        if (known && *known >= INT32_MIN && *known <= INT32_MAX) {
            code_.cmp(left, asmjit::Imm(*known));
        } else {
            code_.cmp(left, integer(b));
        }
        code_.j(condition(how, when), to);
        return;
    }
    // None equals nothing, not even none.
    const bool equal = (how == ExprOp::Equal) == when; // jumps if they are equal
    if (at(b).kind == Kind::Constant && at(b).number != 0) {
        if (const auto place = code_in_memory(a)) {
            code_.cmp(*place, at(b).number);
            equal ? code_.je(to) : code_.jne(to);
            return;
        }
    } else if (at(a).kind == Kind::Load && at(b).kind == Kind::Variable) {
        std::swap(a, b); // the first is in a register
    }
    const Gp left = code_of(a);
    const Label unequal = equal ? code_.newLabel() : to;
    if (at(b).kind == Kind::Constant && at(b).number != 0) {
        code_.cmp(left, at(b).number);
    } else {
        if (!is_sure(a) && !is_sure(b)) {
            code_.test(left, left);
            code_.jz(unequal);
        }
        if (const auto place = code_in_memory(b)) {
            code_.cmp(left.r8(), *place);
        } else {
            code_.cmp(left, code_of(b));
        }
    }
    equal ? code_.je(to) : code_.jne(to);
    if (equal) {
        code_.bind(unequal);
    }
}

void Values::jump_table(const Node& node, bool when, Label to) {
    const ir::Entries& values = module_.tables[node.x].values;
    if (values.size() <= 64 && node.operands.size() == 1) {
        const std::uint64_t codes = codes_of(node);
        const Node& asked = at(node.operands[0]);
        if (asked.kind == Kind::Load && schema(asked.x).column == Column::None &&
            (codes >> kPresent & 1) != (codes & 1)) {
            jump_present(asked, 0, when == ((codes & 1) == 0), to);
            return;
        }
        if (std::has_single_bit(codes)) {
            const int only = std::countr_zero(codes);
            const auto place = code_in_memory(node.operands[0]);
            place ? code_.cmp(*place, only) : code_.cmp(code_of(node.operands[0]), only);
            when ? code_.je(to) : code_.jne(to);
            return;
        }
        const Gp table = new64();
        code_.mov(table, asmjit::Imm(codes));
        code_.bt(table, code_of(node.operands[0]).r64());
        when ? code_.jc(to) : code_.jnc(to);
        return;
    }
    const Tables::Entries entries = tables_.entries(node.x, node.type);
    const Gp index = table_index(node);
    code_.cmp(in_table(entries.data, index, 1), 0);
    when ? code_.jne(to) : code_.je(to);
}

// A bit for each code for which the table is true; it has few.
std::uint64_t Values::codes_of(const Node& table) const {
    const ir::Entries& values = module_.tables[table.x].values;
    std::uint64_t codes = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        codes |= std::uint64_t{values[i].truth()} << i;
    }
    return codes;
}

// Arithmetic of integers, and what the interpreter does where it ends in an error.

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

// Values on their way to variables.

// What such a leaf holds, to a variable of any value.
void Values::load_whole(VarId var, const Node& node) {
    const x86::Xmm whole = new_xmm();
    const Label none = code_.newLabel();
    code_.pxor(whole, whole); // no value, which is not there either
    Mem place = leaf(node, 0, none);
    place.setSize(16);
    code_.movups(whole, place);
    code_.bind(none);
    code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
}

// The variable gets the value, as its type holds it.
void Values::set_variable(VarId var, Id value) {
    const ir::Type& type = function_.vars[var].type;
    const Node& node = at(value);
    CROUPIER_PROBE(emission_.write(value));
    const auto low = x86::qword_ptr(slots_, static_cast<std::int32_t>(var * 16));
    switch (type.kind) {
    case TypeKind::Code:
        if (node.type == type) {
            const Gp code = code_of(value, reg(var));
            if (code != reg(var)) {
                code_.mov(reg(var), code);
            }
            return;
        }
        break;
    case TypeKind::Int:
        if (is_integer(value)) {
            const Gp whole = integer(value, reg(var));
            if (whole != reg(var)) {
                code_.mov(reg(var), whole);
            }
            return;
        }
        break;
    case TypeKind::Truth: {
        const Gp to = reg(var);
        const Label end = code_.newLabel();
        code_.xor_(to, to);
        jump(value, false, end);
        code_.mov(to, 1);
        code_.bind(end);
        return;
    }
    case TypeKind::Any: {
        if (node.kind == Kind::Variable && node.type.kind == TypeKind::Any) {
            const x86::Xmm whole = new_xmm();
            code_.movups(whole, x86::xmmword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)));
            code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
            return;
        }
        if (node.type.kind == TypeKind::Code) {
            const Gp index = new64();
            const Gp base = new64();
            code_.mov(index.r32(), code_of(value));
            code_.shl(index, 4);
            code_.mov(base,
                      asmjit::Imm(reinterpret_cast<std::uintptr_t>(tables_.list(node.type.list))));
            const x86::Xmm whole = new_xmm();
            code_.movups(whole, x86::xmmword_ptr(base, index));
            code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
            return;
        }
        if (is_integer(value)) {
            const Gp from = integer(value);
            code_.mov(slot(var, 8), from);
            code_.mov(low, static_cast<int>(Tag::Int));
            return;
        }
        if (node.kind == Kind::Load && schema(node.x).column == Column::Int) {
            const Gp from = new64();
            const Label end = code_.newLabel();
            code_.mov(low, static_cast<int>(Tag::None));
            jump_present(node, 0, false, end);
            code_.mov(from, leaf(node, 0, end));
            code_.mov(slot(var, 8), from);
            code_.mov(low, static_cast<int>(Tag::Int));
            code_.bind(end);
            return;
        }
        if (node.kind == Kind::Load && schema(node.x).column == Column::Value) {
            load_whole(var, node);
            return;
        }
        if (node.kind == Kind::Arithmetic && node.x == static_cast<std::uint32_t>(ExprOp::Divide) &&
            !draws(value) && is_integer(node.operands[0]) && is_integer(node.operands[1])) {
            divided(var, value);
            return;
        }
        break;
    }
    case TypeKind::Node:
        // The only instance of a declared node that has a place of its own in the block.
        if (node.kind == Kind::NodeAt && node.operands.empty() &&
            schema(node.x).column != Column::Arena) {
            const auto number = x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16));
            const Label end = code_.newLabel();
            code_.mov(low, static_cast<std::int32_t>(kNoSchema)); // and index 0
            code_.mov(x86::dword_ptr(slots_, static_cast<std::int32_t>(var * 16 + 4)), 0);
            jump_present(node, 0, false, end);
            code_.mov(number, node.x);
            code_.bind(end);
            return;
        }
        break;
    default:
        break;
    }
    spill(value);
    call(offsetof(Frame, evaluate), value);
    read_result(var);
}

// What `evaluate` has found, which is of the variable's type or to be any value.
void Values::read_result(VarId var) {
    const ir::Type& type = function_.vars[var].type;
    if (type.kind == TypeKind::Code) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result), 4));
    } else if (type.kind == TypeKind::Int) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result) + 8));
    } else if (type.kind == TypeKind::Truth) {
        code_.mov(reg(var), in_frame(offsetof(Frame, result) + 8, 4));
    } else {
        const x86::Xmm whole = new_xmm();
        code_.movups(whole, x86::Mem(frame_, offsetof(Frame, result), 16));
        code_.movups(x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16)), whole);
    }
}

} // namespace croupier::engine::emit
