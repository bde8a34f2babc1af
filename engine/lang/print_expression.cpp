// Expressions, keys and paths as text, with as few parentheses as they need.
#include "engine/lang/print.h"

#include "engine/lang/functions.h"

namespace croupier::engine {
namespace {

// How tightly an expression binds; an operand that binds less needs parentheses.
enum class Level { Conditional, Or, And, Compare, Sum, Product, Unary, Primary };

struct Operator {
    ExprOp op;
    std::string_view text;
    Level level;
};

constexpr Operator kOperators[] = {
    {ExprOp::Or, "||", Level::Or},           {ExprOp::And, "&&", Level::And},
    {ExprOp::Equal, "==", Level::Compare},   {ExprOp::NotEqual, "!=", Level::Compare},
    {ExprOp::Less, "<", Level::Compare},     {ExprOp::LessEqual, "<=", Level::Compare},
    {ExprOp::Greater, ">", Level::Compare},  {ExprOp::GreaterEqual, ">=", Level::Compare},
    {ExprOp::Add, "+", Level::Sum},          {ExprOp::Subtract, "-", Level::Sum},
    {ExprOp::Multiply, "*", Level::Product}, {ExprOp::Divide, "/", Level::Product},
    {ExprOp::Modulo, "%", Level::Product},
};

const Operator* operator_of(ExprOp op) {
    for (const Operator& known : kOperators) {
        if (known.op == op) return &known;
    }
    return nullptr;
}

std::string operand(const Expr& expr, Level least);

std::string literal(const Expr& expr) {
    if (!expr.option.empty()) return "options." + expr.option;
    const auto* text = std::get_if<std::string>(&expr.literal);
    if (text == nullptr) return scalar_json(expr.literal);
    std::string quoted = "'";
    for (const char c : *text) {
        quoted += c;
        if (c == '\'') quoted += c;
    }
    return quoted + '\'';
}

bool is_plain_number(const Expr& expr) {
    return expr.op == ExprOp::Literal && expr.option.empty() &&
           (std::holds_alternative<std::int64_t>(expr.literal) ||
            std::holds_alternative<double>(expr.literal));
}

// The text and how tightly it binds.
std::pair<std::string, Level> print_at_level(const Expr& expr) {
    if (const Operator* known = operator_of(expr.op)) {
        // Equal levels group from the left; comparisons do not group at all.
        const auto tighter = static_cast<Level>(static_cast<int>(known->level) + 1);
        const Level left = known->level == Level::Compare ? tighter : known->level;
        return {operand(expr.args[0], left) + ' ' + std::string(known->text) + ' ' +
                    operand(expr.args[1], tighter),
                known->level};
    }
    switch (expr.op) {
    case ExprOp::Literal:
        return {literal(expr), Level::Primary};
    case ExprOp::Variable:
        return {'$' + expr.variable, Level::Primary};
    case ExprOp::This:
        return {"$this", Level::Primary};
    case ExprOp::Not:
        return {'!' + operand(expr.args[0], Level::Unary), Level::Unary};
    case ExprOp::Negate: {
        // -5 is a number; the negation of 5 is written -(5).
        const std::string inner = operand(expr.args[0], Level::Unary);
        const bool number = is_plain_number(expr.args[0]) && !inner.starts_with('-');
        return {number ? "-(" + inner + ')' : '-' + inner, Level::Unary};
    }
    case ExprOp::Conditional:
        return {operand(expr.args[0], Level::Or) + " ? " + print(expr.args[1]) + " : " +
                    print(expr.args[2]),
                Level::Conditional};
    case ExprOp::Size:
        return {"size(" + print(expr.path) + ')', Level::Primary};
    default:
        break;
    }
    std::string text;
    for (const Function& function : kFunctions) {
        if (function.op == expr.op) text = std::string(function.name) + '(';
    }
    for (std::size_t i = 0; i < expr.args.size(); ++i)
        text += (i > 0 ? ", " : "") + print(expr.args[i]);
    return {text + ')', Level::Primary};
}

std::string operand(const Expr& expr, Level least) {
    const auto [text, level] = print_at_level(expr);
    return level >= least ? text : '(' + text + ')';
}

std::string escape_name(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (c == '@' || c == '$') text += c;
        text += c;
    }
    return text;
}

// A variable alone is $X in paths and actions; in conditions $X would bind, so there it is {$X}.
std::string print_template(const KeyTemplate& key, bool bare) {
    if (bare && key.is_variable()) return '$' + key.parts[0].text;
    std::string text;
    for (const KeyPart& part : key.parts)
        text += part.variable ? "{$" + part.text + '}' : escape_name(part.text);
    return text;
}

std::string with_type(const std::string& variable, const TypeName& type) {
    return type.name.empty() ? variable : variable + ':' + type.name;
}

} // namespace

std::string_view sign_of(ExprOp op) {
    const Operator* known = operator_of(op);
    return known == nullptr ? std::string_view() : known->text;
}

std::string print(const Expr& expr) {
    return print_at_level(expr).first;
}

std::string print(const PathExpr& path) {
    std::string text;
    for (const KeyTemplate& segment : path.segments)
        text += (text.empty() ? "" : ".") + print_template(segment, true);
    return text;
}

std::string print_key(const Entry& entry) {
    switch (entry.kind) {
    case KeyKind::Name:
        return print_template(entry.key, false);
    case KeyKind::Variable:
        return with_type('$' + entry.variable, entry.type);
    case KeyKind::Wildcard:
        return with_type("$_", entry.type);
    case KeyKind::Test:
        return "_";
    case KeyKind::Parent:
        return "@parent";
    case KeyKind::Root:
        return "@root";
    case KeyKind::Path:
        return "@path(" + print(entry.path) + ')';
    case KeyKind::Not:
        return "@not";
    case KeyKind::Exists:
        return "@exists";
    case KeyKind::Forall:
        return "@forall";
    case KeyKind::AnyOf:
        return "@any";
    case KeyKind::Count:
        return "@count";
    case KeyKind::Sum:
        return "@sum";
    case KeyKind::Min:
        return "@min";
    case KeyKind::Max:
        return "@max";
    case KeyKind::Use:
        return "@use";
    case KeyKind::Log:
        return "@log";
    }
    return {};
}

std::string print_key(const ActionEntry& entry) {
    switch (entry.kind) {
    case ActionKeyKind::Name:
        return print_template(entry.key, true);
    case ActionKeyKind::Parent:
        return "@parent";
    case ActionKeyKind::Root:
        return "@root";
    case ActionKeyKind::Path:
        return "@path(" + print(entry.path) + ')';
    case ActionKeyKind::Rules:
        return "@rules";
    case ActionKeyKind::Call:
        return "@call";
    case ActionKeyKind::Print:
        return "@print";
    }
    return {};
}

} // namespace croupier::engine
