// Conditions to plans: nested loops laid out flat, every op knowing where to go when it fails.
#include "engine/plan/compiler.h"

#include <utility>

namespace croupier::engine {

void Compiler::compile_condition(const Rule& rule, RuleId id) {
    const std::size_t begin = program_.code.size();
    note(rule.span);
    const Label done = new_label();
    fail_ = own_fail_ = done;
    cuts_.clear();
    program_.rules[id].match = static_cast<std::uint32_t>(begin);
    std::optional<std::vector<Step>> steps;
    if (options_.rows && !options_.observed) {
        steps = lower(*rule.condition);
    }
    if (steps) {
        emit_steps(*steps, 0);
    } else {
        apply(*rule.condition, root_);
        is_slow_ = true;
    }
    own_fail_ = fail_;
    emit(OpCode::Emit);
    jump(rule.first ? done : fail_);
    place(done);
    emit(OpCode::Done);
    for (const PendingCut& cut : std::exchange(cuts_, {})) {
        place(cut.label);
        Op& op = emit(OpCode::Cut);
        op.a = cut.value;
        op.x = cut.note;
        jump(cut.target);
    }
    resolve_labels(begin);
}

void Compiler::restore(Scope scope) {
    names_ = std::move(scope.names);
    bound_ = std::move(scope.bound);
    domain_of_ = std::move(scope.domain_of);
    literal_of_ = std::move(scope.literal_of);
    range_of_ = std::move(scope.range_of);
    fresh_ = std::move(scope.fresh);
}

Compiler::Binding Compiler::bind(const std::string& name) {
    if (const auto known = bound_.find(name); known != bound_.end()) {
        return {known->second, false};
    }
    const auto [place, made] = names_.try_emplace(name, kNoRegister);
    if (made) {
        place->second = new_value();
    }
    bound_.emplace(name, place->second);
    fresh_.push_back({name, place->second, entry_});
    domain_of_.erase(place->second);
    literal_of_.erase(place->second);
    range_of_.erase(place->second);
    return {place->second, true};
}

void Compiler::apply(const Pattern& pattern, std::uint16_t node) {
    if (pattern.kind == PatternKind::Object) {
        for (const Entry& each : pattern.entries) {
            entry(each, node);
        }
        return;
    }
    if (pattern.kind == PatternKind::Any) {
        return;
    }
    if (pattern.kind == PatternKind::Absent) {
        jump(own_fail_); // of a node that is there
        return;
    }
    const std::uint16_t value = new_value();
    Op& op = emit(OpCode::Load);
    op.a = value;
    op.b = node;
    if (!cuts_.empty() && options_.observed && cuts_.back().label == own_fail_) {
        cuts_.back().value = value;
    }
    leaf(prepare(pattern), value);
}

void Compiler::entry(const Entry& each, std::uint16_t node) {
    const std::uint32_t place_in_rules = note(each.span, each.id);
    entry_ = each.id;
    own_fail_ = fail_;
    if (options_.observed) {
        emit(OpCode::Try).x = place_in_rules;
        own_fail_ = new_label();
        cuts_.push_back({own_fail_, place_in_rules, kNoRegister, fail_});
    }
    switch (each.kind) {
    case KeyKind::Name:
        child_entry(each, node, key(each.key));
        break;
    case KeyKind::Variable:
        variable_entry(each, node);
        break;
    case KeyKind::Wildcard:
        each_entry(each, node, kNoRegister);
        break;
    case KeyKind::Test:
        leaf(prepare_test(each.patterns[0]), kNoRegister);
        break;
    case KeyKind::Parent:
        parent_entry(each, node);
        break;
    case KeyKind::Root: {
        const std::uint16_t root = new_node();
        emit(OpCode::Root).a = root;
        apply(each.patterns[0], root);
        break;
    }
    case KeyKind::Path:
        path_entry(each);
        break;
    case KeyKind::Not:
        not_entry(each, node);
        break;
    case KeyKind::Exists:
        exists_entry(each, node);
        break;
    case KeyKind::Forall:
        forall_entry(each, node);
        break;
    case KeyKind::AnyOf:
        any_entry(each, node);
        break;
    case KeyKind::Count:
    case KeyKind::Sum:
    case KeyKind::Min:
    case KeyKind::Max:
        aggregate_entry(each, node);
        break;
    case KeyKind::Use:
        for (const Pattern& used : each.patterns) {
            apply(used, node);
        }
        break;
    case KeyKind::Log:
        break;
    }
    own_fail_ = fail_;
    if (options_.observed) {
        emit(OpCode::Pass).x = place_in_rules;
    }
}

void Compiler::child_entry(const Entry& each, std::uint16_t node, std::uint32_t key) {
    const KeyPlan& plan = program_.keys[key];
    const bool plain = plan.parts.size() == 1 && plan.parts[0].reg == kNoRegister;
    const std::uint32_t operand = plain ? plan.parts[0].text : key;
    if (each.patterns[0].kind == PatternKind::Absent) {
        Op& op = emit(plain ? OpCode::NoChild : OpCode::NoChildKey);
        op.b = node;
        op.x = operand;
        return;
    }
    const std::uint16_t child = new_node();
    Op& op = emit(plain ? OpCode::Child : OpCode::ChildKey);
    op.a = child;
    op.b = node;
    op.x = operand;
    apply(each.patterns[0], child);
}

void Compiler::variable_entry(const Entry& each, std::uint16_t node) {
    if (const auto known = bound_.find(each.variable); known != bound_.end()) {
        const std::uint16_t reg = known->second;
        if (!each.type.name.empty()) {
            const std::uint16_t scratch = new_value();
            const std::uint32_t wanted = type(each.type);
            Op& op = emit(OpCode::Bind);
            op.a = scratch;
            op.b = reg;
            op.x = wanted;
        }
        child_entry(each, node, key_of_variable(reg));
        return;
    }
    each_entry(each, node, bind(each.variable).reg);
}

void Compiler::each_entry(const Entry& each, std::uint16_t node, std::uint16_t reg) {
    const std::uint16_t child = new_node();
    const std::uint32_t wanted = type(each.type);
    const Label again = new_label();
    for (const OpCode code : {OpCode::Each, OpCode::EachNext}) {
        if (code == OpCode::EachNext) {
            place(again);
        }
        Op& op = emit(code);
        op.a = child;
        op.b = node;
        op.c = reg;
        op.x = wanted;
    }
    fail_ = own_fail_ = again;
    apply(each.patterns[0], child);
}

void Compiler::parent_entry(const Entry& each, std::uint16_t node) {
    if (each.patterns[0].kind == PatternKind::Absent) {
        emit(OpCode::NoParent).b = node;
        return;
    }
    const std::uint16_t above = new_node();
    Op& op = emit(OpCode::Parent);
    op.a = above;
    op.b = node;
    apply(each.patterns[0], above);
}

void Compiler::path_entry(const Entry& each) {
    const std::uint32_t where = path(path_plan(each.path));
    if (each.patterns[0].kind == PatternKind::Absent) {
        Op& op = emit(OpCode::NoPath);
        op.b = root_;
        op.x = where;
        return;
    }
    const std::uint16_t found = new_node();
    Op& op = emit(OpCode::Path);
    op.a = found;
    op.b = root_;
    op.x = where;
    apply(each.patterns[0], found);
}

void Compiler::not_entry(const Entry& each, std::uint16_t node) {
    const Label outer = fail_;
    const Label own = own_fail_;
    const Label after = new_label();
    const Registers saved = bound_;
    const std::size_t fresh = fresh_.size();
    fail_ = own_fail_ = after;
    apply(each.patterns[0], node);
    jump(own);
    place(after);
    fail_ = outer;
    bound_ = saved;
    fresh_.resize(fresh);
}

void Compiler::exists_entry(const Entry& each, std::uint16_t node) {
    const Label outer = fail_;
    const Registers saved = bound_;
    const std::size_t fresh = fresh_.size();
    apply(each.patterns[0], node);
    fail_ = outer; // its loops are left: one match is enough
    bound_ = saved;
    fresh_.resize(fresh);
}

void Compiler::forall_entry(const Entry& each, std::uint16_t node) {
    const Label outer = fail_;
    const Label own = own_fail_;
    const Label after = new_label();
    const Label broken = new_label();
    const Registers saved = bound_;
    const std::size_t fresh = fresh_.size();
    fail_ = own_fail_ = after;
    apply(each.patterns[0], node);
    const Label next = fail_;
    fail_ = own_fail_ = broken;
    apply(each.patterns[1], node);
    jump(next);
    place(broken);
    jump(own);
    place(after);
    fail_ = outer;
    bound_ = saved;
    fresh_.resize(fresh);
}

void Compiler::any_entry(const Entry& each, std::uint16_t node) {
    const std::uint16_t chosen = new_cursor();
    const Label outer = fail_;
    const Label own = own_fail_;
    const Label resume = new_label();
    const Label matched = new_label();
    const Registers saved = bound_;
    const std::size_t fresh = fresh_.size();
    Registers common;
    std::vector<Variable> common_fresh;
    std::vector<Label> inside;
    const std::size_t count = each.patterns.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Label next = i + 1 == count ? (options_.observed ? own : outer) : new_label();
        bound_ = saved;
        fresh_.resize(fresh);
        fail_ = own_fail_ = next;
        apply(each.patterns[i], node);
        own_fail_ = fail_;
        Op& op = emit(OpCode::Choose);
        op.a = chosen;
        op.x = static_cast<std::uint32_t>(i);
        inside.push_back(fail_);
        jump(matched);
        if (i + 1 < count) {
            place(next);
        }
        // Bound afterwards is what every alternative binds.
        if (i == 0) {
            common = bound_;
            common_fresh.assign(fresh_.begin() + static_cast<std::ptrdiff_t>(fresh), fresh_.end());
        } else {
            std::erase_if(
                common, [&](const auto& each_bound) { return !bound_.contains(each_bound.first); });
        }
    }
    place(resume);
    const auto first = static_cast<std::uint32_t>(program_.jumps.size());
    program_.jumps.insert(program_.jumps.end(), inside.begin(), inside.end());
    Op& op = emit(OpCode::Resume);
    op.a = chosen;
    op.x = first;
    op.y = static_cast<std::uint32_t>(inside.size());
    place(matched);
    bound_ = common;
    fresh_.resize(fresh);
    for (const Variable& variable : common_fresh) {
        if (common.contains(variable.name)) {
            fresh_.push_back(variable);
        }
    }
    fail_ = own_fail_ = resume;
}

