// How each node of a ruleset's root is drawn: found in its shape, and in what `"draw"` says.
#pragma once

#include "engine/api/ruleset.h"
#include "games/contract/game.h"
#include "games/drawing/cards.h"
#include "games/drawing/drawing.h"
#include "games/ruleset/hidden.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

struct DrawnNode {
    enum class Part : std::uint8_t {
        Board,        // cell: what stands there
        Boards,       // of each key such a map
        Pieces,       // piece: its cell
        Cards,        // set of cards, or place: card
        CardsBy,      // key: set of cards, or place: card; hands where the key is a player
        Card,         // one
        Trick,        // key: {player, card}
        CardOfPlayer, // player: card
        PlayerOfCard, // card: player
        AtHand,       // player, told beside his hand
        Fact
    };

    std::string name;
    Part part = Part::Fact;
    const engine::Domain* domain = nullptr; // the grid, or the keys
    Look look = Look::Letters;              // of boards
    std::string card_field = {};            // Trick: which field is the card
    std::string player_field = {};          // and which says whose
    bool suit = false;                      // Fact: which holds a suit
    const Hidden* hidden = nullptr;         // what is said of it
};

// Those of a game, in the order of its shape.
class DrawnNodes {
  public:
    // The game must outlive them.
    explicit DrawnNodes(const Game& game);
    DrawnNodes(const DrawnNodes&) = delete; // its nodes point into it
    DrawnNodes& operator=(const DrawnNodes&) = delete;

    // Whether there is a shape; else all of the state is facts.
    [[nodiscard]] bool declared() const { return declared_; }
    [[nodiscard]] const std::vector<DrawnNode>& all() const { return nodes_; }
    [[nodiscard]] const Pack& pack() const { return pack_; }

  private:
    using Part = DrawnNode::Part;

    void find_cards(const engine::Shape& root);
    [[nodiscard]] DrawnNode node_of(const std::string& name, const engine::Shape& shape) const;
    [[nodiscard]] DrawnNode map_node(const std::string& name, const engine::Shape& shape) const;
    void keep_one_kind_of_board();
    [[nodiscard]] bool is_set(const DrawnNode& node) const;
    void read_wishes();
    [[nodiscard]] const engine::Domain* domain_of(const engine::Shape& shape) const;
    [[nodiscard]] const engine::Domain* grid_of(const engine::Shape& shape) const;
    [[nodiscard]] const engine::Domain* board_of(const engine::Shape& shape) const;
    [[nodiscard]] bool is_by_player(const engine::Shape& shape) const;
    [[nodiscard]] bool is_card(const engine::Shape& shape) const;
    [[nodiscard]] bool is_suit(const engine::Shape& shape) const;
    [[nodiscard]] bool lists_cards(const engine::Shape& shape) const;

    const std::vector<std::string>& players_;
    const engine::Ruleset* ruleset_ = nullptr;
    std::vector<Hidden> hidden_;
    std::string card_domain_;
    Pack pack_;
    std::vector<DrawnNode> nodes_;
    bool declared_ = false;
};

// Nodes that the harness shares with rules; who is to move and who has won is told elsewhere.
bool is_harness(std::string_view name);

// K, q and their like, capital letters for the first player.
bool is_chessman(std::string_view name);

} // namespace croupier::games
