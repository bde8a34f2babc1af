// The context of a run: the current rule, budgets, nodes of the state and of the constants, paths.
#include "engine/run/runtime.h"

#include "engine/form/probe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace croupier::engine {

namespace {

// A caller that changes a node must check its keys first.
void expect_instance(NodeRef instance) {
    if (!instance) throw std::logic_error("a node to be made has a key that is none");
}

// ---- arithmetic ------------------------------------------------------------------------------

// nullopt if the result is not a 64-bit integer.
std::optional<std::int64_t> to_whole(double d) {
    if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) return std::nullopt;
    return static_cast<std::int64_t>(d);
}

double worth_of(const Value& v) {
    return v.tag == Tag::Int ? static_cast<double>(v.integer) : v.real();
}

// The result of + - * / % on two integers; `value` is nullopt if it is not an integer.
struct IntegerResult {
    std::optional<std::int64_t> value;
    bool overflow = false;
};

IntegerResult of_integers(ExprOp op, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case ExprOp::Add:
        overflow = __builtin_add_overflow(a, b, &result);
        break;
    case ExprOp::Multiply:
        overflow = __builtin_mul_overflow(a, b, &result);
        break;
    case ExprOp::Divide:
        if (b == -1 && a == kLeast) return {std::nullopt, true};
        return {a % b == 0 ? std::optional(a / b) : std::nullopt, false};
    case ExprOp::Modulo: // modulo -1 is 0, even where the division would overflow
        result = b == -1 ? 0 : a % b;
        break;
    default: // Subtract, Negate
        overflow = __builtin_sub_overflow(a, b, &result);
        break;
    }
    return {result, overflow};
}

double of_doubles(ExprOp op, double a, double b) {
    switch (op) {
    case ExprOp::Add:
        return a + b;
    case ExprOp::Subtract:
        return a - b;
    case ExprOp::Negate:
        return -b; // not 0 - b, which has no negative zero
    case ExprOp::Multiply:
        return a * b;
    default:
        return a / b;
    }
}

} // namespace

std::string_view name_of(RunErrorKind kind) {
    constexpr std::string_view kNames[] = {
        "overflow",        "division by zero", "type",         "no value",
        "no parent",       "constant",         "shape",        "call",
        "budget: matches", "budget: firings",  "budget: size", "budget: steps"};
    return kNames[static_cast<std::size_t>(kind)];
}

Runtime::Runtime(const Catalogue& catalogue, const Budgets& budgets)
    : catalogue_(catalogue), budgets_(budgets) {
    frame_.counters.most_steps = budgets.steps;
    frame_.counters.most_matches = budgets.matches_per_rule;
    frame_.counters.most_firings = budgets.firings;
    is_undeclared_ = catalogue.layout->node(0).column == Column::Arena;
}

// ---- errors and budgets ----------------------------------------------------------------------

Span Runtime::span_of_rule() const {
    return rule() == kNone ? Span{} : catalogue_.rules[rule()].span;
}

void Runtime::fail(RunErrorKind kind, Span span, std::string detail) const {
    const std::string name = rule() == kNone ? std::string() : catalogue_.rules[rule()].name;
    throw RunFailure({kind, name, span, std::move(detail)});
}

void Runtime::count_match(std::uint64_t found) {
    if (found > frame_.counters.most_matches) over_budget(RunErrorKind::BudgetMatches);
    ++frame_.counters.matches;
    count_step();
}

void Runtime::count_firing() {
    if (++frame_.counters.firings + (CROUPIER_MISTAKE(LastFiringRefused) ? 1 : 0) >
        frame_.counters.most_firings)
        over_budget(RunErrorKind::BudgetFirings);
}

void Runtime::over_budget(RunErrorKind kind) const {
    fail(kind, span_of_rule(),
         kind == RunErrorKind::BudgetMatches
             ? "more than " + std::to_string(budgets_.matches_per_rule) + " matches"
         : kind == RunErrorKind::BudgetFirings ? "more firings than the budget allows"
                                               : "more things tried than the budget allows");
}

// ---- nodes -----------------------------------------------------------------------------------

