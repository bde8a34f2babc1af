// A CLIPS text as forms: parentheses and tokens, each with its place.
#pragma once

#include "engine/clips/interner.h"
#include "engine/text/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::clips {

struct Form {
    enum class Kind : std::uint8_t {
        List,
        Constant,      // value
        Variable,      // ?name
        MultiVariable, // $?name
        Global,        // ?*name*
        Any,           // ?
        AnyMany,       // $?
        And,           // &
        Or,            // |
        Not,           // ~
    };

    Kind kind = Kind::List;
    Span span;
    Value value;                // of a constant
    const Text* name = nullptr; // of a variable, without its marks
    std::vector<Form> items;    // of a list

    [[nodiscard]] bool is_list() const { return kind == Kind::List; }
    [[nodiscard]] bool is_symbol() const {
        return kind == Kind::Constant && value.type == Type::Symbol;
    }
    [[nodiscard]] bool is_symbol(std::string_view text) const {
        return is_symbol() && value.text() == text;
    }
    // The symbol that a list begins with, else nothing.
    [[nodiscard]] std::string_view head() const {
        return is_list() && !items.empty() && items[0].is_symbol()
                   ? std::string_view(items[0].value.text())
                   : std::string_view();
    }
};

// Reads one form after the other. Nesting is bounded.
class FormReader {
  public:
    FormReader(const Sources& sources, std::uint32_t file, Interner& interner,
               Diagnostics& diagnostics)
        : text_(sources.text(file)), file_(file), interner_(interner), diagnostics_(diagnostics) {}

    // Nothing at the end of the text, or after a mistake that was reported.
    std::optional<Form> next();
    // One token; parentheses are symbols then.
    std::optional<Form> next_token();
    [[nodiscard]] bool failed() const { return failed_; }
    // To the end of the present line: what a prompt does after each command.
    void skip_line();
    [[nodiscard]] std::size_t offset() const { return at_; }
    void go_to(std::size_t offset) { at_ = offset; }

  private:
    static constexpr int kDeepest = 200;

    void skip_space();
    std::optional<Form> read(int depth);
    Form read_string();
    Form read_marked();
    Form read_word();
    std::string_view scan_symbol();
    [[nodiscard]] Span span(std::size_t begin) const {
        return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    }
    void fail(std::size_t begin, std::size_t end, std::string_view code, std::string message,
              std::string hint);

    std::string_view text_;
    std::uint32_t file_;
    Interner& interner_;
    Diagnostics& diagnostics_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

// The number that the whole text is in CLIPS's notation, if it is one.
std::optional<Value> parse_number(std::string_view text);

} // namespace croupier::engine::clips
