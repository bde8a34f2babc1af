// Parses tokens, keys, paths, forms of values, and expressions by precedence climbing.
#include "engine/language/expression_parser.h"

#include "engine/language/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace croupier::engine {

namespace {

// Tokens of expressions: numbers, 'strings', names, $variables and operators.

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t end_of_digits(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at]))
        ++at;
    return at;
}

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

    // The token at the current place; throws SyntaxError if there is no valid one.
    Token next() {
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

    void jump(std::size_t to) { at_ = to; }

  private:
    Token number() {
        Token token{TokenKind::Number, at_, end_of_digits(text_, at_), {}, {}};
        bool integer = true;
        if (token.end + 1 < text_.size() && text_[token.end] == '.' &&
            is_digit(text_[token.end + 1])) {
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
            throw SyntaxError(code::kExpression, token.begin, end,
                              "a name cannot begin with a digit, a number cannot end with letters");
        }
        const char* first = text_.data() + token.begin;
        const char* last = text_.data() + token.end;
        if (integer) {
            // The largest integer plus one is valid after a minus; the parser checks that.
            std::uint64_t value = 0;
            const auto result = std::from_chars(first, last, value);
            constexpr std::uint64_t kMax = std::uint64_t{1} << 63;
            if (result.ec != std::errc{} || value > kMax) {
                throw SyntaxError(code::kExpressionNumber, token.begin, token.end,
                                  "the integer is outside the 64-bit range",
                                  "write it with a decimal point to make it a double");
            }
            token.value = static_cast<std::int64_t>(value);
        } else {
            double value = 0;
            const auto result = std::from_chars(first, last, value);
            // A number too small for a double is 0, as in JSON; one too large is an error.
            if (result.ec == std::errc::result_out_of_range)
                value = std::strtod(std::string(first, last).c_str(), nullptr);
            if (!std::isfinite(value)) {
                throw SyntaxError(code::kExpressionNumber, token.begin, token.end,
                                  "the number is too large for a double");
            }
            token.value = value;
        }
        at_ = token.end;
        return token;
    }

    Token string() {
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
        throw SyntaxError(code::kExpression, token.begin, text_.size(), "an unclosed 'string'",
                          "close it with '");
    }

    Token variable() {
        Token token{TokenKind::Variable, at_, end_of_name(text_, at_ + 1), {}, {}};
        if (token.end == at_ + 1) {
            throw SyntaxError(code::kExpression, at_, at_ + 1, "expected a variable's name after $",
                              "to write text that holds a $, begin the string with '");
        }
        token.text = text_.substr(token.begin + 1, token.end - token.begin - 1);
        at_ = token.end;
        return token;
    }

    Token operator_token() {
        constexpr std::string_view kPunctuation[] = {":", "(", ")", ",", "=", "."};
        const std::string_view rest = text_.substr(at_);
        std::string_view longest; // < is a prefix of <=
        const auto look = [&](std::string_view known) {
            if (rest.starts_with(known) && known.size() > longest.size()) longest = known;
        };
        for (const Operator& each : kOperators)
            if (each.level != Level::Call) look(each.text);
        for (const std::string_view each : kPunctuation)
            look(each);
        if (!longest.empty()) {
            Token token{TokenKind::Operator, at_, at_ + longest.size(), longest, {}};
            at_ = token.end;
            return token;
        }
        const bool half = rest[0] == '&' || rest[0] == '|';
        throw SyntaxError(code::kExpression, at_, at_ + 1,
                          std::string("the character ") + rest[0] +
                              " has no meaning in an expression",
                          half ? std::string("write ") + rest[0] + rest[0]
                               : "to write plain text, begin the string with '");
    }

    std::string_view text_;
    std::size_t at_;
};

// Parses keys and paths, character by character.

constexpr std::size_t kMaxSegments = 100;

// Parses `{$X}` at `at`; returns the offset after it.
std::size_t variable_part(const Quoted& string, std::size_t at, std::size_t end,
                          std::vector<KeyPart>& parts) {
    const std::string_view text = string.text();
    const std::size_t name = at + 2;
    const std::size_t stop = end_of_name(text, name);
    if (stop == name || stop >= end || text[stop] != '}') {
        throw SyntaxError(code::kKeyForm, at, std::min(stop + 1, end),
                          "expected a variable between braces, as in {$X}");
    }
    parts.push_back({std::string(text.substr(name, stop - name)), true, string.span(at, stop + 1)});
    return stop + 1;
}

