// Text of HTML and SVG: elements whose attributes and contents cannot break out.
#pragma once

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

} // namespace croupier::results
