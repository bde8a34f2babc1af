// Searches that become a part of the search around them.
#include "engine/ir/splice.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

// The blocks of a search that end in a result of its own.
void find_yields(const Function& function, BlockId search, std::vector<BlockId>& found) {
    for (const Id each : function.blocks[search].statements) {
        const Node& node = function.at(each);
        if (node.kind == Kind::Yield) {
            found.push_back(search);
        }
        for (std::size_t i = 0; i < node.blocks.size(); ++i) {
            if (info_of(node.kind).block(i, node.blocks.size()) == 'c') {
                find_yields(function, node.blocks[i], found);
            }
        }
    }
}

} // namespace

bool splice(Editor& edit, VarId result, BlockId search, BlockId rest) {
    std::vector<BlockId> yields;
    find_yields(edit.function(), search, yields);
    if (yields.size() != 1) {
        return false;
    }
    std::vector<Id> body = std::exchange(edit.block(yields[0]).statements, {});
    const Id yield = body.back();
    body.pop_back();
    for (const Id each : std::exchange(edit.at(yield).operands, {})) {
        body.push_back(edit.let(result++, each));
    }
    const std::vector<Id>& after = edit.block(rest).statements;
    body.insert(body.end(), after.begin(), after.end());
    edit.block(yields[0]).statements = std::move(body);
    return true;
}

bool is_straight(const Function& function, BlockId search) {
    const std::vector<Id>& all = function.blocks[search].statements;
    return !all.empty() && function.at(all.back()).kind == Kind::Yield &&
           std::all_of(all.begin(), all.end(), [&](Id each) {
               return info_of(function.at(each).kind).blocks.find('c') == std::string_view::npos;
           });
}

} // namespace croupier::engine::ir