// The end of a key without its re-entry id: the first @ that is not doubled.
std::size_t end_of_entry(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at) {
        if (text[at] != '@') continue;
        if (at + 1 >= text.size() || text[at + 1] != '@') return at;
        ++at;
    }
    return text.size();
}

void check_id(std::string_view text, std::size_t at) {
    if (at < text.size() && at + 1 == text.size()) {
        throw SyntaxError(code::kKeyForm, at, at + 1, "expected a word after the @ at the end",
                          "any word will do, as in \"gold@2\"; a key that holds an @ doubles it");
    }
}

// Skips `:type` at `at`, if present, and spaces. Returns false, at the place for a name, if the
// type is missing.
bool pass_type(const Quoted& string, std::size_t& at, TypeName& type) {
    const std::string_view text = string.text();
    at = skip_spaces(text, at);
    if (at >= text.size() || text[at] != ':') return true;
    const std::size_t begin = skip_spaces(text, at + 1);
    at = end_of_name(text, begin);
    if (at == begin) return false;
    type = {std::string(text.substr(begin, at - begin)), string.span(begin, at)};
    at = skip_spaces(text, at);
    return true;
}

ParsedKey variable_key(const Quoted& string) {
    const std::string_view text = string.text();
    ParsedKey key;
    key.form = KeyForm::Variable;
    const std::size_t name_end = end_of_name(text, 1);
    if (name_end == 1) {
        throw SyntaxError(code::kKeyForm, 0, 1, "expected a variable's name after $",
                          "a key that begins with $ doubles it");
    }
    key.variable = text.substr(1, name_end - 1);
    std::size_t at = name_end;
    if (!pass_type(string, at, key.type))
        throw SyntaxError(code::kKeyForm, at, at + 1, "expected a type after the colon");
    if (at < text.size() && text[at] != '@') {
        throw SyntaxError(
            code::kKeyForm, at, text.size(), "a key that begins with a variable holds nothing else",
            "put the variable of a longer key in braces, as in \"{$" + key.variable + "}-b\"");
    }
    check_id(text, at);
    return key;
}

ParsedKey directive_key(const Quoted& string) {
    const std::string_view text = string.text();
    ParsedKey key;
    key.form = KeyForm::Directive;
    std::size_t at = end_of_name(text, 1);
    key.word = text.substr(0, at);
    if (key.word == "@path") {
        const std::size_t close = text.find(')', at);
        if (at >= text.size() || text[at] != '(' || close == std::string_view::npos) {
            throw SyntaxError(code::kPathForm, 0, text.size(),
                              "expected a path in parentheses, as in @path(a.$X.b)");
        }
        key.path = parse_path(string, at + 1, close);
        at = close + 1;
    }
    const bool known = find_condition_word(key.word) || find_action_word(key.word);
    if (known && at < text.size() && text[at] != '@')
        throw SyntaxError(code::kKeyForm, at, text.size(), "unexpected text after " + key.word);
    check_id(text, at);
    return key;
}

// The `$X`, `$X:type` or `$X = ..` at the start of the string, or Expression if there is none.
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
    std::size_t at = end;
    if (!pass_type(string, at, result.type)) return expression;
    if (at == text.size()) {
        // `$this` by itself is the node's own value, not a variable to bind.
        if (result.variable == "this" && result.type.name.empty()) return expression;
        result.form = ValueForm::Bind;
        return result;
    }
    if (text[at] != '=' || text.substr(at).starts_with("==")) return expression;
    result.form = ValueForm::Assign;
    result.begin = at + 1;
    return result;
}

// Deep enough for any formula, and safe for every recursion over the tree.
constexpr unsigned kMaxDepth = 200;

// A tree and its height, which the parser bounds.
struct Part {
    Expr expr;
    unsigned height = 1;
};

class ExpressionParser {
  public:
    ExpressionParser(const Reading& reading, const Quoted& string, std::size_t begin,
                     std::size_t end)
        : reading_(reading), string_(string), text_(string.text().substr(0, end)),
          lexer_(text_, begin), token_(lexer_.next()) {}

    Expr parse() {
        Part whole = conditional();
        if (token_.kind != TokenKind::End) unexpected("an operator or the end");
        return std::move(whole.expr);
    }

