// Expressions over integers and truths, reckoned in registers. Whatever is of another kind at run
// time makes the op be done apart, from its beginning: nothing has been changed by then.
#include "engine/native/translator.h"
#include "engine/plan/planted.h"

#include <algorithm>

namespace croupier::engine::native {

namespace {

// What waits for the right side of an operation stands in these, the outermost first.
constexpr Reg kWaiting[] = {Reg::R8, Reg::R9, Reg::R10, Reg::R11};

// Integers below this have quotients whose nearest double is on the same side of every integer.
constexpr std::int64_t kMostDividend = std::int64_t{1} << 52;

} // namespace

If Translator::when(ExprOp how) {
    switch (how) {
    case ExprOp::Equal:
        return If::Zero;
    case ExprOp::NotEqual:
        return If::NotZero;
    case ExprOp::Less:
        return CROUPIER_PLANTED(LessWithoutSign) ? If::Below : If::Less;
    case ExprOp::LessEqual:
        return If::NotGreater;
    case ExprOp::Greater:
        return If::Greater;
    default:
        return If::NotLess;
    }
}

ExprId Translator::arg(const ExprNode& node, std::uint32_t i) const {
    return program_.expr_args[node.first + i];
}

// ---- what can be reckoned ----------------------------------------------------------------------

bool Translator::is_operand(ExprId expr, const Leaf* here) const {
    const ExprNode& node = program_.exprs[expr];
    return (node.op == ExprOp::Literal && node.literal.tag == Tag::Int) ||
           node.op == ExprOp::Variable || (node.op == ExprOp::This && here != nullptr);
}

bool Translator::is_integer(ExprId expr, const Leaf* here, std::size_t waiting) const {
    const ExprNode& node = program_.exprs[expr];
    switch (node.op) {
    case ExprOp::Add:
    case ExprOp::Subtract:
    case ExprOp::Multiply:
        return is_integer(arg(node, 0), here, waiting) &&
               is_right_side(arg(node, 1), here, waiting);
    case ExprOp::Negate:
    case ExprOp::Abs:
        return is_integer(arg(node, 0), here, waiting);
    case ExprOp::Min:
    case ExprOp::Max: {
        bool all = node.count > 0 && is_integer(arg(node, 0), here, waiting);
        for (std::uint32_t i = 1; i < node.count; ++i) {
            all = all && is_right_side(arg(node, i), here, waiting);
        }
        return all;
    }
    case ExprOp::Conditional:
        return is_truth(arg(node, 0), here, waiting) && is_integer(arg(node, 1), here, waiting) &&
               is_integer(arg(node, 2), here, waiting);
    case ExprOp::Floor: {
        const ExprNode& quotient = program_.exprs[arg(node, 0)];
        if (quotient.op != ExprOp::Divide) {
            return false;
        }
        const ExprNode& divisor = program_.exprs[arg(quotient, 1)];
        return is_integer(arg(quotient, 0), here, waiting) && divisor.op == ExprOp::Literal &&
               divisor.literal.tag == Tag::Int && divisor.literal.integer > 0;
    }
    default:
        return is_operand(expr, here);
    }
}

bool Translator::is_right_side(ExprId expr, const Leaf* here, std::size_t waiting) const {
    return is_operand(expr, here) ||
           (waiting < std::size(kWaiting) && is_integer(expr, here, waiting + 1));
}

bool Translator::is_truth(ExprId expr, const Leaf* here, std::size_t waiting) const {
    const ExprNode& node = program_.exprs[expr];
    switch (node.op) {
    case ExprOp::Literal:
        return node.literal.tag == Tag::Bool;
    case ExprOp::Not:
        return is_truth(arg(node, 0), here, waiting);
    case ExprOp::And:
    case ExprOp::Or:
        return is_truth(arg(node, 0), here, waiting) && is_truth(arg(node, 1), here, waiting);
    default:
        break;
    }
    if (!is_comparison(node.op)) {
        return false;
    }
    const ExprId left = arg(node, 0);
    const ExprId right = arg(node, 1);
    if (is_equality(node.op) && is_variable(left) && is_text(right)) {
        return true;
    }
    return is_integer(left, here, waiting) && is_right_side(right, here, waiting);
}

bool Translator::is_variable(ExprId expr) const {
    return program_.exprs[expr].op == ExprOp::Variable;
}

bool Translator::is_text(ExprId expr) const {
    const ExprNode& node = program_.exprs[expr];
    return node.op == ExprOp::Literal && node.literal.is_text();
}

bool Translator::is_value(ExprId expr) const {
    const ExprNode& node = program_.exprs[expr];
    if (node.op == ExprOp::Literal || node.op == ExprOp::Variable) {
        return true;
    }
    if (node.op == ExprOp::Conditional) {
        return is_truth(arg(node, 0), nullptr) && is_value(arg(node, 1)) && is_value(arg(node, 2));
    }
    return is_integer(expr, nullptr);
}

// ---- integers ----------------------------------------------------------------------------------

void Translator::load_operand(Reg to, ExprId expr, const Leaf* here, Label other) {
    const ExprNode& node = program_.exprs[expr];
    if (node.op == ExprOp::Literal) {
        code_.set64(to, static_cast<std::uint64_t>(node.literal.integer));
    } else if (node.op == ExprOp::This) {
        load_leaf(to, *here, other);
    } else {
        code_.alu8(Alu::Cmp, tag(node.reg), static_cast<std::uint8_t>(Tag::Int));
        code_.jump(If::NotZero, other);
        code_.load64(to, integer(node.reg));
    }
}

// Cx is the right side of an operation whose left side is in Ax, and stays there.
void Translator::evaluate_right(ExprId expr, const Leaf* here, Label other, std::size_t waiting) {
    if (is_operand(expr, here)) {
        load_operand(Reg::Cx, expr, here, other);
        return;
    }
    code_.move(kWaiting[waiting], Reg::Ax);
    evaluate(expr, here, other, waiting + 1);
    code_.move(Reg::Cx, Reg::Ax);
    code_.move(Reg::Ax, kWaiting[waiting]);
}

void Translator::evaluate(ExprId expr, const Leaf* here, Label other, std::size_t waiting) {
    const ExprNode& node = program_.exprs[expr];
    switch (node.op) {
    case ExprOp::Add:
    case ExprOp::Subtract:
    case ExprOp::Multiply:
        evaluate(arg(node, 0), here, other, waiting);
        evaluate_right(arg(node, 1), here, other, waiting);
        if (node.op == ExprOp::Multiply) {
            code_.multiply64(Reg::Ax, Reg::Cx);
        } else {
            code_.alu64(node.op == ExprOp::Add ? Alu::Add : Alu::Sub, Reg::Ax, Reg::Cx);
        }
        code_.jump(If::Overflow, other);
        break;
    case ExprOp::Negate:
    case ExprOp::Abs: {
        const Label positive = code_.new_label();
        evaluate(arg(node, 0), here, other, waiting);
        if (node.op == ExprOp::Abs) {
            code_.test64(Reg::Ax, Reg::Ax);
            code_.jump(!If::Negative, positive);
        }
        code_.negate64(Reg::Ax);
        code_.jump(If::Overflow, other);
        code_.place(positive);
        break;
    }
    case ExprOp::Min:
    case ExprOp::Max:
        evaluate(arg(node, 0), here, other, waiting);
        for (std::uint32_t i = 1; i < node.count; ++i) {
            const Label kept = code_.new_label();
            evaluate_right(arg(node, i), here, other, waiting);
            code_.alu64(Alu::Cmp, Reg::Ax, Reg::Cx);
            code_.jump(node.op == ExprOp::Min ? If::NotGreater : If::NotLess, kept);
            code_.move(Reg::Ax, Reg::Cx);
            code_.place(kept);
        }
        break;
    case ExprOp::Conditional:
        choose(
            node, here, other, [&](ExprId chosen) { evaluate(chosen, here, other, waiting); },
            waiting);
        break;
    case ExprOp::Floor:
        floor_of(program_.exprs[arg(node, 0)], here, other, waiting);
        break;
    default:
        load_operand(Reg::Ax, expr, here, other);
        break;
    }
}

void Translator::floor_of(const ExprNode& quotient, const Leaf* here, Label other,
                          std::size_t waiting) {
    const Label exact = code_.new_label();
    evaluate(arg(quotient, 0), here, other, waiting);
    code_.set64(Reg::Cx, static_cast<std::uint64_t>(kMostDividend));
    code_.address(Reg::Dx, {Reg::Ax, 0, Reg::Cx});
    code_.alu64(Alu::Add, Reg::Cx, Reg::Cx);
    code_.alu64(Alu::Cmp, Reg::Dx, Reg::Cx);
    code_.jump(If::NotBelow, other);
    const ExprNode& divisor = program_.exprs[arg(quotient, 1)];
    code_.set64(Reg::Cx, static_cast<std::uint64_t>(divisor.literal.integer));
    code_.divide64(Reg::Cx);
    code_.test64(Reg::Dx, Reg::Dx);
    code_.jump(!If::Negative, exact);
    if (!CROUPIER_PLANTED(FloorTowardsZero)) {
        code_.alu64(Alu::Sub, Reg::Ax, 1);
    }
    code_.place(exact);
}

// ---- truths ------------------------------------------------------------------------------------

void Translator::jump_if(bool truth, ExprId expr, const Leaf* here, Label to, Label other,
                         std::size_t waiting) {
    const ExprNode& node = program_.exprs[expr];
    switch (node.op) {
    case ExprOp::Literal:
        if (node.literal.truth() == truth) {
            code_.jump(to);
        }
        return;
    case ExprOp::Not:
        jump_if(!truth, arg(node, 0), here, to, other, waiting);
        return;
    case ExprOp::And:
    case ExprOp::Or: {
        const bool decides = node.op == ExprOp::Or; // what one side alone decides
        if (truth == decides) {
            jump_if(truth, arg(node, 0), here, to, other, waiting);
            jump_if(truth, arg(node, 1), here, to, other, waiting);
            return;
        }
        const Label decided = code_.new_label();
        jump_if(!truth, arg(node, 0), here, decided, other, waiting);
        jump_if(truth, arg(node, 1), here, to, other, waiting);
        code_.place(decided);
        return;
    }
    default:
        break;
    }
    const ExprId left = arg(node, 0);
    const ExprId right = arg(node, 1);
    const If compares = truth ? when(node.op) : !when(node.op);
    if (is_equality(node.op) && is_variable(left) && is_text(right)) {
        jump_if_no_text(program_.exprs[left].reg, other);
        code_.load64(Reg::Ax, integer(program_.exprs[left].reg));
        compare_integer(Reg::Ax, program_.exprs[right].literal.integer);
    } else if (is_equality(node.op) && is_variable(left) && is_variable(right)) {
        compare_alike(program_.exprs[left].reg, program_.exprs[right].reg, other);
    } else {
        evaluate(left, here, other, waiting);
        evaluate_right(right, here, other, waiting);
        code_.alu64(Alu::Cmp, Reg::Ax, Reg::Cx);
    }
    code_.jump(compares, to);
}

// Two integers, or two texts, for a jump on whether they are equal.
void Translator::compare_alike(std::uint16_t one, std::uint16_t two, Label other) {
    constexpr auto kInt = static_cast<std::uint8_t>(Tag::Int);
    const Label both = code_.new_label();
    const Label texts = aside([this, one, two, other, both] {
        jump_if_no_text(one, other);
        jump_if_no_text(two, other);
        code_.jump(both);
    });
    code_.alu8(Alu::Cmp, tag(one), kInt);
    code_.jump(If::NotZero, texts);
    code_.alu8(Alu::Cmp, tag(two), kInt);
    code_.jump(If::NotZero, other);
    code_.place(both);
    code_.load64(Reg::Ax, integer(one));
    code_.alu64(Alu::Cmp, Reg::Ax, integer(two));
}

void Translator::choose(const ExprNode& conditional, const Leaf* here, Label other,
                        const std::function<void(ExprId)>& write, std::size_t waiting) {
    const Label second = code_.new_label();
    const Label after = code_.new_label();
    jump_if(false, arg(conditional, 0), here, second, other, waiting);
    write(arg(conditional, 1));
    code_.jump(after);
    code_.place(second);
    write(arg(conditional, 2));
    code_.place(after);
}

// ---- values ------------------------------------------------------------------------------------

void Translator::assign_value(std::uint16_t to, ExprId expr, Label other) {
    const ExprNode& node = program_.exprs[expr];
    if (node.op == ExprOp::Variable) {
        copy_value(to, node.reg);
    } else if (node.op == ExprOp::Literal) {
        code_.set64(Reg::Ax, static_cast<std::uint64_t>(node.literal.integer));
        set_value(to, node.literal.tag, Reg::Ax);
    } else if (node.op == ExprOp::Conditional) {
        choose(node, nullptr, other, [&](ExprId chosen) { assign_value(to, chosen, other); });
    } else {
        evaluate(expr, nullptr, other);
        set_value(to, Tag::Int, Reg::Ax);
    }
}

bool Translator::assign(std::uint32_t pc) {
    const Op& op = program_.code[pc];
    if (program_.types[op.y].kind != TypePlan::Kind::Any || !is_value(op.x)) {
        return false;
    }
    assign_value(op.a, op.x, apart_aside(pc));
    return true;
}

} // namespace croupier::engine::native