void Compiler::aggregate_entry(const Entry& each, std::uint16_t node) {
    const auto kind = static_cast<std::uint16_t>(each.kind);
    const std::uint16_t total = new_value();
    const Label outer = fail_;
    const Label own = own_fail_;
    const Label end = new_label();
    const Registers saved = bound_;
    const std::size_t fresh = fresh_.size();
    Op& start = emit(OpCode::Start);
    start.a = total;
    start.b = kind;
    fail_ = own_fail_ = end;
    if (!each.patterns.empty()) {
        apply(each.patterns[0], node);
    }
    own_fail_ = fail_;
    const ExprId value = each.value.empty() ? kNone : expr(each.value[0]);
    Op& gather = emit(OpCode::Gather);
    gather.a = total;
    gather.b = kind;
    gather.x = value;
    jump(fail_);
    place(end);
    fail_ = outer;
    own_fail_ = own;
    bound_ = saved;
    fresh_.resize(fresh);
    Op& finish = emit(OpCode::Finish);
    finish.a = total;
    finish.b = kind;
    if (!each.into.empty()) {
        leaf(prepare(each.into[0]), total);
    }
}

LeafForm Compiler::prepare(const Pattern& pattern) {
    LeafForm form;
    form.kind = pattern.kind;
    form.compare = pattern.compare;
    switch (pattern.kind) {
    case PatternKind::Value:
        form.literal = pattern.expr.op == ExprOp::Literal;
        if (form.literal) {
            form.value = to_value(pattern.expr.literal, program_.symbols);
        } else {
            form.expr = expr(pattern.expr);
        }
        break;
    case PatternKind::Compare:
    case PatternKind::Expression:
        form.expr = expr(pattern.expr);
        break;
    case PatternKind::Assign:
        form.expr = expr(pattern.expr); // before its own variable is bound
        [[fallthrough]];
    case PatternKind::Bind: {
        form.type = type(pattern.type);
        const Binding binding = bind(pattern.variable);
        form.reg = binding.reg;
        form.fresh = binding.fresh;
        form.type_free = pattern.type.name.empty();
        if (const auto known = domain_of_.find(binding.reg); known != domain_of_.end()) {
            form.domain = known->second;
        }
        break;
    }
    case PatternKind::OneOf: {
        std::vector<ExprId> list;
        for (const Expr& choice : pattern.choices) {
            list.push_back(expr(choice));
        }
        program_.lists.push_back(std::move(list));
        form.list = static_cast<std::uint32_t>(program_.lists.size() - 1);
        break;
    }
    case PatternKind::Object:
    case PatternKind::Absent:
    case PatternKind::Any:
        break; // no value is looked at
    }
    return form;
}