  private:
    [[nodiscard]] bool at(std::string_view text) const {
        return token_.kind == TokenKind::Operator && token_.text == text;
    }
    Token take() {
        end_ = token_.end;
        return std::exchange(token_, lexer_.next());
    }
    void expect(std::string_view text, std::string_view after) {
        if (!at(text)) unexpected(std::string(text) + " " + std::string(after));
        take();
    }

    [[noreturn]] void unexpected(const std::string& expected) const {
        if (token_.kind == TokenKind::End)
            throw SyntaxError(code::kExpression, text_.size(), text_.size(),
                              "expected " + expected + ", found the end");
        std::string hint;
        if (at("=")) hint = "equality is written ==";
        const std::string found(text_.substr(token_.begin, token_.end - token_.begin));
        throw SyntaxError(code::kExpression, token_.begin, token_.end,
                          "expected " + expected + ", found " + found, hint);
    }

    Part make(ExprOp op, std::size_t begin, std::vector<Part> args) const {
        Part result;
        result.expr.op = op;
        result.expr.span = string_.span(begin, end_);
        for (Part& arg : args) {
            result.height = std::max(result.height, arg.height + 1);
            result.expr.args.push_back(std::move(arg.expr));
        }
        if (result.height > kMaxDepth) too_deep(begin);
        return result;
    }

    [[noreturn]] void too_deep(std::size_t begin) const {
        throw SyntaxError(
            code::kExpressionDepth, begin, end_,
            "an expression nested deeper than " + std::to_string(kMaxDepth) + " levels",
            "split it with _ entries: {\"_\": \"$A = ..\", \"_@2\": \"$B = $A + ..\"}");
    }

    template <typename Parse>
    Part nested(Parse parse) {
        if (++depth_ > kMaxDepth) too_deep(token_.begin);
        Part result = parse();
        --depth_;
        return result;
    }

    Part conditional() {
        return nested([this] {
            const std::size_t begin = token_.begin;
            Part condition = infix(Level::Or);
            if (!at("?")) return condition;
            take();
            Part then = conditional();
            expect(":", "of the ? before it");
            Part otherwise = conditional();
            return make(ExprOp::Conditional, begin,
                        list(std::move(condition), std::move(then), std::move(otherwise)));
        });
    }

    Part infix(Level loosest) {
        const std::size_t begin = token_.begin;
        Part left = unary();
        while (const Operator* op = infix_operator(loosest)) {
            take();
            Part right = infix(tighter(op->level));
            left = make(op->op, begin, list(std::move(left), std::move(right)));
            if (op->level == Level::Compare) forbid_chain(begin);
        }
        return left;
    }

    [[nodiscard]] const Operator* infix_operator(Level loosest) const {
        if (token_.kind != TokenKind::Operator) return nullptr;
        for (const Operator& op : kOperators)
            if (op.text == token_.text && op.is_infix() && op.level >= loosest) return &op;
        return nullptr;
    }

    void forbid_chain(std::size_t begin) const {
        const Operator* next = infix_operator(Level::Compare);
        if (next == nullptr || next->level != Level::Compare) return;
        throw SyntaxError(code::kChainedComparison, begin, token_.end, "comparisons do not chain",
                          "join two with &&: \"$A < $B && $B < $C\"");
    }

    Part unary() {
        if (!at("!") && !at("-")) return primary();
        return nested([this] {
            const Token op = take();
            // -9223372036854775808 is a literal, not the negation of a number that is too large.
            if (op.text == "-" && token_.kind == TokenKind::Number)
                return negative_number(op.begin);
            Part operand = unary();
            return make(op.text == "!" ? ExprOp::Not : ExprOp::Negate, op.begin,
                        list(std::move(operand)));
        });
    }

