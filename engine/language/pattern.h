// Conditions and actions as trees: the parsed form used by checks, model and compiler.
#pragma once

#include "engine/text/document.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace croupier::engine {

// Expressions of the rule language as a tree: the parsed text of a leaf.

struct Expr;

// A piece of a key or path segment: literal text, or the text of a bound variable's value.
struct KeyPart {
    std::string text; // literal text, or the variable's name without $
    bool variable = false;
    Span span;
};

// A key computed from parts. One literal part is a plain name, one variable part is `$X`.
struct KeyTemplate {
    std::vector<KeyPart> parts;
    Span span;

    [[nodiscard]] bool is_name() const { return parts.size() == 1 && !parts[0].variable; }
    [[nodiscard]] bool is_variable() const { return parts.size() == 1 && parts[0].variable; }
};

// `a.$X.b`: segments from the current root downwards; empty is the root itself.
struct PathExpr {
    std::vector<KeyTemplate> segments;
    Span span;
};

enum class ExprOp {
#define OPERATOR(name, text, level, least, most, arguments) name,
#include "engine/language/operators.def"
};

// How tightly an operator binds; an operand that binds less needs parentheses.
enum class Level { Conditional, Or, And, Compare, Sum, Product, Unary, Primary, Call };

constexpr Level tighter(Level level) {
    return static_cast<Level>(static_cast<int>(level) + 1);
}

struct Operator {
    ExprOp op;
    std::string_view text;
    Level level;
    std::size_t least; // arguments of a call
    std::size_t most;
    const char* arguments;

    [[nodiscard]] constexpr bool is_infix() const {
        return level >= Level::Or && level <= Level::Product;
    }
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();
inline constexpr Operator kOperators[] = {
#define OPERATOR(name, text, level, least, most, arguments)                                        \
    {ExprOp::name, text, Level::level, least, most, arguments},
#include "engine/language/operators.def"
};
constexpr const Operator& operator_of(ExprOp op) {
    return kOperators[static_cast<std::size_t>(op)];
}

constexpr bool is_equality(ExprOp op) {
    return op == ExprOp::Equal || op == ExprOp::NotEqual;
}
constexpr bool is_comparison(ExprOp op) {
    return operator_of(op).level == Level::Compare;
}

// Its result is true or false, whatever its arguments.
constexpr bool gives_truth(ExprOp op) {
    return op == ExprOp::Not || op == ExprOp::And || op == ExprOp::Or || is_comparison(op);
}

// `compare` must be a comparison. Inline, since a search calls it for every row it visits.
inline bool compare_integers(ExprOp compare, std::int64_t a, std::int64_t b) {
    switch (compare) {
    case ExprOp::Equal:
        return a == b;
    case ExprOp::NotEqual:
        return a != b;
    case ExprOp::Less:
        return a < b;
    case ExprOp::LessEqual:
        return a <= b;
    case ExprOp::Greater:
        return a > b;
    default:
        return a >= b;
    }
}

struct Expr {
    ExprOp op = ExprOp::Literal;
    Span span;
    Scalar literal;       // Literal
    std::string variable; // Variable: name without $
    PathExpr path;        // Size
    std::vector<Expr> args;
    std::string option; // name, if the literal is the value of `options.NAME`

