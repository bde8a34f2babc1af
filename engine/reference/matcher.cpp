#include "engine/reference/matcher.h"

#include "engine/reference/value.h"
#include "engine/reference/world.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace croupier::engine::reference {

// Finds the variables that a condition binds: the columns of its matches.

// The variables that a condition binds for what follows it, in the order of their first mention,
// without those of `outer`.
std::vector<std::string> variables_of(const Pattern& condition, const Bindings& outer);

namespace {

class Evaluator {
  public:
    Evaluator(Scope& scope, const This& current) : scope_(scope), current_(current) {}

    Value value(const Expr& expr) {
        switch (expr.op) {
        case ExprOp::Literal:
            return from_scalar(expr.literal);
        case ExprOp::Variable:
            return variable(expr.variable);
        case ExprOp::This:
            if (!current_) fail(RunErrorKind::NoValue, expr, "$this has no value here");
            return *current_;
        case ExprOp::Not:
            return !truth(expr.args[0]);
        case ExprOp::And:
            return truth(expr.args[0]) && truth(expr.args[1]);
        case ExprOp::Or:
            return truth(expr.args[0]) || truth(expr.args[1]);
        case ExprOp::Conditional:
            return value(expr.args[truth(expr.args[0]) ? 1 : 2]);
        case ExprOp::Size:
            return size(expr);
        case ExprOp::Clamp: {
            const Value first = value(expr.args[0]);
            const Value at_least = calculated(expr, ExprOp::Max, {first, value(expr.args[1])});
            return calculated(expr, ExprOp::Min, {at_least, value(expr.args[2])});
        }
        default:
            return applied(expr);
        }
    }

  private:
    [[noreturn]] void fail(RunErrorKind kind, const Expr& expr, std::string detail) const {
        scope_.world.fail(kind, expr.span, std::move(detail));
    }

    Value variable(const std::string& name) const {
        if (const Value* bound = scope_.bindings.find(name)) return *bound;
        throw std::logic_error("the reader let an unbound variable pass: $" + name);
    }

    // Reports an operand that is not a truth value at that operand.
    bool truth(const Expr& operand) {
        const Value result = value(operand);
        if (const auto* is_true = std::get_if<bool>(&result)) return *is_true;
        fail(RunErrorKind::Type, operand, "not a truth value: " + json_of(result));
    }

    Value size(const Expr& expr) const {
        const Node* node = scope_.world.at(resolve(expr.path, scope_));
        return node != nullptr ? static_cast<std::int64_t>(node->children.size()) : std::int64_t{0};
    }

    // Evaluates operators and functions that need all their arguments first.
    Value applied(const Expr& expr) {
        std::vector<Value> args;
        for (const Expr& arg : expr.args)
            args.push_back(value(arg));
        switch (expr.op) {
        case ExprOp::Equal:
        case ExprOp::NotEqual:
        case ExprOp::Less:
        case ExprOp::LessEqual:
        case ExprOp::Greater:
        case ExprOp::GreaterEqual:
            return holds(expr.op, args[0], args[1]);
        case ExprOp::Random:
            return random(expr, args[0]);
        default:
            return calculated(expr, expr.op, args);
        }
    }

    Value calculated(const Expr& expr, ExprOp op, const std::vector<Value>& args) {
        try {
            Value result = calculate(op, args);
            if (scope_.world.fault == Fault::DivisionRounds && expr.op == ExprOp::Divide)
                return calculate(ExprOp::Floor, {result});
            return result;
        } catch (const ArithmeticError& error) {
            fail(error.kind, expr, error.detail);
        }
    }

    Value random(const Expr& expr, const Value& bound) {
        const auto n = number_of(bound);
        if (!n || !n->is_int || n->integer < 1)
            fail(RunErrorKind::Type, expr, "random needs an integer from 1: " + json_of(bound));
        return static_cast<std::int64_t>(
            scope_.world.random.below(static_cast<std::uint64_t>(n->integer)));
    }

    Scope& scope_;
    const This& current_;
};

} // namespace

