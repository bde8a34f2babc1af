// Changes of the state at declared places; what needs more than that is done apart.
#include "engine/native/translator.h"
#include "engine/plan/planted.h"

#include <limits>

namespace croupier::engine::native {

namespace {

// Bytes that are cleared one store after the other.
constexpr std::uint32_t kFewBytes = 64;

} // namespace

bool Translator::translate_action(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    switch (op.code) {
    case OpCode::EnsureBit:
        ensure_bit(pc, false);
        return true;
    case OpCode::EnsureBitIn:
        ensure_bit(pc, true);
        return true;
    case OpCode::SetCode:
    case OpCode::SetCodeRow:
        return set_code(pc, false);
    case OpCode::SetCodeIn:
    case OpCode::SetCodeRowIn:
        return set_code(pc, true);
    case OpCode::SetAtIn:
        return set_leaf(pc);
    case OpCode::RemoveAt:
        return remove(op);
    case OpCode::RemoveBit:
        change_bit(op, false);
        return true;
    case OpCode::RowOr:
        find_row(pc);
        return true;
    default:
        return false;
    }
}

// ---- bits --------------------------------------------------------------------------------------

// Ax is what rows add to the byte at x, and Cx the bit's number there.
void Translator::address_bit(const Op& op) {
    code_.load16(Reg::Dx, row(op.c));
    if (op.t != 0) {
        code_.alu32(Alu::Add, Reg::Dx, op.t);
    }
    code_.address(Reg::Ax, {Reg::Dx, 0});
    code_.shift_right32(Reg::Ax, 3);
    if (op.b != kZeroRow && op.s != 0) {
        scaled_row(Reg::Cx, op.b, op.s);
        code_.alu32(Alu::Add, Reg::Ax, Reg::Cx);
    }
    code_.address(Reg::Cx, {Reg::Dx, 0});
    code_.alu32(Alu::And, Reg::Cx, 7);
}

void Translator::change_bit(const Op& op, bool set) {
    if (op.c == kZeroRow && (op.b == kZeroRow || op.s == 0)) {
        const auto bit = static_cast<std::uint8_t>(1u << (op.t % 8));
        const Mem place = in_block(op.x + op.t / 8);
        code_.alu8(set ? Alu::Or : Alu::And, place,
                   set ? bit : static_cast<std::uint8_t>(~unsigned{bit}));
        return;
    }
    address_bit(op);
    code_.set32(Reg::Dx, 1);
    code_.shift_left32_by_cx(Reg::Dx);
    if (!set) {
        code_.not64(Reg::Dx);
    }
    code_.alu8(set ? Alu::Or : Alu::And, in_block(op.x, Reg::Ax), Reg::Dx);
}

void Translator::ensure_bit(std::uint32_t pc, bool hangs) {
    const Op& op = program_.code[pc];
    const SchemaNode& node = program_.layout->node(op.a);
    const bool listed = node.above_order != kNoOffset;
    const bool fixed = op.c == kZeroRow && (op.b == kZeroRow || op.s == 0);
    if (hangs && !listed) {
        change_bit(op, true);
        return;
    }
    if (!fixed) {
        address_bit(op);
        code_.load8(Reg::Dx, in_block(op.x, Reg::Ax));
        code_.bit32(Reg::Dx, Reg::Cx);
        code_.jump(If::NotBelow, apart_aside(pc));
        return;
    }
    const std::uint32_t outer = (op.x - node.presence) / 8 / node.words;
    const Leaf leaf{&node, outer * node.group + op.t, false};
    if (hangs) {
        make_present(leaf);
    } else {
        test_presence(leaf);
        code_.jump(If::Zero, apart_aside(pc));
    }
}

// ---- leaves ------------------------------------------------------------------------------------

// A byte that is set to a code, or to that of the row of a register.
bool Translator::set_code(std::uint32_t pc, bool hangs) {
    const Op& op = program_.code[pc];
    const SchemaNode& node = program_.layout->node(op.a);
    const bool of_row = op.code == OpCode::SetCodeRow || op.code == OpCode::SetCodeRowIn;
    const Leaf leaf{&node, op.x - node.values, by_rows(op)};
    load_rows(op, leaf);
    if (of_row) {
        code_.load16(Reg::Ax, row(static_cast<std::uint16_t>(op.y)));
        code_.alu32(Alu::Add, Reg::Ax, 1);
    } else {
        code_.set32(Reg::Ax, op.y);
    }
    if (hangs) {
        store_leaf(leaf);
        return true;
    }
    code_.alu8(Alu::Cmp, place_of(leaf), 0);
    code_.jump(If::Zero, apart_aside(pc));
    code_.store8(place_of(leaf), Reg::Ax);
    return true;
}

// An integer, reckoned from integers.
bool Translator::set_leaf(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    const auto leaf = leaf_at(op, op.a);
    if (!leaf) {
        return false;
    }
    if (!holds_integers(*leaf->node)) {
        return set_member(pc, *leaf);
    }
    if (!is_integer(op.y, &*leaf)) {
        return false;
    }
    const SchemaNode& node = *leaf->node;
    const Label other = apart_aside(pc);
    load_rows(op, *leaf);
    evaluate(op.y, &*leaf, other);
    if (node.column == Column::Int) {
        if (node.low != std::numeric_limits<std::int64_t>::min()) {
            compare_integer(Reg::Ax, node.low);
            if (!CROUPIER_PLANTED(LowEndUnchecked)) {
                code_.jump(If::Less, other);
            }
        }
        if (node.high != std::numeric_limits<std::int64_t>::max()) {
            compare_integer(Reg::Ax, node.high);
            code_.jump(If::Greater, other);
        }
    } else {
        const std::int64_t last = node.kind == ShapeKind::Member
                                      ? program_.layout->domain(node.domain).size() - 1
                                      : node.high - node.low;
        code_.alu64(Alu::Sub, Reg::Ax, static_cast<std::int32_t>(low_of(node)));
        compare_integer(Reg::Ax, last);
        code_.jump(If::Above, other);
        code_.alu32(Alu::Add, Reg::Ax, 1);
    }
    store_leaf(*leaf);
    return true;
}

// A member of a domain of texts: one that a register holds, or a constant, or chosen from such.
bool Translator::set_member(std::uint32_t pc, const Leaf& leaf) {
    const Op& op = program_.code[pc];
    if (!is_member(op.y, *leaf.node)) {
        return false;
    }
    code_of_member(op.y, *leaf.node, apart_aside(pc));
    load_rows(op, leaf);
    code_.move(Reg::Ax, Reg::R8);
    store_leaf(leaf);
    return true;
}

bool Translator::is_member(ExprId expr, const SchemaNode& node) const {
    const ExprNode& known = program_.exprs[expr];
    if (known.op == ExprOp::Conditional) {
        return is_truth(arg(known, 0), nullptr) && is_member(arg(known, 1), node) &&
               is_member(arg(known, 2), node);
    }
    return node.kind == ShapeKind::Member &&
           (known.op == ExprOp::Variable ||
            (known.op == ExprOp::Literal && program_.layout->code_of(node, known.literal) != 0));
}

// R8 is the code of the expression's value in the node's column.
void Translator::code_of_member(ExprId expr, const SchemaNode& node, Label other) {
    const ExprNode& known = program_.exprs[expr];
    if (known.op == ExprOp::Conditional) {
        choose(known, nullptr, other, [&](ExprId chosen) { code_of_member(chosen, node, other); });
    } else if (known.op == ExprOp::Literal) {
        code_.set32(Reg::R8, program_.layout->code_of(node, known.literal));
    } else {
        row_of_text(known.reg, program_.layout->domain(node.domain), other, other);
        code_.address(Reg::R8, {Reg::Cx, 1});
    }
}

// A node outside all maps, with all below it: its bytes, and its place in the list above it.
bool Translator::remove(const Op& op) {
    const auto leaf = leaf_at(op, op.a);
    if (!leaf || leaf->by_rows || leaf->node->own_end == 0 ||
        leaf->node->own_end - leaf->node->own_begin > kFewBytes) {
        return false;
    }
    const SchemaNode& node = *leaf->node;
    const Label next = code_.new_label();
    test_presence(*leaf);
    code_.jump(If::Zero, next);
    std::uint32_t at = node.own_begin;
    for (; at + 8 <= node.own_end; at += 8) {
        code_.store64(in_block(at), 0);
    }
    for (; at < node.own_end; ++at) {
        code_.store8(in_block(at), std::uint8_t{0});
    }
    if (node.above_order != kNoOffset && !CROUPIER_PLANTED(RemovedFieldListed)) {
        erase_entry(node.above_order + std::size_t{leaf->index} * node.above_stride, node.slot);
    }
    code_.place(next);
    return true;
}

// ---- lists of a record's fields ----------------------------------------------------------------

void Translator::erase_entry(std::size_t order, std::uint16_t slot) {
    code_.address(Reg::Ax, in_block(order));
    code_.set32(Reg::Dx, slot);
    code_.call(erase_);
}

// Takes the entry Dx out of the list at Ax, if it is there: searched from the end, since what goes
// is mostly what came last. The freed place becomes zero.
void Translator::erase_routine() {
    const Mem count{Reg::Ax, 0};
    const Mem entry{Reg::Ax, 0, Reg::Si, 2};
    const Mem behind{Reg::Ax, 2, Reg::Si, 2};
    const Label search = code_.new_label();
    const Label close = code_.new_label();
    const Label end = code_.new_label();
    const Label none = code_.new_label();
    code_.place(erase_);
    code_.load16(Reg::Cx, count);
    code_.address(Reg::Si, {Reg::Cx, 1});
    code_.place(search);
    code_.alu32(Alu::Sub, Reg::Si, 1);
    code_.jump(If::Zero, none);
    code_.load16(Reg::Di, entry);
    code_.alu32(Alu::Cmp, Reg::Di, Reg::Dx);
    code_.jump(If::NotZero, search);
    if (CROUPIER_PLANTED(GapFilledByLast)) {
        code_.load16(Reg::Di, {Reg::Ax, 0, Reg::Cx, 2});
        code_.store16(entry, Reg::Di);
        code_.jump(end);
    }
    code_.place(close);
    code_.alu32(Alu::Cmp, Reg::Si, Reg::Cx);
    code_.jump(If::Zero, end);
    code_.load16(Reg::Di, behind);
    code_.store16(entry, Reg::Di);
    code_.alu32(Alu::Add, Reg::Si, 1);
    code_.jump(close);
    code_.place(end);
    code_.store16({Reg::Ax, 0, Reg::Cx, 2}, std::uint16_t{0});
    code_.alu32(Alu::Sub, Reg::Cx, 1);
    code_.store16(count, Reg::Cx);
    code_.place(none);
    code_.leave();
}

} // namespace croupier::engine::native
