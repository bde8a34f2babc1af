// The stable codes of all diagnostics; engine/docs/codes.md explains each with an example.
#pragma once

#include <array>
#include <string_view>

namespace croupier::engine::code {

#define CODE(name, text) inline constexpr std::string_view name = text;
#include "engine/text/codes.def"

inline constexpr std::array kAll = {
#define CODE(name, text) name,
#include "engine/text/codes.def"
};

} // namespace croupier::engine::code
