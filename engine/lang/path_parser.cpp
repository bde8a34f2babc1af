// Takes keys and paths apart, character by character.
#include "engine/lang/path_parser.h"

#include "engine/lang/lexer.h"
#include "engine/lang/words.h"

namespace croupier::engine {
namespace {

constexpr std::size_t kMaxSegments = 100;

// `{$X}` at `at`; returns the offset behind it.
std::size_t variable_part(const Quoted& string, std::size_t at, std::size_t end,
                          std::vector<KeyPart>& parts) {
    const std::string_view text = string.text();
    const std::size_t name = at + 2;
    const std::size_t stop = end_of_name(text, name);
    if (stop == name || stop >= end || text[stop] != '}') {
        throw Mistake(code::kKeyForm, at, std::min(stop + 1, end),
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
        throw Mistake(code::kKeyForm, at, at + 1, "expected a word after the @ at the end",
                      "any word will do, as in \"gold@2\"; a key that holds an @ doubles it");
    }
}

ParsedKey variable_key(const Quoted& string) {
    const std::string_view text = string.text();
    ParsedKey key;
    key.form = KeyForm::Variable;
    const std::size_t name_end = end_of_name(text, 1);
    if (name_end == 1) {
        throw Mistake(code::kKeyForm, 0, 1, "expected a variable's name after $",
                      "a key that begins with $ doubles it");
    }
    key.variable = text.substr(1, name_end - 1);
    std::size_t at = skip_spaces(text, name_end);
    if (at < text.size() && text[at] == ':') {
        const std::size_t type = skip_spaces(text, at + 1);
        const std::size_t type_end = end_of_name(text, type);
        if (type_end == type)
            throw Mistake(code::kKeyForm, type, type + 1, "expected a type after the colon");
        key.type = {std::string(text.substr(type, type_end - type)), string.span(type, type_end)};
        at = skip_spaces(text, type_end);
    }
    if (at < text.size() && text[at] != '@') {
        throw Mistake(
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
            throw Mistake(code::kPathForm, 0, text.size(),
                          "expected a path in parentheses, as in @path(a.$X.b)");
        }
        key.path = parse_path(string, at + 1, close);
        at = close + 1;
    }
    const bool known = find_condition_word(key.word) || find_action_word(key.word);
    if (known && at < text.size() && text[at] != '@')
        throw Mistake(code::kKeyForm, at, text.size(), "unexpected text after " + key.word);
    check_id(text, at);
    return key;
}

} // namespace

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
                throw Mistake(code::kKeyForm, at, at + 1,
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
            throw Mistake(code::kPathForm, at, at + 1,
                          "expected a name between the dots of a path");
        }
        if (path.segments.size() == kMaxSegments)
            throw Mistake(code::kPathForm, at, end, "a path of more than 100 names");
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
            throw Mistake(code::kPathForm, stop, end, "expected a name after the last dot");
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

} // namespace croupier::engine
