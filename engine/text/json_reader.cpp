// Builds a Document with places from the events of nlohmann's parser.
#include "engine/text/codes.h"
#include "engine/text/document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace croupier::engine {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
// Each of these ends a line comment for nlohmann's parser, which consumes it with the comment.
constexpr std::string_view kEndsComment("\n\r\0", 3);

// Length of the comment at `at`, 0 if there is none, npos if it is unclosed.
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

struct Skipped {
    std::size_t at = 0;   // where the next token begins, or the end of the text
    char punctuation = 0; // the last ',' or ':' passed
    std::size_t punctuation_at = 0;
};

// Passes over space, comments, commas and colons. An unclosed comment is a token.
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

// Where the parser stopped.
struct ParserPosition {
    std::string_view text;
    std::uint32_t file = 0;
    std::size_t end_of_token = 0; // of the last good token
    std::size_t consumed = 0;
    std::optional<Span> open; // the innermost object or array still open
};

// Turns the JSON parser's message into a diagnostic in plain words. It tells the few kinds of
// errors apart by that message and by the text around the position.
class Explanation {
  public:
    Explanation(const ParserPosition& place, std::string_view parser_message)
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
        // Match only the parser's own words: what it quotes of the file follows "last read".
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
        // Otherwise the parser stopped at the offending character.
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
        if (said("; expected string literal"))
            return error(code::kSyntax, at_, token(), "expected a key in double quotes");
        if (said("separator"))
            return error(code::kSyntax, at_, token(), "expected : between a key and its value");
        return error(code::kSyntax, at_, token(), std::string("expected a value, found ") + found);
    }

    const ParserPosition& place_;
    std::string_view said_;
    std::string_view text_;
    std::size_t at_ = 0;
    char punctuation_ = 0;
};

// Iterates over a text and records in the builder how far the parser has read.
class CountingIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}

    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*consumed_;
        return *this;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
        return a.at_ == b.at_;
    }

  private:
    const char* at_;
    std::size_t* consumed_;
};

// The parser reports no positions, but only space, comments and punctuation separate two tokens:
// the end of one token gives the start of the next.
class Builder : public nlohmann::json_sax<nlohmann::json> {
  public:
    Builder(const Sources& sources, std::uint32_t file, const ReadLimits& limits,
            Diagnostics& diagnostics)
        : sources_(sources), text_(sources.text(file)), file_(file), limits_(limits),
          diagnostics_(diagnostics) {}

