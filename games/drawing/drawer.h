// Draws positions: what is a board, a hand or a trick is found in the shape of the ruleset.
//
// A map over a grid with one value a cell is a board; so are fields, or a map, that hold the cells
// on which pieces stand. Sets of one domain by player are hands, and that domain's members are
// cards wherever else they lie. All else is a fact to be read. `"draw"` in the ruleset's `game`
// says what cannot be found there; ../README.md has all of it.
#pragma once

#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/drawing/drawing.h"
#include "games/drawing/nodes.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {

struct Scene;

class Drawer {
  public:
    // The game must outlive it.
    explicit Drawer(const Game& game) : game_(game), nodes_(game) {}

    // The whole position, but for what nobody may see, which is counted.
    [[nodiscard]] Drawing draw(const Position& position) const;
    // The same of the state alone: nobody is at turn.
    [[nodiscard]] Drawing draw(const engine::Document& state) const;
    // What that seat knows, from its view. `likely` is a position that agrees with the view, as an
    // observer draws them: hidden cards are counted there. Null: they are not counted.
    [[nodiscard]] Drawing draw_view(const Position& view, Seat viewer,
                                    const Position* likely) const;

    // Whether the name, of a move for example, is that of a card.
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
