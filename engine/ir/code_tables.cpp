// Tables of what depends on a few codes.
#include "engine/ir/code_tables.h"

#include "engine/ir/evaluate.h"
#include "engine/ir/same.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

// Entries of one table. Larger ones would cost more to make than games that short could gain.
constexpr std::size_t kMostEntries = std::size_t{1} << 14;
constexpr std::size_t kMostCodes = 3;

} // namespace

bool CodeTables::is_leaf(Id id) const {
    const Node& node = edit_.function().at(id);
    return node.type.kind == TypeKind::Code &&
           (node.kind == Kind::Load ||
            (node.kind == Kind::Variable && !definitions_.contains(node.x)));
}

// The expression, whose variables get the types that they have by now, depends on nothing but
// leaves, which are added to those that are known.
bool CodeTables::find_leaves(Id id, std::vector<Id>& leaves) {
    const auto node = [&]() -> Node& { return edit_.at(id); };
    if (node().kind == Kind::Variable) {
        node().type = edit_.var(node().x).type;
        if (const auto known = definitions_.find(node().x); known != definitions_.end()) {
            return find_leaves(known->second, leaves);
        }
    }
    if (is_leaf(id)) {
        const bool known = std::any_of(leaves.begin(), leaves.end(), [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, id);
        });
        if (!known) {
            leaves.push_back(id);
        }
        return leaves.size() <= kMostCodes;
    }
    switch (node().kind) {
    case Kind::Constant:
    case Kind::KeyCode:
    case Kind::Has:
    case Kind::Fits:
    case Kind::Compare:
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Choose:
    case Kind::Given:
    case Kind::Truth:
    case Kind::Arithmetic:
    case Kind::Whole:
    case Kind::Calculate:
    case Kind::Table:
        return std::all_of(node().operands.begin(), node().operands.end(),
                           [&](Id operand) { return find_leaves(operand, leaves); });
    default:
        return false;
    }
}

std::optional<CodeTables::Made> CodeTables::of(Id expression) {
    Made made;
    if (!edit_.at(expression).type.is_value() || !find_leaves(expression, made.leaves)) {
        return std::nullopt;
    }
    std::size_t count = 1;
    for (const Id leaf : made.leaves) {
        const CodeList& list = edit_.module().lists[edit_.at(leaf).type.list];
        made.table.sizes.push_back(static_cast<std::uint32_t>(list.values.size() + 1));
        count *= made.table.sizes.back();
    }
    if (count > kMostEntries) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = value_for(expression, made, i);
        if (!value) {
            return std::nullopt;
        }
        made.table.values.push_back(*value);
    }
    return made;
}

// What the expression comes to for that choice of codes.
std::optional<Value> CodeTables::value_for(Id id, const Made& made, std::size_t choice) {
    std::vector<Value> values(made.leaves.size());
    for (std::size_t i = made.leaves.size(); i-- > 0;) {
        const std::size_t code = choice % made.table.sizes[i];
        choice /= made.table.sizes[i];
        const CodeList& list = edit_.module().lists[edit_.at(made.leaves[i]).type.list];
        values[i] = code == 0 ? Value{} : list.values[code - 1];
    }
    const Leaf leaf = [&](Id each) -> std::optional<Value> {
        const Node& node = edit_.function().at(each);
        if (node.kind == Kind::Variable) {
            if (const auto known = definitions_.find(node.x); known != definitions_.end()) {
                return evaluate(edit_.module(), edit_.function(), known->second, leaf);
            }
        }
        if (is_leaf(each)) {
            for (std::size_t i = 0; i < made.leaves.size(); ++i) {
                if (same_expression(edit_.module(), edit_.function(), made.leaves[i], each)) {
                    return values[i];
                }
            }
        }
        return std::nullopt;
    };
    return evaluate(edit_.module(), edit_.function(), id, leaf);
}

} // namespace croupier::engine::ir
