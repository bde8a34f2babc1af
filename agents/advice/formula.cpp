// Parses formulas by recursive descent with a depth limit.
#include "agents/advice/table.h"
#include "agents/codes.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace croupier::agents::advice {
namespace {

using Op = Formula::Op;

constexpr int kDeepest = 64; // nested parentheses

// The words that join names, in English and Russian; empty for any other.
std::string_view connective(std::string_view word) {
    constexpr std::pair<std::string_view, std::string_view> kRussian[] = {
        {"и", "and"}, {"или", "or"}, {"не", "not"}, {"затем", "then"}};
    for (const auto& [russian, english] : kRussian)
        if (word == russian || word == english) return english;
    return {};
}

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || static_cast<unsigned char>(c) >= 0x80; // letters of any language, in UTF-8
}

class Parser {
  public:
    Parser(const engine::Quoted& quoted, engine::Diagnostics& diagnostics)
        : quoted_(quoted), text_(quoted.text()), diagnostics_(diagnostics) {
        advance();
    }

    std::optional<Formula> whole() {
        Formula formula = chain(Op::Then);
        if (good_ && !token_.empty()) fail("expected and, or, then, or the end");
        if (!good_) return std::nullopt;
        return formula;
    }

  private:
    // Parses one level of precedence: parts of the next tighter level, joined by this level's word.
    Formula chain(Op op) {
        const std::string_view word = op == Op::Then ? "then" : op == Op::Or ? "or" : "and";
        const std::size_t begin = begin_;
        Formula first = tighter(op);
        if (!good_ || connective(token_) != word) return first;
        Formula formula;
        formula.op = op;
        formula.parts.push_back(std::move(first));
        while (good_ && connective(token_) == word) {
            advance();
            formula.parts.push_back(tighter(op));
        }
        return finish(std::move(formula), begin);
    }

    Formula tighter(Op op) {
        return op == Op::Then ? chain(Op::Or) : op == Op::Or ? chain(Op::And) : single();
    }

    Formula single() {
        const std::size_t begin = begin_;
        Formula formula;
        if (++depth_ > kDeepest) fail("this is nested too deep");
        if (!good_) return formula;
        if (connective(token_) == "not") {
            advance();
            formula.op = Op::Not;
            formula.parts.push_back(single());
        } else if (token_ == "(") {
            advance();
            formula = chain(Op::Then);
            if (good_ && token_ != ")") fail("expected )");
            if (good_) advance();
            --depth_;
            return formula;
        } else if (token_ == "depth") {
            read_depth(formula);
        } else if (token_.empty() || !is_word_character(token_[0]) || !connective(token_).empty()) {
            fail("expected a name");
        } else {
            formula.name = token_;
            advance();
        }
        --depth_;
        return finish(std::move(formula), begin);
    }

    void read_depth(Formula& formula) {
        formula.op = Op::Depth;
        advance();
        constexpr std::pair<std::string_view, Compare> kCompares[] = {{"=", Compare::Equal},
                                                                      {"<", Compare::Less},
                                                                      {"<=", Compare::AtMost},
                                                                      {">", Compare::More},
                                                                      {">=", Compare::AtLeast}};
        bool known = false;
        for (const auto& [sign, compare] : kCompares) {
            if (token_ != sign) continue;
            formula.compare = compare;
            known = true;
        }
        if (!known) return fail("expected =, <, <=, > or >= after depth");
        advance();
        const auto read =
            std::from_chars(token_.data(), token_.data() + token_.size(), formula.depth);
        if (read.ec != std::errc() || read.ptr != token_.data() + token_.size())
            return fail("expected a number of plies");
        advance();
    }

    Formula finish(Formula formula, std::size_t begin) {
        formula.span = quoted_.span(begin, ended_);
        formula.text = text_.substr(begin, ended_ - begin);
        return formula;
    }

    void advance() {
        ended_ = begin_ + token_.size();
        begin_ = ended_;
        while (begin_ < text_.size() && text_[begin_] == ' ')
            ++begin_;
        std::size_t end = begin_;
        while (end < text_.size() && is_word_character(text_[end]))
            ++end;
        if (end == begin_ && end < text_.size()) {
            const bool two = text_.substr(end, 2) == "<=" || text_.substr(end, 2) == ">=";
            end += two ? 2 : 1;
        }
        token_ = text_.substr(begin_, end - begin_);
    }

    void fail(std::string_view expected) {
        if (good_) {
            const std::string found =
                token_.empty() ? std::string("the end") : fmt::format("'{}'", token_);
            diagnostics_.error(code::kFormula,
                               token_.empty() ? quoted_.whole()
                                              : quoted_.span(begin_, begin_ + token_.size()),
                               fmt::format("{}, found {}", expected, found),
                               "as in \"not rooklost and (rookdivides or lpatt)\", or "
                               "\"depth = 0 and legal then depth = 2 and checkmove\"");
        }
        good_ = false;
    }

    const engine::Quoted& quoted_;
    std::string_view text_;
    engine::Diagnostics& diagnostics_;
    std::string_view token_;
    std::size_t begin_ = 0; // of the token
    std::size_t ended_ = 0; // where the previous token ended
    int depth_ = 0;
    bool good_ = true;
};

} // namespace

std::optional<Formula> parse_formula(const engine::Quoted& text, engine::Diagnostics& diagnostics) {
    return Parser(text, diagnostics).whole();
}

} // namespace croupier::agents::advice
