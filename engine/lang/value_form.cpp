// Decides by the first characters of a string, as LANGUAGE.md section 3 says.
#include "engine/lang/value_form.h"

#include "engine/lang/lexer.h"

namespace croupier::engine {
namespace {

struct Sign {
    std::string_view text;
    ExprOp op;
};

constexpr Sign kSigns[] = {
    {"<=", ExprOp::LessEqual}, {">=", ExprOp::GreaterEqual}, {"==", ExprOp::Equal},
    {"!=", ExprOp::NotEqual},  {"<", ExprOp::Less},          {">", ExprOp::Greater},
};

} // namespace

ParsedForm parse_form(const Quoted& string) {
    const std::string_view text = string.text();
    ParsedForm result;
    if (text.starts_with('\'')) {
        result.begin = 1;
        return result;
    }
    if (text.starts_with('@')) {
        result.form = ValueForm::Word;
        return result;
    }
    const bool holds_variable = text.find('$') != std::string_view::npos;
    // Spaces before a sign count as text unless there is a $, which makes it an expression anyway.
    const std::size_t first = holds_variable ? skip_spaces(text, 0) : 0;
    for (const Sign& sign : kSigns) {
        if (!text.substr(first).starts_with(sign.text)) continue;
        result.form = ValueForm::Comparison;
        result.compare = sign.op;
        result.begin = first + sign.text.size();
        return result;
    }
    if (text.substr(first).starts_with('=')) {
        result.form = ValueForm::Equals;
        result.begin = first + 1;
        return result;
    }
    return holds_variable ? parse_binding(string) : result;
}

ParsedForm parse_binding(const Quoted& string) {
    const std::string_view text = string.text();
    ParsedForm expression;
    expression.form = ValueForm::Expression;
    const std::size_t first = skip_spaces(text, 0);
    const std::size_t end = end_of_name(text, first + 1);
    if (first >= text.size() || text[first] != '$' || end == first + 1) return expression;

    ParsedForm result;
    result.variable = text.substr(first + 1, end - first - 1);
    result.variable_span = string.span(first, end);
    std::size_t at = skip_spaces(text, end);
    if (at < text.size() && text[at] == ':') {
        const std::size_t type = skip_spaces(text, at + 1);
        const std::size_t type_end = end_of_name(text, type);
        if (type_end == type) return expression;
        result.type = {std::string(text.substr(type, type_end - type)),
                       string.span(type, type_end)};
        at = skip_spaces(text, type_end);
    }
    if (at == text.size()) {
        // $this alone is the node's own value, not a variable to bind.
        if (result.variable == "this" && result.type.name.empty()) return expression;
        result.form = ValueForm::Bind;
        return result;
    }
    if (text[at] != '=' || text.substr(at).starts_with("==")) return expression;
    result.form = ValueForm::Assign;
    result.begin = at + 1;
    return result;
}

} // namespace croupier::engine
