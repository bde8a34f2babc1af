// Positions as scenes: what can be drawn of a game is found in the shape of its ruleset.
//
// A map over a grid with one value a cell is a board; so are fields that each hold a cell, which
// are its pieces. Sets of one domain by player are hands, and that domain's members are cards
// wherever else they lie. Other single values are facts to be read.
#pragma once

#include "games/contract/game.h"
#include "results/html/replay.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

class SceneMaker {
  public:
    // The game must outlive it.
    explicit SceneMaker(const games::Game& game);

    [[nodiscard]] std::uint32_t columns() const { return columns_; } // 0: there is no board
    [[nodiscard]] std::uint32_t rows() const { return rows_; }
    [[nodiscard]] results::Scene scene(const games::Position& position) const;

  private:
    enum class Part { Board, Pieces, Hands, Cards, Card, Trick, Fact };
    struct Node { // of the root
        std::string name;
        Part part;
        std::string card_field = {};   // Trick: which field is the card
        std::string player_field = {}; // and which says whose
    };

    void find_cards(const engine::Shape& root);
    void take_board(const engine::Domain& grid);
    void take_field(const std::string& name, const engine::Shape& shape);
    [[nodiscard]] bool is_card(const engine::Shape& shape) const;
    [[nodiscard]] bool is_by_player(const engine::Shape& shape) const;
    [[nodiscard]] const engine::Domain* domain(const std::string& name) const;
    [[nodiscard]] const engine::Domain* grid_of(const engine::Shape& shape) const;

    void add_board(const engine::Document& board, results::Scene& scene) const;
    void add_pieces(const engine::Document& pieces, results::Scene& scene) const;
    void add_hands(const Node& node, const engine::Document& hands, results::Scene& scene) const;
    void add_trick(const Node& node, const engine::Document& trick, results::Scene& scene) const;

    const games::Game& game_;
    const engine::Ruleset* ruleset_ = nullptr;
    std::uint32_t columns_ = 0;
    std::uint32_t rows_ = 0;
    std::vector<std::string> cells_; // names, row by row
    std::string card_domain_;
    std::vector<Node> nodes_;
};

// "7S" and "S7" as "7♠"; what names no suit stays as it is.
results::SceneCard card_of(std::string_view name);

} // namespace croupier::tournaments
