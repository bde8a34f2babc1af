// The table of kinds.
#include "engine/ir/ir.h"

#include <array>

namespace croupier::engine::ir {

const KindInfo& info_of(Kind kind) {
    static constexpr std::array kInfos = {
#define NODE(name, operands, result, blocks, effects, meaning)                                     \
    KindInfo{#name, operands, result[0], blocks, effects, meaning},
#include "engine/ir/nodes.def"
    };
    return kInfos[static_cast<std::size_t>(kind)];
}

} // namespace croupier::engine::ir
