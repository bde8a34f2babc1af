// Conditions: searches in the order written. Whatever goes several ways, loops and alternatives,
// holds all that follows, so statements go to a block further and further inside.
#include "engine/ir/builder.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

std::string name_of(const KeyTemplate& key) {
    std::string name;
    for (const KeyPart& part : key.parts)
        name += part.text;
    return name;
}

// The name of the variable for the node whose key a variable of the rules holds.
std::string node_of(const Entry& entry) {
    return entry.variable.empty() ? "each" : "at_" + entry.variable;
}

} // namespace

void Builder::apply(const Pattern& pattern, At at) {
    switch (pattern.kind) {
    case PatternKind::Object:
        for (const Entry& each : pattern.entries)
            entry(each, at);
        break;
    case PatternKind::Any:
        break;
    case PatternKind::Absent: // of a node that is there
        fail();
        break;
    default:
        leaf_of_node(pattern, at);
        break;
    }
}

void Builder::entry(const Entry& each, At at) {
    const NoteId outer_note = std::exchange(note_, note(each.span, each.id));
    const std::uint32_t outer_cut = std::exchange(cut_, observed_ ? note_ + 1 : 0);
    const VarId outer_shown = std::exchange(shown_, kNothing);
    const NoteId here = note_;
    entry_ = each.id;
    if (observed_) put(Kind::Try, {node(at)}, {.x = here});
    entry_of_kind(each, at);
    if (observed_) put(Kind::Pass, {}, {.x = here});
    note_ = outer_note;
    cut_ = outer_cut;
    shown_ = outer_shown;
}

void Builder::entry_of_kind(const Entry& each, At at) {
    switch (each.kind) {
    case KeyKind::Name: {
        const Id above = node(at);
        child(each, add(Kind::Child, {above, key(each.key, false)}), name_of(each.key));
        break;
    }
    case KeyKind::Variable:
        variable_entry(each, at);
        break;
    case KeyKind::Wildcard:
        each_child(each, at, kNothing);
        break;
    case KeyKind::Test:
        test_entry(each.patterns[0]);
        break;
    case KeyKind::Parent:
        child(each, add(Kind::Parent, {node(at)}), "parent");
        break;
    case KeyKind::Root:
        apply(each.patterns[0], {});
        break;
    case KeyKind::Path:
        path_entry(each);
        break;
    case KeyKind::Not:
    case KeyKind::Exists:
        match_entry(each, at);
        break;
    case KeyKind::Forall:
        forall_entry(each, at);
        break;
    case KeyKind::AnyOf:
        any_entry(each, at);
        break;
    case KeyKind::Use:
        for (const Pattern& used : each.patterns)
            apply(used, at);
        break;
    case KeyKind::Log:
        break;
    default:
        aggregate_entry(each, at);
        break;
    }
}

// ---- nodes -------------------------------------------------------------------------------------

// The entry's pattern at a node that is looked up: it must be there, or must not.
void Builder::child(const Entry& each, Id found, std::string name) {
    if (each.patterns[0].kind == PatternKind::Absent) {
        test(add(Kind::Not, {add(Kind::Has, {found})}));
        return;
    }
    const At at{new_var(std::move(name), TypeKind::Node)};
    let(at.var, found);
    test(add(Kind::Has, {node(at)}));
    apply(each.patterns[0], at);
}

void Builder::variable_entry(const Entry& each, At at) {
    const auto known = bound_.find(each.variable);
    if (known == bound_.end()) {
        each_child(each, at, bind(each.variable));
        return;
    }
    fits(known->second, each.type);
    const Id above = node(at);
    child(each, add(Kind::Child, {above, key_of(known->second, false)}), node_of(each));
}

void Builder::each_child(const Entry& each, At at, VarId key) {
    const At below{new_var(node_of(each), TypeKind::Node)};
    const BlockId body = new_block();
    put(Kind::EachChild, {node(at)},
        {.x = below.var,
         .y = key == kNothing ? 0 : key + 1,
         .number = catalogue_.type_id(each.type)},
        {body});
    const std::uint32_t own = cut_;
    go_on_in(body);
    if (observed_) put(Kind::Try, {node(below)}, {.x = note_, .y = 1});
    cut_ = one_of_many(own);
    apply(each.patterns[0], below);
    cut_ = 0;
}

