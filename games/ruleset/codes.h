// Diagnostic codes of rulesets as games; games/codes.md explains each.
#pragma once

#include <array>
#include <string_view>

namespace croupier::games::code {

#define CODE(name, text) inline constexpr std::string_view name = text;
#include "games/ruleset/codes.def"

inline constexpr std::array kAll = {
#define CODE(name, text) name,
#include "games/ruleset/codes.def"
};

} // namespace croupier::games::code