NodeRef Runtime::child(NodeRef node, Symbol key) const {
    if (!node || key == kNoSymbol) return {};
    if (node.schema == kOfConstants) return seen(catalogue_.constants->child(own(node), key));
    const NodeRef found = state().child(node, key);
    if (!found && catalogue_.constants != nullptr && node == root())
        return seen(catalogue_.constants->child(catalogue_.constants->root(), key));
    return found;
}

NodeRef Runtime::parent(NodeRef node) const {
    if (!node) return {};
    if (node.schema != kOfConstants) return state().parent(node);
    const NodeRef above = catalogue_.constants->parent(own(node));
    return above == catalogue_.constants->root() ? root() : seen(above);
}

NodeRef Runtime::first_child(NodeRef node) const {
    if (!node) return {};
    return node.schema == kOfConstants ? seen(catalogue_.constants->first_child(own(node)))
                                       : state().first_child(node);
}

NodeRef Runtime::next_sibling(NodeRef node) const {
    return node.schema == kOfConstants ? seen(catalogue_.constants->next_sibling(own(node)))
                                       : state().next_sibling(node);
}

// ---- roots of groups, and paths --------------------------------------------------------------

std::size_t Runtime::enter(NodeRef node) {
    const std::size_t outer = root_begin_;
    const std::size_t begin = roots_.size();
    for (NodeRef each = node; each && each != root(); each = parent(each))
        roots_.push_back(key(each).symbol());
    std::reverse(roots_.begin() + static_cast<std::ptrdiff_t>(begin), roots_.end());
    root_begin_ = begin;
    return outer;
}

void Runtime::leave(std::size_t outer) {
    roots_.resize(root_begin_);
    root_begin_ = outer;
}

// The node of the state that the keys lead to, or a null node.
NodeRef Runtime::node_at(std::span<const Symbol> keys) const {
    NodeRef node = root();
    for (std::size_t i = 0; i < keys.size() && node; ++i)
        node = state().child(node, keys[i]);
    return node;
}

// The keys from the state's root to the start of the path.
std::span<const Symbol> Runtime::base_of(const Path& path, Span span) const {
    const auto keys = path.from_state ? std::span<const Symbol>() : keys_of_root();
    if (path.up > keys.size())
        fail(RunErrorKind::NoParent, span, "the root of the state has no parent");
    return keys.first(keys.size() - path.up);
}

NodeRef Runtime::find(const Path& path, Span span) const {
    NodeRef node = node_at(base_of(path, span));
    for (std::size_t i = 0; i < path.keys.size() && node; ++i)
        node = child(node, path.keys[i]);
    return node;
}

SchemaId Runtime::schema_at(const Path& path, Span span) const {
    SchemaId schema = state().schema_of(root());
    for (const Symbol key : base_of(path, span))
        schema = state().schema_below(schema, key);
    for (const Symbol key : path.keys)
        schema = state().schema_below(schema, key);
    return schema;
}

NodeRef Runtime::node_at(NodeRef instance) const {
    if (!is_present(instance)) return {};
    const bool is_subtree = catalogue_.layout->node(instance.schema).column == Column::Arena;
    if (!is_subtree) return instance;
    const NodeRef above = state().parent(instance);
    return above ? state().child(above, state().key(instance).symbol()) : state().root();
}

Value Runtime::value_at(NodeRef instance) const {
    return value(node_at(instance));
}

void Runtime::ensure(NodeRef instance, Span span) {
    expect_instance(instance);
    if (catalogue_.layout->node(instance.schema).column != Column::Arena) {
        state().ensure(instance.schema, instance.index);
        return;
    }
    const NodeRef above = state().parent(instance);
    if (above && !state().is_present(instance)) {
        state().ensure(above.schema, above.index);
        state().make_child(above, state().key(instance).symbol());
        check_size(span);
    }
}

void Runtime::store(NodeRef leaf, const Value& value) {
    expect_instance(leaf);
    state().set_leaf(leaf, value);
}

void Runtime::erase(NodeRef instance) {
    if (const NodeRef node = node_at(instance)) state().remove(node);
}

void Runtime::guard(NodeRef node, Symbol key, Span span) const {
    if (node == root() && key != kNoSymbol && catalogue_.has_constant(key)) {
        fail(RunErrorKind::Constant, span,
             "'" + std::string(symbols().text(key)) + "' is a constant");
    }
}