    Part negative_number(std::size_t begin) {
        const Token token = take();
        Part part = make(ExprOp::Literal, begin, {});
        if (const auto* integer = std::get_if<std::int64_t>(&token.value))
            part.expr.literal = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*integer));
        else
            part.expr.literal = -std::get<double>(token.value);
        return part;
    }

    Part primary() {
        switch (token_.kind) {
        case TokenKind::Number:
            if (token_.value == Scalar(INT64_MIN)) {
                throw SyntaxError(code::kExpressionNumber, token_.begin, token_.end,
                                  "the integer is outside the 64-bit range",
                                  "write it with a decimal point to make it a double");
            }
            return literal();
        case TokenKind::String:
            return literal();
        case TokenKind::Variable:
            return variable();
        case TokenKind::Name:
            return name();
        case TokenKind::Operator:
            if (at("(")) return parenthesis();
            break;
        case TokenKind::End:
            break;
        }
        unexpected("a value");
    }

    Part literal() {
        Token token = take();
        Part part = make(ExprOp::Literal, token.begin, {});
        part.expr.literal = std::move(token.value);
        return part;
    }

    Part variable() {
        const Token token = take();
        if (token.text == "_") {
            throw SyntaxError(code::kVariableName, token.begin, token.end,
                              "$_ binds nothing, so it has no value", "give the variable a name");
        }
        Part part = make(token.text == "this" ? ExprOp::This : ExprOp::Variable, token.begin, {});
        if (part.expr.op == ExprOp::Variable) part.expr.variable = token.text;
        return part;
    }

    Part parenthesis() {
        const std::size_t begin = take().begin;
        Part inner = conditional();
        expect(")", "after the parenthesis");
        inner.expr.span = string_.span(begin, end_);
        return inner;
    }

    Part name() {
        const Token token = take();
        if (token.text == "true" || token.text == "false" || token.text == "null") {
            Part part = make(ExprOp::Literal, token.begin, {});
            if (token.text != "null") part.expr.literal = token.text == "true";
            return part;
        }
        if (token.text == "options" && at(".")) return option(token);
        if (!at("(")) {
            throw SyntaxError(
                code::kUnknownWord, token.begin, token.end,
                fmt::format("the word {} has no meaning in an expression", token.text),
                fmt::format(
                    "write '{0}' for the text, ${0} for a variable; to write it all as plain "
                    "text, begin the string with '",
                    token.text));
        }
        if (token.text == "size") return size(token);
        return call(token);
    }

    Part call(const Token& name) {
        const Operator* function = nullptr;
        Words known;
        for (const Operator& each : kOperators) {
            if (each.level != Level::Call) continue;
            known.emplace_back(each.text);
            if (each.text == name.text) function = &each;
        }
        if (function == nullptr) {
            throw SyntaxError(code::kUnknownWord, name.begin, name.end,
                              "there is no function " + std::string(name.text),
                              reading_.did_you_mean(name.text, known));
        }
        take();
        std::vector<Part> args;
        if (!at(")")) {
            args.push_back(conditional());
            while (at(",")) {
                take();
                args.push_back(conditional());
            }
        }
        expect(")", "after the arguments");
        if (args.size() < function->least || args.size() > function->most) {
            throw SyntaxError(
                code::kArgumentCount, name.begin, end_,
                fmt::format("{} takes {}, found {}", name.text, function->arguments, args.size()));
        }
        return make(function->op, name.begin, std::move(args));
    }

    // The argument is a path, so it is read as text.
    Part size(const Token& name) {
        const std::size_t begin = token_.end;
        const std::size_t close = text_.find(')', begin);
        if (close == std::string_view::npos) {
            throw SyntaxError(code::kExpression, token_.begin, token_.end,
                              "an unclosed parenthesis", "close it with )");
        }
        PathExpr path = parse_path(string_, begin, close);
        lexer_.jump(close);
        take();
        take();
        Part part = make(ExprOp::Size, name.begin, {});
        part.expr.path = std::move(path);
        return part;
    }

    Part option(const Token& word) {
        take();
        if (token_.kind != TokenKind::Name) unexpected("the name of an option");
        const Token name = take();
        const Option* const found = find_named(reading_.options, name.text);
        if (found == nullptr) {
            throw SyntaxError(code::kUnknownOption, name.begin, name.end,
                              "the ruleset has no option " + std::string(name.text),
                              reading_.did_you_mean(name.text, names_of(reading_.options)));
        }
        if (found->value.kind != Document::Kind::Scalar) {
            throw SyntaxError(code::kUnknownOption, name.begin, name.end,
                              "the option " + found->name + " holds no single value");
        }
        Part part = make(ExprOp::Literal, word.begin, {});
        part.expr.literal = found->value.scalar;
        part.expr.option = found->name;
        return part;
    }

    template <typename... Parts>
    static std::vector<Part> list(Parts... parts) {
        std::vector<Part> result;
        result.reserve(sizeof...(parts));
        (result.push_back(std::move(parts)), ...);
        return result;
    }

    const Reading& reading_;
    const Quoted& string_;
    std::string_view text_; // of the string up to the end of the expression
    Lexer lexer_;
    Token token_;
    std::size_t end_ = 0; // of the last token taken
    unsigned depth_ = 0;
};

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

