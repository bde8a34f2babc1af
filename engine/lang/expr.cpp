// Questions about expressions.
#include "engine/lang/expr.h"

#include <algorithm>

namespace croupier::engine {

bool Expr::mentions_this() const {
    return op == ExprOp::This || std::any_of(args.begin(), args.end(),
                                             [](const Expr& arg) { return arg.mentions_this(); });
}

} // namespace croupier::engine
