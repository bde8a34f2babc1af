// Wrong rules, as somebody might write them: what the tests of games must notice.
#pragma once

#include <span>
#include <string_view>

namespace croupier::games {

struct Mistake {
    std::string_view name;
    std::string_view
        test; // which program notices it: "belote", "coinche", "tarot", "oldmaid", "whist"
    std::string_view file;  // below games/
    std::string_view right; // stands there once, at least; the first is changed
    std::string_view wrong;
};

std::span<const Mistake> mistakes();

} // namespace croupier::games
