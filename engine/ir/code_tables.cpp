// Tables of what depends on a few codes.
#include "engine/ir/code_tables.h"

#include "engine/ir/evaluate.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

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
    if (node().kind == Kind::CountRows || node().kind == Kind::AnyRow) {
        return find_leaves_of_rows(node().operands[0], leaves);
    }
    return can_evaluate(node().kind) &&
           std::all_of(node().operands.begin(), node().operands.end(),
                       [&](Id operand) { return find_leaves(operand, leaves); });
}

std::optional<std::vector<Id>> CodeTables::leaves_of(Id expression) {
    std::vector<Id> leaves;
    return find_leaves(expression, leaves) ? std::optional(std::move(leaves)) : std::nullopt;
}

std::optional<CodeTables::Made> CodeTables::of(Id expression) {
    Made made;
    if (!edit_.at(expression).type.is_value() || !find_leaves(expression, made.leaves)) {
        return std::nullopt;
    }
    std::size_t count = 1;
    for (const Id leaf : made.leaves) {
        const CodeList& list = edit_.module().lists[edit_.at(leaf).type.list];
        made.sizes.push_back(static_cast<std::uint32_t>(list.values.size() + 1));
        count *= made.sizes.back();
    }
    if (count > most_) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> shape;
    append_shape(expression, made.leaves, shape);
    const auto [known, is_new] = known_.try_emplace(std::move(shape));
    CROUPIER_REWRITE_IF(!is_new && known->second != nullptr, TableOfSameShape);
    if (is_new) {
        OutcomesPtr found = outcomes_of(expression, made);
        const bool told = std::all_of(found->values.begin(), found->values.end(),
                                      [](const auto& each) { return each.has_value(); });
        known->second = told && found->places.size() == count ? std::move(found) : nullptr;
    }
    if (known->second == nullptr) {
        return std::nullopt;
    }
    made.outcomes = known->second;
    return made;
}

OutcomesPtr CodeTables::outcomes_of(Id expression, const Made& made) {
    const Module& module = edit_.module();
    const Function& function = edit_.function();
    std::vector<OutcomesPtr> leaves;
    for (const Id leaf : made.leaves) {
        leaves.push_back(OutcomeMaker::of_list(static_cast<std::uint32_t>(leaves.size()),
                                               module.lists[function.at(leaf).type.list]));
    }
    std::optional<OutcomeMaker> maker;
    const auto leaf = [&](Id each) -> OutcomesPtr {
        const Node& node = function.at(each);
        if (node.kind == Kind::CountRows || node.kind == Kind::AnyRow) {
            return outcomes_of_rows(each, made);
        }
        if (node.kind == Kind::Variable) {
            if (const auto known = definitions_.find(node.x); known != definitions_.end()) {
                return maker->of(known->second);
            }
        }
        for (std::size_t i = 0; is_leaf(each) && i < leaves.size(); ++i) {
            if (same_expression(module, function, made.leaves[i], each)) {
                return leaves[i];
            }
        }
        return nullptr;
    };
    maker.emplace(module, function, made.sizes, leaf);
    return maker->of(expression);
}

// Two expressions of the same shape come to the same for the same codes.
void CodeTables::append_shape(Id id, const std::vector<Id>& leaves,
                              std::vector<std::uint64_t>& shape) const {
    const Node& node = edit_.function().at(id);
    if (node.kind == Kind::Variable) {
        if (const auto known = definitions_.find(node.x); known != definitions_.end()) {
            append_shape(known->second, leaves, shape);
            return;
        }
    }
    if (is_leaf(id)) {
        const auto place = std::find_if(leaves.begin(), leaves.end(), [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, id);
        });
        shape.insert(shape.end(), {~std::uint64_t{0}, node.type.list,
                                   static_cast<std::uint64_t>(place - leaves.begin())});
        return;
    }
    const bool any = node.kind == Kind::Constant && node.type.kind == TypeKind::Any;
    const Value value = any ? edit_.module().values[node.x] : Value{};
    shape.insert(shape.end(), {static_cast<std::uint64_t>(node.kind), any ? 0 : node.x,
                               static_cast<std::uint64_t>(node.number),
                               static_cast<std::uint64_t>(node.type.kind) << 32 | node.type.list,
                               static_cast<std::uint64_t>(value.tag),
                               static_cast<std::uint64_t>(
                                   CROUPIER_MISTAKE(ShapeWithoutConstants) ? 0 : value.integer),
                               node.operands.size()});
    for (const Id operand : node.operands) {
        append_shape(operand, leaves, shape);
    }
}

} // namespace croupier::engine::ir
