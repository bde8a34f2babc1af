// What a ruleset tells agents that solve positions: "game": {"gains": ["taken"], "sides": "side"}.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <cstddef>
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

// What the positions of a ruleset are worth by its own words: "game": {"material": {"board": 1}}.

// A node of the root that counts, and how much each stone or each point in it does.
struct MaterialNode {
    std::string name;
    double weight = 1;
};

// What `game.material` declares; nothing where there is none. A node is a map whose values name
// players, such as the stones of a board, or a map from players to integers, such as sums.
std::vector<MaterialNode> read_material(const engine::Ruleset& ruleset, const Facts& facts,
                                        engine::Diagnostics& diagnostics);

// Own stones and points, partners' included, less those of all others. Reads the columns of the
// state as they lie there and runs no rules.
class Material final : public Evaluation {
  public:
    Material(const std::vector<MaterialNode>& nodes, const Facts& facts,
             const engine::Layout& layout);

    // The worth of a position of a ruleset.
    [[nodiscard]] double worth(const Position& position, Seat seat) const override;
    [[nodiscard]] bool reads_moves() const override { return false; }

  private:
    struct Node {
        double weight = 1;
        bool names_players = false;     // its values do, not its keys
        engine::SchemaId element = 0;   // what the map holds
        std::vector<std::size_t> place; // by seat: the code of that player's stones, or his row
    };

    [[nodiscard]] static double of_player(const Node& node, const engine::State& state, Seat seat);

    std::vector<Node> nodes_;
    std::vector<std::vector<double>> sign_; // by seat: 1 for its own side, -1 for everyone else
};

} // namespace croupier::games
