// The pages, the style sheet and the scripts, as they stand in assets/.
#pragma once

#include <string_view>

namespace croupier::serve {

struct Asset {
    std::string_view name; // "table.js"
    std::string_view type; // of its content
    std::string_view text;
};
// By name; null: there is none.
const Asset* asset(std::string_view name);

} // namespace croupier::serve