// What follows goes to a block inside. Whoever watches is told when no way is left.
void Builder::go_on_in(BlockId block) {
    if (observed_) fail();
    block_ = block;
    cut_ = 0;
}

void Builder::path_entry(const Entry& each) {
    Id found = node(root_);
    for (const KeyTemplate& segment : each.path.segments)
        found = add(Kind::Child, {found, key(segment, false)});
    child(each, found, each.path.segments.empty() ? "root" : name_of(each.path.segments.back()));
}

// ---- searches inside ---------------------------------------------------------------------------

void Builder::match_entry(const Entry& each, At at) {
    const bool some = each.kind == KeyKind::Exists;
    const std::uint32_t own = std::exchange(cut_, some ? one_of_many(cut_) : 0);
    const BlockId inside = search([&] {
        apply(each.patterns[0], at);
        put(Kind::Yield);
    });
    put(some ? Kind::SomeMatch : Kind::NoMatch, {}, {.y = own}, {inside});
}

// No match of the first pattern is without a match of the second.
void Builder::forall_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, 0);
    const BlockId inside = search([&] {
        apply(each.patterns[0], at);
        const BlockId holds = search([&] {
            cut_ = one_of_many(own);
            apply(each.patterns[1], at);
            put(Kind::Yield);
        });
        cut_ = 0;
        put(Kind::NoMatch, {}, {}, {holds});
        put(Kind::Yield);
    });
    put(Kind::NoMatch, {}, {.y = own}, {inside});
}

// Bound afterwards is what every alternative binds: each yields these variables.
void Builder::any_entry(const Entry& each, At at) {
    struct Alternative {
        BlockId end = 0; // where its search has got to
        Bound bound;
    };
    std::vector<BlockId> blocks;
    std::vector<Alternative> alternatives;
    std::vector<Fresh> common;
    const std::uint32_t own = cut_;
    for (const Pattern& pattern : each.patterns) {
        const std::size_t before = fresh_.size();
        cut_ = one_of_many(own);
        blocks.push_back(search([&] {
            apply(pattern, at);
            alternatives.push_back({block_, bound_});
            if (alternatives.size() == 1)
                common.assign(fresh_.begin() + static_cast<std::ptrdiff_t>(before), fresh_.end());
        }));
    }
    std::erase_if(common, [&](const Fresh& fresh) {
        return std::any_of(alternatives.begin(), alternatives.end(),
                           [&](const Alternative& of) { return !of.bound.contains(fresh.name); });
    });
    for (const Alternative& alternative : alternatives) {
        std::vector<Id> values;
        values.reserve(common.size());
        for (const Fresh& fresh : common)
            values.push_back(variable(alternative.bound.at(fresh.name)));
        const Id yield = add(Kind::Yield, std::move(values));
        function_.blocks[alternative.end].statements.push_back(yield);
    }
    const auto first = static_cast<VarId>(function_.vars.size());
    for (Fresh& fresh : common) {
        fresh.var = new_var(fresh.name, TypeKind::Any, fresh.entry);
        bound_[fresh.name] = fresh.var;
        fresh_.push_back(fresh);
    }
    const BlockId rest = new_block();
    blocks.push_back(rest);
    cut_ = own;
    put(Kind::Alternatives, {},
        {.x = common.empty() ? 0 : first, .number = static_cast<std::int64_t>(common.size())},
        std::move(blocks));
    go_on_in(rest);
}

