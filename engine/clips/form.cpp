// The tokens of CLIPS 6.30 and their nesting.
#include "engine/clips/form.h"

#include "engine/clips/codes.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

namespace croupier::engine::clips {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// Ends a symbol. '<' does so as well, except as its first character.
bool is_delimiter(char c) {
    return is_space(c) || c == '(' || c == ')' || c == '&' || c == '|' || c == '~' || c == ';' ||
           c == '"' || c == '\0';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<Value> parse_number(std::string_view text) {
    std::size_t at = 0;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    std::size_t digits = 0;
    bool real = false;
    while (at < text.size() && is_digit(text[at]))
        ++at, ++digits;
    if (at < text.size() && text[at] == '.') {
        real = true;
        ++at;
        while (at < text.size() && is_digit(text[at]))
            ++at, ++digits;
    }
    if (digits == 0) return std::nullopt;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        real = true;
        ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
        const std::size_t exponent = at;
        while (at < text.size() && is_digit(text[at]))
            ++at;
        if (at == exponent) return std::nullopt;
    }
    if (at != text.size()) return std::nullopt;
    const std::string copy(text);
    if (real) return Value::real(std::strtod(copy.c_str(), nullptr));
    // Out of range, it is the nearest that fits, as strtoll has it.
    return Value::integer(std::strtoll(copy.c_str(), nullptr, 10));
}

std::optional<Form> FormReader::next() {
    skip_space();
    if (failed_ || at_ >= text_.size()) return std::nullopt;
    return read(0);
}

std::optional<Form> FormReader::next_token() {
    skip_space();
    if (failed_ || at_ >= text_.size()) return std::nullopt;
    if (text_[at_] == '(' || text_[at_] == ')') {
        Form form;
        form.kind = Form::Kind::Constant;
        form.value = interner_.string(text_.substr(at_, 1));
        form.span = {file_, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + 1)};
        ++at_;
        return form;
    }
    return read(0);
}

void FormReader::skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n')
        ++at_;
}

void FormReader::skip_space() {
    while (at_ < text_.size()) {
        if (text_[at_] == ';')
            skip_line();
        else if (is_space(text_[at_]))
            ++at_;
        else
            return;
    }
}

void FormReader::fail(std::size_t begin, std::size_t end, std::string_view code,
                      std::string message, std::string hint) {
    failed_ = true;
    diagnostics_.error(code,
                       {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                       std::move(message), std::move(hint));
}

std::optional<Form> FormReader::read(int depth) {
    skip_space();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return std::nullopt;
    const char c = text_[at_];
    if (c == '(') {
        if (depth >= kDeepest) {
            fail(begin, begin + 1, code::kClipsDepth,
                 "parentheses are nested deeper than " + std::to_string(kDeepest), "");
            return std::nullopt;
        }
        ++at_;
        Form list;
        for (;;) {
            skip_space();
            if (at_ >= text_.size()) {
                fail(begin, begin + 1, code::kClipsUnbalanced,
                     "the parenthesis that opens here is never closed", "");
                return std::nullopt;
            }
            if (text_[at_] == ')') {
                ++at_;
                break;
            }
            std::optional<Form> item = read(depth + 1);
            if (!item) return std::nullopt;
            list.items.push_back(std::move(*item));
        }
        list.span = span(begin);
        return list;
    }
    if (c == ')') {
        fail(begin, begin + 1, code::kClipsUnbalanced, "there is nothing for ')' to close", "");
        ++at_;
        return std::nullopt;
    }
    if (c == '"') {
        Form form = read_string();
        if (failed_) return std::nullopt;
        return form;
    }
    if (c == '&' || c == '|' || c == '~') {
        ++at_;
        Form form;
        form.kind = c == '&' ? Form::Kind::And : c == '|' ? Form::Kind::Or : Form::Kind::Not;
        form.span = span(begin);
        return form;
    }
    if (c == '?' || (c == '$' && at_ + 1 < text_.size() && text_[at_ + 1] == '?'))
        return read_marked();
    return read_word();
}

Form FormReader::read_string() {
    const std::size_t begin = at_++;
    std::string characters;
    while (at_ < text_.size() && text_[at_] != '"') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        characters += text_[at_++];
    }
    Form form;
    if (at_ >= text_.size()) {
        fail(begin, begin + 1, code::kClipsUnbalanced, "the string that opens here is never closed",
             "");
        return form;
    }
    ++at_;
    form.kind = Form::Kind::Constant;
    form.value = interner_.string(characters);
    form.span = span(begin);
    return form;
}

Form FormReader::read_marked() {
    const std::size_t begin = at_;
    const bool many = text_[at_] == '$';
    at_ += many ? 2 : 1;
    Form form;
    if (at_ < text_.size() && text_[at_] == '*') {
        const std::size_t start = ++at_;
        const std::string_view name = scan_symbol();
        if (name.size() > 1 && name.back() == '*') {
            form.kind = Form::Kind::Global;
            form.name = interner_.text(name.substr(0, name.size() - 1));
            form.span = span(begin);
            return form;
        }
        at_ = start - 1;
    }
    const bool named =
        at_ < text_.size() && !is_delimiter(text_[at_]) && text_[at_] != '<' &&
        ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z') ||
         static_cast<unsigned char>(text_[at_]) >= 0x80 || text_[at_] == '_' ||
         is_digit(text_[at_]) || text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '-');
    if (named) {
        form.kind = many ? Form::Kind::MultiVariable : Form::Kind::Variable;
        form.name = interner_.text(scan_symbol());
    } else {
        form.kind = many ? Form::Kind::AnyMany : Form::Kind::Any;
    }
    form.span = span(begin);
    return form;
}

Form FormReader::read_word() {
    const std::size_t begin = at_;
    const std::string_view word = scan_symbol();
    Form form;
    form.kind = Form::Kind::Constant;
    form.span = span(begin);
    if (word.empty()) {
        // A byte that belongs nowhere (NUL); as a symbol of its own it will be refused later.
        ++at_;
        form.value = interner_.symbol("?");
    } else if (const auto number = parse_number(word)) {
        form.value = *number;
    } else if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
        form.value = Value::of(interner_.text(word.substr(1, word.size() - 2)), Type::InstanceName);
    } else {
        form.value = interner_.symbol(word);
    }
    return form;
}

std::string_view FormReader::scan_symbol() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_delimiter(text_[at_]) && (text_[at_] != '<' || at_ == begin))
        ++at_;
    return text_.substr(begin, at_ - begin);
}

} // namespace croupier::engine::clips
