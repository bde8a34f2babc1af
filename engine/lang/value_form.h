// What kind of value a string is: text, word, comparison, binding or expression.
#pragma once

#include "engine/lang/expr.h"
#include "engine/lang/pattern.h"
#include "engine/lang/reading.h"

namespace croupier::engine {

enum class ValueForm {
    Text,       // itself, or what follows a leading '
    Word,       // "@absent" and other @-words
    Comparison, // "<= expr"
    Equals,     // "= expr"
    Bind,       // "$X", "$X:type"
    Assign,     // "$X = expr", "$X:type = expr"
    Expression, // whatever else holds a $
};

struct ParsedForm {
    ValueForm form = ValueForm::Text;
    std::size_t begin = 0;          // of the text or the expression
    ExprOp compare = ExprOp::Equal; // Comparison
    std::string variable;           // Bind, Assign
    Span variable_span;
    TypeName type; // Bind, Assign
};

ParsedForm parse_form(const Quoted& string);

// The `$X`, `$X:type`, `$X = ..` that the string begins with; Expression when it is none of these.
ParsedForm parse_binding(const Quoted& string);

} // namespace croupier::engine
