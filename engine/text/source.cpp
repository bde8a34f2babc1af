// Finds lines and columns in the texts of one load.
#include "engine/text/source.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool starts_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
}

} // namespace

std::uint32_t Sources::add(std::string name, std::string text) {
    File file{std::move(name), std::move(text), {0}};
    for (std::size_t i = 0; i < file.text.size(); ++i) {
        if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
    files_.push_back(std::move(file));
    return static_cast<std::uint32_t>(files_.size() - 1);
}

LineColumn Sources::line_column(std::uint32_t file, std::uint32_t offset) const {
    const File& in = files_[file];
    const auto next = std::upper_bound(in.line_starts.begin(), in.line_starts.end(), offset);
    const auto line = static_cast<std::uint32_t>(next - in.line_starts.begin());
    const std::size_t start = in.line_starts[line - 1];
    const std::size_t end = std::min<std::size_t>(offset, in.text.size());
    std::string_view before =
        std::string_view(in.text).substr(start, end > start ? end - start : 0);
    if (start == 0 && before.starts_with(kByteOrderMark))
        before.remove_prefix(kByteOrderMark.size());
    const auto characters = std::count_if(before.begin(), before.end(), starts_character);
    return {line, static_cast<std::uint32_t>(characters) + 1};
}

std::string_view Sources::line_at(std::uint32_t file, std::uint32_t offset) const {
    const File& in = files_[file];
    const auto next = std::upper_bound(in.line_starts.begin(), in.line_starts.end(), offset);
    const std::size_t start = *(next - 1);
    std::size_t end = next == in.line_starts.end() ? in.text.size() : *next - 1;
    if (end > start && in.text[end - 1] == '\r') --end;
    return std::string_view(in.text).substr(start, end - start);
}

std::string Sources::place(Span span) const {
    const LineColumn at = line_column(span.file, span.begin);
    return name(span.file) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

} // namespace croupier::engine
