// Tests of values and nodes.
#include "engine/native/translator.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace croupier::engine::native {

namespace {

constexpr auto kInt = static_cast<std::uint8_t>(Tag::Int);
constexpr auto kString = static_cast<std::uint8_t>(Tag::String);
static_assert(static_cast<std::uint8_t>(Tag::Key) == kString + 1, "texts are told by one test");

} // namespace

bool Translator::translate_test(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    switch (op.code) {
    case OpCode::Root:
        code_.load64(Reg::Dx, in_frame(offsetof(Frame, nodes)));
        code_.load64(Reg::Ax, {Reg::Dx, 0});
        code_.store64({Reg::Dx, static_cast<std::int32_t>(op.a * sizeof(NodeRef))}, Reg::Ax);
        return true;
    case OpCode::Each:
        test_apart(op);
        code_.jump(label(pc + 2));
        return true;
    case OpCode::Bind:
        return bind(pc);
    case OpCode::Same:
        if (program_.types[op.x].kind != TypePlan::Kind::Any) {
            return false;
        }
        compare_registers(pc, ExprOp::Equal, op.b, op.a);
        return true;
    case OpCode::Constant:
        compare_with(pc, ExprOp::Equal, op.a, program_.values[op.x]);
        return true;
    case OpCode::OneOf:
        return one_of(pc);
    case OpCode::Compare:
        return compare(pc, static_cast<ExprOp>(op.b), op.x);
    case OpCode::EqualExpr:
        return compare(pc, ExprOp::Equal, op.x);
    case OpCode::True:
        return test_truth(pc);
    case OpCode::Assign:
        return assign(pc);
    case OpCode::Read:
        return read_leaf(op);
    case OpCode::ReadCode:
        read_code(op);
        return true;
    case OpCode::ReadTable:
        read_table(op);
        return true;
    case OpCode::Exists:
    case OpCode::Missing:
        return test_presence(op);
    case OpCode::Has:
    case OpCode::HasNot:
        code_.alu8(Alu::Cmp, tag(op.a), 0);
        code_.jump(op.code == OpCode::Has ? If::Zero : If::NotZero, fail_of(op));
        return true;
    case OpCode::Row:
        find_row(pc);
        return true;
    case OpCode::CodeAny:
        code_.alu8(Alu::Cmp, addressed(op), 0);
        code_.jump(If::Zero, fail_of(op));
        return true;
    case OpCode::CodeNone:
        code_.alu8(Alu::Cmp, addressed(op), 0);
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::CodeIs:
        if (op.y > 0xff) {
            return false;
        }
        code_.alu8(Alu::Cmp, addressed(op), static_cast<std::uint8_t>(op.y));
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::CodeSame:
        code_.load8(Reg::Dx, addressed(op));
        code_.load16(Reg::Cx, row(op.a));
        code_.alu32(Alu::Add, Reg::Cx, 1);
        code_.alu32(Alu::Cmp, Reg::Dx, Reg::Cx);
        code_.jump(If::NotZero, fail_of(op));
        return true;
    case OpCode::BitSet:
    case OpCode::BitClear:
        test_bit(op);
        return true;
    default:
        return false;
    }
}

// ---- registers ---------------------------------------------------------------------------------

void Translator::copy_value(std::uint16_t to, std::uint16_t from) {
    code_.load_value(value(from));
    code_.store_value(value(to));
}

void Translator::set_value(std::uint16_t reg, Tag tag, Reg from) {
    code_.store64(value(reg), static_cast<std::int32_t>(tag));
    code_.store64(integer(reg), from);
}

void Translator::jump_if_no_text(std::uint16_t reg, Label to) {
    code_.load8(Reg::Ax, tag(reg));
    code_.alu32(Alu::Sub, Reg::Ax, kString);
    code_.alu32(Alu::Cmp, Reg::Ax, 1);
    code_.jump(If::Above, to);
}

void Translator::row_of_text(std::uint16_t reg, const DomainTable& domain, Label no_text,
                             Label no_member) {
    jump_if_no_text(reg, no_text);
    code_.load64(Reg::Ax, integer(reg));
    code_.alu64(Alu::Cmp, Reg::Ax, static_cast<std::int32_t>(domain.rows.size()));
    code_.jump(If::NotBelow, no_member);
    code_.set64(Reg::Dx, std::bit_cast<std::uint64_t>(domain.rows.data()));
    code_.load16(Reg::Cx, {Reg::Dx, 0, Reg::Ax, 2});
    code_.alu32(Alu::Cmp, Reg::Cx, kNoRow);
    code_.jump(If::Zero, no_member);
}

