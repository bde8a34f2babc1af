// Expressions of the rule language as a tree: what a leaf's text means once it is parsed.
#pragma once

#include "engine/text/document.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::engine {

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

} // namespace croupier::engine