Value evaluate(const Expr& expr, Scope& scope, const This& current) {
    return Evaluator(scope, current).value(expr);
}

bool may_be_test(const Expr& expr) {
    switch (expr.op) {
    case ExprOp::Literal:
        return std::holds_alternative<bool>(expr.literal);
    case ExprOp::Variable:
    case ExprOp::This:
    case ExprOp::Not:
    case ExprOp::And:
    case ExprOp::Or:
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual:
        return true;
    case ExprOp::Conditional:
        return may_be_test(expr.args[1]) || may_be_test(expr.args[2]);
    default:
        return false;
    }
}

std::string expand(const KeyTemplate& key, const Scope& scope) {
    std::string text;
    for (const KeyPart& part : key.parts)
        if (!part.variable)
            text += part.text;
        else if (const Value* bound = scope.bindings.find(part.text))
            text += text_of(*bound);
        else
            throw std::logic_error("the reader let an unbound variable pass: $" + part.text);
    return text;
}

Path resolve(const PathExpr& path, const Scope& scope) {
    Path keys = scope.root;
    for (const KeyTemplate& segment : path.segments)
        keys.push_back(expand(segment, scope));
    return keys;
}

namespace {

void add_variables(const Pattern& pattern, std::vector<std::string>& names);

void add_name(const std::string& name, std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Adds the variables that every alternative binds, in the order of the first alternative.
void add_common_variables(const Entry& any, std::vector<std::string>& names) {
    std::vector<std::vector<std::string>> bound(any.patterns.size());
    for (std::size_t i = 0; i < any.patterns.size(); ++i)
        add_variables(any.patterns[i], bound[i]);
    for (const std::string& name : bound.at(0)) {
        const bool common = std::all_of(bound.begin(), bound.end(), [&](const auto& others) {
            return std::find(others.begin(), others.end(), name) != others.end();
        });
        if (common) add_name(name, names);
    }
}

void add_variables(const Entry& entry, std::vector<std::string>& names) {
    if (form_of(entry.kind) == EntryForm::Ways) return add_common_variables(entry, names);
    for (const Pattern& into : entry.into)
        add_variables(into, names);
    if (is_local(entry.kind)) return;
    if (entry.kind == KeyKind::Variable) add_name(entry.variable, names);
    for (const Pattern& pattern : entry.patterns)
        add_variables(pattern, names);
}

void add_variables(const Pattern& pattern, std::vector<std::string>& names) {
    if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign)
        add_name(pattern.variable, names);
    for (const Entry& entry : pattern.entries)
        add_variables(entry, names);
}

} // namespace

std::vector<std::string> variables_of(const Pattern& condition, const Bindings& outer) {
    std::vector<std::string> names;
    add_variables(condition, names);
    std::erase_if(names, [&](const std::string& name) { return outer.find(name) != nullptr; });
    return names;
}

namespace {

// A node with the path up from it. The root of the whole state has no parent.
struct Place {
    const Node* node = nullptr;
    const Place* parent = nullptr;
};

// The rest of the match. Returns false to end the whole search.
using Next = std::function<bool()>;

// The child of that name, or a place without a node. Constants are children of the state's root,
// but only when accessed by name.
Place child_of(const World& world, const Place& at, const std::string& key) {
    const Node* found = at.node->find(key);
    if (found == nullptr && at.parent == nullptr) found = world.constants.find(key);
    return {found, &at};
}

// Calls `visit` with the place at the end of the path, or with one without a node.
bool walk(const World& world, const Path& path, std::size_t index, const Place& at,
          const std::function<bool(const Place&)>& visit) {
    if (index == path.size()) return visit(at);
    const Place below = child_of(world, at, path[index]);
    return below.node != nullptr ? walk(world, path, index + 1, below, visit) : visit(Place{});
}

class Matcher {
  public:
    Matcher(Scope& scope, const Place& state, const Pattern& condition)
        : scope_(scope), state_(state), condition_(condition) {}

    [[nodiscard]] const std::vector<Path>& nodes() const { return nodes_; }
    [[nodiscard]] std::size_t first() const { return first_; }

