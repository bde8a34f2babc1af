// Reads `game.gains` and `game.sides`, and looks their values up.
#include "games/ruleset/gains.h"

#include "games/ruleset/codes.h"

#include <algorithm>
#include <cstring>

namespace croupier::games {
namespace {

using engine::Column;
using engine::Diagnostics;
using engine::Member;
using engine::Ruleset;
using engine::SchemaNode;
using engine::Shape;
using engine::ShapeKind;
using engine::State;

constexpr std::string_view kGainsHint =
    "as in \"gains\": [\"taken\"]: maps by player or team that hold integers, or records of them";

// Of a name in a domain of players or teams; nobody where it is neither.
std::vector<Seat> owners_of(const std::string& name, const Facts& facts) {
    for (const Team& team : facts.teams) {
        if (team.name == name) return team.seats;
    }
    if (const auto seat = facts.seat(name)) return {*seat};
    return {};
}

bool is_won(const Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return false;
    const engine::Domain* const domain = ruleset.domain(shape.domain);
    const Shape& element = shape.fields.front().second;
    const auto is_integer = [](const Shape& each) { return each.kind == ShapeKind::Int; };
    const bool integers =
        is_integer(element) ||
        (element.kind == ShapeKind::Record && !element.fields.empty() &&
         std::all_of(element.fields.begin(), element.fields.end(),
                     [&](const auto& field) { return is_integer(field.second); }));
    return integers && domain != nullptr &&
           std::all_of(domain->members.begin(), domain->members.end(),
                       [&](const std::string& each) { return !owners_of(each, facts).empty(); });
}

bool tells_sides(const Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return false;
    const engine::Domain* const domain = ruleset.domain(shape.domain);
    return shape.fields.front().second.kind == ShapeKind::Member && domain != nullptr &&
           std::all_of(facts.players.begin(), facts.players.end(), [&](const std::string& player) {
               return std::find(domain->members.begin(), domain->members.end(), player) !=
                      domain->members.end();
           });
}

template <typename Fits>
std::vector<std::string> nodes_that(const Ruleset& ruleset, const Facts& facts, const Fits& fits) {
    std::vector<std::string> names;
    if (!ruleset.shape) return names;
    for (const auto& [name, shape] : ruleset.shape->fields) {
        if (fits(ruleset, shape, facts)) names.push_back(name);
    }
    return names;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string meant(const std::string& name, const std::vector<std::string>& known,
                  std::string_view hint) {
    const auto near = engine::nearest(name, known);
    return near ? "did you mean \"" + *near + "\"?" : std::string(hint);
}

void read_gains(const Member& member, const std::vector<std::string>& known, SolvingNodes& nodes,
                Diagnostics& diagnostics) {
    if (!member.value.is_array()) {
        diagnostics.error(code::kSolving, member.value.span, "gains takes a list of nodes",
                          std::string(kGainsHint));
        return;
    }
    for (const Member& item : member.value.members) {
        const std::string name = item.value.is_string() ? item.value.text() : std::string();
        if (is_among(known, name) && !is_among(nodes.gains, name)) {
            nodes.gains.push_back(name);
        } else if (!is_among(known, name)) {
            diagnostics.error(code::kSolving, item.value.span,
                              "the shape has no node \"" + name +
                                  "\" that holds integers for each player or team",
                              meant(name, known, kGainsHint));
        }
    }
}

} // namespace

SolvingNodes read_solving_nodes(const Ruleset& ruleset, const Facts& facts,
                                Diagnostics& diagnostics) {
    SolvingNodes nodes;
    if (!ruleset.game.is_object()) return nodes;
    if (const Member* const gains = ruleset.game.find("gains"))
        read_gains(*gains, nodes_that(ruleset, facts, is_won), nodes, diagnostics);
    const Member* const sides = ruleset.game.find("sides");
    if (sides == nullptr) return nodes;
    const std::vector<std::string> known = nodes_that(ruleset, facts, tells_sides);
    if (sides->value.is_string()) nodes.sides = sides->value.text();
    if (!is_among(known, nodes.sides))
        diagnostics.error(code::kSolving, sides->value.span,
                          "sides names a node that has a member of a type for each player",
                          meant(nodes.sides, known, "as in \"sides\": \"side\""));
    return nodes;
}

SolvingPlan::SolvingPlan(const SolvingNodes& nodes, const Facts& facts,
                         const engine::Layout& layout) {
    const engine::Symbols& symbols = layout.symbols();
    const auto node_of = [&](const std::string& name) -> const SchemaNode& {
        return layout.node(layout.node(0).field(symbols.find(name)));
    };
    for (const std::string& name : nodes.gains) {
        const SchemaNode& map = node_of(name);
        std::vector<std::vector<Seat>> rows;
        for (const engine::Symbol member : layout.domain(map.domain).members)
            rows.push_back(owners_of(std::string(symbols.text(member)), facts));
        const SchemaNode& element = layout.node(map.element);
        if (element.is_leaf()) add_leaf(element, rows);
        for (const auto& [key, field] : element.fields)
            add_leaf(layout.node(field), rows);
    }
    std::sort(bytes_.begin(), bytes_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    if (nodes.sides.empty()) return;
    const SchemaNode& sides = node_of(nodes.sides);
    sides_ = sides.element;
    for (const std::string& player : facts.players)
        rows_.push_back(layout.domain(sides.domain).row_of(symbols.find(player)));
}

void SolvingPlan::add_leaf(const SchemaNode& leaf, const std::vector<std::vector<Seat>>& rows) {
    const std::uint32_t width = engine::width_of(leaf.column);
    bytes_.push_back({leaf.values, leaf.values + leaf.instances * width});
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
        owners_.push_back(rows[row]);
        leaves_.push_back({leaf.column, leaf.values + row * width});
    }
}

std::uint64_t SolvingPlan::hash(const State& state, std::vector<std::int32_t>& gains) const {
    const auto hash = leaves_.empty() ? std::optional<std::uint64_t>() : state.hash_without(bytes_);
    gains.assign(leaves_.size(), 0);
    if (!hash) return state.hash();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const std::byte* const place = state.data() + leaves_[i].byte;
        if (leaves_[i].column == Column::Code8) {
            gains[i] = std::to_integer<std::uint8_t>(*place);
        } else if (leaves_[i].column == Column::Code16) {
            std::uint16_t code = 0;
            std::memcpy(&code, place, sizeof code);
            gains[i] = code;
        } else {
            std::int64_t integer = 0;
            std::memcpy(&integer, place, sizeof integer);
            if (integer != static_cast<std::int32_t>(integer)) {
                gains.assign(leaves_.size(), 0);
                return state.hash();
            }
            gains[i] = static_cast<std::int32_t>(integer);
        }
    }
    return *hash;
}

std::uint32_t SolvingPlan::side(const State& state, Seat seat) const {
    const engine::NodeRef leaf{sides_, sides_ == engine::kNoSchema ? 0 : rows_[seat]};
    const bool told = sides_ != engine::kNoSchema && state.is_present(leaf);
    return told ? kMostPlayers + state.value(leaf).row : seat;
}

} // namespace croupier::games
