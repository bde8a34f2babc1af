// The stable codes of the diagnostics of CLIPS programs; README.md beside this file explains them.
#pragma once

#include <string_view>

namespace croupier::engine::clips::code {

inline constexpr std::string_view kClipsUnbalanced = "E0601";
inline constexpr std::string_view kClipsDepth = "E0602";
inline constexpr std::string_view kClipsConstruct = "E0603"; // unknown, or out of scope (COOL)
inline constexpr std::string_view kClipsSyntax = "E0604";
inline constexpr std::string_view kClipsFunction = "E0605"; // unknown function or argument count
inline constexpr std::string_view kClipsVariable = "E0606";
inline constexpr std::string_view kClipsSlot = "E0607";
inline constexpr std::string_view kClipsType = "E0608"; // a value that its slot cannot hold
inline constexpr std::string_view kClipsTooLarge = "E0609";

// Lint
inline constexpr std::string_view kClipsUsedOnce = "W0601";
inline constexpr std::string_view kClipsContradiction = "W0602";
inline constexpr std::string_view kClipsCrossProduct = "W0603";
inline constexpr std::string_view kClipsRetriggers = "W0604";

} // namespace croupier::engine::clips::code
