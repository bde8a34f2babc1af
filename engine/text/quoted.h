// A string of a JSON file together with the place of each of its characters.
#pragma once

#include "engine/text/source.h"

#include <string_view>
#include <vector>

namespace croupier::engine {

// What is parsed is the decoded text; what is shown to people is the file, escapes and all.
class Quoted {
  public:
    // `literal`: the string with its quotes, as Document and Member have it. Both `sources` and
    // `text` must outlive this.
    Quoted(const Sources& sources, std::string_view text, Span literal);

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] Span whole() const { return literal_; }
    // The place of text()[begin, end).
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;

  private:
    std::string_view text_;
    Span literal_;
    bool in_file_ = false; // else made by a program: only the whole has a place
    std::vector<std::uint32_t>
        offsets_; // of each byte of the text; empty when there are no escapes
};

} // namespace croupier::engine
