// Finds the known word that a mistyped one was most likely meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace croupier::engine {

// The word of `known` with the smallest edit distance to `word`, where upper and lower case are the
// same and two swapped neighbours count as one edit; the first such word wins. Nothing when all are
// so far off that a suggestion would puzzle more than it helps.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

} // namespace croupier::engine
