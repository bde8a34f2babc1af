// Finds the board in a shape and reads its cells.
#include "games/ruleset/grid_picture.h"

#include "games/contract/board.h"

namespace croupier::games {
namespace {

using engine::Domain;
using engine::NodeRef;
using engine::Shape;
using engine::ShapeKind;
using engine::State;

// A player's piece is drawn by the player's name; what belongs to nobody as the first player's.
Piece piece_at(const RulesetGame& game, const State& state, NodeRef board, const Domain& grid,
               std::size_t cell) {
    const engine::Symbol key = state.symbols().find(grid.members[cell]);
    const NodeRef node = board ? state.child(board, key) : NodeRef{};
    if (!node) return {};
    const engine::Value value = state.value(node);
    const Seat seat = game.seat_of(value, state.symbols());
    if (seat != RulesetGame::kNoSeat) return {game.facts().players[seat], seat};
    if (value.tag == engine::Tag::Bool) return {"#", 0};
    return {engine::to_text(value, state.symbols()), 0};
}

} // namespace

bool draw_grid(Picture& picture, const RulesetGame& game, const State& now, const State* before) {
    const engine::Ruleset& ruleset = game.ruleset();
    if (!ruleset.shape) return false;
    for (const auto& [name, shape] : ruleset.shape->fields) {
        if (shape.kind != ShapeKind::Map || name == "moves") continue;
        const Shape& cell = shape.fields[0].second;
        const Domain* grid = ruleset.domain(shape.domain);
        const bool leaf = cell.kind != ShapeKind::Map && cell.kind != ShapeKind::Record &&
                          cell.kind != ShapeKind::Any;
        if (grid == nullptr || !grid->grid || !leaf) continue;
        const std::uint32_t columns = grid->grid->columns;
        const auto reader = [&, node = name](const State& state) -> Board {
            const NodeRef board = state.child(state.root(), state.symbols().find(node));
            return [&, board, columns](std::uint32_t column, std::uint32_t row) {
                return piece_at(game, state, board, *grid, std::size_t{row} * columns + column);
            };
        };
        draw_board(picture, columns, grid->grid->rows, reader(now),
                   before == nullptr ? Board{} : reader(*before));
        return true;
    }
    return false;
}

} // namespace croupier::games
