// Escapes, and keeps account of open elements.
#include "results/html/markup.h"

#include "results/report/layout.h"

#include <fmt/format.h>

#include <cassert>

namespace croupier::results {

std::string html_text(std::string_view text) {
    std::string result;
    for (const char c : printable(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string script_json(std::string json) {
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 1))
        json.replace(at, 1, "\\u003c"); // only strings hold one
    return json;
}

void Markup::begin(std::string_view name, const Attributes& attributes) {
    text_ += fmt::format("<{}", name);
    for (const auto& [key, value] : attributes)
        text_ += fmt::format(" {}=\"{}\"", key, html_text(value));
    text_ += '>';
}

Markup& Markup::open(std::string_view name, const Attributes& attributes) {
    begin(name, attributes);
    open_.emplace_back(name);
    return *this;
}

Markup& Markup::close() {
    assert(!open_.empty());
    text_ += fmt::format("</{}>\n", open_.back());
    open_.pop_back();
    return *this;
}

Markup& Markup::element(std::string_view name, const Attributes& attributes,
                        std::string_view text) {
    begin(name, attributes);
    text_ += fmt::format("{}</{}>\n", html_text(text), name);
    return *this;
}

Markup& Markup::empty(std::string_view name, const Attributes& attributes) {
    begin(name, attributes);
    text_ += fmt::format("</{}>\n", name);
    return *this;
}

Markup& Markup::text(std::string_view text) {
    text_ += html_text(text);
    return *this;
}

Markup& Markup::raw(std::string_view markup) {
    text_ += markup;
    return *this;
}

std::string headline(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string dashed(std::string number) {
    constexpr std::string_view kAbsent = "undefined"; // of numbers.h
    constexpr std::string_view kDash = "–";
    for (std::size_t at = number.find(kAbsent); at != std::string::npos;
         at = number.find(kAbsent, at + kDash.size()))
        number.replace(at, kAbsent.size(), kDash);
    return number;
}

std::string percent_of(double share) {
    return fmt::format("{:.2f}%", 100 * share);
}

} // namespace croupier::results
