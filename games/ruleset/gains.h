// What a ruleset tells agents that solve positions: "game": {"gains": ["taken"], "sides": "side"}.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace croupier::games {

// Nodes of the root by name.
struct SolvingNodes {
    std::vector<std::string> gains; // maps by player or team that hold integers, or records of them
    std::string sides;              // a map by player whose values tell sides; empty: none
};

// What is wrong goes to `diagnostics`.
SolvingNodes read_solving_nodes(const engine::Ruleset& ruleset, const Facts& facts,
                                engine::Diagnostics& diagnostics);

// The same with places looked up. Reads columns of the state as they lie there.
class SolvingPlan {
  public:
    SolvingPlan() = default;
    SolvingPlan(const SolvingNodes& nodes, const Facts& facts, const engine::Layout& layout);

    // `Facts::gains`.
    [[nodiscard]] const std::vector<std::vector<Seat>>& owners() const { return owners_; }
    // `Position::hash_without_gains`, `Position::side`.
    std::uint64_t hash(const engine::State& state, std::vector<std::int32_t>& gains) const;
    [[nodiscard]] std::uint32_t side(const engine::State& state, Seat seat) const;

  private:
    struct Leaf {
        engine::Column column = engine::Column::Int;
        std::uint32_t byte = 0;
    };
    void add_leaf(const engine::SchemaNode& leaf, const std::vector<std::vector<Seat>>& rows);

    std::vector<std::vector<Seat>> owners_;
    std::vector<Leaf> leaves_;                // by number
    std::vector<engine::State::Bytes> bytes_; // theirs, in order
    engine::SchemaId sides_ = engine::kNoSchema;
    std::vector<std::uint32_t> rows_; // of seats in it
};

} // namespace croupier::games
