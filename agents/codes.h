// Diagnostic codes of advice tables; agents/codes.md explains each.
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

// Diagnostic codes of rule files as agents; agents/codes.md explains each.

inline constexpr std::string_view kGame = "E0701";
inline constexpr std::string_view kMissing = "E0702";
inline constexpr std::string_view kMemory = "E0703";
inline constexpr std::string_view kParameter = "E0704";

// Codes of evaluations.
inline constexpr std::string_view kLearnt = "W0705";

inline constexpr std::array kAll = {kGame, kMissing, kMemory, kParameter, kLearnt};

} // namespace croupier::agents::code
