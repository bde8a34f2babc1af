// Finds lines and columns in the texts of one load; UTF-8; strings as JSON writes them.
#include "engine/text/source.h"

#include <algorithm>

namespace croupier::engine {

namespace {

// The well-formed byte sequences of the Unicode standard, table 3-7.

struct Lead {
    std::size_t length = 0;   // 0 if no character begins with this byte
    unsigned char low = 0x80; // range of the second byte
    unsigned char high = 0xBF;
};

Lead lead_of(unsigned char byte) {
    if (byte < 0x80) return {1};
    if (byte < 0xC2) return {0};
    if (byte < 0xE0) return {2};
    if (byte == 0xE0) return {3, 0xA0};
    if (byte == 0xED) return {3, 0x80, 0x9F};
    if (byte < 0xF0) return {3};
    if (byte == 0xF0) return {4, 0x90};
    if (byte < 0xF4) return {4};
    if (byte == 0xF4) return {4, 0x80, 0x8F};
    return {0};
}

bool well_formed(std::string_view text, std::size_t at, const Lead& lead) {
    if (lead.length == 0 || lead.length > text.size() - at) return false;
    for (std::size_t i = 1; i < lead.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[at + i]);
        const unsigned char low = i == 1 ? lead.low : 0x80;
        const unsigned char high = i == 1 ? lead.high : 0xBF;
        if (byte < low || byte > high) return false;
    }
    return true;
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Walks a JSON literal once and records where each decoded byte came from.

struct Step {
    std::size_t raw;     // bytes in the file
    std::size_t decoded; // bytes in the text
};

unsigned hex_value(std::string_view digits) {
    unsigned value = 0;
    for (const char c : digits) {
        const unsigned lower = static_cast<unsigned char>(c) | 0x20u;
        value = value * 16 + (lower >= 'a' ? lower - 'a' + 10 : lower - '0');
    }
    return value;
}

// One character of a literal that the JSON reader has found well-formed.
Step step(std::string_view raw) {
    if (raw[0] != '\\') return {1, 1};
    if (raw.size() < 6 || raw[1] != 'u') return {2, 1};
    const unsigned unit = hex_value(raw.substr(2, 4));
    if (unit < 0x80) return {6, 1};
    if (unit < 0x800) return {6, 2};
    if (unit >= 0xD800 && unit < 0xDC00) return {12, 4};
    return {6, 3};
}

std::vector<std::uint32_t> offsets_of(std::string_view raw, std::uint32_t begin,
                                      std::size_t decoded) {
    std::vector<std::uint32_t> offsets;
    offsets.reserve(decoded + 1);
    for (std::size_t at = 0; at < raw.size();) {
        const Step next = step(raw.substr(at));
        offsets.insert(offsets.end(), next.decoded, static_cast<std::uint32_t>(begin + at));
        at += next.raw;
    }
    offsets.push_back(static_cast<std::uint32_t>(begin + raw.size()));
    return offsets;
}

} // namespace

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const Lead lead = lead_of(static_cast<unsigned char>(text[i]));
        if (!well_formed(text, i, lead)) return i;
        i += lead.length;
    }
    return std::string_view::npos;
}

std::string valid_utf8(std::string_view text, std::size_t most) {
    std::string valid;
    for (std::size_t i = 0; i < text.size();) {
        const Lead lead = lead_of(static_cast<unsigned char>(text[i]));
        const bool good = well_formed(text, i, lead);
        const std::string_view next = good ? text.substr(i, lead.length) : "\xEF\xBF\xBD";
        if (next.size() > most - valid.size()) break;
        valid += next;
        i += good ? lead.length : 1;
    }
    return valid;
}

std::uint32_t Sources::add(std::string name, std::string text) {
    SourceFile file{std::move(name), std::move(text), {0}};
    for (std::size_t i = 0; i < file.text.size(); ++i)
        if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    files_.push_back(std::move(file));
    return static_cast<std::uint32_t>(files_.size() - 1);
}

LineColumn Sources::line_column(std::uint32_t file, std::uint32_t offset) const {
    const SourceFile& in = files_[file];
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
    const SourceFile& in = files_[file];
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

Quoted::Quoted(const Sources& sources, std::string_view text, Span literal)
    : text_(text), literal_(literal) {
    if (literal.file >= sources.size()) return;
    const std::string_view file = sources.text(literal.file);
    if (literal.end > file.size() || literal.end < literal.begin + 2) return;
    const std::string_view raw = file.substr(literal.begin + 1, literal.end - literal.begin - 2);
    if (file[literal.begin] != '"') return;
    if (raw.find('\\') != std::string_view::npos)
        offsets_ = offsets_of(raw, literal.begin + 1, text.size());
    // False if a program replaced the text from the file.
    in_file_ = (offsets_.empty() ? raw.size() : offsets_.size() - 1) == text.size();
}

Span Quoted::span(std::size_t begin, std::size_t end) const {
    if (!in_file_) return literal_;
    begin = std::min(begin, text_.size());
    end = std::clamp(end, begin, text_.size());
    if (!offsets_.empty()) return {literal_.file, offsets_[begin], offsets_[end]};
    const auto start = literal_.begin + 1;
    return {literal_.file, static_cast<std::uint32_t>(start + begin),
            static_cast<std::uint32_t>(start + end)};
}

} // namespace croupier::engine