void Builder::aggregate_entry(const Entry& each, At at) {
    const std::uint32_t own = std::exchange(cut_, 0);
    const NoteId here = note_;
    const BlockId inside = search([&] {
        if (!each.patterns.empty()) apply(each.patterns[0], at);
        std::vector<Id> values;
        if (!each.value.empty()) values.push_back(expression(each.value[0], kNothing));
        put(Kind::Yield, std::move(values));
    });
    cut_ = own;
    entry_ = each.id; // not one of those inside
    const Pattern* into = each.into.empty() ? nullptr : &each.into[0];
    const VarId total =
        into != nullptr && is_free(*into) ? bind(into->variable) : new_var("total", TypeKind::Any);
    note_ = each.value.empty() ? here : note(each.value[0].span);
    const KeyKind how = each.kind == KeyKind::Unique ? KeyKind::Count : each.kind;
    put(Kind::Gather, {}, {.x = total, .y = static_cast<std::uint32_t>(how)}, {inside});
    note_ = here;
    shown_ = cut_ != 0 ? total : kNothing;
    if (each.kind == KeyKind::Unique)
        test(is_equal(total, constant(Value::number(std::int64_t{1}))));
    if (each.kind == KeyKind::Min || each.kind == KeyKind::Max)
        test(add(Kind::Has, {variable(total)}));
    if (into != nullptr) {
        Subject result{total, true};
        leaf(*into, result);
    }
}

// ---- variables ---------------------------------------------------------------------------------

VarId Builder::bind(const std::string& name) {
    const VarId made = new_var(name, TypeKind::Any, entry_);
    bound_.emplace(name, made);
    fresh_.push_back({name, made, entry_});
    return made;
}

// What a condition asks of a value: tests, and variables that it binds.

namespace {

bool is_bool(const Expr& expr) {
    return expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal);
}

// It is true or false, or ends in an error.
bool gives_bool(const Expr& expr) {
    return gives_truth(expr.op) || is_bool(expr);
}

// False if it is never true or false, whatever its variables hold: then it is only equality, and
// nothing is computed where there is no value to be equal to.
bool may_be_test(const Expr& expr) {
    switch (expr.op) {
    case ExprOp::Literal:
        return is_bool(expr);
    case ExprOp::Conditional:
        return may_be_test(expr.args[1]) || may_be_test(expr.args[2]);
    case ExprOp::Variable:
    case ExprOp::This:
        return true;
    default:
        return gives_truth(expr.op);
    }
}

// It has its value without any computing that could end in an error.
bool is_plain(const Expr& expr) {
    return expr.op == ExprOp::Literal || expr.op == ExprOp::Variable;
}

} // namespace

// A variable on its own that nothing has bound yet.
bool Builder::is_free(const Pattern& pattern) const {
    return pattern.kind == PatternKind::Bind && !bound_.contains(pattern.variable);
}

// The node's value is looked up only if the pattern speaks of it, or somebody watches.
void Builder::leaf_of_node(const Pattern& pattern, At at) {
    const bool by_test = pattern.kind == PatternKind::Assign ||
                         (pattern.kind == PatternKind::Expression && gives_bool(pattern.expr));
    Subject subject;
    if (observed_ || !by_test || pattern.expr.mentions_this()) {
        subject.value = is_free(pattern) ? bind(pattern.variable) : new_var("value", TypeKind::Any);
        let(subject.value, add(Kind::ValueOf, {node(at)}));
        shown_ = cut_ != 0 ? subject.value : kNothing;
    }
    leaf(pattern, subject);
}

void Builder::leaf(const Pattern& pattern, Subject& of) {
    switch (pattern.kind) {
    case PatternKind::Value:
        compares(ExprOp::Equal, pattern.expr, of);
        break;
    case PatternKind::Compare:
        compares(pattern.compare, pattern.expr, of);
        break;
    case PatternKind::Bind:
        bind_or_equal(pattern, of);
        break;
    case PatternKind::Assign:
        assign(pattern, of);
        break;
    case PatternKind::Expression:
        expression_leaf(pattern.expr, of);
        break;
    case PatternKind::OneOf:
        if (!std::all_of(pattern.choices.begin(), pattern.choices.end(), is_plain)) need(of);
        test(one_of(pattern.choices, of.value));
        break;
    case PatternKind::Object:
    case PatternKind::Absent:
    case PatternKind::Any:
        break; // no value is looked at
    }
}

// There must be a value before anything is computed that could end in an error.
void Builder::need(Subject& of) {
    if (of.value == kNothing)
        fail();
    else if (!of.there)
        test(add(Kind::Has, {variable(of.value)}));
    of.there = true;
}

// No value is less than another, or equal to it, but each is different.
void Builder::compares(ExprOp op, const Expr& expr, Subject& of) {
    if (op == ExprOp::NotEqual || !is_plain(expr)) need(of);
    test(comparison(op, of.value, expr));
}