KeyTemplate parse_template(const Quoted& string, std::size_t begin, std::size_t end) {
    const std::string_view text = string.text();
    KeyTemplate result{{}, string.span(begin, end)};
    std::size_t part_begin = begin;
    for (std::size_t at = begin; at < end;) {
        const char c = text[at];
        const bool variable = c == '{' && at + 1 < end && text[at + 1] == '$';
        if (variable && (at + 2 >= end || text[at + 2] != '$')) {
            part_begin = at = variable_part(string, at, end, result.parts);
            continue;
        }
        if (result.parts.empty() || result.parts.back().variable) result.parts.emplace_back();
        if (c == '$' || c == '@') {
            if (at + 1 >= end || text[at + 1] != c) {
                throw SyntaxError(code::kKeyForm, at, at + 1,
                                  std::string("a single ") + c + " inside a name",
                                  "double it, or put a variable in braces: {$X}");
            }
            ++at;
        }
        KeyPart& part = result.parts.back();
        part.text += c;
        part.span = string.span(part_begin, ++at);
    }
    if (result.parts.empty()) result.parts.push_back({{}, false, result.span});
    return result;
}

PathExpr parse_path(const Quoted& string, std::size_t begin, std::size_t end) {
    const std::string_view text = string.text();
    PathExpr path{{}, string.span(begin, end)};
    std::size_t at = skip_spaces(text, begin);
    while (end > at && text[end - 1] == ' ')
        --end;
    if (at == end) return path;
    while (true) {
        const std::size_t stop = std::min(text.find('.', at), end);
        if (stop == at) {
            throw SyntaxError(code::kPathForm, at, at + 1,
                              "expected a name between the dots of a path");
        }
        if (path.segments.size() == kMaxSegments)
            throw SyntaxError(code::kPathForm, at, end, "a path of more than 100 names");
        if (text[at] == '$' && end_of_name(text, at + 1) == stop && stop > at + 1) {
            const Span span = string.span(at, stop);
            path.segments.push_back(
                {{{std::string(text.substr(at + 1, stop - at - 1)), true, span}}, span});
        } else {
            path.segments.push_back(parse_template(string, at, stop));
        }
        if (stop == end) return path;
        at = stop + 1;
        if (at == end)
            throw SyntaxError(code::kPathForm, stop, end, "expected a name after the last dot");
    }
}

ParsedKey parse_key(const Quoted& string) {
    const std::string_view text = string.text();
    const auto begins = [&](char c) {
        return !text.empty() && text[0] == c && (text.size() < 2 || text[1] != c);
    };
    ParsedKey key;
    if (begins('$')) {
        key = variable_key(string);
    } else if (begins('@')) {
        key = directive_key(string);
    } else {
        const std::size_t end = end_of_entry(text, 0);
        check_id(text, end);
        key.form = text.substr(0, end) == "_" ? KeyForm::Test : KeyForm::Name;
        if (key.form == KeyForm::Name) key.key = parse_template(string, 0, end);
    }
    key.span = string.whole();
    return key;
}

// Decides by the first characters of a string; see LANGUAGE.md section 3.

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
    // Spaces before a sign make it text, unless there is a $, which makes it an expression anyway.
    const std::size_t first = holds_variable ? skip_spaces(text, 0) : 0;
    std::size_t longest = 0; // < is a prefix of <=
    for (const Operator& sign : kOperators) {
        if (sign.level != Level::Compare || sign.text.size() <= longest ||
            !text.substr(first).starts_with(sign.text))
            continue;
        longest = sign.text.size();
        result.form = ValueForm::Comparison;
        result.compare = sign.op;
        result.begin = first + longest;
    }
    if (longest > 0) return result;
    if (text.substr(first).starts_with('=')) {
        result.form = ValueForm::Equals;
        result.begin = first + 1;
        return result;
    }
    return holds_variable ? parse_binding(string) : result;
}

std::optional<Expr> parse_expression(Reading& reading, const Quoted& string, std::size_t begin,
                                     std::size_t end) {
    return parse_or_report(reading, string, [&](const Quoted&) {
        return ExpressionParser(reading, string, begin, end).parse();
    });
}

} // namespace croupier::engine
