// Finds the board in a shape and reads its cells.
#include "games/ruleset/grid_picture.h"

#include "games/contract/board.h"

#include <algorithm>

namespace croupier::games {
namespace {

using engine::Domain;
using engine::NodeRef;
using engine::Shape;
using engine::ShapeKind;
using engine::State;
using engine::Symbol;

// A node at the root, and the grid that it lies on.
struct GridNode {
    std::string name;
    const Domain* grid = nullptr;
    bool pieces = false; // its fields stand on cells; else its keys are cells
};

const Domain* grid_of(const engine::Ruleset& ruleset, const Shape& shape) {
    const Domain* domain = ruleset.domain(shape.domain);
    return domain != nullptr && domain->grid ? domain : nullptr;
}

// A map of cells to values.
const Domain* cells_of(const engine::Ruleset& ruleset, const Shape& shape) {
    if (shape.kind != ShapeKind::Map) return nullptr;
    const ShapeKind cell = shape.fields[0].second.kind;
    const bool leaf = cell != ShapeKind::Map && cell != ShapeKind::Record && cell != ShapeKind::Any;
    return leaf ? grid_of(ruleset, shape) : nullptr;
}

// A record that says of each piece on which cell it stands.
const Domain* places_of(const engine::Ruleset& ruleset, const Shape& shape) {
    if (shape.kind != ShapeKind::Record || shape.fields.empty()) return nullptr;
    const Shape& first = shape.fields[0].second;
    const bool alike = std::all_of(shape.fields.begin(), shape.fields.end(), [&](const auto& each) {
        return each.second.kind == ShapeKind::Member && each.second.domain == first.domain;
    });
    return alike ? grid_of(ruleset, first) : nullptr;
}

// The first of the shape; a set of cells only where nothing else is drawn.
GridNode find_grid(const engine::Ruleset& ruleset) {
    GridNode set;
    for (const auto& [name, shape] : ruleset.shape->fields) {
        if (name == "moves") continue;
        if (const Domain* grid = places_of(ruleset, shape)) return {name, grid, true};
        const Domain* grid = cells_of(ruleset, shape);
        if (grid == nullptr) continue;
        if (shape.fields[0].second.kind != ShapeKind::Unit) return {name, grid};
        if (set.grid == nullptr) set = {name, grid};
    }
    return set;
}

// A player's piece is drawn by the player's name; what belongs to nobody as the first player's.
Piece piece_at(const RulesetGame& game, const State& state, NodeRef board, Symbol cell) {
    const NodeRef node = board ? state.child(board, cell) : NodeRef{};
    if (!node) return {};
    const engine::Value value = state.value(node);
    const Seat seat = game.seat_of(value, state.symbols());
    if (seat != RulesetGame::kNoSeat) return {game.facts().players[seat], seat};
    if (value.tag == engine::Tag::Bool || value.tag == engine::Tag::None) return {"#", 0};
    return {engine::to_text(value, state.symbols()), 0};
}

// Pieces are drawn by their own names.
Piece piece_on(const State& state, NodeRef places, Symbol cell) {
    for (NodeRef each = places ? state.first_child(places) : NodeRef{}; each;
         each = state.next_sibling(each)) {
        const engine::Value place = state.value(each);
        if (place.is_text() && place.symbol() == cell)
            return {std::string(state.symbols().text(state.key(each).symbol())), 0};
    }
    return {};
}

} // namespace

bool draw_grid(Picture& picture, const RulesetGame& game, const State& now, const State* before) {
    if (!game.ruleset().shape) return false;
    const GridNode found = find_grid(game.ruleset());
    if (found.grid == nullptr) return false;
    const std::uint32_t columns = found.grid->grid->columns;
    const auto reader = [&](const State& state) -> Board {
        const NodeRef node = state.child(state.root(), state.symbols().find(found.name));
        return [&, node](std::uint32_t column, std::uint32_t row) {
            const std::size_t number = std::size_t{row} * columns + column;
            const Symbol cell = state.symbols().find(found.grid->members[number]);
            return found.pieces ? piece_on(state, node, cell) : piece_at(game, state, node, cell);
        };
    };
    draw_board(picture, columns, found.grid->grid->rows, reader(now),
               before == nullptr ? Board{} : reader(*before));
    return true;
}

} // namespace croupier::games
