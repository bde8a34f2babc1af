// The well-formed byte sequences of the Unicode standard, table 3-7.
#include "engine/text/utf8.h"

namespace croupier::engine {
namespace {

struct Lead {
    std::size_t length = 0;   // 0: no character begins with this byte
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

} // namespace croupier::engine
