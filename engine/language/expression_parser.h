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

// What stops the parsing of one string. Thrown and caught inside the parsers of this folder.
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

// Letters, digits and _, and every character outside ASCII: what names are made of.
bool is_name_character(char c);
bool begins_name(char c);
// The end of the name that begins at `at`; `at` when none does.
std::size_t end_of_name(std::string_view text, std::size_t at);
// The first offset from `at` that is no space.
std::size_t skip_spaces(std::string_view text, std::size_t at);

// Paths, templates and the other forms that keys can have.

// `a.$X.b-{$Y}` in string[begin, end); throws SyntaxError.
PathExpr parse_path(const Quoted& string, std::size_t begin, std::size_t end);

// A name with {$X} in it, where @@ and $$ stand for one character; throws SyntaxError.
KeyTemplate parse_template(const Quoted& string, std::size_t begin, std::size_t end);

enum class KeyForm { Name, Variable, Test, Directive };

// One key, taken apart: `name`, `a-{$X}`, `$X:type`, `_`, `@word`, `@path(..)`, each with `@id`.
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

// What kind of value a string is: text, word, comparison, binding or expression.

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

// Parses string.text() from `begin` to `end`. A mistake is reported and gives nullopt.
// `options.NAME` becomes the literal that the option holds.
std::optional<Expr> parse_expression(Reading& reading, const Quoted& string, std::size_t begin,
                                     std::size_t end = std::string_view::npos);

// What `parse` makes of the string. A mistake is reported and gives nullopt.
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