Id Builder::comparison(ExprOp op, VarId value, const Expr& expr) {
    const Id first = variable(value);
    const Id second = expression(expr, value);
    return add(Kind::Compare, {first, second}, {.x = static_cast<std::uint32_t>(op)});
}

Id Builder::is_equal(VarId a, Id b) {
    const Id first = variable(a);
    return add(Kind::Compare, {first, b}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)});
}

// A tree of low depth, however long the list is.
Id Builder::one_of(std::span<const Expr> choices, VarId value) {
    if (choices.size() == 1) return comparison(ExprOp::Equal, value, choices[0]);
    const std::size_t half = choices.size() / 2;
    const Id first = one_of(choices.first(half), value);
    const Id second = one_of(choices.subspan(half), value);
    return add(Kind::Or, {first, second});
}

void Builder::bind_or_equal(const Pattern& pattern, Subject& of) {
    const auto known = bound_.find(pattern.variable);
    if (known != bound_.end() && known->second != of.value)
        test(is_equal(of.value, variable(known->second)));
    else
        need(of);
    fits(of.value, pattern.type);
}

void Builder::assign(const Pattern& pattern, Subject& of) {
    if (pattern.expr.mentions_this()) need(of);
    const Id result = expression(pattern.expr, of.value);
    const auto known = bound_.find(pattern.variable);
    if (known != bound_.end() && is_any(pattern.type)) {
        test(is_equal(known->second, result));
        return;
    }
    const VarId made =
        known == bound_.end() ? bind(pattern.variable) : new_var("result", TypeKind::Any);
    let(made, result);
    fits(made, pattern.type);
    if (known != bound_.end()) test(is_equal(known->second, variable(made)));
}

// A test if it yields true or false, else equality.
void Builder::expression_leaf(const Expr& expr, Subject& of) {
    if (!may_be_test(expr)) {
        compares(ExprOp::Equal, expr, of);
        return;
    }
    if (expr.mentions_this()) need(of);
    if (gives_bool(expr)) {
        test(expr, of.value);
        return;
    }
    const VarId result = new_var("result", TypeKind::Any);
    let(result, expression(expr, of.value));
    const Id which = add(Kind::Fits, {variable(result)}, {.x = catalogue_.type_id({"bool", {}})});
    const Id holds = is_equal(result, constant(Value::boolean(true)));
    const Id equal = is_equal(of.value, variable(result));
    test(add_typed(Kind::Choose, TypeKind::Truth, {which, holds, equal}));
}

void Builder::fits(VarId value, const TypeName& type) {
    if (!is_any(type)) test(add(Kind::Fits, {variable(value)}, {.x = catalogue_.type_id(type)}));
}

// What stands under `_`: a binding, or an expression that must be true.
void Builder::test_entry(const Pattern& pattern) {
    if (pattern.kind == PatternKind::Assign) {
        Subject none;
        assign(pattern, none);
    } else if (pattern.kind == PatternKind::Bind) {
        test(is_equal(bound_.at(pattern.variable), constant(Value::boolean(true))));
    } else {
        test(pattern.expr, kNothing);
    }
}

// Goes on if it is true; any other value will not do.
void Builder::test(const Expr& expr, VarId self) {
    if (is_bool(expr)) {
        if (!std::get<bool>(expr.literal)) fail();
        return;
    }
    if (expr.op == ExprOp::And && gives_bool(expr.args[0]) && gives_bool(expr.args[1])) {
        test(expr.args[0], self);
        test(expr.args[1], self);
        return;
    }
    const Id result = expression(expr, self);
    if (observed_) at_span(expr.span, result); // who watches is told which part of a test it was
    if (is_truth(result)) {
        test(result);
        return;
    }
    const Id truth = constant(Value::boolean(true));
    test(add(Kind::Compare, {result, truth}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)}));
}

void Builder::test(Id truth) {
    std::vector<Id> operands = {truth};
    if (shown_ != kNothing) operands.push_back(variable(shown_));
    put(Kind::Test, std::move(operands), {.y = cut_});
}

} // namespace croupier::engine::ir
