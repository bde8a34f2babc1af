// The `hidden` block of a ruleset: which parts of a state a player may not see.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <span>
#include <string>
#include <vector>

namespace croupier::games {

// One entry as read. `key` is a name, or a variable that stands for every child and is bound to its
// key: "hands": {"$P": "only $P"}. A leaf says who may see the node and all below it.
struct Hidden {
    enum class Kind {
        Below,        // `entries` say more
        Nobody,       // "nobody"
        OnlyVariable, // "only $P": the player whose name the variable is bound to
        OnlyNamed,    // "only taker": the player who is named at that path; nobody if none is
    };
    std::string key;
    bool variable = false;
    Kind kind = Kind::Below;
    std::string who;               // OnlyVariable: the variable
    std::vector<std::string> path; // OnlyNamed
    std::vector<Hidden> entries;
};

// Reads the block of a ruleset that has it; what is wrong goes to `diagnostics`.
std::vector<Hidden> read_hidden(const engine::Ruleset& ruleset, engine::Diagnostics& diagnostics);

// The entries with their names looked up, ready to cut a state down to what somebody may see. Where
// all of them speak of declared places, these are listed for each player beforehand; else a state
// is walked.
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
        engine::Symbol key = engine::kNoSymbol; // none: every child
        std::size_t depth = 0;                  // OnlyVariable: whose key counts
        std::vector<engine::Symbol> path;
        std::vector<Node> below;
    };
    static std::vector<Node> resolve(const std::vector<Hidden>& entries,
                                     std::vector<std::string>& variables, engine::Symbols& symbols);
    // Goes if it is there, unless the leaf names the player.
    struct Removal {
        engine::Erasure gone;
        engine::NodeRef leaf; // none: it goes for certain
    };
    struct Walk;
    struct Lister;

    std::vector<Node> nodes_;
    std::vector<engine::Symbol> players_;
    std::vector<std::vector<Removal>> places_; // by seat; empty: not known beforehand
};

} // namespace croupier::games
