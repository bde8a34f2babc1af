// The declarations of a ruleset about states: domains with their grids, and shapes.
#pragma once

#include "engine/text/source.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// Grids of cells: the eight directions, and where a step leads.

struct Direction {
    std::string_view name;
    int across = 0; // columns to the right
    int up = 0;     // rows up
    [[nodiscard]] bool is_diagonal() const { return across != 0 && up != 0; }
};

// Clockwise. North is where boards are drawn with their higher rows.
constexpr std::array<Direction, 8> kDirections{{{"north", 0, 1},
                                                {"northeast", 1, 1},
                                                {"east", 1, 0},
                                                {"southeast", 1, -1},
                                                {"south", 0, -1},
                                                {"southwest", -1, -1},
                                                {"west", -1, 0},
                                                {"northwest", -1, 1}}};

// Sets of directions, named after the chess piece that moves that way; those of a board of hexagons
// are all but northeast and southwest.
enum class Ways { None, King, Rook, Bishop, Hex };

// "king", "rook", "bishop", "hex"; empty for None, nullopt for any other text.
std::string_view name_of(Ways ways);
std::optional<Ways> ways_of(std::string_view name);

[[nodiscard]] bool lead(Ways ways, const Direction& direction);

// A rectangle of cells, numbered row by row, and the constant relations it defines.
struct Grid {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    Ways near = Ways::None; // near.<cell>.<cell>: true
    Ways step = Ways::None; // step.<direction>.<cell>: the next cell
    Ways ray = Ways::None;  // ray.<direction>.<cell>.<cell>: the number of steps
    bool wrap = false;      // opposite edges are joined

    // Whether a relation makes it a board of hexagons.
    [[nodiscard]] bool is_hex() const {
        return near == Ways::Hex || step == Ways::Hex || ray == Ways::Hex;
    }

    // The cell one step away. nullopt beyond an edge, or if the step leads back to the same cell.
    [[nodiscard]] std::optional<std::uint32_t> beyond(std::uint32_t cell,
                                                      const Direction& direction) const;
};

// A relation defined by grids, and the directions that a grid gives it.
struct GridRelation {
    std::string_view name;
    Ways Grid::*ways;
};
constexpr std::array<GridRelation, 3> kGridRelations{
    {{"near", &Grid::near}, {"step", &Grid::step}, {"ray", &Grid::ray}}};

// A finite domain of `types`.
struct Domain {
    std::string name;
    Span span;
    std::vector<std::string> members; // in the domain's order
    bool anonymous = false;           // listed in a shape, not named in `types`
    bool numbered = false;            // from `"Seat": 4`: members "0".."3", leaves hold integers
    enum class Order { None, Linear, Cyclic } order = Order::None;
    std::optional<Grid> grid;
};

enum class ShapeKind {
    Any,    // undeclared: any contents
    Unit,   // `true`: present or not
    Int,    // "int", or a range "lo..hi"
    Double, // "double"
    Number, // "number": int or double
    Bool,
    String,
    Member, // a domain's name: one of its members
    Record, // fixed fields
    Map,    // "$:Domain" or "$": children of one kind
};

// The name as written in a shape. Kinds written in other ways (a range, a domain, children) have a
// descriptive name.
std::string_view name_of(ShapeKind kind);

struct Field;

struct Shape {
    ShapeKind kind = ShapeKind::Any;
    Span span;
    std::string domain;           // Member, Map (empty: open map)
    std::string key_type;         // Map that is open: "", "int" or "string"
    std::int64_t low = INT64_MIN; // Int
    std::int64_t high = INT64_MAX;
    std::vector<Field> fields; // Record; Map has one, named ""
};

struct Field {
    std::string name;
    Shape shape;
};

} // namespace croupier::engine
