// Escapes text, and keeps track of open elements.
#include "results/html/markup.h"

#include "results/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
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
        json.replace(at, 1, "\\u003c"); // "<" occurs only in strings
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
    constexpr std::string_view kAbsent = "undefined"; // as in numbers.h
    constexpr std::string_view kDash = "–";
    for (std::size_t at = number.find(kAbsent); at != std::string::npos;
         at = number.find(kAbsent, at + kDash.size()))
        number.replace(at, kAbsent.size(), kDash);
    return number;
}

std::string percent_of(double share) {
    return fmt::format("{:.2f}%", 100 * share);
}

// Foldable sections are <details>, which work and can be searched without the script.

namespace {

// Drops columns with neither a title nor text.
std::vector<std::size_t> columns_with_words(const TextTable& table) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (std::ranges::any_of(table.rows, [&](const auto& row) { return !row[i].empty(); }))
            columns.push_back(i);
    return columns;
}

// Keeps units and symbols, such as p and ns.
std::string column_title(const std::string& title) {
    constexpr std::size_t kSign = 2;
    return title.size() <= kSign ? title : headline(title);
}

} // namespace

void Outline::begin(std::string_view id, const std::string& title, Weight weight) {
    const std::string whole = fmt::format("{}{}", prefix_, id);
    entries_.push_back({whole, title});
    const bool open = weight == Weight::Answer || (weight == Weight::Figure && prefix_.empty());
    Attributes attributes{{"class", "part"}, {"id", whole}, {"data-section", std::string(id)}};
    if (open) attributes.emplace_back("open", "");
    page_.open("details", attributes).open("summary");
    page_.element(fmt::format("h{}", level_), {}, title).close();
}

void Outline::end() {
    page_.close();
}

void Outline::heading(const std::string& title) {
    page_.element(fmt::format("h{}", level_ + 1), {}, title);
}

void Outline::add(const Section& section, Weight weight, const std::string& chart) {
    begin(section.id, headline(section.title), weight);
    page_.raw(chart);
    add_table(section, !chart.empty());
    add_notes(section);
    end();
}

void Outline::add_table(const Section& section, bool folded) {
    const TextTable& table = section.table;
    if (table.rows.empty()) return;
    const std::vector<std::size_t> columns = columns_with_words(table);
    const auto is_number = [&](std::size_t column) {
        return table.columns[column].align == Align::Right;
    };
    const auto kind = [&](std::size_t column) { return is_number(column) ? "number" : "word"; };
    if (folded) page_.open("details").element("summary", {}, "Numbers");
    // Focusable, so that it can be scrolled by keyboard; the script removes this if all fits.
    page_.open("div", {{"class", "wide"},
                       {"tabindex", "0"},
                       {"role", "group"},
                       {"aria-label", "Table: " + headline(section.title)}});
    page_.open("table").open("thead").open("tr");
    for (const std::size_t column : columns) {
        const std::string& title = table.columns[column].title;
        if (title.empty())
            page_.empty("td");
        else
            page_.element("th", {{"scope", "col"}, {"class", kind(column)}}, column_title(title));
    }
    page_.close().close().open("tbody");
    for (const auto& row : table.rows) {
        page_.open("tr");
        for (const std::size_t column : columns) {
            const bool name = column == 0 && !is_number(0) && !row[0].empty();
            Attributes attributes{{"class", kind(column)}};
            if (name) attributes.emplace_back("scope", "row");
            page_.open(name ? "th" : "td", attributes);
            page_.raw(is_number(column) ? html_text(dashed(row[column])) : words_(row[column]));
            page_.close();
        }
        page_.close();
    }
    page_.close().close().close();
    if (folded) page_.close();
}

void Outline::add_notes(const Section& section) {
    for (const std::string& note : section.notes)
        page_.open("p", {{"class", "note"}}).raw(words_(headline(note))).close();
}

} // namespace croupier::results