// False if the expression cannot yield a truth value, whatever its variables hold: it is equality
// then and nothing is evaluated where there is no value to be equal to.
bool Compiler::may_be_test(ExprId id) const {
    const ExprNode& node = program_.exprs[id];
    const auto arg = [&](std::uint32_t i) { return program_.expr_args[node.first + i]; };
    switch (node.op) {
    case ExprOp::Literal:
        return node.literal.tag == Tag::Bool;
    case ExprOp::Conditional:
        return may_be_test(arg(1)) || may_be_test(arg(2));
    case ExprOp::Negate:
    case ExprOp::Add:
    case ExprOp::Subtract:
    case ExprOp::Multiply:
    case ExprOp::Divide:
    case ExprOp::Modulo:
    case ExprOp::Min:
    case ExprOp::Max:
    case ExprOp::Abs:
    case ExprOp::Floor:
    case ExprOp::Round:
    case ExprOp::Size:
    case ExprOp::Random:
        return false;
    default:
        return true;
    }
}

// Tests the value in a register; none for an expression that stands under `_`.
void Compiler::leaf(const LeafForm& form, std::uint16_t value) {
    switch (form.kind) {
    case PatternKind::Value:
        if (form.literal) {
            program_.values.push_back(form.value);
            Op& op = emit(OpCode::Constant);
            op.a = value;
            op.x = static_cast<std::uint32_t>(program_.values.size() - 1);
        } else {
            Op& op = emit(OpCode::EqualExpr);
            op.a = value;
            op.x = form.expr;
        }
        break;
    case PatternKind::Compare: {
        Op& op = emit(OpCode::Compare);
        op.a = value;
        op.b = static_cast<std::uint16_t>(form.compare);
        op.x = form.expr;
        break;
    }
    case PatternKind::Bind: {
        Op& op = emit(form.fresh ? OpCode::Bind : OpCode::Same);
        op.a = form.reg;
        op.b = value;
        op.x = form.type;
        break;
    }
    case PatternKind::Assign: {
        Op& op = emit(form.fresh ? OpCode::Assign : OpCode::AssignSame);
        op.a = form.reg;
        op.b = value;
        op.x = form.expr;
        op.y = form.type;
        break;
    }
    case PatternKind::Expression: {
        if (value == kNoRegister) {
            test(form.expr);
            break;
        }
        Op& op = emit(may_be_test(form.expr) ? OpCode::Test : OpCode::EqualExpr);
        op.a = value;
        op.x = form.expr;
        break;
    }
    case PatternKind::OneOf: {
        Op& op = emit(OpCode::OneOf);
        op.a = value;
        op.x = form.list;
        break;
    }
    case PatternKind::Object:
    case PatternKind::Absent:
    case PatternKind::Any:
        break;
    }
}

