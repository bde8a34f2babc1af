// What the positions of a ruleset are worth by its own words: "game": {"material": {"board": 1}}.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::games {

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

    // Of a position of a ruleset.
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