    // Calls `next` once for every way in which the pattern matches at that place.
    bool pattern(const Pattern& pattern, const Place& at, const Next& next) {
        if (pattern.kind == PatternKind::Object) return entries(pattern, 0, at, next);
        const This value = at.node->value ? This{from_scalar(*at.node->value)} : This{std::nullopt};
        return leaf(pattern, value, next);
    }

  private:
    bool entries(const Pattern& object, std::size_t index, const Place& at, const Next& next) {
        if (&object == &condition_ && index == 1) first_ = nodes_.size();
        if (index == object.entries.size()) return next();
        const Next rest = [&] { return entries(object, index + 1, at, next); };
        return entry(object.entries[index], at, rest);
    }

    bool entry(const Entry& entry, const Place& at, const Next& next) {
        scope_.world.count_step();
        switch (entry.kind) {
        case KeyKind::Name:
            return apply(entry.patterns[0], child_of(scope_.world, at, expand(entry.key, scope_)),
                         next);
        case KeyKind::Variable:
            return variable(entry, at, next);
        case KeyKind::Wildcard:
            return each_child(entry, at, [&](const Place& child) {
                return stand(entry.patterns[0], child, next);
            });
        case KeyKind::Test:
            return test(entry.patterns[0], next);
        case KeyKind::Parent:
            return apply(entry.patterns[0], at.parent != nullptr ? *at.parent : Place{}, next);
        case KeyKind::Root:
            return stand(entry.patterns[0], state_, next);
        case KeyKind::Path:
            return walk(scope_.world, resolve(entry.path, scope_), 0, state_,
                        [&](const Place& found) { return apply(entry.patterns[0], found, next); });
        case KeyKind::Not:
            return matches(entry.patterns[0], at) ? true : next();
        case KeyKind::Exists:
            return matches(entry.patterns[0], at) ? next() : true;
        case KeyKind::Unique:
            return std::get<std::int64_t>(*aggregate(entry, at)) == 1 ? next() : true;
        case KeyKind::Forall:
            return for_all(entry, at) ? next() : true;
        case KeyKind::AnyOf:
            return any_of(entry, at, next);
        case KeyKind::Use:
            return use(entry, 0, at, next);
        case KeyKind::Log:
            return next();
        default:
            break;
        }
        const This result = aggregate(entry, at);
        return result ? leaf(entry.into[0], result, next) : true;
    }

    // ---- children ----------------------------------------------------------------------------

    bool apply(const Pattern& wanted, const Place& at, const Next& next) {
        if (wanted.kind == PatternKind::Absent) return is_absent(at) ? next() : true;
        return at.node != nullptr ? stand(wanted, at, next) : true;
    }

    // Matches an entry at its node; the match stands on that node while the rest is tried.
    bool stand(const Pattern& wanted, const Place& at, const Next& next) {
        if (inside_ > 0) return pattern(wanted, at, next);
        Path path;
        for (const Place* each = &at; each->parent != nullptr; each = each->parent)
            path.insert(path.begin(), each->node->key);
        nodes_.push_back(std::move(path));
        const bool go_on = pattern(wanted, at, next);
        nodes_.pop_back();
        return go_on;
    }

    bool is_absent(const Place& at) const {
        if (at.node == nullptr) return true;
        return scope_.world.fault == Fault::EmptyIsAbsent && !at.node->value;
    }

    bool each_child(const Entry& entry, const Place& at,
                    const std::function<bool(const Place&)>& visit) {
        const auto& children = at.node->children;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const bool reversed = scope_.world.fault == Fault::SiblingsReversed;
            const Node& next = children[reversed ? children.size() - 1 - i : i];
            if (has_type(Key{next.key}, entry.type) && !visit({&next, &at})) return false;
        }
        return true;
    }

