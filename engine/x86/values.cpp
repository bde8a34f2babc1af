// Values: codes and integers in registers, truths as jumps, any values in memory.
#include "engine/x86/values.h"

#include "engine/state/layout.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace croupier::engine::x86 {

namespace {

using ListForm = form::CodeList::Form;

// Truths as jumps.

constexpr int kPresent = 2; // the code of true, where only presence is stored

// The condition for two integers to compare so, or not to if `when` is false.
asmjit::x86::CondCode condition(ExprOp how, bool when) {
    using asmjit::x86::CondCode;
    // In the order of the operators.
    static constexpr CondCode kCodes[] = {CondCode::kEqual,    CondCode::kNotEqual,
                                          CondCode::kSignedLT, CondCode::kSignedLE,
                                          CondCode::kSignedGT, CondCode::kSignedGE};
    const CondCode code =
        CROUPIER_MISTAKE(LessWithoutSign) && how == ExprOp::Less
            ? CondCode::kUnsignedLT
            : kCodes[static_cast<std::size_t>(how) - static_cast<std::size_t>(ExprOp::Equal)];
    return when ? code : asmjit::x86::negateCond(code);
}

std::optional<std::int64_t> known_integer(const Context& c, Id id) {
    const Node& node = c.at(id);
    if (node.kind != Kind::Constant) return std::nullopt;
    if (node.type.kind == TypeKind::Int) return node.literal();
    Value value;
    if (node.type.kind == TypeKind::Any)
        value = c.module.values[node.value()];
    else if (node.type.kind == TypeKind::Code && node.literal() != 0)
        value = c.list(node.type.list).values[static_cast<std::size_t>(node.literal() - 1)];
    return value.tag == Tag::Int ? std::optional(value.integer) : std::nullopt;
}

x86::Gp loaded_code(Context& c, const Node& node, const Gp& made) {
    const SchemaNode& known = c.schema(node.schema());
    const bool all_sure = std::all_of(node.operands.begin(), node.operands.end(),
                                      [&](Id operand) { return is_sure(c, operand); });
    if (known.column == Column::None) { // if present, true, which has code 2
        const Label absent = c.out.newLabel();
        c.out.xor_(made, made);
        jump_present(c, node, 0, false, absent);
        c.out.mov(made, 2);
        c.out.bind(absent);
        return made;
    }
    if (all_sure) {
        c.out.movzx(made, leaf(c, node, 0, Label()));
        return made;
    }
    const Label none = c.out.newLabel();
    c.out.xor_(made, made);
    const Mem place = leaf(c, node, 0, none);
    c.out.movzx(made, place);
    c.out.bind(none);
    return made;
}

// The place of a code that is one byte and always has a place, so that an instruction can read it
// there; nullopt for others.
std::optional<x86::Mem> code_in_memory(Context& c, Id id) {
    const Node& node = c.at(id);
    if (node.kind != Kind::Load || node.type.kind != TypeKind::Code ||
        c.schema(node.schema()).column != Column::Code8 ||
        !std::all_of(node.operands.begin(), node.operands.end(),
                     [&](Id operand) { return is_sure(c, operand); }))
        return std::nullopt;
    CROUPIER_PROBE(c.emission.write(id));
    return leaf(c, node, 0, Label());
}

void jump_compare(Context& c, const Node& node, bool when, Label to) {
    Id a = node.operands[0];
    Id b = node.operands[1];
    const auto how = node.op();
    if (c.at(a).type.kind != TypeKind::Code || !is_equality(how) ||
        !(c.at(a).type == c.at(b).type)) {
        const auto known = known_integer(c, b);
        const Gp left = integer(c, a);
        if (known && *known >= INT32_MIN && *known <= INT32_MAX)
            c.out.cmp(left, asmjit::Imm(*known));
        else
            c.out.cmp(left, integer(c, b));
        c.out.j(condition(how, when), to);
        return;
    }
    // None equals nothing, itself included.
    const bool equal = (how == ExprOp::Equal) == when; // jumps if they are equal
    if (c.at(b).kind == Kind::Constant && c.at(b).literal() != 0) {
        if (const auto place = code_in_memory(c, a)) {
            c.out.cmp(*place, c.at(b).literal());
            equal ? c.out.je(to) : c.out.jne(to);
            return;
        }
    } else if (c.at(a).kind == Kind::Load && c.at(b).kind == Kind::Variable) {
        std::swap(a, b); // the first is in a register
    }
    const Gp left = code_of(c, a);
    const Label unequal = equal ? c.out.newLabel() : to;
    if (c.at(b).kind == Kind::Constant && c.at(b).literal() != 0) {
        c.out.cmp(left, c.at(b).literal());
    } else {
        if (!is_sure(c, a) && !is_sure(c, b)) {
            c.out.test(left, left);
            c.out.jz(unequal);
        }
        if (const auto place = code_in_memory(c, b))
            c.out.cmp(left.r8(), *place);
        else
            c.out.cmp(left, code_of(c, b));
    }
    equal ? c.out.je(to) : c.out.jne(to);
    if (equal) c.out.bind(unequal);
}

void jump_table(Context& c, const Node& node, bool when, Label to) {
    const form::Entries& values = c.module.tables[node.table()].values;
    if (values.size() <= 64 && node.operands.size() == 1) {
        const std::uint64_t codes = codes_of(c, node);
        const Node& asked = c.at(node.operands[0]);
        if (asked.kind == Kind::Load && c.schema(asked.schema()).column == Column::None &&
            (codes >> kPresent & 1) != (codes & 1)) {
            jump_present(c, asked, 0, when == ((codes & 1) == 0), to);
            return;
        }
        if (std::has_single_bit(codes)) {
            const int only = std::countr_zero(codes);
            const auto place = code_in_memory(c, node.operands[0]);
            place ? c.out.cmp(*place, only) : c.out.cmp(code_of(c, node.operands[0]), only);
            when ? c.out.je(to) : c.out.jne(to);
            return;
        }
        const Gp table = c.new64();
        c.out.mov(table, asmjit::Imm(codes));
        c.out.bt(table, code_of(c, node.operands[0]).r64());
        when ? c.out.jc(to) : c.out.jnc(to);
        return;
    }
    const Tables::Entries entries = c.tables.entries(node.table(), node.type);
    const Gp index = table_index(c, node.table(), node.operands);
    c.out.cmp(in_table(c, entries.data, index, 1), 0);
    when ? c.out.jne(to) : c.out.je(to);
}

// The label of code in which the interpreter finds the error of the expression.
Label failure(Context& c, Id id) {
    return c.aside([&c, id] {
        evaluate(c, id);
        c.out.jmp(c.thrown);
    });
}

// Reads the integer of a Given, or ends in its error; false if it does not know how.
bool given(Context& c, const Node& node, Id id, const Gp& made) {
    const Node& read = c.at(node.operands[0]);
    if (read.kind == Kind::Load && c.schema(read.schema()).column == Column::Int) {
        const Label none = failure(c, id);
        if (read.type.kind != TypeKind::Int) // else it exists
            jump_present(c, read, 0, false, none);
        c.out.mov(made, leaf(c, read, 0, none));
        return true;
    }
    if (read.kind == Kind::Variable && !in_register(c, read.var())) {
        c.out.cmp(slot(c, read.var(), 0, 1), 0);
        c.out.je(failure(c, id));
        c.out.mov(made, slot(c, read.var(), 8));
        return true;
    }
    return false;
}

// Divides `made`, which becomes the remainder or the quotient. Jumps to `odd`, if valid, for
// results that are not computed here: by 0, and quotients that are not whole.
void divide(Context& c, const Gp& made, const Gp& by, Label odd, bool wants_rest) {
    const Gp rest = c.new64();
    const Label end = c.out.newLabel();
    const Label plain = c.out.newLabel();
    if (odd.isValid()) {
        c.out.test(by, by);
        c.out.jz(odd);
        c.out.cmp(by, -1); // INT64_MIN / -1 traps
        c.out.jne(plain);
        if (wants_rest) {
            c.out.xor_(made.r32(), made.r32());
        } else {
            c.out.neg(made);
            c.out.jo(odd);
        }
        c.out.jmp(end);
        c.out.bind(plain);
    }
    c.out.cqo(rest, made);
    c.out.idiv(rest, made, by);
    if (wants_rest) {
        c.out.mov(made, rest);
    } else {
        c.out.test(rest, rest);
        c.out.jnz(odd);
    }
    c.out.bind(end);
}

// Computes the operator's result for integers; jumps to `odd`, if valid, on an error.
void calculate(Context& c, const Node& node, const Gp& made, Label odd) {
    const auto how = node.op();
    c.out.mov(made, integer(c, node.operands[0]));
    const auto check = [&] {
        if (odd.isValid() && !CROUPIER_MISTAKE(SumsWrap)) c.out.jo(odd);
    };
    if (how == ExprOp::Negate) {
        c.out.neg(made);
        check();
    } else if (how == ExprOp::Abs) {
        const Gp other = c.new64();
        c.out.mov(other, made);
        c.out.neg(other);
        check();
        c.out.cmovns(made, other);
    }
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
        const auto known = known_integer(c, node.operands[i]);
        const bool small = known && *known >= INT32_MIN && *known <= INT32_MAX;
        if (how == ExprOp::Modulo) {
            divide(c, made, integer(c, node.operands[i]), odd, true);
        } else if (how == ExprOp::Min || how == ExprOp::Max) {
            const Gp other = integer(c, node.operands[i]);
            c.out.cmp(other, made);
            how == ExprOp::Min ? c.out.cmovl(made, other) : c.out.cmovg(made, other);
        } else {
            const asmjit::Operand other = small ? asmjit::Operand(asmjit::Imm(*known))
                                                : asmjit::Operand(integer(c, node.operands[i]));
            if (how != ExprOp::Multiply)
                c.out.emit(how == ExprOp::Add ? x86::Inst::kIdAdd : x86::Inst::kIdSub, made, other);
            else if (small)
                c.out.emit(x86::Inst::kIdImul, made, made, other);
            else
                c.out.emit(x86::Inst::kIdImul, made, other);
            check();
        }
    }
}

