// The table of kinds.
#include "engine/ir/ir.h"

#include <array>

namespace croupier::engine::ir {

const KindInfo& info_of(Kind kind) {
    static constexpr std::array kInfos = {
#define NODE(name, operands, result, blocks, effects, meaning)                                     \
    KindInfo{#name,    (operands), (result)[0], std::string_view(result).substr(1),                \
             (blocks), (effects),  (meaning)},
#include "engine/ir/nodes.def"
    };
    return kInfos[static_cast<std::size_t>(kind)];
}

// Letters without a star come once each.
bool KindInfo::fits(std::string_view letters, std::size_t count) {
    return letters.find('*') == std::string_view::npos ? count == letters.size()
                                                       : count + 2 >= letters.size();
}

char KindInfo::letter(std::string_view letters, std::size_t place, std::size_t count) {
    const std::size_t star = letters.find('*');
    if (star == std::string_view::npos || place + 1 < star) {
        return letters[place];
    }
    const std::size_t left = count - place;               // with this one
    const std::size_t behind = letters.size() - star - 1; // letters after the star
    return left > behind ? letters[star - 1] : letters[letters.size() - left];
}

} // namespace croupier::engine::ir
