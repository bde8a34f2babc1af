// Whether every card, or whatever else a game has one of, is in one place: `game.one_place`.
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

// {"Card": {"repeats": {"best": true, "turned": "taker"}, "leave": {"trick": true}}}, read.
struct OnePlaceRule {
    std::string type;
    // Nodes of the root that repeat a thing stored elsewhere; those with a
    // name do so once a node of that name is there, and are a place of their own before.
    std::map<std::string, std::string> repeats;
    // Nodes of the root from which things may go where nobody keeps count of them, as do those that
    // are the move itself: a trick that was taken. Without it, things may come and go.
    std::set<std::string> leave;
    bool counts = false; // `leave` is said
};

// Reads the node `game.one_place`, or a test's. What is wrong goes to `diagnostics`.
std::vector<OnePlaceRule> read_one_place(const engine::Document& declared,
                                         const engine::Ruleset& ruleset,
                                         engine::Diagnostics& diagnostics);
// What the ruleset declares; empty if nothing, or nothing that is right.
std::vector<OnePlaceRule> declared_one_place(const engine::Ruleset& ruleset);

// Follows one game after the other. Places are what the shape says: maps whose keys are of the type
// and hold `true`, and leaves of the type; but for `move` and `moves`.
class OnePlace {
  public:
    // The game outlives it.
    OnePlace(const RulesetGame& game, OnePlaceRule rule);

    // After the beginning, or for a position alone. What is wrong, or nothing.
    [[nodiscard]] std::string begins(const engine::Document& state);
    // After each move.
    [[nodiscard]] std::string moved(const engine::Document& state, std::string_view move);

    using Places = std::map<std::string, std::vector<std::string>>; // paths, by thing
    [[nodiscard]] const Places& places() const { return now_; }

  private:
    [[nodiscard]] Places places_of(const engine::Document& state) const;
    [[nodiscard]] std::string look(const engine::Document& state);
    [[nodiscard]] bool may_leave(const std::vector<std::string>& places) const;

    const engine::Ruleset& ruleset_;
    OnePlaceRule rule_;
    std::size_t all_ = 0; // how many there were at the beginning
    Places now_;
};

} // namespace croupier::games
