// Checks that every card, or any other unique thing of a game, is in one place: `game.one_place`.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

// One entry of {"Card": {"repeats": {"best": true, "turned": "taker"}, "leave": {"trick": true}}}.
struct OnePlaceRule {
    std::string type;
    // Root nodes that repeat a thing stored elsewhere. A node with a name repeats it only once the
    // root has a node of that name; before that it is a place of its own.
    std::map<std::string, std::string> repeats;
    // Root nodes from which things may disappear, such as a trick that was taken; the move's own
    // things may as well. Without it, things may appear and disappear anywhere.
    std::set<std::string> leave;
    bool counts = false; // `leave` is given
};

// Reads the node `game.one_place`, or a test's. Reports errors to `diagnostics`.
std::vector<OnePlaceRule> read_one_place(const engine::Document& declared,
                                         const engine::Ruleset& ruleset,
                                         engine::Diagnostics& diagnostics);
// The ruleset's declaration; empty if there is none, or none that is valid.
std::vector<OnePlaceRule> declared_one_place(const engine::Ruleset& ruleset);

// Follows one game after another. By the shape, places are maps whose keys are of the type and that
// hold `true`, and leaves of the type, except for `move` and `moves`.
class OnePlace {
  public:
    // The game outlives it.
    OnePlace(const RulesetGame& game, OnePlaceRule rule);

    // Call after the beginning, or for a single position. Returns the error, or an empty text.
    [[nodiscard]] std::string begins(const engine::Document& state);
    // Call after each move.
    [[nodiscard]] std::string moved(const engine::Document& state, std::string_view move);

    using Places = std::map<std::string, std::vector<std::string>>; // paths, by thing
    [[nodiscard]] const Places& places() const { return now_; }

  private:
    [[nodiscard]] Places places_of(const engine::Document& state) const;
    [[nodiscard]] std::string look(const engine::Document& state);
    [[nodiscard]] bool may_leave(const std::vector<std::string>& places) const;

    const engine::Ruleset& ruleset_;
    OnePlaceRule rule_;
    std::size_t all_ = 0; // number of things at the beginning
    Places now_;
};

} // namespace croupier::games
