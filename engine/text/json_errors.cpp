// Tells the parser's few kinds of errors apart by its message and by the text around the place.
#include "engine/text/json_errors.h"

#include "engine/text/codes.h"

#include <algorithm>
#include <string>

namespace croupier::engine {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
// What ends a comment for the parser, which reads it along with the comment.
constexpr std::string_view kEndsComment("\n\r\0", 3);

// Length of the comment at `at`, 0 for none, npos for one without end.
std::size_t comment_length(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
        const std::size_t end = rest.find_first_of(kEndsComment);
        return end == std::string_view::npos ? rest.size() : end + 1;
    }
    if (!rest.starts_with("/*")) return 0;
    const std::size_t end = rest.find("*/", 2);
    return end == std::string_view::npos ? end : end + 2;
}

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
}

std::string_view token_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end]) && end - at < 40)
        ++end;
    return text.substr(at, std::max<std::size_t>(end - at, 1));
}

class Explanation {
  public:
    Explanation(const Place& place, std::string_view parser_message)
        : place_(place), said_(parser_message), text_(place.text) {
        const Skipped skipped = skip_to_token(text_, place.end_of_token);
        at_ = skipped.at;
        punctuation_ = skipped.punctuation;
    }

    Diagnostic make() {
        if (said("invalid comment")) return comment();
        if (said("unexpected end of input") && at_ >= text_.size()) return unfinished();
        at_ = std::min(at_, text_.size() - 1);
        if (said("out_of_range")) {
            return error(code::kNumberRange, at_, token(), "the number is too large for a double",
                         "the largest is about 1.8e308");
        }
        if (said("invalid string")) return bad_string();
        if (said("invalid number")) return bad_number();
        if (said("invalid literal")) return bad_word();
        return unexpected();
    }

  private:
    [[nodiscard]] bool said(std::string_view words) const {
        // Only the parser's own words count: what it quotes of the file follows "last read".
        return said_.substr(0, said_.find("; last read")).find(words) != std::string_view::npos;
    }
    [[nodiscard]] std::size_t token() const { return token_at(text_, at_).size(); }

    [[nodiscard]] Diagnostic error(std::string_view code, std::size_t at, std::size_t length,
                                   std::string message, std::string hint = {}) const {
        const Span span{place_.file, static_cast<std::uint32_t>(at),
                        static_cast<std::uint32_t>(std::min(at + length, text_.size()))};
        return {std::string(code), Severity::Error, span, {}, std::move(message), std::move(hint)};
    }

    [[nodiscard]] Diagnostic comment() const {
        if (comment_length(text_, at_) == std::string_view::npos)
            return error(code::kUnfinished, at_, 2, "an unclosed comment", "close it with */");
        return error(code::kSyntax, at_, 1, "a single / has no meaning in JSON",
                     "comments begin with // or /*");
    }

    [[nodiscard]] Diagnostic unfinished() const {
        std::string hint;
        std::string message = "the file ends in the middle";
        if (place_.open) {
            const bool array = text_[place_.open->begin] == '[';
            const auto line =
                std::count(text_.begin(), text_.begin() + place_.open->begin, '\n') + 1;
            message += array ? " of an array" : " of an object";
            hint = std::string("close the ") + (array ? '[' : '{') + " of line " +
                   std::to_string(line);
        }
        return error(code::kUnfinished, text_.size(), 0, message, hint);
    }

    [[nodiscard]] Diagnostic bad_string() const {
        // Else the parser stopped at the character that disturbs.
        const std::size_t last = std::max(place_.consumed, at_ + 1) - 1;
        if (said("missing closing quote"))
            return error(code::kBadString, at_, 1, "an unclosed string", "close it with \"");
        if (said("control character")) {
            if (text_[last] == '\n' || text_[last] == '\r') {
                return error(code::kBadString, at_, last - at_,
                             "a string that is not closed in its line",
                             "close it with \", or write a line break as \\n");
            }
            return error(code::kBadString, last, 1, "a control character inside a string",
                         text_[last] == '\t' ? "write a tab as \\t" : "write it as \\u00XX");
        }
        if (said("surrogate")) {
            return error(code::kBadString, last, 1, "half of a surrogate pair",
                         "write the character itself, or both halves");
        }
        return error(code::kBadString, last, 1, "an escape that JSON does not have",
                     "known are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    }

    [[nodiscard]] Diagnostic bad_number() const {
        return error(code::kSyntax, at_, token(), "this is not a number as JSON writes them",
                     "write digits before and after the point, and no + or 0 in front: 0.5, -2, 7");
    }

    [[nodiscard]] Diagnostic bad_word() const {
        if (text_[at_] == '\'')
            return error(code::kSyntax, at_, 1, "strings are written in double quotes", "use \"");
        if (text_[at_] == '\0') return error(code::kSyntax, at_, 1, "a NUL character in the file");
        const std::string_view word = token_at(text_, at_);
        if (word[0] == '.' || word[0] == '+') return bad_number();
        if (is_word_character(word[0])) {
            return error(code::kSyntax, at_, word.size(),
                         "\"" + std::string(word) + "\" is not a JSON value",
                         "strings and keys are written in double quotes; the only bare words are "
                         "true, false and null");
        }
        return error(code::kSyntax, at_, 1, "no JSON value begins like this");
    }

    [[nodiscard]] Diagnostic unexpected() const {
        if (said("unexpected ','") || said("unexpected ':'")) {
            const std::size_t last = std::max<std::size_t>(place_.consumed, 1) - 1;
            return error(code::kSyntax, last, 1,
                         std::string("a ") + text_[last] + " where a key or value is expected",
                         "remove it, or add what is missing");
        }
        const char found = text_[at_];
        if (punctuation_ == ',' && (found == '}' || found == ']')) {
            return error(code::kSyntax, at_, 1, std::string("a comma before the closing ") + found,
                         "remove the comma");
        }
        if (at_ > 0 && at_ == place_.end_of_token && text_[at_ - 1] == '0') return bad_number();
        if (punctuation_ == 0 && said("; expected '}'")) {
            return error(code::kSyntax, at_, token(), "expected , or } after a member",
                         "put a comma between two members");
        }
        if (punctuation_ == 0 && said("; expected ']'")) {
            return error(code::kSyntax, at_, token(), "expected , or ] after an element",
                         "put a comma between two elements");
        }
        if (said("; expected string literal")) {
            return error(code::kSyntax, at_, token(), "expected a key in double quotes");
        }
        if (said("separator")) {
            return error(code::kSyntax, at_, token(), "expected : between a key and its value");
        }
        return error(code::kSyntax, at_, token(), std::string("expected a value, found ") + found);
    }

    const Place& place_;
    std::string_view said_;
    std::string_view text_;
    std::size_t at_ = 0;
    char punctuation_ = 0;
};

} // namespace

Skipped skip_to_token(std::string_view text, std::size_t from) {
    if (from == 0 && text.starts_with("\xEF\xBB\xBF")) from = 3;
    Skipped result{from, 0, from};
    while (result.at < text.size()) {
        const char c = text[result.at];
        if (kSpace.find(c) != std::string_view::npos) {
            ++result.at;
        } else if (c == ',' || c == ':') {
            result.punctuation = c;
            result.punctuation_at = result.at;
            ++result.at;
        } else {
            const std::size_t comment = comment_length(text, result.at);
            if (comment == 0 || comment == std::string_view::npos) break;
            result.at += comment;
        }
    }
    return result;
}

Diagnostic explain_json_error(const Place& place, std::string_view parser_message) {
    return Explanation(place, parser_message).make();
}

} // namespace croupier::engine
