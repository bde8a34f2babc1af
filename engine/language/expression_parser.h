// Expressions of the rule language: precedence, functions, options.
#pragma once

#include "engine/language/pattern.h"
#include "engine/language/reading.h"
#include "engine/language/ruleset.h"
#include "engine/text/document.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace croupier::engine {

// Stops the parsing of one string. Thrown and caught inside the parsers of this folder.
struct SyntaxError : std::runtime_error {
    SyntaxError(std::string_view its_code, std::size_t first, std::size_t last,
                const std::string& message, std::string its_hint = {})
        : std::runtime_error(message), code(its_code), begin(first), end(last),
          hint(std::move(its_hint)) {}

    std::string_view code;
    std::size_t begin; // in the text of the string
    std::size_t end;
    std::string hint;
};

// Names consist of letters, digits, _ and every character outside ASCII.
bool is_name_character(char c);
bool begins_name(char c);
// The end of the name that begins at `at`, or `at` if none does.
std::size_t end_of_name(std::string_view text, std::size_t at);
// The offset of the first character from `at` on that is not a space.
std::size_t skip_spaces(std::string_view text, std::size_t at);

// Parses paths, templates and the other forms of keys.

// `a.$X.b-{$Y}` in string[begin, end); throws SyntaxError.
PathExpr parse_path(const Quoted& string, std::size_t begin, std::size_t end);

// A name that may contain {$X}; @@ and $$ mean one character each. Throws SyntaxError.
KeyTemplate parse_template(const Quoted& string, std::size_t begin, std::size_t end);

enum class KeyForm { Name, Variable, Test, Directive };

// One parsed key: `name`, `a-{$X}`, `$X:type`, `_`, `@word`, `@path(..)`, each with `@id`.
struct ParsedKey {
    KeyForm form = KeyForm::Name;
    Span span;
    KeyTemplate key;      // Name
    std::string variable; // Variable: "_" for $_
    TypeName type;        // Variable
    std::string word;     // Directive: "@not", "@path", ..
    PathExpr path;        // Directive @path
};

// Throws SyntaxError.
ParsedKey parse_key(const Quoted& string);

// The kind of value that a string is: text, word, comparison, binding or expression.

enum class ValueForm {
    Text,       // the string itself, or what follows a leading '
    Word,       // "@absent" and other @-words
    Comparison, // "<= expr"
    Equals,     // "= expr"
    Bind,       // "$X", "$X:type"
    Assign,     // "$X = expr", "$X:type = expr"
    Expression, // anything else that contains a $
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

// Parses string.text() from `begin` to `end`. Reports an error and returns nullopt. `options.NAME`
// becomes the literal value of the option.
std::optional<Expr> parse_expression(Reading& reading, const Quoted& string, std::size_t begin,
                                     std::size_t end = std::string_view::npos);

// Returns parse(string), or reports its SyntaxError and returns nullopt.
template <typename Parse>
auto parse_or_report(Reading& reading, const Quoted& string, const Parse& parse)
    -> std::optional<decltype(parse(string))> {
    try {
        return parse(string);
    } catch (const SyntaxError& mistake) {
        reading.error(mistake.code, string.span(mistake.begin, mistake.end), mistake.what(),
                      mistake.hint);
        return std::nullopt;
    }
}

} // namespace croupier::engine