void Runtime::guard(const Path& path, Span span) const {
    if (!path.keys.empty() && base_of(path, span).empty()) guard(root(), path.keys[0], span);
}

void Runtime::check_size(Span span) const {
    if (state().arena_nodes() > budgets_.nodes)
        fail(RunErrorKind::BudgetSize, span, "the state has grown larger than the budget allows");
}

// ---- by node and key -------------------------------------------------------------------------

NodeRef Runtime::make_child(NodeRef node, Symbol key, Span span) {
    guard(node, key, span);
    const NodeRef child = state().make_child(node, key);
    check_size(span);
    return child;
}

void Runtime::set_child(NodeRef node, Symbol key, const Value& value, Span span) {
    guard(node, key, span);
    state().set_child(node, key, value);
    check_size(span);
}

void Runtime::put_child(NodeRef node, Symbol key, const Document& document, Span span) {
    guard(node, key, span);
    state().put_child(node, key, document);
    check_size(span);
}

void Runtime::remove_child(NodeRef node, Symbol key, Span span) {
    if (!node || key == kNoSymbol) return;
    guard(node, key, span);
    if (const NodeRef child = state().child(node, key)) state().remove(child);
}

// ---- by path ---------------------------------------------------------------------------------

// Makes the path's first nodes and prepares all but the last for children.
NodeRef Runtime::make_above(const Path& path, std::size_t keys, Span span) {
    NodeRef node = root();
    const auto descend = [&](Symbol key) {
        state().make_inner(node);
        node = make_child(node, key, span);
    };
    for (const Symbol key : base_of(path, span))
        descend(key);
    for (std::size_t i = 0; i < keys; ++i)
        descend(path.keys[i]);
    return node;
}

NodeRef Runtime::make_all(const Path& path, Span span) {
    return make_above(path, path.keys.size(), span);
}

NodeRef Runtime::make(const Path& path, Span span) {
    guard(path, span);
    if (!find(path, span)) {
        const SchemaId schema = schema_at(path, span);
        if (schema != kNoSchema && catalogue_.layout->node(schema).is_leaf())
            throw ShapeFault(catalogue_.layout->path(schema) + " holds a value, not children");
    }
    return make_all(path, span);
}

void Runtime::set(const Path& path, const Value& value, Span span) {
    guard(path, span);
    if (const SchemaId schema = schema_at(path, span); schema != kNoSchema)
        (void)state().stored(schema, value);
    const NodeRef above = make_above(path, path.keys.size() - 1, span);
    state().make_inner(above);
    set_child(above, path.keys.back(), value, span);
}

void Runtime::put(const Path& path, const Document& document, Span span) {
    guard(path, span);
    state().check(schema_at(path, span), document);
    const NodeRef above = make_above(path, path.keys.size() - 1, span);
    state().make_inner(above);
    state().put_child(above, path.keys.back(), document);
    check_size(span);
}

void Runtime::remove(const Path& path, Span span) {
    guard(path, span);
    if (const NodeRef node = find(path, span)) state().remove(node);
}

// ---- data ------------------------------------------------------------------------------------

