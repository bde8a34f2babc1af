// The `hidden` block of a ruleset: the parts of a state that a player may not see.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <span>
#include <string>
#include <vector>

namespace croupier::games {

// One entry. `key` is a name, or a variable that matches every child and is bound to its key:
// "hands": {"$P": "only $P"}. A leaf says who may see the node and all below it.
struct Hidden {
    enum class Kind {
        Below,        // see `entries`
        Nobody,       // "nobody"
        OnlyVariable, // "only $P": the player bound to the variable
        OnlyNamed,    // "only taker": the player named at that path; if unset, no player
    };
    std::string key;
    bool variable = false;
    Kind kind = Kind::Below;
    std::string who;               // OnlyVariable: the variable
    std::vector<std::string> path; // OnlyNamed
    std::vector<Hidden> entries;
};

// Reads the block of a ruleset that has one; reports errors to `diagnostics`.
std::vector<Hidden> read_hidden(const engine::Ruleset& ruleset, engine::Diagnostics& diagnostics);

// The entries with names looked up, ready to reduce a state to a player's view. If all entries are
// about declared places, these are listed per player beforehand; otherwise the state is walked.
class HiddenPlan {
  public:
    HiddenPlan() = default;
    // Interns names in `symbols`.
    HiddenPlan(const std::vector<Hidden>& entries, engine::Symbols& symbols,
               const engine::Layout& layout, std::span<const engine::Symbol> players);

    // Removes what the player in that seat may not see.
    void hide(engine::State& state, Seat seat) const;

  private:
    struct Node {
        Hidden::Kind kind = Hidden::Kind::Below;
        engine::Symbol key = engine::kNoSymbol; // kNoSymbol matches every child
        std::size_t depth = 0;                  // OnlyVariable: depth of its key
        std::vector<engine::Symbol> path;
        std::vector<Node> below;
    };
    static std::vector<Node> resolve(const std::vector<Hidden>& entries,
                                     std::vector<std::string>& variables, engine::Symbols& symbols);
    // Removes `gone` if present, unless the leaf names the player.
    struct Removal {
        engine::Erasure gone;
        engine::NodeRef leaf; // if unset, always removes
    };
    struct Walk;
    struct Lister;

    std::vector<Node> nodes_;
    std::vector<engine::Symbol> players_;
    std::vector<std::vector<Removal>> places_; // by seat; empty if not known beforehand
};

} // namespace croupier::games
