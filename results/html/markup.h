// HTML and SVG text: attributes and contents are escaped.
#pragma once

#include "results/report/sections.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::results {

// Escapes text from files and arguments for a page: & < > and quotes as entities, control
// characters made visible.
std::string html_text(std::string_view text);

// Text for a <script type="application/json">: JSON that cannot contain the element's end tag.
std::string script_json(std::string json);

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

// Appends elements to a text. Each opened element must be closed, innermost first.
class Markup {
  public:
    Markup& open(std::string_view name, const Attributes& attributes = {});
    Markup& close();
    // Adds an element with that text, or without contents.
    Markup& element(std::string_view name, const Attributes& attributes, std::string_view text);
    Markup& empty(std::string_view name, const Attributes& attributes = {});
    Markup& text(std::string_view text);
    // Adds markup unchanged.
    Markup& raw(std::string_view markup);

    [[nodiscard]] const std::string& str() const { return text_; }

  private:
    void begin(std::string_view name, const Attributes& attributes);

    std::string text_;
    std::vector<std::string> open_;
};

// Capitalizes the first letter.
std::string headline(std::string text);
// A report's number for the page, with a dash if it is absent.
std::string dashed(std::string number);

// A chart position as "12.5%": charts have the screen's width.
std::string percent_of(double share);

// A chapter being written: foldable sections, with headings of the right level and ids to link to.

// What a section is for. This decides which sections are open initially: on a page of one chapter
// all but details, on a page of several only answers.
enum class Weight { Answer, Figure, Detail };

class Outline {
  public:
    struct Entry { // of the table of contents
        std::string id;
        std::string title;
    };

    // `prefix` makes ids unique across chapters. Sections have headings of `level`, which is 2 on a
    // page of one chapter.
    Outline(std::string prefix, int level) : prefix_(std::move(prefix)), level_(level) {}

    // Begins a section, up to end(). It can be found by #ID and [data-section].
    void begin(std::string_view id, const std::string& title, Weight weight);
    void end();
    // Adds a heading inside a section.
    void heading(const std::string& title);
    // Adds a whole section of a report. If there is a chart, the table is folded below it.
    void add(const Section& section, Weight weight, const std::string& chart = {});
    // Converts the texts in tables and notes to markup; by default they are plain text.
    using Words = std::function<std::string(std::string_view)>;
    void set_words(Words words) { words_ = std::move(words); }
    // Adds the section's table, which scrolls if it is too wide, or its notes.
    void add_table(const Section& section, bool folded);
    void add_notes(const Section& section);

    // The target of a link to the section with that id.
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
