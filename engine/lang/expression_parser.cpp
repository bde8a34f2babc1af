// Precedence climbing over the tokens of one string.
#include "engine/lang/expression_parser.h"

#include "engine/lang/functions.h"
#include "engine/lang/lexer.h"
#include "engine/lang/path_parser.h"

#include <algorithm>

namespace croupier::engine {
namespace {

// Deep enough for any formula, shallow enough for every recursion over the tree.
constexpr unsigned kMaxDepth = 200;

struct Binary {
    std::string_view text;
    int level;
    ExprOp op;
};

constexpr int kComparison = 3;
constexpr Binary kBinary[] = {
    {"||", 1, ExprOp::Or},
    {"&&", 2, ExprOp::And},
    {"==", kComparison, ExprOp::Equal},
    {"!=", kComparison, ExprOp::NotEqual},
    {"<", kComparison, ExprOp::Less},
    {"<=", kComparison, ExprOp::LessEqual},
    {">", kComparison, ExprOp::Greater},
    {">=", kComparison, ExprOp::GreaterEqual},
    {"+", 4, ExprOp::Add},
    {"-", 4, ExprOp::Subtract},
    {"*", 5, ExprOp::Multiply},
    {"/", 5, ExprOp::Divide},
    {"%", 5, ExprOp::Modulo},
};

// A tree and its height, which the parser bounds.
struct Part {
    Expr expr;
    unsigned height = 1;
};

class ExpressionParser {
  public:
    ExpressionParser(const Reading& reading, const Quoted& string, std::size_t begin,
                     std::size_t end, const std::vector<Option>& options)
        : reading_(reading), string_(string), text_(string.text().substr(0, end)),
          options_(options), lexer_(text_, begin), token_(lexer_.next()) {}

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
            throw Mistake(code::kExpression, text_.size(), text_.size(),
                          "expected " + expected + ", found the end");
        std::string hint;
        if (at("=")) hint = "equality is written ==";
        const std::string found(text_.substr(token_.begin, token_.end - token_.begin));
        throw Mistake(code::kExpression, token_.begin, token_.end,
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
        throw Mistake(code::kExpressionDepth, begin, end_,
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
            Part condition = binary(1);
            if (!at("?")) return condition;
            take();
            Part then = conditional();
            expect(":", "of the ? before it");
            Part otherwise = conditional();
            return make(ExprOp::Conditional, begin,
                        list(std::move(condition), std::move(then), std::move(otherwise)));
        });
    }

    Part binary(int lowest) {
        const std::size_t begin = token_.begin;
        Part left = unary();
        while (const Binary* op = binary_operator(lowest)) {
            take();
            Part right = binary(op->level + 1);
            left = make(op->op, begin, list(std::move(left), std::move(right)));
            if (op->level == kComparison) forbid_chain(begin);
        }
        return left;
    }

    [[nodiscard]] const Binary* binary_operator(int lowest) const {
        if (token_.kind != TokenKind::Operator) return nullptr;
        const auto* found =
            std::find_if(std::begin(kBinary), std::end(kBinary), [&](const Binary& b) {
                return b.text == token_.text && b.level >= lowest;
            });
        return found == std::end(kBinary) ? nullptr : found;
    }

    void forbid_chain(std::size_t begin) const {
        const Binary* next = binary_operator(kComparison);
        if (next == nullptr || next->level != kComparison) return;
        throw Mistake(code::kChainedComparison, begin, token_.end, "comparisons do not chain",
                      "join two with &&: \"$A < $B && $B < $C\"");
    }

    Part unary() {
        if (!at("!") && !at("-")) return primary();
        return nested([this] {
            const Token op = take();
            // -9223372036854775808 is a literal, not the negation of a number too large.
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
        if (const auto* integer = std::get_if<std::int64_t>(&token.value)) {
            part.expr.literal = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*integer));
        } else {
            part.expr.literal = -std::get<double>(token.value);
        }
        return part;
    }

    Part primary() {
        switch (token_.kind) {
        case TokenKind::Number:
            if (token_.value == Scalar(INT64_MIN)) {
                throw Mistake(code::kExpressionNumber, token_.begin, token_.end,
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
            throw Mistake(code::kVariableName, token.begin, token.end,
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
            throw Mistake(
                code::kUnknownWord, token.begin, token.end,
                "the word " + std::string(token.text) + " has no meaning in an expression",
                "write '" + std::string(token.text) + "' for the text, $" +
                    std::string(token.text) +
                    " for a variable; to write it all as plain text, begin the string with '");
        }
        if (token.text == "size") return size(token);
        return call(token);
    }

    Part call(const Token& name) {
        const Function* function = find_function(name.text);
        if (function == nullptr) {
            throw Mistake(code::kUnknownWord, name.begin, name.end,
                          "there is no function " + std::string(name.text),
                          reading_.did_you_mean(name.text, function_names()));
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
            throw Mistake(code::kArgumentCount, name.begin, end_,
                          std::string(name.text) + " takes " + function->arguments + ", found " +
                              std::to_string(args.size()));
        }
        return make(function->op, name.begin, std::move(args));
    }

    // The argument is a path, so it is read as text.
    Part size(const Token& name) {
        const std::size_t begin = token_.end;
        const std::size_t close = text_.find(')', begin);
        if (close == std::string_view::npos) {
            throw Mistake(code::kExpression, token_.begin, token_.end, "an unclosed parenthesis",
                          "close it with )");
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
        const auto found = std::find_if(options_.begin(), options_.end(),
                                        [&](const Option& o) { return o.name == name.text; });
        if (found == options_.end()) {
            Words known;
            for (const Option& option : options_)
                known.push_back(option.name);
            throw Mistake(code::kUnknownOption, name.begin, name.end,
                          "the ruleset has no option " + std::string(name.text),
                          reading_.did_you_mean(name.text, known));
        }
        if (found->value.kind != Document::Kind::Scalar) {
            throw Mistake(code::kUnknownOption, name.begin, name.end,
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
    const std::vector<Option>& options_;
    Lexer lexer_;
    Token token_;
    std::size_t end_ = 0; // of the last token taken
    unsigned depth_ = 0;
};

} // namespace

void report(Reading& reading, const Quoted& string, const Mistake& mistake) {
    reading.error(mistake.code, string.span(mistake.begin, mistake.end), mistake.what(),
                  mistake.hint);
}

std::optional<Expr> parse_expression(Reading& reading, const Quoted& string, std::size_t begin,
                                     const std::vector<Option>& options, std::size_t end) {
    try {
        return ExpressionParser(reading, string, begin, end, options).parse();
    } catch (const Mistake& mistake) {
        report(reading, string, mistake);
        return std::nullopt;
    }
}

} // namespace croupier::engine