// Reads the result of `evaluate`, which has the variable's type or is any value.
void read_result(Context& c, VarId var) {
    const form::Type& type = c.function.vars[var].type;
    if (type.kind == TypeKind::Code) {
        c.out.mov(reg(c, var), c.in_frame(offsetof(Frame, result), 4));
    } else if (type.kind == TypeKind::Int) {
        c.out.mov(reg(c, var), c.in_frame(offsetof(Frame, result) + 8));
    } else if (type.kind == TypeKind::Truth) {
        c.out.mov(reg(c, var), c.in_frame(offsetof(Frame, result) + 8, 4));
    } else {
        copy_value(c, slot(c, var, 0, 16), c.in_frame(offsetof(Frame, result), 16));
    }
}

// Sets the variable to a quotient; if that is not whole, the interpreter does.
void divided(Context& c, VarId var, Id value) {
    const Label end = c.out.newLabel();
    const Label odd = c.aside([&c, var, value, end] {
        evaluate(c, value);
        read_result(c, var);
        c.out.jmp(end);
    });
    const Gp whole = c.new64();
    c.out.mov(whole, integer(c, c.at(value).operands[0]));
    divide(c, whole, integer(c, c.at(value).operands[1]), odd, false);
    c.out.mov(slot(c, var, 8), whole);
    c.out.mov(slot(c, var, 0, 8), static_cast<int>(Tag::Int));
    c.out.bind(end);
}

