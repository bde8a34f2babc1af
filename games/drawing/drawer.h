// Draws positions: finds boards, hands and tricks by the shape of the ruleset.
//
// A map over a grid with one value per cell is a board; so are fields, or a map, that hold the
// cells of pieces. Sets of one domain by player are hands, and members of that domain are cards
// wherever else they occur. All other nodes are facts, drawn as text. `"draw"` in the ruleset's
// `game` says what the shape cannot; ../README.md has the details.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/drawing/cards.h"
#include "games/drawing/drawing.h"
#include "games/ruleset/hidden.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::games {

// The block `"draw"` of a ruleset's `game`: what the shape does not say about drawing.

enum class Wish {
    Leave,   // false: the node is not drawn
    Chess,   // "chess": a board with squares of two colours and chessmen for letters
    Letters, // "letters": a board of plain letters
    Hand,    // "hand": a player's name, shown as a note beside that player's hand
};

// By root node, in the ruleset's order; reports errors to `diagnostics`.
std::vector<std::pair<std::string, Wish>> wishes_of(const engine::Ruleset& ruleset,
                                                    engine::Diagnostics& diagnostics);

// How each root node of a ruleset is drawn, from its shape and from `"draw"`.

struct DrawnNode {
    enum class Part : std::uint8_t {
        Board,        // cell: its content
        Boards,       // one such map per key
        Pieces,       // piece: its cell
        Cards,        // set of cards, or place: card
        CardsBy,      // key: set of cards, or place: card; hands if the key is a player
        Card,         // one card
        Trick,        // key: {player, card}
        CardOfPlayer, // player: card
        PlayerOfCard, // card: player
        AtHand,       // player, shown beside that player's hand
        Fact
    };

    std::string name;
    Part part = Part::Fact;
    const engine::Domain* domain = nullptr; // the grid, or the keys
    Look look = Look::Letters;              // of boards
    std::string card_field = {};            // Trick: the field with the card
    std::string player_field = {};          // and the field with the player
    bool suit = false;                      // Fact: it holds a suit
    const Hidden* hidden = nullptr;         // its entry in `hidden`
};

// The nodes of a game, in the order of its shape.
class DrawnNodes {
  public:
    // The game must outlive this.
    explicit DrawnNodes(const Game& game);
    DrawnNodes(const DrawnNodes&) = delete; // its nodes point into it
    DrawnNodes& operator=(const DrawnNodes&) = delete;

    // Whether there is a shape; if not, the whole state is facts.
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

// Nodes that the harness shares with rules; the player to move and the winner are shown elsewhere.
bool is_harness(std::string_view name);

// K, q and other chess letters; capitals are the first player's.
bool is_chessman(std::string_view name);

struct Scene;

class Drawer {
  public:
    // The game must outlive it.
    explicit Drawer(const Game& game) : game_(game), nodes_(game) {}

    // The whole position, except what all players may not see, which is counted.
    [[nodiscard]] Drawing draw(const Position& position) const;
    // The same from a state only: no player is to move.
    [[nodiscard]] Drawing draw(const engine::Document& state) const;
    // What that seat knows, from its view. `likely` is a position that agrees with the view, drawn
    // by an observer, and used to count hidden cards; null if they are not counted.
    [[nodiscard]] Drawing draw_view(const Position& view, Seat viewer,
                                    const Position* likely) const;

    // Whether the name, for example of a move, is a card's.
    [[nodiscard]] bool is_card(std::string_view name) const { return pack().holds(name); }
    [[nodiscard]] const Pack& pack() const { return nodes_.pack(); }

  private:
    [[nodiscard]] Drawing drawn(const Scene& scene) const;
    void add_board(const DrawnNode& node, const engine::Document& value, std::string name,
                   Drawing& drawing) const;
    void add_pieces(const DrawnNode& node, const engine::Document& value, Drawing& drawing) const;
    void add_cards(const DrawnNode& node, const Scene& scene, Drawing& drawing) const;
    void add_cards_by(const DrawnNode& node, const Scene& scene, Drawing& drawing) const;
    void add_trick(const DrawnNode& node, const engine::Document& value, Drawing& drawing) const;
    void add_note(const DrawnNode& node, const engine::Document& value, Drawing& drawing) const;
    void add_hidden(DrawnCards cards, const engine::Document* likely, bool hand,
                    Drawing& drawing) const;
    [[nodiscard]] std::vector<DrawnCard> cards_in(const engine::Document& value) const;
    void add_fact(const DrawnNode& node, const engine::Document& value, Drawing& drawing) const;
    [[nodiscard]] std::string flat(const engine::Document& value, bool inner = false) const;
    [[nodiscard]] std::string text_of(const engine::Document& value) const;

    const Game& game_;
    DrawnNodes nodes_;
};

} // namespace croupier::games
