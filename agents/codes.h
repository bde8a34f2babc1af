// Diagnostic codes of the files of an agent; agents/codes.md explains each.
#pragma once

#include <array>
#include <string_view>

namespace croupier::agents::code {

// A file of rules.
inline constexpr std::string_view kGame = "E0701";
inline constexpr std::string_view kMissing = "E0702";
inline constexpr std::string_view kMemory = "E0703";
inline constexpr std::string_view kParameter = "E0704";

// Evaluations.
inline constexpr std::string_view kLearnt = "W0705";

// A net.
inline constexpr std::string_view kNet = "E0706";
inline constexpr std::string_view kNetGame = "E0707";

// A table of advice.
inline constexpr std::string_view kFormula = "E0711";
inline constexpr std::string_view kTableForm = "E0712";
inline constexpr std::string_view kUnknownName = "E0713";
inline constexpr std::string_view kCircle = "E0714";
inline constexpr std::string_view kMeaning = "E0715";
inline constexpr std::string_view kTaken = "E0716";
inline constexpr std::string_view kUnbounded = "W0711";
inline constexpr std::string_view kUnused = "W0712";

inline constexpr std::array kAll = {kGame,   kMissing, kMemory,  kParameter, kLearnt,
                                    kNet,    kNetGame, kFormula, kTableForm, kUnknownName,
                                    kCircle, kMeaning, kTaken,   kUnbounded, kUnused};

} // namespace croupier::agents::code