// The code of the member of a numbered domain that has the integer as its number.
std::optional<x86::Gp> numbered(Context& c, const Node& code) {
    const form::CodeList& members = c.list(code.type.list);
    const bool is_number = code.operands.size() == 1 && is_integer(c, code.operands[0]);
    const bool in_domain =
        members.form == form::CodeList::Form::Keys || members.form == form::CodeList::Form::Numbers;
    if (!is_number || !in_domain || !c.layout().domain(members.domain).numbered)
        return std::nullopt;
    const Gp whole = c.new64();
    const Gp none = c.new64();
    c.out.mov(whole, integer(c, code.operands[0]));
    c.out.xor_(none.r32(), none.r32());
    c.out.inc(whole);
    c.out.cmp(whole, asmjit::Imm(members.values.size()));
    CROUPIER_MISTAKE(NegativeIsMember) ? c.out.cmovg(whole, none)
                                       : c.out.cmova(whole, none); // also for negative numbers
    return whole.r32();
}

// Assignments to variables.

// Loads a leaf from a column of values into a variable of any value.
void load_whole(Context& c, VarId var, const Node& node) {
    const x86::Xmm whole = c.new_xmm();
    const Label none = c.out.newLabel();
    c.out.pxor(whole, whole); // zero means no value
    Mem place = leaf(c, node, 0, none);
    place.setSize(16);
    c.out.movups(whole, place);
    c.out.bind(none);
    c.out.movups(slot(c, var, 0, 16), whole);
}

} // namespace

