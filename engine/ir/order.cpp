// Looks for sets of rows in a search.
#include "engine/ir/order.h"

#include <algorithm>

namespace croupier::engine::ir {
namespace {

bool has_sets(const Function& function, BlockId block);

bool has_sets(const Function& function, const Node& node) {
    const bool is_set = node.kind == Kind::RowsWith || node.kind == Kind::TableRows ||
                        node.kind == Kind::Both || node.kind == Kind::Either ||
                        node.kind == Kind::Without || node.kind == Kind::Differ ||
                        node.kind == Kind::LetTouching || node.kind == Kind::LetCounts;
    return is_set ||
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return has_sets(function, function.at(each)); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return has_sets(function, each); });
}

bool has_sets(const Function& function, BlockId block) {
    const std::vector<Id>& all = function.blocks[block].statements;
    return std::any_of(all.begin(), all.end(),
                       [&](Id each) { return has_sets(function, function.at(each)); });
}

} // namespace

bool keeps_order(const Module& module, RuleId rule) {
    for (const Function& function : module.functions) {
        for (const Node& node : function.nodes) {
            if (node.kind == Kind::Apply && node.x == rule && has_sets(function, node.blocks[0])) {
                return false;
            }
        }
    }
    return true;
}

} // namespace croupier::engine::ir
