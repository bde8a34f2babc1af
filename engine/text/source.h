// Names and texts of the files that were read, so that any place in them can be shown again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// Half-open range of bytes in one of the files of a `Sources`. Cheap to copy; everything that comes
// from a file carries one.
struct Span {
    std::uint32_t file = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    friend bool operator==(const Span&, const Span&) = default;
};

// Line and column count from 1; a column is a character (UTF-8 code point), as editors count.
struct LineColumn {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

// Owns the text of every file read in one load. Indices are stable; texts never change.
class Sources {
  public:
    std::uint32_t add(std::string name, std::string text);

    [[nodiscard]] const std::string& name(std::uint32_t file) const { return files_[file].name; }
    [[nodiscard]] std::string_view text(std::uint32_t file) const { return files_[file].text; }
    [[nodiscard]] std::size_t size() const { return files_.size(); }

    [[nodiscard]] LineColumn line_column(std::uint32_t file, std::uint32_t offset) const;
    // The whole line that holds `offset`, without its line end.
    [[nodiscard]] std::string_view line_at(std::uint32_t file, std::uint32_t offset) const;
    // "name:line:column" of the beginning of `span`.
    [[nodiscard]] std::string place(Span span) const;

  private:
    struct File {
        std::string name;
        std::string text;
        std::vector<std::uint32_t> line_starts;
    };
    std::vector<File> files_;
};

} // namespace croupier::engine
