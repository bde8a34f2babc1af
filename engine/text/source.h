// Names and texts of the files that were read, so that any place in them can be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// UTF-8.

// Whether the byte begins a character of well-formed UTF-8.
inline bool starts_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

// Offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and values
// past U+10FFFF are not), or npos.
std::size_t find_invalid_utf8(std::string_view text);

// The text with U+FFFD for every byte that is not UTF-8. Returns at most `most` bytes and never
// part of a character.
std::string valid_utf8(std::string_view text, std::size_t most = std::string_view::npos);

// Half-open range of bytes in one of the files of a `Sources`. Cheap to copy; everything read from
// a file carries one.
struct Span {
    std::uint32_t file = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

// Line and column, both from 1; a column is a character (UTF-8 code point), as in editors.
struct LineColumn {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

// Owns the text of every file read in one load. Indices stay valid; texts never change.
class Sources {
  public:
    std::uint32_t add(std::string name, std::string text);

    [[nodiscard]] const std::string& name(std::uint32_t file) const { return files_[file].name; }
    [[nodiscard]] std::string_view text(std::uint32_t file) const { return files_[file].text; }
    [[nodiscard]] std::size_t size() const { return files_.size(); }

    [[nodiscard]] LineColumn line_column(std::uint32_t file, std::uint32_t offset) const;
    // The whole line that contains `offset`, without its line end.
    [[nodiscard]] std::string_view line_at(std::uint32_t file, std::uint32_t offset) const;
    // "name:line:column" of the beginning of `span`.
    [[nodiscard]] std::string place(Span span) const;

  private:
    struct SourceFile {
        std::string name;
        std::string text;
        std::vector<std::uint32_t> line_starts;
    };
    std::vector<SourceFile> files_;
};

// A string of a JSON file together with the place of each of its characters.

// The parser gets the decoded text; people are shown the file, escapes included.
class Quoted {
  public:
    // `literal` is the string with its quotes, as in Document and Member. Both `sources` and `text`
    // must outlive this.
    Quoted(const Sources& sources, std::string_view text, Span literal);

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] Span whole() const { return literal_; }
    // The place of text()[begin, end).
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;

  private:
    std::string_view text_;
    Span literal_;
    bool in_file_ = false; // false: made by a program, so only the whole has a place
    std::vector<std::uint32_t>
        offsets_; // of each byte of the text; empty when there are no escapes
};

} // namespace croupier::engine