// Row and RowOr.
void Translator::find_row(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const Label search = aside([this, pc, &op] {
        row_of_text(op.b, program_.layout->domain(op.x), apart_aside(pc), fail_of(op));
        copy_value(op.a, op.b);
        code_.store16(row(op.a), Reg::Cx);
        code_.store32(domain(op.a), op.x);
        code_.jump(label(pc + 1));
    });
    code_.alu32(Alu::Cmp, domain(op.b), op.x);
    code_.jump(If::NotZero, search);
    copy_value(op.a, op.b);
}

bool Translator::bind(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const TypePlan& type = program_.types[op.x];
    switch (type.kind) {
    case TypePlan::Kind::Any:
        code_.alu8(Alu::Cmp, tag(op.b), 0);
        code_.jump(If::Zero, fail_of(op));
        break;
    case TypePlan::Kind::Int:
        code_.alu8(Alu::Cmp, tag(op.b), kInt);
        code_.jump(If::NotZero, apart_aside_if_some(pc, op.b));
        break;
    case TypePlan::Kind::Domain:
        if (program_.layout->domain(type.domain).numbered) {
            return false;
        }
        row_of_text(op.b, program_.layout->domain(type.domain), apart_aside_if_some(pc, op.b),
                    fail_of(op));
        break;
    default:
        return false;
    }
    copy_value(op.a, op.b);
    return true;
}

// ---- columns -----------------------------------------------------------------------------------

void Translator::read_code(const Op& op) {
    code_.load8(Reg::Ax, addressed(op));
    code_.shift_left32(Reg::Ax, 4);
    static_assert(sizeof(Value) == 1 << 4);
    code_.load_value(constant(op.y, Reg::Ax));
    code_.store_value(value(op.a));
}

void Translator::read_table(const Op& op) {
    const bool by_rows = offset_of_rows(op, sizeof(Value));
    code_.load_value(constant(op.x, by_rows ? Reg::Ax : Reg::Sp));
    code_.store_value(value(op.a));
}

bool Translator::read_leaf(const Op& op) {
    const auto leaf = leaf_at(op, op.y);
    if (!leaf || leaf->node->kind != ShapeKind::Int || !holds_integers(*leaf->node)) {
        return false;
    }
    load_rows(op, *leaf);
    const Label none = code_.new_label();
    const Label next = code_.new_label();
    load_leaf(Reg::Ax, *leaf, none);
    set_value(op.a, Tag::Int, Reg::Ax);
    code_.jump(next);
    code_.place(none);
    code_.store64(tag(op.a), 0);
    code_.store64(integer(op.a), 0);
    code_.place(next);
    return true;
}

// Of one node that is told by a bit or by its code.
bool Translator::test_presence(const Op& op) {
    const auto leaf = leaf_at(op, op.y);
    if (!leaf || leaf->by_rows) {
        return false;
    }
    test_presence(*leaf);
    code_.jump(op.code == OpCode::Exists ? If::Zero : If::NotZero, fail_of(op));
    return true;
}

void Translator::test_bit(const Op& op) {
    const bool set = op.code == OpCode::BitSet;
    if (op.c == kZeroRow) {
        const bool by_rows = op.b != kZeroRow && op.s != 0;
        if (by_rows) {
            scaled_row(Reg::Ax, op.b, op.s);
        }
        code_.test8(in_block(op.x + op.t / 8, by_rows ? Reg::Ax : Reg::Sp),
                    static_cast<std::uint8_t>(1u << (op.t % 8)));
        code_.jump(set ? If::Zero : If::NotZero, fail_of(op));
        return;
    }
    address_bit(op);
    code_.load8(Reg::Dx, in_block(op.x, Reg::Ax));
    code_.bit32(Reg::Dx, Reg::Cx);
    code_.jump(set ? If::NotBelow : If::Below, fail_of(op));
}

// ---- comparisons: numbers with numbers and texts with texts here, all others apart -------------

