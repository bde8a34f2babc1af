// Whether two expressions are the same text.
#include "engine/ir/same.h"

#include <algorithm>

namespace croupier::engine::ir {

bool same_expression(const Module& module, const Function& function, Id a, Id b) {
    const Node& one = function.at(a);
    const Node& two = function.at(b);
    if (one.kind != two.kind || one.y != two.y || one.number != two.number ||
        !(one.type == two.type) || one.operands.size() != two.operands.size()) {
        return false;
    }
    if (one.kind == Kind::Constant && one.type.kind == TypeKind::Any) {
        return same_value(module.values[one.x], module.values[two.x]);
    }
    return one.x == two.x && std::equal(one.operands.begin(), one.operands.end(),
                                        two.operands.begin(), [&](Id left, Id right) {
                                            return same_expression(module, function, left, right);
                                        });
}

} // namespace croupier::engine::ir
