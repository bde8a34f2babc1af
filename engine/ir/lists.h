// The lists of values whose places are codes.
#pragma once

#include "engine/ir/ir.h"

#include <optional>

namespace croupier::engine::ir {

// The list of that kind, added if the module has none yet.
std::uint32_t list_of_domain(Module& module, CodeList::Form form, std::uint32_t domain);
std::uint32_t list_of_truths(Module& module);
std::uint32_t list_of_range(Module& module, std::int64_t low, std::int64_t high);
// Keys that are in no domain, or in another order.
std::uint32_t list_of_keys(Module& module, const std::vector<Symbol>& keys);

// What a leaf of that schema holds: codes, integers or any value.
Type type_of_leaf(Module& module, const SchemaNode& leaf);
// Of a value that can be told from a few others, its type: a truth or a code; else any.
Type type_of_values(Module& module, const std::vector<Value>& values);
// The code of the value in a list; 0 if it is not there.
std::uint32_t code_of(const Module& module, std::uint32_t list, const Value& value);
// The code of the member with that key.
std::uint32_t code_of_key(const Module& module, std::uint32_t list, Symbol key);

inline Type code_type(std::uint32_t list) {
    return {TypeKind::Code, list};
}

} // namespace croupier::engine::ir
