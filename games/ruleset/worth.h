// What a ruleset declares for agents that solve: "game": {"gains": ["taken"], "sides": "side"}.
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

// Names of root nodes.
struct SolvingNodes {
    std::vector<std::string> gains; // maps by player or team to integers, or to records of them
    std::string sides;              // a map by player whose values are sides; empty if none
};

// Reports errors to `diagnostics`.
SolvingNodes read_solving_nodes(const engine::Ruleset& ruleset, const Facts& facts,
                                engine::Diagnostics& diagnostics);

// The same with places looked up. Reads the state's columns directly.
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
    std::vector<engine::State::Bytes> bytes_; // of these leaves, in order
    engine::SchemaId sides_ = engine::kNoSchema;
    std::vector<std::uint32_t> rows_; // by seat
};

// The worth of a ruleset's positions as declared in it: "game": {"material": {"board": 1}}.

// A root node that counts, and the weight of each stone or point in it.
struct MaterialNode {
    std::string name;
    double weight = 1;
};

// What `game.material` declares; empty if nothing. A node is a map whose values are players, such
// as the stones of a board, or a map from players to integers, such as sums.
std::vector<MaterialNode> read_material(const engine::Ruleset& ruleset, const Facts& facts,
                                        engine::Diagnostics& diagnostics);

// Own stones and points, partners' included, minus those of all others. Reads the state's columns
// directly and runs no rules.
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
        bool names_players = false;     // its values are players, not its keys
        engine::SchemaId element = 0;   // what the map holds
        std::vector<std::size_t> place; // by seat: code of its stones, or its row
    };

    [[nodiscard]] static double of_player(const Node& node, const engine::State& state, Seat seat);

    std::vector<Node> nodes_;
    std::vector<std::vector<double>> sign_; // by seat: 1 for its own side, -1 for everyone else
};

} // namespace croupier::games
