// Walks a JSON literal once and notes where each decoded byte came from.
#include "engine/text/quoted.h"

#include <algorithm>

namespace croupier::engine {
namespace {

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

Quoted::Quoted(const Sources& sources, std::string_view text, Span literal)
    : text_(text), literal_(literal) {
    if (literal.file >= sources.size()) return;
    const std::string_view file = sources.text(literal.file);
    if (literal.end > file.size() || literal.end < literal.begin + 2) return;
    const std::string_view raw = file.substr(literal.begin + 1, literal.end - literal.begin - 2);
    if (file[literal.begin] != '"') return;
    if (raw.find('\\') != std::string_view::npos)
        offsets_ = offsets_of(raw, literal.begin + 1, text.size());
    // False for a text that a program put in the place of the file's.
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
