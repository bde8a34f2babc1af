// Cuts the text of an expression into tokens.
#pragma once

#include "engine/text/document.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace croupier::engine {

// What stops the parsing of one string. Thrown and caught inside the parsers of this folder.
struct Mistake : std::runtime_error {
    Mistake(std::string_view its_code, std::size_t first, std::size_t last,
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

enum class TokenKind { End, Number, String, Name, Variable, Operator };

struct Token {
    TokenKind kind = TokenKind::End;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view text; // of a Name, a Variable (without $) or an Operator
    Scalar value;          // of a Number or String
};

class Lexer {
  public:
    Lexer(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

    // The token at the current place; throws Mistake for what can be none.
    Token next();

    [[nodiscard]] std::size_t position() const { return at_; }
    void jump(std::size_t to) { at_ = to; }

  private:
    Token number();
    Token string();
    Token variable();
    Token operator_token();

    std::string_view text_;
    std::size_t at_;
};

} // namespace croupier::engine
