// What is at hand while a position is drawn: its state, who looks, and what he may not see.
#pragma once

#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/ruleset/hidden.h"

#include <optional>
#include <string>
#include <vector>

namespace croupier::games {

struct Scene {
    engine::Document state;
    std::optional<Seat> viewer;             // none: everything is seen but what nobody sees
    std::optional<engine::Document> likely; // agrees with the view; hidden cards are counted there
    std::optional<Seat> turn;
    const Facts& facts;

    [[nodiscard]] const engine::Document* at(const std::string& name) const;
    [[nodiscard]] const engine::Document* likely_at(const std::string& name) const;
    // Whether the viewer may not see a node of which that is said; `key` is that of a map's child.
    [[nodiscard]] bool hides(const Hidden* said, const std::string& key = {}) const;
};

} // namespace croupier::games
