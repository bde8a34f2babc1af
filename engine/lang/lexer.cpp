// Tokens of expressions: numbers, 'strings', names, $variables and operators.
#include "engine/lang/lexer.h"

#include "engine/text/codes.h"

#include <charconv>
#include <cmath>

namespace croupier::engine {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t end_of_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return at;
}

} // namespace

bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_character(char c) {
    return begins_name(c) || is_digit(c);
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
    if (at >= text.size() || !begins_name(text[at])) return at;
    while (at < text.size() && is_name_character(text[at]))
        ++at;
    return at;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
        ++at;
    return at;
}

Token Lexer::next() {
    at_ = skip_spaces(text_, at_);
    Token token;
    token.begin = token.end = at_;
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (is_digit(c)) return number();
    if (c == '\'') return string();
    if (c == '$') return variable();
    if (!begins_name(c)) return operator_token();
    token.kind = TokenKind::Name;
    token.end = at_ = end_of_name(text_, at_);
    token.text = text_.substr(token.begin, token.end - token.begin);
    return token;
}

Token Lexer::number() {
    Token token{TokenKind::Number, at_, end_of_digits(text_, at_), {}, {}};
    bool integer = true;
    if (token.end + 1 < text_.size() && text_[token.end] == '.' && is_digit(text_[token.end + 1])) {
        integer = false;
        token.end = end_of_digits(text_, token.end + 1);
    }
    if (token.end < text_.size() && (text_[token.end] == 'e' || text_[token.end] == 'E')) {
        std::size_t exponent = token.end + 1;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-'))
            ++exponent;
        const std::size_t end = end_of_digits(text_, exponent);
        if (end > exponent) {
            integer = false;
            token.end = end;
        }
    }
    if (token.end < text_.size() && is_name_character(text_[token.end])) {
        const std::size_t end = end_of_name(text_, token.end);
        throw Mistake(code::kExpression, token.begin, end,
                      "a name cannot begin with a digit, a number cannot end with letters");
    }
    const char* first = text_.data() + token.begin;
    const char* last = text_.data() + token.end;
    if (integer) {
        // One more than the largest integer is good behind a minus; the parser sees to that.
        std::uint64_t value = 0;
        const auto result = std::from_chars(first, last, value);
        constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
        if (result.ec != std::errc{} || value > kMost) {
            throw Mistake(code::kExpressionNumber, token.begin, token.end,
                          "the integer is outside the 64-bit range",
                          "write it with a decimal point to make it a double");
        }
        token.value = static_cast<std::int64_t>(value);
    } else {
        double value = 0;
        const auto result = std::from_chars(first, last, value);
        // A number too small for a double is 0, as in JSON; one too large is a mistake.
        if (result.ec == std::errc::result_out_of_range) {
            value = std::strtod(std::string(first, last).c_str(), nullptr);
        }
        if (!std::isfinite(value)) {
            throw Mistake(code::kExpressionNumber, token.begin, token.end,
                          "the number is too large for a double");
        }
        token.value = value;
    }
    at_ = token.end;
    return token;
}

Token Lexer::string() {
    Token token{TokenKind::String, at_, at_ + 1, {}, {}};
    std::string value;
    while (token.end < text_.size()) {
        const char c = text_[token.end++];
        if (c != '\'') {
            value += c;
        } else if (token.end < text_.size() && text_[token.end] == '\'') {
            value += text_[token.end++]; // '' inside a string is one quote
        } else {
            token.value = std::move(value);
            at_ = token.end;
            return token;
        }
    }
    throw Mistake(code::kExpression, token.begin, text_.size(), "an unclosed 'string'",
                  "close it with '");
}

Token Lexer::variable() {
    Token token{TokenKind::Variable, at_, end_of_name(text_, at_ + 1), {}, {}};
    if (token.end == at_ + 1) {
        throw Mistake(code::kExpression, at_, at_ + 1, "expected a variable's name after $",
                      "to write text that holds a $, begin the string with '");
    }
    token.text = text_.substr(token.begin + 1, token.end - token.begin - 1);
    at_ = token.end;
    return token;
}

Token Lexer::operator_token() {
    constexpr std::string_view kOperators[] = {"<=", ">=", "==", "!=", "&&", "||", "<",
                                               ">",  "+",  "-",  "*",  "/",  "%",  "!",
                                               "?",  ":",  "(",  ")",  ",",  "=",  "."};
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view known : kOperators) {
        if (!rest.starts_with(known)) continue;
        Token token{TokenKind::Operator, at_, at_ + known.size(), known, {}};
        at_ = token.end;
        return token;
    }
    const bool half = rest[0] == '&' || rest[0] == '|';
    throw Mistake(code::kExpression, at_, at_ + 1,
                  std::string("the character ") + rest[0] + " has no meaning in an expression",
                  half ? std::string("write ") + rest[0] + rest[0]
                       : "to write plain text, begin the string with '");
}

} // namespace croupier::engine
