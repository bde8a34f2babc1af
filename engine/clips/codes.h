// The stable codes of the diagnostics of CLIPS programs; README.md beside this file explains them.
#pragma once

#include <array>
#include <string_view>

namespace croupier::engine::clips::code {

inline constexpr std::string_view kClipsUnbalanced = "E0901";
inline constexpr std::string_view kClipsDepth = "E0902";
inline constexpr std::string_view kClipsConstruct = "E0903"; // unknown, or out of scope (COOL)
inline constexpr std::string_view kClipsSyntax = "E0904";
inline constexpr std::string_view kClipsFunction = "E0905"; // unknown function or argument count
inline constexpr std::string_view kClipsVariable = "E0906";
inline constexpr std::string_view kClipsSlot = "E0907";
inline constexpr std::string_view kClipsType = "E0908"; // a value that its slot cannot hold
inline constexpr std::string_view kClipsTooLarge = "E0909";

// Lint
inline constexpr std::string_view kClipsUsedOnce = "W0901";
inline constexpr std::string_view kClipsContradiction = "W0902";
inline constexpr std::string_view kClipsCrossProduct = "W0903";
inline constexpr std::string_view kClipsRetriggers = "W0904";

inline constexpr std::array kAll = {
    kClipsUnbalanced,    kClipsDepth,        kClipsConstruct, kClipsSyntax,   kClipsFunction,
    kClipsVariable,      kClipsSlot,         kClipsType,      kClipsTooLarge, kClipsUsedOnce,
    kClipsContradiction, kClipsCrossProduct, kClipsRetriggers};

} // namespace croupier::engine::clips::code