    bool variable(const Entry& entry, const Place& at, const Next& next) {
        if (const Value* bound = scope_.bindings.find(entry.variable)) {
            const Node* known = at.node->find(text_of(*bound));
            if (known != nullptr && !has_type(Key{known->key}, entry.type)) return true;
            return apply(entry.patterns[0], {known, &at}, next);
        }
        return each_child(entry, at, [&](const Place& child) {
            const bool as_text = scope_.world.fault == Fault::KeysAreText;
            const Value key = as_text ? Value{child.node->key} : Value{Key{child.node->key}};
            return bound_to(entry.variable, key,
                            [&] { return stand(entry.patterns[0], child, next); });
        });
    }

    // ---- values ------------------------------------------------------------------------------

    // Binds the variable while the rest is tried.
    bool bound_to(const std::string& variable, Value value, const Next& next) {
        const std::size_t before = scope_.bindings.size();
        scope_.bindings.bind(variable, std::move(value));
        const bool go_on = next();
        scope_.bindings.forget_after(before);
        return go_on;
    }

    // Binds the variable, or compares it if it is already bound.
    bool unify(const Pattern& pattern, const Value& value, const Next& next) {
        if (!has_type(value, pattern.type)) return true;
        if (const Value* bound = scope_.bindings.find(pattern.variable))
            return equal(*bound, value) ? next() : true;
        return bound_to(pattern.variable, value, next);
    }

    Value evaluated(const Expr& expr, const This& value) { return evaluate(expr, scope_, value); }

    // A pattern that tests a value, not children; `value` is the value of the node, if any.
    bool leaf(const Pattern& pattern, const This& value, const Next& next) {
        switch (pattern.kind) {
        case PatternKind::Object:
        case PatternKind::Any:
            return next();
        case PatternKind::Absent:
            return true;
        case PatternKind::Value:
            return value && equal(*value, evaluated(pattern.expr, value)) ? next() : true;
        case PatternKind::Compare:
            return value && holds(pattern.compare, *value, evaluated(pattern.expr, value)) ? next()
                                                                                           : true;
        case PatternKind::Bind:
            return value ? unify(pattern, *value, next) : true;
        case PatternKind::Assign:
            if (pattern.expr.mentions_this() && !value) return true;
            return unify(pattern, evaluated(pattern.expr, value), next);
        case PatternKind::Expression:
            return expression(pattern.expr, value) ? next() : true;
        case PatternKind::OneOf:
            return value && std::any_of(pattern.choices.begin(), pattern.choices.end(),
                                        [&](const Expr& choice) {
                                            return equal(*value, evaluated(choice, value));
                                        })
                       ? next()
                       : true;
        }
        throw std::logic_error("unknown kind of pattern");
    }

    // A truth value decides directly; any other value is compared with the node's value.
    bool expression(const Expr& expr, const This& value) {
        if (!value && (expr.mentions_this() || !may_be_test(expr))) return false;
        const Value result = evaluated(expr, value);
        if (const auto* truth = std::get_if<bool>(&result)) return *truth;
        return value && equal(*value, result);
    }

    // `_` has no node, so only true passes.
    bool test(const Pattern& pattern, const Next& next) {
        if (pattern.kind == PatternKind::Assign) return leaf(pattern, std::nullopt, next);
        const Value result = evaluated(pattern.expr, std::nullopt);
        const auto* truth = std::get_if<bool>(&result);
        return truth != nullptr && *truth ? next() : true;
    }

    bool has_type(const Value& value, const TypeName& type) const {
        const std::string& name = type.name;
        if (name.empty() || name == "any") return true;
        if (const Domain* domain = scope_.world.ruleset.domain(name))
            return is_member(*domain, value);
        const bool is_key = std::holds_alternative<Key>(value);
        const std::string kind = kind_of(value);
        if (name == "string") return is_key || kind == "string";
        if (name == "int" && is_key) return number_of(value).has_value();
        if (name == "number") return number_of(value).has_value();
        return kind == name;
    }

    // ---- directives --------------------------------------------------------------------------

    bool matches(const Pattern& wanted, const Place& at) {
        bool found = false;
        ++inside_;
        pattern(wanted, at, [&] {
            found = true;
            return false;
        });
        --inside_;
        return found;
    }

    bool for_all(const Entry& entry, const Place& at) {
        bool all = true;
        ++inside_;
        pattern(entry.patterns[0], at, [&] { return all = matches(entry.patterns[1], at); });
        --inside_;
        return all;
    }