// Whether it is always an integer, unless it ends in an error.
bool is_integer(const Context& c, Id id) {
    const Node& node = c.at(id);
    if (known_integer(c, id) || node.type.kind == TypeKind::Int) return true;
    if (node.type.kind == TypeKind::Code) {
        const ListForm form = c.list(node.type.list).form;
        const bool numbers = form == ListForm::Range || form == ListForm::Numbers;
        return numbers && (is_sure(c, id) || node.kind == Kind::Given);
    }
    return false;
}

// The value must be a Code. The register may be a variable's own and must not be changed.
x86::Gp code_of(Context& c, Id id, Gp into) {
    const Node& node = c.at(id);
    CROUPIER_PROBE(c.emission.write(id));
    const auto register_for_it = [&] { return into.isValid() ? into : c.new32(); };
    switch (node.kind) {
    case Kind::Constant: {
        const Gp made = register_for_it();
        c.out.mov(made, node.literal());
        return made;
    }
    case Kind::Variable:
        return reg(c, node.var());
    case Kind::Load:
        return loaded_code(c, node, register_for_it());
    case Kind::Table: {
        const Tables::Entries entries = c.tables.entries(node.table(), node.type);
        const Mem entry =
            in_table(c, entries.data, table_index(c, node.table(), node.operands), entries.width);
        const Gp made = register_for_it();
        c.out.movzx(made, entry);
        return made;
    }
    case Kind::Given: {
        const Gp code = code_of(c, node.operands[0]);
        const Label none = failure(c, id); // ends in its error
        c.out.test(code, code);
        c.out.jz(none);
        return code;
    }
    case Kind::Choose: {
        const Gp made = register_for_it();
        choose(c, node, made, [&](Id side) { return code_of(c, side); });
        return made;
    }
    case Kind::KeyCode:
        if (const auto made = numbered(c, node)) return *made;
        [[fallthrough]];
    default: {
        evaluate(c, id);
        const Gp made = register_for_it();
        c.out.mov(made, c.in_frame(offsetof(Frame, result), 4));
        return made;
    }
    }
}

x86::Gp integer(Context& c, Id id, Gp into) {
    const Node& node = c.at(id);
    CROUPIER_PROBE(c.emission.write(id));
    const Gp made = into.isValid() ? into : c.new64();
    if (const auto known = known_integer(c, id)) {
        c.out.mov(made, asmjit::Imm(*known));
        return made;
    }
    if (node.type.kind == TypeKind::Code) {
        const form::CodeList& codes = c.list(node.type.list);
        const Gp code = code_of(c, id).r64();
        const std::int64_t before = (codes.form == ListForm::Range ? codes.low : 0) - 1;
        if (before >= INT32_MIN && before <= INT32_MAX) {
            c.out.lea(made, x86::ptr(code, static_cast<std::int32_t>(before)));
        } else {
            c.out.mov(made, asmjit::Imm(before));
            c.out.add(made, code);
        }
        return made;
    }
    switch (node.kind) {
    case Kind::Variable:
        if (!in_register(c, node.var())) {
            c.out.mov(made, slot(c, node.var(), 8));
            return made;
        }
        return reg(c, node.var());
    case Kind::Load: {
        const Label never = c.out.newLabel();
        c.out.mov(made, leaf(c, node, 0, never));
        c.out.bind(never);
        return made;
    }
    case Kind::CountRows:
        return count_rows(c, node.operands[0]);
    case Kind::NumberAt:
        return number_at(c, node);
    case Kind::Whole:
        if (c.at(node.operands[0]).kind == Kind::Table &&
            c.at(node.operands[0]).type.kind == TypeKind::Any) {
            const Gp index = c.new64();
            const Node& table = c.at(node.operands[0]);
            c.out.mov(index, table_index(c, table.table(), table.operands));
            const Gp base = c.out.newIntPtr();
            const Value* const entries = c.tables.values(c.at(node.operands[0]).table());
            c.out.shl(index, 4);
            c.out.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(entries)));
            c.out.mov(made, x86::qword_ptr(base, index, 0, 8));
            return made;
        }
        return integer(c, node.operands[0]);
    case Kind::Choose:
        choose(c, node, made, [&](Id side) { return integer(c, side); });
        return made;
    case Kind::Given:
        if (given(c, node, id, made)) return made;
        break;
    case Kind::Calculate:
        calculate(c, node, made, Label());
        return made;
    case Kind::Arithmetic: {
        const auto how = node.op();
        const bool simple = how != ExprOp::Floor && how != ExprOp::Round && how != ExprOp::Divide;
        if (simple && !draws(c, id) &&
            std::all_of(node.operands.begin(), node.operands.end(),
                        [&](Id operand) { return is_integer(c, operand); })) {
            calculate(c, node, made, failure(c, id));
            return made;
        }
        break;
    }
    default:
        break;
    }
    evaluate(c, id);
    c.out.mov(made, c.in_frame(offsetof(Frame, result) + 8));
    return made;
}

