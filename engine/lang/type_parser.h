// From JSON to domains and shapes.
#pragma once

#include "engine/lang/reading.h"
#include "engine/lang/ruleset.h"

namespace croupier::engine {

inline constexpr std::size_t kMaxDomain = 4096;

// int, double, number, string, bool, null, any: what a type can be besides a domain.
const Words& builtin_types();

// The domains of `types`, in the order of the file.
std::vector<Domain> parse_types(Reading& reading, const Document& types);

// A shape. Anonymous enumerations are appended to `types`.
Shape parse_shape(Reading& reading, const Document& shape, std::vector<Domain>& types);

} // namespace croupier::engine