    bool any_of(const Entry& entry, const Place& at, const Next& next) {
        for (const Pattern& alternative : entry.patterns) {
            bool matched = false;
            ++inside_;
            const bool go_on = pattern(alternative, at, [&] {
                matched = true;
                --inside_;
                const bool more = next();
                ++inside_;
                return more;
            });
            --inside_;
            if (!go_on) return false;
            if (matched && scope_.world.fault == Fault::AnyTakesFirst) break;
        }
        return true;
    }

    bool use(const Entry& entry, std::size_t index, const Place& at, const Next& next) {
        if (index == entry.patterns.size()) return next();
        return pattern(entry.patterns[index], at, [&] { return use(entry, index + 1, at, next); });
    }

    static bool counts(const Entry& entry) {
        return entry.kind == KeyKind::Count || entry.kind == KeyKind::Unique;
    }

    // Returns no value for the minimum or maximum of an empty set.
    This aggregate(const Entry& entry, const Place& at) {
        const bool adds = counts(entry) || entry.kind == KeyKind::Sum;
        This result = adds ? This{std::int64_t{0}} : This{};
        static const Pattern kAnything{};
        const Pattern& of = entry.patterns.empty() ? kAnything : entry.patterns[0];
        ++inside_;
        pattern(of, at, [&] {
            result = combined(entry, result);
            return true;
        });
        --inside_;
        return result;
    }

    This combined(const Entry& entry, const This& so_far) {
        if (counts(entry)) return std::get<std::int64_t>(*so_far) + 1;
        const Expr& expr = entry.value[0];
        const Value value = evaluated(expr, std::nullopt);
        if (!number_of(value))
            scope_.world.fail(RunErrorKind::Type, expr.span, "not a number: " + json_of(value));
        if (!so_far) return number_of(value)->value();
        const ExprOp op = entry.kind == KeyKind::Sum   ? ExprOp::Add
                          : entry.kind == KeyKind::Min ? ExprOp::Min
                                                       : ExprOp::Max;
        try {
            return calculate(op, {*so_far, value});
        } catch (const ArithmeticError& error) {
            scope_.world.fail(error.kind, expr.span, error.detail);
        }
    }

    Scope& scope_;
    const Place& state_;
    const Pattern& condition_;
    std::vector<Path> nodes_; // nodes that the partial match stands on
    std::size_t first_ = 0;   // number of nodes in nodes_ for the condition's first entry
    unsigned inside_ = 0;     // number of enclosing directives
};

} // namespace

std::vector<Standing> find_standing(const Rule& rule, Scope& scope) {
    static const Pattern kAnything{};
    const Pattern& condition = rule.condition ? *rule.condition : kAnything;
    const auto names = variables_of(condition, scope.bindings);
    const bool one_only = rule.first && scope.world.fault != Fault::FirstIgnored;
    std::vector<Standing> matches;
    const Place state{&scope.world.state, nullptr};
    Matcher matcher(scope, state, condition);
    const Next add_match = [&] {
        if (matches.size() == scope.world.budgets.matches_per_rule)
            scope.world.fail(RunErrorKind::BudgetMatches, rule.span, "too many matches");
        Standing& made = matches.emplace_back();
        for (const std::string& name : names)
            made.match.emplace_back(name, *scope.bindings.find(name));
        made.nodes = matcher.nodes();
        made.first = matcher.first();
        return !one_only;
    };
    walk(scope.world, scope.root, 0, state, [&](const Place& root) {
        if (root.node != nullptr) return matcher.pattern(condition, root, add_match);
        // The root was removed: only a condition without entries matches.
        const bool asks = condition.kind != PatternKind::Object || !condition.entries.empty();
        return asks || add_match();
    });
    return matches;
}

std::vector<Match> find_matches(const Rule& rule, Scope& scope) {
    std::vector<Match> matches;
    for (Standing& each : find_standing(rule, scope))
        matches.push_back(std::move(each.match));
    return matches;
}

} // namespace croupier::engine::reference