    bool null() override { return scalar(std::monostate{}, 4); }
    bool boolean(bool value) override { return scalar(value, value ? 4 : 5); }
    bool number_integer(number_integer_t value) override {
        return scalar(std::int64_t{value}, number_length());
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(INT64_MAX)) return integer_too_large();
        return scalar(static_cast<std::int64_t>(value), number_length());
    }
    bool number_float(number_float_t value, const string_t& digits) override {
        if (digits.find_first_of(".eE") == string_t::npos) return integer_too_large();
        return scalar(value, number_length());
    }
    bool string(string_t& value) override {
        const std::size_t start = next_token();
        if (value.size() > limits_.max_string) return string_too_long(start);
        return scalar(std::move(value), consumed - start);
    }
    bool binary(binary_t& /*unused*/) override { return false; } // not in JSON

    bool start_object(std::size_t /*unused*/) override { return open(Document::Kind::Object); }
    bool start_array(std::size_t /*unused*/) override { return open(Document::Kind::Array); }
    bool end_object() override {
        report_duplicates(*open_.back());
        return close();
    }
    bool end_array() override { return close(); }

    bool key(string_t& value) override {
        const std::size_t start = next_token();
        if (value.size() > limits_.max_string) return string_too_long(start);
        Member member;
        member.key = std::move(value);
        member.key_span = span(start, consumed);
        open_.back()->members.push_back(std::move(member));
        end_of_token_ = consumed;
        return true;
    }

    bool parse_error(std::size_t /*unused*/, const std::string& /*unused*/,
                     const nlohmann::detail::exception& error) override {
        ParserPosition place{text_, file_, end_of_token_, consumed, {}};
        if (!open_.empty()) place.open = open_.back()->span;
        diagnostics_.add(Explanation(place, error.what()).make());
        return false;
    }

    // After parsing: only space and comments may follow.
    bool at_end() {
        const Skipped skipped = skip_to_token(text_, end_of_token_);
        if (skipped.at == text_.size() && skipped.punctuation == 0) return true;
        const std::size_t rest = skipped.punctuation == 0 ? skipped.at : skipped.punctuation_at;
        if (text_.substr(rest).starts_with("/*")) {
            diagnostics_.error(code::kUnfinished, span(rest, rest + 2), "an unclosed comment",
                               "close it with */");
            return false;
        }
        diagnostics_.error(code::kTrailing, span(rest, rest + 1),
                           "expected the end of the file after its value", "remove what follows");
        return false;
    }

    std::size_t consumed = 0; // bytes that the parser has read
    Document root;

  private:
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
        return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    [[nodiscard]] std::size_t next_token() const { return skip_to_token(text_, end_of_token_).at; }

    // Follows the grammar of numbers: 7-3 yields 7, and the rest is an error.
    [[nodiscard]] std::size_t number_length() const {
        const std::size_t start = next_token();
        const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : ' '; };
        const auto digits = [&](std::size_t i) {
            while (at(i) >= '0' && at(i) <= '9')
                ++i;
            return i;
        };
        std::size_t end = start + (at(start) == '-' ? 1 : 0);
        end = at(end) == '0' ? end + 1 : digits(end);
        if (at(end) == '.') end = digits(end + 1);
        if (at(end) == 'e' || at(end) == 'E') {
            const bool sign = at(end + 1) == '+' || at(end + 1) == '-';
            end = digits(end + (sign ? 2 : 1));
        }
        return end - start;
    }

    // Room for the next value: in the object's last member, in a new element, or the root.
    Document* place_value(std::size_t start) {
        if (++values_ > limits_.max_values) {
            diagnostics_.error(code::kTooLarge, span(start, start + 1),
                               "more than " + std::to_string(limits_.max_values) +
                                   " values in one file");
            return nullptr;
        }
        if (open_.empty()) return &root;
        Document& parent = *open_.back();
        if (parent.is_array()) parent.members.emplace_back();
        return &parent.members.back().value;
    }

    bool scalar(Scalar value, std::size_t length) {
        const std::size_t start = next_token();
        Document* target = place_value(start);
        if (target == nullptr) return false;
        target->scalar = std::move(value);
        end_of_token_ = start + length;
        target->span = span(start, end_of_token_);
        finish_element(*target);
        return true;
    }

    bool open(Document::Kind kind) {
        const std::size_t start = next_token();
        if (open_.size() >= limits_.max_depth) {
            diagnostics_.error(code::kTooDeep, span(start, start + 1),
                               "nested deeper than " + std::to_string(limits_.max_depth) +
                                   " levels");
            return false;
        }
        Document* target = place_value(start);
        if (target == nullptr) return false;
        target->kind = kind;
        end_of_token_ = start + 1;
        target->span = span(start, end_of_token_);
        // Stays valid: a parent gets no new member while its last one is open.
        open_.push_back(target);
        return true;
    }

    bool close() {
        Document& closed = *open_.back();
        open_.pop_back();
        end_of_token_ = next_token() + 1;
        closed.span.end = static_cast<std::uint32_t>(end_of_token_);
        finish_element(closed);
        return true;
    }

    void finish_element(const Document& value) {
        if (!open_.empty() && open_.back()->is_array())
            open_.back()->members.back().key_span = value.span;
    }

    void report_duplicates(const Document& object) {
        if (object.members.size() < 2) return;
        seen_.clear();
        for (const Member& member : object.members) {
            const auto [first, added] = seen_.try_emplace(member.key, &member);
            if (added) continue;
            const auto line = sources_.line_column(file_, first->second->key_span.begin).line;
            diagnostics_.error(code::kDuplicateKey, member.key_span,
                               "the key " + quoted_json(member.key) +
                                   " occurs twice in one object; first in line " +
                                   std::to_string(line),
                               "remove one; to enter a node again, add @ and any word to the key");
        }
    }

    bool integer_too_large() {
        const std::size_t start = next_token();
        diagnostics_.error(code::kNumberRange, span(start, start + number_length()),
                           "the integer is outside the 64-bit range",
                           "write it with a decimal point to make it a double");
        return false;
    }

    bool string_too_long(std::size_t start) {
        diagnostics_.error(code::kTooLarge, span(start, start + 1),
                           "a string longer than " + std::to_string(limits_.max_string) + " bytes");
        return false;
    }

    const Sources& sources_;
    std::string_view text_;
    std::uint32_t file_;
    ReadLimits limits_;
    Diagnostics& diagnostics_;
    std::size_t end_of_token_ = 0;
    std::size_t values_ = 0;
    std::vector<Document*> open_;
    std::unordered_map<std::string_view, const Member*> seen_;
};

// Checks that need no parsing: size, encoding and emptiness.
bool readable(std::string_view text, std::uint32_t file, const ReadLimits& limits,
              Diagnostics& diagnostics) {
    const Span start{file, 0, 0};
    if (text.size() > limits.max_bytes) {
        diagnostics.error(code::kTooLarge, start,
                          "the file is larger than " + std::to_string(limits.max_bytes) + " bytes");
        return false;
    }
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        diagnostics.error(code::kEncoding, start, "the file is UTF-16; expected UTF-8",
                          "save it as UTF-8");
        return false;
    }
    const std::size_t bad = find_invalid_utf8(text);
    if (bad != std::string_view::npos) {
        const auto at = static_cast<std::uint32_t>(bad);
        diagnostics.error(code::kEncoding, {file, at, at + 1}, "a byte that is not UTF-8",
                          "save the file as UTF-8");
        return false;
    }
    if (skip_to_token(text, 0).at == text.size()) {
        diagnostics.error(code::kEmptyFile, start, "the file is empty; expected a JSON value");
        return false;
    }
    return true;
}

} // namespace

std::optional<Document> read_json(const Sources& sources, std::uint32_t file,
                                  Diagnostics& diagnostics, const ReadLimits& limits) {
    const std::string_view text = sources.text(file);
    if (!readable(text, file, limits, diagnostics)) return std::nullopt;
    Diagnostics found;
    Builder builder(sources, file, limits, found);
    const CountingIterator begin(text.data(), &builder.consumed);
    const CountingIterator end(text.data() + text.size(), &builder.consumed);
    // Not strict: at_end() checks what follows, since here a NUL byte does not end the text.
    bool good = nlohmann::json::sax_parse(begin, end, &builder,
                                          nlohmann::json::input_format_t::json, false, true);
    good = good && builder.at_end();
    for (Diagnostic& diagnostic : found.sorted())
        diagnostics.add(std::move(diagnostic));
    if (!good || found.has_errors()) return std::nullopt;
    return std::move(builder.root);
}

} // namespace croupier::engine
