// A ruleset after reading: rules, groups, types, shape and the rest, with overlays applied.
#pragma once

#include "engine/lang/pattern.h"
#include "engine/text/document.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// The item of that name, or nullptr.
template <typename Items>
auto find_named(Items&& items, std::string_view name) -> decltype(items.data()) {
    for (auto& item : items)
        if (item.name == name) return &item;
    return nullptr;
}

// Grids of cells: the eight directions, and where a step leads.

struct Direction {
    std::string_view name;
    int across = 0; // columns towards the letters that come later
    int up = 0;     // rows towards the higher numbers
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

// Directions, by the piece of chess that goes there.
enum class Ways { None, King, Rook, Bishop };

// "king", "rook", "bishop"; nothing for None and for other texts.
std::string_view name_of(Ways ways);
std::optional<Ways> ways_of(std::string_view name);

[[nodiscard]] bool lead(Ways ways, const Direction& direction);

// A rectangle of cells, numbered row by row, and the constant relations that it brings.
struct Grid {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    Ways near = Ways::None; // near.<cell>.<cell>: true
    Ways step = Ways::None; // step.<direction>.<cell>: the next cell
    Ways ray = Ways::None;  // ray.<direction>.<cell>.<cell>: the number of steps
    bool wrap = false;      // opposite edges are joined

    // The cell one step away. Nothing beyond an edge, nor where a step leads back to the cell
    // itself.
    [[nodiscard]] std::optional<std::uint32_t> beyond(std::uint32_t cell,
                                                      const Direction& direction) const;
};

// A relation that grids bring, and which of its directions a grid has.
struct GridRelation {
    std::string_view name;
    Ways Grid::*ways;
};
constexpr std::array<GridRelation, 3> kGridRelations{
    {{"near", &Grid::near}, {"step", &Grid::step}, {"ray", &Grid::ray}}};

// A function that the program around the engine brings for @call.

// What a call came to. With an error, the rule stops there; the value goes where `into` says.
struct HostResult {
    std::optional<Scalar> value = {};
    std::string error = {};
};

// The body gets the values of its parameters in their order; keys are texts. It sees nothing of the
// state, and changes it by its result alone. Machines call it from their threads, at the same time;
// games can be had again only if the result is a function of the values (chance is handed in, as in
// "seed": "random(1000)") and calls do nothing that others could see. What it throws is its error.
struct HostFunction {
    std::string name;
    std::vector<std::string> parameters; // a call names all of them, and perhaps `into`
    std::function<HostResult(std::span<const Scalar> values)> body = {};
};

struct Rule {
    std::string name; // as written, or "group/index"
    bool named = false;
    std::string doc;
    Span span; // of the whole rule object
    Span name_span;
    std::optional<Pattern> condition; // absent matches once
    Action action;
    Action otherwise; // `else`
    bool first = false;
    std::uint32_t repeat = 1;
    std::vector<Expr> salience;    // zero or one; agenda groups only
    std::optional<bool> log;       // `@log` of the rule
    std::uint32_t entry_count = 0; // condition entries are numbered 0..entry_count-1
};

enum class GroupMode { Sequential, AtOnce, Agenda };

// Orders the activations of an agenda that have the same salience, as CLIPS 6.30 does:
//   Depth       the newest activation first
//   Breadth     the oldest first
//   Random      by chance
//   Simplicity  the least specific rule first, then the oldest
//   Complexity  the most specific rule first, then the oldest
//   Lex         times at which the nodes of the match changed, latest first, compared one by one;
//               then the longer list, the more specific rule, the oldest
//   Mea         the time of the condition's first entry, later first; then as Lex
enum class Strategy : std::uint8_t { Depth, Breadth, Random, Simplicity, Complexity, Lex, Mea };
inline constexpr std::array<std::string_view, 7> kStrategyNames = {
    "depth", "breadth", "random", "simplicity", "complexity", "lex", "mea"};
constexpr std::string_view name_of(Strategy strategy) {
    return kStrategyNames[static_cast<std::size_t>(strategy)];
}

struct Group {
    std::string name; // "moves"; nested groups "rule/action", "rule/@rules"
    GroupMode mode = GroupMode::Sequential;
    Strategy strategy = Strategy::Depth; // Agenda
    std::optional<std::int64_t> limit;   // Agenda
    std::vector<Rule> rules;
    Span span;
};

// A finite domain of `types`.
struct Domain {
    std::string name;
    Span span;
    std::vector<std::string> members; // in the domain's order
    bool anonymous = false;           // listed in a shape instead of named in `types`
    bool numbered = false;            // from `"Seat": 4`: members "0".."3", leaves hold integers
    enum class Order { None, Linear, Cyclic } order = Order::None;
    std::optional<Grid> grid;
};

enum class ShapeKind {
    Any,    // undeclared: whatever stands there
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

// As a shape spells it; what it spells otherwise (a range, a domain, children) by what it is.
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

// One named knob; `value` after the command line or a revision set it.
struct Option {
    std::string name;
    Document value;
    Span span;
};

struct Ruleset {
    Document game; // object or string; kind Scalar null when absent
    std::vector<Domain> types;
    std::optional<Shape> shape; // of the state's root: always a Record
    std::optional<Document> state;
    std::optional<Document> constants;
    std::vector<Option> options;
    std::vector<Group> groups; // by name: setup, moves, play, score, observe, choose, derive, ..
    std::optional<Document> hidden; // read by games/
    std::optional<Document> memory; // of a rule agent
    std::vector<Expr> evaluator;    // zero or one; an evaluator that is a group is in `groups`
    std::vector<Member> rest;       // other documented keys (evaluator, doc), unparsed
    std::vector<std::string> pattern_names; // of `patterns`, for suggestions
    std::vector<HostFunction> functions;    // that the host has brought

    [[nodiscard]] const Group* group(std::string_view name) const {
        return find_named(groups, name);
    }
    [[nodiscard]] const Domain* domain(std::string_view name) const {
        return find_named(types, name);
    }
};

// Visits the parts of rules that every check needs to see.

using RuleVisitor = std::function<void(const Rule&)>;

// Every rule, outer before inner, in written order.
void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit);

// Which nodes the actions of a ruleset make directly below the root of the state.

struct RootKeys {
    std::map<std::string, Span> names; // where each is made first
    bool any = false;                  // a computed key stands at the root
};

RootKeys written_root_keys(const Ruleset& ruleset);

} // namespace croupier::engine