void Translator::compare_integer(Reg with, std::int64_t number) {
    if (number >= std::numeric_limits<std::int32_t>::min() &&
        number <= std::numeric_limits<std::int32_t>::max()) {
        code_.alu64(Alu::Cmp, with, static_cast<std::int32_t>(number));
        return;
    }
    code_.set64(Reg::Cx, static_cast<std::uint64_t>(number));
    code_.alu64(Alu::Cmp, with, Reg::Cx);
}

void Translator::compare_with(std::uint32_t pc, ExprOp how, std::uint16_t reg,
                              const Value& literal) {
    const Op& op = program_.code[pc];
    const bool truth = literal.tag == Tag::Bool && is_equality(how);
    if (literal.tag == Tag::Int || truth) {
        code_.alu8(Alu::Cmp, tag(reg), static_cast<std::uint8_t>(literal.tag));
        code_.jump(If::NotZero, apart_aside_if_some(pc, reg));
    } else if (literal.is_text() && is_equality(how)) {
        jump_if_no_text(reg, apart_aside_if_some(pc, reg));
    } else {
        test_apart(op);
        return;
    }
    code_.load64(Reg::Ax, integer(reg));
    compare_integer(Reg::Ax, literal.integer);
    code_.jump(!when(how), fail_of(op));
}

void Translator::compare_registers(std::uint32_t pc, ExprOp how, std::uint16_t found,
                                   std::uint16_t other) {
    const Op& op = program_.code[pc];
    const Label apart = apart_aside_if_some(pc, found);
    if (is_equality(how)) {
        compare_alike(found, other, apart);
    } else {
        code_.alu8(Alu::Cmp, tag(found), kInt);
        code_.jump(If::NotZero, apart);
        code_.alu8(Alu::Cmp, tag(other), kInt);
        code_.jump(If::NotZero, apart);
        code_.load64(Reg::Ax, integer(found));
        code_.alu64(Alu::Cmp, Reg::Ax, integer(other));
    }
    code_.jump(!when(how), fail_of(op));
}

bool Translator::compare(std::uint32_t pc, ExprOp how, ExprId with) {
    const Op& op = program_.code[pc];
    const ExprNode& expr = program_.exprs[with];
    if (expr.op == ExprOp::Literal) {
        compare_with(pc, how, op.a, expr.literal);
        return true;
    }
    if (expr.op == ExprOp::Variable) {
        compare_registers(pc, how, op.a, expr.reg);
        return true;
    }
    if (!is_integer(with, nullptr)) {
        return false;
    }
    const Label apart = apart_aside_if_some(pc, op.a);
    code_.alu8(Alu::Cmp, tag(op.a), kInt);
    code_.jump(If::NotZero, apart);
    evaluate(with, nullptr, apart);
    code_.load64(Reg::Cx, integer(op.a));
    code_.alu64(Alu::Cmp, Reg::Cx, Reg::Ax);
    code_.jump(!when(how), fail_of(op));
    return true;
}

// One of several texts, or one of several integers.
bool Translator::one_of(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const std::vector<ExprId>& list = program_.lists[op.x];
    const auto all = [&](auto&& is) {
        return std::all_of(list.begin(), list.end(), [&](ExprId id) {
            return program_.exprs[id].op == ExprOp::Literal && is(program_.exprs[id].literal);
        });
    };
    if (all([](const Value& each) { return each.is_text(); })) {
        jump_if_no_text(op.a, apart_aside_if_some(pc, op.a));
    } else if (all([](const Value& each) { return each.tag == Tag::Int; })) {
        code_.alu8(Alu::Cmp, tag(op.a), kInt);
        code_.jump(If::NotZero, apart_aside_if_some(pc, op.a));
    } else {
        return false;
    }
    code_.load64(Reg::Ax, integer(op.a));
    for (const ExprId id : list) {
        compare_integer(Reg::Ax, program_.exprs[id].literal.integer);
        code_.jump(If::Zero, label(pc + 1));
    }
    code_.jump(fail_of(op));
    return true;
}

// A truth over integers and texts.
bool Translator::test_truth(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    if (!is_truth(op.x, nullptr)) {
        return false;
    }
    jump_if(false, op.x, nullptr, fail_of(op), apart_aside(pc));
    return true;
}

} // namespace croupier::engine::native
