// The pages, the style sheet and the scripts of assets/.
#pragma once

#include <string_view>

namespace croupier::serve {

struct Asset {
    std::string_view name; // "table.js"
    std::string_view type; // of its content
    std::string_view text;
};
// By name; null if there is none.
const Asset* asset(std::string_view name);

} // namespace croupier::serve