    // A literal in the file. The value of an option may be set from outside, so it does not count.
    [[nodiscard]] bool is_fixed() const { return op == ExprOp::Literal && option.empty(); }
    // Whether `$this` occurs anywhere in it.
    [[nodiscard]] bool mentions_this() const;
};

struct Group;

// Name of a type as written after `$X:`, or empty. The checks resolve it against `types`.
struct TypeName {
    std::string name;
    Span span;
};

// ---- conditions ------------------------------------------------------------------------------

enum class PatternKind {
    Object,     // entries; empty means "exists"
    Value,      // equal to `expr` (a literal, or "= expr")
    Compare,    // node's value `compare` `expr`
    Bind,       // "$X", "$X:type"
    Assign,     // "$X = expr", "$X:type = expr"
    Expression, // any other expression: a test if it yields a bool, else equality
    OneOf,      // equal to one of `choices`
    Absent,     // "@absent"
    Any,        // "@any"
};

struct Entry;

struct Pattern {
    PatternKind kind = PatternKind::Object;
    Span span;
    std::vector<Entry> entries;     // Object
    ExprOp compare = ExprOp::Equal; // Compare: Equal .. GreaterEqual
    Expr expr;                      // Value, Compare, Assign, Expression
    std::string variable;           // Bind, Assign: name without $
    TypeName type;                  // Bind, Assign
    std::vector<Expr> choices;      // OneOf
};

enum class KeyKind {
#define CONDITION(name, word, form) name,
#define ACTION(name, word)
#include "engine/language/keywords.def"
};

enum class EntryForm { Node, Test, Inner, Ways, Total, Use, Log };

constexpr EntryForm form_of(KeyKind kind) {
    constexpr EntryForm kForms[] = {
#define CONDITION(name, word, form) EntryForm::form,
#define ACTION(name, word)
#include "engine/language/keywords.def"
    };
    return kForms[static_cast<std::size_t>(kind)];
}

// Variables that its patterns bind are unknown after it.
constexpr bool is_local(KeyKind kind) {
    return form_of(kind) == EntryForm::Inner || form_of(kind) == EntryForm::Total;
}
// Its patterns are separate searches.
constexpr bool searches_inside(KeyKind kind) {
    return is_local(kind) || form_of(kind) == EntryForm::Ways;
}

struct Entry {
    KeyKind kind = KeyKind::Name;
    Span key_span;
    Span span;            // key and value together
    KeyTemplate key;      // Name: literal or template with {$X}
    std::string variable; // Variable
    TypeName type;        // Variable, Wildcard
    PathExpr path;        // Path
    // The patterns that the entry applies: Forall {of, holds}; AnyOf the alternatives; aggregates
    // {of}; Use one Object pattern per used name, in order; Log none; all others exactly one.
    std::vector<Pattern> patterns;
    std::vector<std::string> use_names; // Use, as written
    // Aggregates:
    std::vector<Expr> value;   // zero or one
    std::vector<Pattern> into; // exactly one leaf pattern
    bool flag = false;         // Log
    // Number of this entry inside its rule, in written order, counting condition entries at every
    // depth: its row in `why` and the profile. The reader assigns it.
    std::uint32_t id = 0;
};

// ---- actions ---------------------------------------------------------------------------------

enum class ActionKind {
    Set,    // `expr`
    Object, // entries
    Array,  // elements: data
    Remove,
};

struct ActionEntry;

struct ActionNode {
    ActionKind kind = ActionKind::Object;
    Span span;
    Expr expr;
    std::vector<ActionEntry> entries;
    std::vector<ActionNode> elements;
};

enum class ActionKeyKind {
#define CONDITION(name, word, form)
#define ACTION(name, word) name,
#include "engine/language/keywords.def"
};

// "text $X more {expr}" of @print: text and expressions, alternating.
struct PrintPart {
    std::string text;
    std::vector<Expr> expr; // zero or one; if one, `text` is empty
};

// An argument of @call: a path, an expression or a literal, by the function's signature.
struct CallArgument {
    std::string name;
    Span span;
    std::vector<PathExpr> path; // zero or one
    std::vector<Expr> expr;     // zero or one
};

struct ActionEntry {
    ActionKeyKind kind = ActionKeyKind::Name;
    Span key_span;
    Span span;
    KeyTemplate key;                     // Name: literal, template, or $X (one variable part)
    PathExpr path;                       // Path
    ActionNode node;                     // Name, Parent, Root, Path
    std::shared_ptr<const Group> group;  // Rules
    std::string function;                // Call: shuffle, deal, choose, sort or a host function
    std::vector<CallArgument> arguments; // Call
    std::vector<PrintPart> print;        // Print
};

// The action of a rule: nothing, a tree, or a group of rules with the same root.
struct Action {
    enum class Kind { None, Tree, Group };
    Kind kind = Kind::None;
    Span span;
    ActionNode tree;
    std::shared_ptr<const Group> group;
};

// ---- walks -----------------------------------------------------------------------------------

// Calls `visit` with each direct part of this one. Visits groups of rules inside an action, but not
// their contents: those rules have their own variables.
template <class Part, class Visit>
void for_each_part(const Part& part, const Visit& visit) {
    const auto all = [&](const auto& parts) {
        for (const auto& each : parts)
            visit(each);
    };
    const auto group = [&](const std::shared_ptr<const Group>& inner) {
        if (inner) visit(*inner);
    };
    if constexpr (std::is_same_v<Part, KeyTemplate>) {
        all(part.parts);
    } else if constexpr (std::is_same_v<Part, PathExpr>) {
        all(part.segments);
    } else if constexpr (std::is_same_v<Part, Expr>) {
        visit(part.path);
        all(part.args);
    } else if constexpr (std::is_same_v<Part, Pattern>) {
        visit(part.expr);
        all(part.choices);
        all(part.entries);
    } else if constexpr (std::is_same_v<Part, Entry>) {
        visit(part.key);
        visit(part.path);
        all(part.value);
        all(part.patterns);
        all(part.into);
    } else if constexpr (std::is_same_v<Part, ActionNode>) {
        visit(part.expr);
        all(part.elements);
        all(part.entries);
    } else if constexpr (std::is_same_v<Part, ActionEntry>) {
        visit(part.key);
        visit(part.path);
        for (const CallArgument& argument : part.arguments) {
            all(argument.path);
            all(argument.expr);
        }
        for (const PrintPart& printed : part.print)
            all(printed.expr);
        group(part.group);
        visit(part.node);
    } else if constexpr (std::is_same_v<Part, Action>) {
        group(part.group);
        visit(part.tree);
    }
}

// Calls `visit` with each part of that kind, including this one, outer before inner.
template <class Wanted, class Part, class Visit>
void for_each(const Part& part, const Visit& visit) {
    if constexpr (std::is_same_v<Part, Wanted>) visit(part);
    for_each_part(part, [&](const auto& below) { for_each<Wanted>(below, visit); });
}

// Calls `visit(name, place)` for each variable mentioned in the part's expressions, keys and paths.
template <class Part, class Visit>
void for_each_variable(const Part& part, const Visit& visit) {
    if constexpr (std::is_same_v<Part, Expr>) {
        if (part.op == ExprOp::Variable) visit(part.variable, part.span);
    } else if constexpr (std::is_same_v<Part, KeyPart>) {
        if (part.variable) visit(part.text, part.span);
    }
    for_each_part(part, [&](const auto& below) { for_each_variable(below, visit); });
}

} // namespace croupier::engine