// Goes on if the expression is true. What is known costs nothing, and comparisons of variables are
// ops of their own.
void Compiler::test(ExprId id) {
    const ExprNode node = program_.exprs[id];
    const auto arg = [&](std::uint32_t i) { return program_.expr_args[node.first + i]; };
    const auto is_truth = [&](ExprId each) { return gives_bool(program_.exprs[each]); };
    if (node.op == ExprOp::Literal && node.literal.tag == Tag::Bool) {
        if (!node.literal.truth()) {
            jump(own_fail_);
        }
        return;
    }
    if (node.op == ExprOp::And && is_truth(arg(0)) && is_truth(arg(1))) {
        const ExprId second = arg(1);
        test(arg(0));
        test(second);
        return;
    }
    if (is_comparison(node.op) && !node.needs_this &&
        program_.exprs[arg(0)].op == ExprOp::Variable) {
        Op& op = emit(OpCode::Compare);
        op.a = program_.exprs[arg(0)].reg;
        op.b = static_cast<std::uint16_t>(node.op);
        op.x = arg(1);
        return;
    }
    emit(OpCode::True).x = id;
}

// What stands under `_`: a binding, or an expression that must be true.
LeafForm Compiler::prepare_test(const Pattern& pattern) {
    if (pattern.kind == PatternKind::Assign) {
        return prepare(pattern);
    }
    LeafForm form;
    form.kind = PatternKind::Expression;
    if (pattern.kind == PatternKind::Bind) {
        Expr variable;
        variable.op = ExprOp::Variable;
        variable.variable = pattern.variable;
        variable.span = pattern.span;
        form.expr = expr(variable);
    } else {
        form.expr = expr(pattern.expr);
    }
    return form;
}

} // namespace croupier::engine
