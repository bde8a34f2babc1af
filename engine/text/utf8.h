// Checks and steps through UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace croupier::engine {

// Offset of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and values
// past U+10FFFF are not), or npos.
std::size_t find_invalid_utf8(std::string_view text);

} // namespace croupier::engine