Runtime::Allowed Runtime::allowed_below(const Allowed& above, Symbol key) const {
    if (!above.fault.empty()) return above;
    try {
        return {state().schema_below(above.schema, key), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

Runtime::Allowed Runtime::allowed_at(const Path& path, Span span) const {
    try {
        return {schema_at(path, span), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

Document Runtime::leaf(const Value& value, const Allowed& place) const {
    if (!place.fault.empty()) throw ShapeFault(place.fault);
    Document document;
    document.scalar = to_scalar(
        place.schema == kNoSchema ? value : state().stored(place.schema, value), symbols());
    return document;
}

// ---- values: comparison, arithmetic, functions, chance, keys ---------------------------------

bool Runtime::has_type(const Value& value, const TypePlan& type) const {
    return value.tag != Tag::None && is_of_type(value, type, *catalogue_.layout, symbols());
}

bool Runtime::compares(ExprOp op, const Value& a, const Value& b) const {
    if (a.tag == Tag::None || b.tag == Tag::None) return op == ExprOp::NotEqual;
    return engine::compares(op, a, b, symbols());
}

bool Runtime::truth(const Value& value, Span span) const {
    if (value.tag != Tag::Bool)
        fail(RunErrorKind::Type, span, "'" + text(value) + "' is neither true nor false");
    return value.truth();
}

Value Runtime::number(const Value& value, Span span) const {
    const Value number = as_number(value, symbols());
    if (number.tag == Tag::None)
        fail(RunErrorKind::Type, span, "'" + text(value) + "' is not a number");
    return number;
}

Value Runtime::arithmetic(ExprOp op, const Value& a, const Value& b, Span span) const {
    return op == ExprOp::Add ? sum(a, b, span) : computed(op, a, b, span);
}

// Joins texts, adds numbers.
Value Runtime::sum(const Value& a, const Value& b, Span span) const {
    const auto joins = [&](const Value& v) {
        return v.tag == Tag::String || (v.tag == Tag::Key && !symbols().integer(v.symbol()));
    };
    if (!joins(a) && !joins(b)) return computed(ExprOp::Add, a, b, span);
    const std::string joined = text(a) + text(b);
    if (joined.size() > kLongestText || symbols().own_size() > budgets_.nodes)
        fail(RunErrorKind::BudgetSize, span, "a joined text is too long");
    return Value::string(symbols().intern(joined));
}

Value Runtime::computed(ExprOp op, const Value& left, const Value& right, Span span) const {
    const Value a = number(left, span);
    const Value b = number(right, span);
    const auto both = [&] { return text(a) + " and " + text(b); };
    if (op == ExprOp::Modulo && (a.tag != Tag::Int || b.tag != Tag::Int))
        fail(RunErrorKind::Type, span, "% takes integers, not " + both());
    const bool divides = op == ExprOp::Divide || op == ExprOp::Modulo;
    if (divides && (b.tag == Tag::Int ? b.integer == 0 : b.real() == 0.0))
        fail(RunErrorKind::DivisionByZero, span, both());
    if (a.tag == Tag::Int && b.tag == Tag::Int) {
        const IntegerResult result = of_integers(op, a.integer, b.integer);
        if (result.overflow) fail(RunErrorKind::Overflow, span, both());
        if (result.value) return Value::number(*result.value);
    }
    const double result = of_doubles(op, worth_of(a), worth_of(b));
    if (!std::isfinite(result)) fail(RunErrorKind::Overflow, span, both());
    return Value::number(result);
}

Value Runtime::function(ExprOp op, std::span<const Value> arguments, Span span) const {
    Value best = number(arguments[0], span);
    for (const Value& argument : arguments.subspan(1)) {
        const Value next = number(argument, span);
        if (compares(op == ExprOp::Min ? ExprOp::Less : ExprOp::Greater, next, best)) best = next;
    }
    if (op == ExprOp::Min || op == ExprOp::Max) return best;
    if (op == ExprOp::Abs && best.tag == Tag::Double) return Value::number(std::fabs(best.real()));
    if (op == ExprOp::Abs && best.integer == std::numeric_limits<std::int64_t>::min())
        fail(RunErrorKind::Overflow, span, "abs of " + text(best));
    if (best.tag == Tag::Int)
        return op == ExprOp::Abs && best.integer < 0 ? Value::number(-best.integer) : best;
    const double d = op == ExprOp::Floor ? std::floor(best.real()) : std::round(best.real());
    const auto integer = to_whole(d);
    if (!integer) fail(RunErrorKind::Overflow, span, text(best) + " is not a 64-bit integer");
    return Value::number(*integer);
}

Value Runtime::draw(const Value& below, Span span) const {
    const Value n = number(below, span);
    if (n.tag != Tag::Int || n.integer < 1)
        fail(RunErrorKind::Type, span, "random takes a positive integer, not " + text(n));
    return Value::number(
        static_cast<std::int64_t>(random().below(static_cast<std::uint64_t>(n.integer))));
}

Symbol Runtime::key_of(std::span<const Value> parts, bool make) const {
    if (parts.size() == 1 && parts[0].is_text()) return parts[0].symbol();
    std::string joined;
    for (const Value& part : parts)
        joined += text(part);
    return make ? symbols().intern(joined) : symbols().find(joined);
}

} // namespace croupier::engine
