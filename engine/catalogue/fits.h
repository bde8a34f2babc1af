// Questions about values that conditions ask, when rules run and when they are compiled.
#pragma once

#include "engine/catalogue/catalogue.h"

namespace croupier::engine {

// Whether the value, which is one, is of the type.
bool is_of_type(const Value& value, const TypePlan& type, const Layout& layout,
                const Symbols& symbols);

// `op` is one of the comparisons.
bool compares(ExprOp op, const Value& a, const Value& b, const Symbols& symbols);

} // namespace croupier::engine
