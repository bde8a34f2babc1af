// A ruleset after reading: rules, groups, types, shape and the rest, with overlays applied.
#pragma once

#include "engine/lang/grid.h"
#include "engine/lang/host_function.h"
#include "engine/lang/pattern.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::engine {

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

struct Group {
    std::string name; // "moves"; nested groups "rule/action", "rule/@rules"
    GroupMode mode = GroupMode::Sequential;
    std::string strategy;              // Agenda
    std::optional<std::int64_t> limit; // Agenda
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

struct Shape {
    // All out of line: clang must not look into the pairs of `fields` before Shape is complete.
    Shape();
    Shape(const Shape&);
    Shape(Shape&&) noexcept;
    Shape& operator=(const Shape&);
    Shape& operator=(Shape&&) noexcept;
    ~Shape();

    ShapeKind kind = ShapeKind::Any;
    Span span;
    std::string domain;           // Member, Map (empty: open map)
    std::string key_type;         // Map that is open: "", "int" or "string"
    std::int64_t low = INT64_MIN; // Int
    std::int64_t high = INT64_MAX;
    std::vector<std::pair<std::string, Shape>> fields; // Record; Map has one, keyed ""
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

    [[nodiscard]] const Group* group(std::string_view name) const;
    [[nodiscard]] const Domain* domain(std::string_view name) const;
};

} // namespace croupier::engine
