// Text of HTML and SVG: elements whose attributes and contents cannot break out.
#pragma once

#include "results/report/sections.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::results {

// What was read from files and arguments, as text of a page: & < > and quotes as entities, control
// characters made visible.
std::string html_text(std::string_view text);

// Text for a <script type="application/json">: JSON in which no end of the element can stand.
std::string script_json(std::string json);

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// Appends elements to a text. What is opened must be closed, innermost first.
class Markup {
  public:
    Markup& open(std::string_view name, const Attributes& attributes = {});
    Markup& close();
    // An element with that text, or without contents.
    Markup& element(std::string_view name, const Attributes& attributes, std::string_view text);
    Markup& empty(std::string_view name, const Attributes& attributes = {});
    Markup& text(std::string_view text);
    // Markup as it is.
    Markup& raw(std::string_view markup);

    [[nodiscard]] const std::string& str() const { return text_; }

  private:
    void begin(std::string_view name, const Attributes& attributes);

    std::string text_;
    std::vector<std::string> open_;
};

// With a capital letter.
std::string headline(std::string text);
// A number of a report for the page: what is absent is a dash there, not a word.
std::string dashed(std::string number);

// "12.5%", as places in charts are written: their width is that of the screen.
std::string percent_of(double share);

// A chapter in the making: sections that fold, with headings of the right level and ids to link to.

// What a section is to the reader, which decides whether it is open when the page is: on a page of
// one chapter all but details, on a page of several only answers.
enum class Weight { Answer, Figure, Detail };

class Outline {
  public:
    struct Entry { // of the table of contents
        std::string id;
        std::string title;
    };

    // `prefix` goes before ids, so that those of several chapters differ. Sections have headings
    // of `level`, which is 2 where the page is one chapter.
    Outline(std::string prefix, int level) : prefix_(std::move(prefix)), level_(level) {}

    // What is written until end() belongs to the section, which is found by #ID and [data-section].
    void begin(std::string_view id, const std::string& title, Weight weight);
    void end();
    // Inside of a section.
    void heading(const std::string& title);
    // A whole section of a report. With a chart, the table can be opened below it.
    void add(const Section& section, Weight weight, const std::string& chart = {});
    // Markup of the texts in tables and notes; without it they are text alone.
    using Words = std::function<std::string(std::string_view)>;
    void set_words(Words words) { words_ = std::move(words); }
    // Its table, which scrolls by itself where it is too wide, and its notes.
    void add_table(const Section& section, bool folded);
    void add_notes(const Section& section);

    // Where a link to the section with that id leads.
    [[nodiscard]] std::string link(std::string_view id) const {
        return "#" + prefix_ + std::string(id);
    }
    [[nodiscard]] Markup& page() { return page_; }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  private:
    Markup page_;
    std::string prefix_;
    int level_;
    Words words_ = html_text;
    std::vector<Entry> entries_;
};

} // namespace croupier::results
