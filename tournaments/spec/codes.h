// The codes of what can be wrong with the specification of a run; tournaments/codes.md explains
// each.
#pragma once

#include <array>
#include <string_view>

namespace croupier::tournaments::code {

inline constexpr std::string_view kForm = "E0801";
inline constexpr std::string_view kUnknownKey = "E0802";
inline constexpr std::string_view kGame = "E0803";
inline constexpr std::string_view kAgents = "E0804";
inline constexpr std::string_view kUnknownWord = "E0805";
inline constexpr std::string_view kNumber = "E0806";
inline constexpr std::string_view kStopRule = "E0807";
inline constexpr std::string_view kSchedule = "E0808";
inline constexpr std::string_view kStarts = "E0809";

inline constexpr std::array kAll = {kForm,   kUnknownKey, kGame,     kAgents, kUnknownWord,
                                    kNumber, kStopRule,   kSchedule, kStarts};

} // namespace croupier::tournaments::code