void jump(Context& c, Id id, bool when, Label to) {
    const Node& node = c.at(id);
    CROUPIER_PROBE(c.emission.write(id));
    switch (node.kind) {
    case Kind::Constant:
        if ((node.literal() != 0) == when) c.out.jmp(to);
        return;
    case Kind::Variable:
        if (in_register(c, node.var())) {
            c.out.test(reg(c, node.var()), reg(c, node.var()));
            when ? c.out.jnz(to) : c.out.jz(to);
            return;
        }
        break;
    case Kind::Not:
        jump(c, node.operands[0], !when, to);
        return;
    case Kind::And:
    case Kind::Or: {
        // If both must agree, the first may skip the second; else each of them may jump.
        if ((node.kind == Kind::And) == when) {
            const Label end = c.out.newLabel();
            jump(c, node.operands[0], !when, end);
            jump(c, node.operands[1], when, to);
            c.out.bind(end);
        } else {
            jump(c, node.operands[0], when, to);
            jump(c, node.operands[1], when, to);
        }
        return;
    }
    case Kind::Present:
        jump_present(c, node, 0, when, to);
        return;
    case Kind::Has: {
        const Node& asked = c.at(node.operands[0]);
        if (asked.type.kind == TypeKind::Int || asked.type.kind == TypeKind::Truth) {
            if (when) c.out.jmp(to);
            return;
        }
        if (asked.type.kind == TypeKind::Code && asked.kind != Kind::Load) {
            const Gp code = code_of(c, node.operands[0]);
            c.out.test(code, code);
            when ? c.out.jnz(to) : c.out.jz(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Any) {
            c.out.cmp(slot(c, asked.var(), 0, 1), 0);
            when ? c.out.jne(to) : c.out.je(to);
            return;
        }
        if (asked.kind == Kind::Variable && asked.type.kind == TypeKind::Node) {
            c.out.cmp(slot(c, asked.var(), 0, 4), -1);
            when ? c.out.jne(to) : c.out.je(to);
            return;
        }
        if (asked.kind == Kind::Load) {
            jump_present(c, asked, 0, when, to);
            return;
        }
        break;
    }
    case Kind::Compare: {
        const Id a = node.operands[0];
        const Id b = node.operands[1];
        const bool codes = c.at(a).type.kind == TypeKind::Code && c.at(a).type == c.at(b).type &&
                           is_equality(node.op());
        if (codes || (is_integer(c, a) && is_integer(c, b))) {
            jump_compare(c, node, when, to);
            return;
        }
        break;
    }
    case Kind::AnyRow: {
        const Id set = node.operands[0];
        if (is_wide(c, c.at(set).type.list)) {
            jump_wide(c, set, when, to);
            return;
        }
        const Gp all = c.new64();
        for (std::uint32_t w = 0; w < words_of(c, set); ++w) {
            const Gp rows = word(c, set, w);
            w == 0 ? c.out.mov(all, rows) : c.out.or_(all, rows);
        }
        c.out.test(all, all);
        when ? c.out.jnz(to) : c.out.jz(to);
        return;
    }
    case Kind::Table:
        jump_table(c, node, when, to);
        return;
    default:
        break;
    }
    evaluate(c, id);
    c.out.cmp(c.in_frame(offsetof(Frame, result) + 8, 4), 0);
    when ? c.out.jne(to) : c.out.je(to);
}

// A bit for each code for which the table is true; it has at most 64 codes.
std::uint64_t codes_of(const Context& c, const Node& table) {
    const form::Entries& values = c.module.tables[table.table()].values;
    std::uint64_t codes = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        codes |= std::uint64_t{values[i].truth()} << i;
    return codes;
}

// Draws of random numbers, and assignments to variables.

// Whether it draws random numbers, so that it cannot be computed again.
bool draws(const Context& c, Id id) {
    bool found = false;
    for_each_node(c.function, id,
                  [&](Id each) { found = found || form::info_of(c.at(each).kind).has('D'); });
    return found;
}

// Sets the variable to the value, in the form that its type has.
void set_variable(Context& c, VarId var, Id value) {
    const form::Type& type = c.function.vars[var].type;
    const Node& node = c.at(value);
    CROUPIER_PROBE(c.emission.write(value));
    const auto low = slot(c, var, 0, 8);
    switch (type.kind) {
    case TypeKind::Code:
        if (node.type == type) {
            const Gp code = code_of(c, value, reg(c, var));
            if (code != reg(c, var)) c.out.mov(reg(c, var), code);
            return;
        }
        break;
    case TypeKind::Int:
        if (is_integer(c, value)) {
            const Gp whole = integer(c, value, reg(c, var));
            if (whole != reg(c, var)) c.out.mov(reg(c, var), whole);
            return;
        }
        break;
    case TypeKind::Truth: {
        const Gp to = reg(c, var);
        const Label end = c.out.newLabel();
        c.out.xor_(to, to);
        jump(c, value, false, end);
        c.out.mov(to, 1);
        c.out.bind(end);
        return;
    }
    case TypeKind::Any: {
        if (node.kind == Kind::Variable && node.type.kind == TypeKind::Any) {
            copy_value(c, slot(c, var, 0, 16), slot(c, node.var(), 0, 16));
            return;
        }
        if (node.type.kind == TypeKind::Code) {
            const Gp index = c.new64();
            const Gp base = c.new64();
            c.out.mov(index.r32(), code_of(c, value));
            c.out.shl(index, 4);
            c.out.mov(base,
                      asmjit::Imm(reinterpret_cast<std::uintptr_t>(c.tables.list(node.type.list))));
            copy_value(c, slot(c, var, 0, 16), x86::xmmword_ptr(base, index));
            return;
        }
        if (is_integer(c, value)) {
            const Gp from = integer(c, value);
            c.out.mov(slot(c, var, 8), from);
            c.out.mov(low, static_cast<int>(Tag::Int));
            return;
        }
        if (node.kind == Kind::Load && c.schema(node.schema()).column == Column::Int) {
            const Gp from = c.new64();
            const Label end = c.out.newLabel();
            c.out.mov(low, static_cast<int>(Tag::None));
            jump_present(c, node, 0, false, end);
            c.out.mov(from, leaf(c, node, 0, end));
            c.out.mov(slot(c, var, 8), from);
            c.out.mov(low, static_cast<int>(Tag::Int));
            c.out.bind(end);
            return;
        }
        if (node.kind == Kind::Load && c.schema(node.schema()).column == Column::Value) {
            load_whole(c, var, node);
            return;
        }
        if (node.kind == Kind::Arithmetic && node.op() == ExprOp::Divide && !draws(c, value) &&
            is_integer(c, node.operands[0]) && is_integer(c, node.operands[1])) {
            divided(c, var, value);
            return;
        }
        break;
    }
    case TypeKind::Node:
        // The only instance of a declared node that has a place of its own in the block.
        if (node.kind == Kind::NodeAt && node.operands.empty() &&
            c.schema(node.schema()).column != Column::Arena) {
            const auto number = slot(c, var, 0, 4);
            const Label end = c.out.newLabel();
            c.out.mov(low, static_cast<std::int32_t>(kNoSchema)); // and index 0
            c.out.mov(slot(c, var, 4, 4), 0);
            jump_present(c, node, 0, false, end);
            c.out.mov(number, node.schema());
            c.out.bind(end);
            return;
        }
        break;
    default:
        break;
    }
    evaluate(c, value);
    read_result(c, var);
}

} // namespace croupier::engine::x86
