// Parses JSON into domains and shapes.
#pragma once

#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

namespace croupier::engine {

inline constexpr std::size_t kMaxDomain = 4096;

// int, double, number, string, bool, null, any: the types that are not domains.
const Words& builtin_types();

void report_unknown_type(Reading& reading, const TypeName& type, std::span<const Domain> types);

// The domains of `types`, in the order of the file.
std::vector<Domain> parse_types(Reading& reading, const Document& types);

// Parses a shape. Appends anonymous enumerations to `types`.
Shape parse_shape(Reading& reading, const Document& shape, std::vector<Domain>& types);

// Which values a declared leaf can hold, and which types can match there.

// Equality as in LANGUAGE.md (numbers by value, all else by kind), for values in files.
bool equal_scalars(const Scalar& a, const Scalar& b);

// True if a node of that shape can hold a value equal to `value`.
bool can_hold(const Ruleset& ruleset, const Shape& shape, const Scalar& value);

// True if `value` can be written to such a node, as itself or as the equal double.
bool can_store(const Ruleset& ruleset, const Shape& shape, const Scalar& value);

// False if `node < value` or a similar comparison is false for every value the node can have.
bool can_compare(const Ruleset& ruleset, const Shape& shape, ExprOp compare, const Scalar& value);

// Whether `$X:type` can match a value of that shape, or a key among that shape's children.
bool value_can_be(const Ruleset& ruleset, const Shape& shape, std::string_view type);
bool key_can_be(const Ruleset& ruleset, const Shape& parent, std::string_view type);

// "an integer from 0 to 3", "a member of Suit": describes what a node of that shape holds.
std::string describe(const Ruleset& ruleset, const Shape& shape);

// A hint how to fix a value that the shape cannot hold; may be empty.
std::string mend(const Reading& reading, const Ruleset& ruleset, const Shape& shape,
                 const Scalar& value);

} // namespace croupier::engine
