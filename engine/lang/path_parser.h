// Paths, templates and the other forms that keys can have.
#pragma once

#include "engine/lang/expr.h"
#include "engine/lang/pattern.h"
#include "engine/lang/reading.h"

namespace croupier::engine {

// `a.$X.b-{$Y}` in string[begin, end); throws Mistake.
PathExpr parse_path(const Quoted& string, std::size_t begin, std::size_t end);

// A name with {$X} in it, where @@ and $$ stand for one character; throws Mistake.
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

// Throws Mistake.
ParsedKey parse_key(const Quoted& string);

} // namespace croupier::engine
