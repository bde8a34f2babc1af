// Checks and steps through UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace croupier::engine {

// Offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and values
// past U+10FFFF are not), or npos.
std::size_t find_invalid_utf8(std::string_view text);

// The text with U+FFFD for every byte that is not UTF-8; of that at most so many bytes, and no part
// of a character.
std::string valid_utf8(std::string_view text, std::size_t most = std::string_view::npos);

} // namespace croupier::engine
