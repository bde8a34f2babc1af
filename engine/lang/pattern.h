// Conditions and actions as trees: the parsed form that checks, model and compiler share.
#pragma once

#include "engine/text/document.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::engine {

// Expressions of the rule language as a tree: what a leaf's text means once it is parsed.

struct Expr;

// A piece of a key or path segment: literal text, or the text of a bound variable's value.
struct KeyPart {
    std::string text; // literal text, or the variable's name without $
    bool variable = false;
    Span span;
};

// A key computed from parts. One literal part: a plain name. One variable part: `$X`.
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
    Literal,
    Variable,
    This,
    Not,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Conditional, // Conditional: args are condition, then, else
    Min,
    Max,
    Abs,
    Floor,
    Round,
    Size,
    Random,
};

constexpr bool is_equality(ExprOp op) {
    return op == ExprOp::Equal || op == ExprOp::NotEqual;
}
constexpr bool is_comparison(ExprOp op) {
    return op >= ExprOp::Equal && op <= ExprOp::GreaterEqual;
}

// What it gives is true or false, whatever it is given.
constexpr bool gives_truth(ExprOp op) {
    return op == ExprOp::Not || op == ExprOp::And || op == ExprOp::Or || is_comparison(op);
}

// `compare` is one of the comparisons. Here, since a search asks it for every row it visits.
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
    std::string option; // of a Literal that is the value of `options.NAME`: that name

    // True if `$this` occurs anywhere in it.
    [[nodiscard]] bool mentions_this() const;
};

struct Group;

// Name of a type as written after `$X:`; empty for none. Resolved against `types` by the checks.
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
    Name,     // also templates and a bound variable: see `key`
    Variable, // $X that binds or tests; `variable`, `type`
    Wildcard, // $_ ; `type` allowed
    Test,     // _
    Parent,
    Root,
    Path, // Path: `path`
    Not,
    Exists,
    Forall,
    AnyOf,
    Count,
    Sum,
    Min,
    Max,
    Use, // resolved by the reader: `patterns[0]` holds the used entries
    Log, // `flag`
};

struct Entry {
    KeyKind kind = KeyKind::Name;
    Span key_span;
    Span span;            // key and value together
    KeyTemplate key;      // Name: literal or template with {$X}
    std::string variable; // Variable
    TypeName type;        // Variable, Wildcard
    PathExpr path;        // Path
    // What the entry applies: Forall {of, holds}; AnyOf the alternatives; aggregates {of};
    // Use: one Object pattern per used name, in order; Log: none; all others exactly one.
    std::vector<Pattern> patterns;
    std::vector<std::string> use_names; // Use, as written
    // Aggregates:
    std::vector<Expr> value;   // zero or one
    std::vector<Pattern> into; // exactly one leaf pattern
    bool flag = false;         // Log
    // Number of this entry inside its rule, in written order, counted over condition entries at
    // every depth: the row of `why` and of the profile. Assigned by the reader.
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

enum class ActionKeyKind { Name, Parent, Root, Path, Rules, Call, Print };

// "text $X more {expr}" of @print: text and expressions in turn.
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

// What a rule does: nothing, a tree, or a group of rules with the same root.
struct Action {
    enum class Kind { None, Tree, Group };
    Kind kind = Kind::None;
    Span span;
    ActionNode tree;
    std::shared_ptr<const Group> group;
};

} // namespace croupier::engine
