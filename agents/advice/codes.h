// The codes of what can be wrong with a table of advice; agents/codes.md explains each.
#pragma once

#include <array>
#include <string_view>

namespace croupier::agents::code {

inline constexpr std::string_view kFormula = "E0711";
inline constexpr std::string_view kTableForm = "E0712";
inline constexpr std::string_view kUnknownName = "E0713";
inline constexpr std::string_view kCircle = "E0714";
inline constexpr std::string_view kMeaning = "E0715";
inline constexpr std::string_view kTaken = "E0716";
inline constexpr std::string_view kUnbounded = "W0711";
inline constexpr std::string_view kUnused = "W0712";

inline constexpr std::array kAdvice = {kFormula, kTableForm, kUnknownName, kCircle,
                                       kMeaning, kTaken,     kUnbounded,   kUnused};

} // namespace croupier::agents::code
