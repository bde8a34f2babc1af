// Reads `game.material`, `game.gains` and `game.sides`, and looks up their values.
#include "games/ruleset/worth.h"

#include "games/ruleset/codes.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <variant>

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

// The seats of a name in a domain of players or teams; none if it is neither.
std::vector<Seat> owners_of(const std::string& name, const Facts& facts) {
    for (const Team& team : facts.teams)
        if (team.name == name) return team.seats;
    if (const auto seat = facts.seat(name)) return {*seat};
    return {};
}

bool is_won(const Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return false;
    const engine::Domain* const domain = ruleset.domain(shape.domain);
    const Shape& element = shape.fields.front().shape;
    const auto is_integer = [](const Shape& each) { return each.kind == ShapeKind::Int; };
    const bool integers =
        is_integer(element) || (element.kind == ShapeKind::Record && !element.fields.empty() &&
                                std::ranges::all_of(element.fields, [&](const auto& field) {
                                    return is_integer(field.shape);
                                }));
    return integers && domain != nullptr &&
           std::ranges::all_of(domain->members, [&](const std::string& each) {
               return !owners_of(each, facts).empty();
           });
}

bool are_players(const Ruleset& ruleset, const std::string& domain, const Facts& facts) {
    const engine::Domain* const table = ruleset.domain(domain);
    return table != nullptr && std::ranges::all_of(facts.players, [&](const std::string& player) {
               return std::ranges::find(table->members, player) != table->members.end();
           });
}

bool tells_sides(const Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    return shape.kind == ShapeKind::Map && !shape.domain.empty() &&
           shape.fields.front().shape.kind == ShapeKind::Member &&
           are_players(ruleset, shape.domain, facts);
}

template <typename Fits>
std::vector<std::string> nodes_that(const Ruleset& ruleset, const Facts& facts, const Fits& fits) {
    std::vector<std::string> names;
    if (!ruleset.shape) return names;
    for (const auto& [name, shape] : ruleset.shape->fields)
        if (fits(ruleset, shape, facts)) names.push_back(name);
    return names;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
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
                              engine::hint_for(name, known, kGainsHint));
        }
    }
}

constexpr std::string_view kMaterialHint =
    "as in \"material\": {\"board\": 1}: what a stone on it is worth";

// Whether a node of that shape holds something countable of players.
bool counts(const engine::Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return false;
    const Shape& element = shape.fields.front().shape;
    if (element.kind == ShapeKind::Member) return are_players(ruleset, element.domain, facts);
    return element.kind == ShapeKind::Int && are_players(ruleset, shape.domain, facts);
}

std::optional<double> weight_of(const engine::Document& value) {
    if (value.kind != engine::DocumentKind::Scalar) return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(&value.scalar))
        return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&value.scalar)) return *real;
    return std::nullopt;
}

// Counts the bytes equal to `wanted`. Byte-wide counters allow vector code; a stretch is short
// enough that they do not overflow.
std::size_t count_bytes(std::span<const std::byte> bytes, std::byte wanted) {
    constexpr std::size_t kStretch = 240;
    std::size_t count = 0;
    for (std::size_t first = 0; first < bytes.size(); first += kStretch) {
        const auto stretch = bytes.subspan(first, std::min(kStretch, bytes.size() - first));
        std::uint8_t some = 0;
        for (const std::byte byte : stretch)
            some = static_cast<std::uint8_t>(some + (byte == wanted ? 1 : 0));
        count += some;
    }
    return count;
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
                          engine::hint_for(nodes.sides, known, "as in \"sides\": \"side\""));
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
    std::ranges::sort(bytes_, [](const auto& a, const auto& b) { return a.begin < b.begin; });
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
    return told ? kMaxPlayers + state.value(leaf).row : seat;
}

std::vector<MaterialNode> read_material(const engine::Ruleset& ruleset, const Facts& facts,
                                        engine::Diagnostics& diagnostics) {
    std::vector<MaterialNode> nodes;
    const Member* const material =
        ruleset.game.is_object() ? ruleset.game.find("material") : nullptr;
    if (material == nullptr) return nodes;
    const auto wrong = [&](engine::Span place, std::string what, std::string hint) {
        diagnostics.error(code::kMaterial, place, std::move(what), std::move(hint));
    };
    if (!material->value.is_object())
        wrong(material->value.span, "material takes an object of nodes",
              std::string(kMaterialHint));
    std::vector<std::string> known;
    if (ruleset.shape)
        for (const auto& [name, shape] : ruleset.shape->fields)
            if (counts(ruleset, shape, facts)) known.push_back(name);
    for (const Member& member : material->value.members) {
        const auto weight = weight_of(member.value);
        if (!weight) {
            wrong(member.value.span, "a node in material has a number", std::string(kMaterialHint));
        } else if (!is_among(known, member.key)) {
            wrong(member.key_span,
                  "the shape has no node \"" + member.key +
                      "\" whose values name players, or that holds an integer for each",
                  engine::hint_for(member.key, known, kMaterialHint));
        } else {
            nodes.push_back({member.key, *weight});
        }
    }
    return nodes;
}

Material::Material(const std::vector<MaterialNode>& nodes, const Facts& facts,
                   const engine::Layout& layout) {
    const engine::Symbols& symbols = layout.symbols();
    for (const MaterialNode& each : nodes) {
        const engine::SchemaNode& map = layout.node(layout.node(0).field(symbols.find(each.name)));
        const engine::SchemaNode& element = layout.node(map.element);
        Node node{each.weight, element.kind == ShapeKind::Member, map.element, {}};
        const engine::DomainTable& players =
            layout.domain(node.names_players ? element.domain : map.domain);
        for (const std::string& player : facts.players) {
            const std::size_t row = players.row_of(symbols.find(player));
            node.place.push_back(node.names_players ? row + 1 : row);
        }
        nodes_.push_back(std::move(node));
    }
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        std::vector<double>& sign = sign_.emplace_back(facts.seats(), -1.0);
        for (const Seat partner : facts.partners(seat))
            sign[partner] = 1;
    }
}

double Material::of_player(const Node& node, const engine::State& state, Seat seat) {
    const engine::SchemaNode& element = state.layout().node(node.element);
    const auto place = static_cast<std::uint32_t>(node.place[seat]);
    if (!node.names_players) {
        const engine::Value value = state.value_or_none({node.element, place});
        return value.tag == engine::Tag::Int ? static_cast<double>(value.integer) : 0;
    }
    if (element.column == engine::Column::Code8)
        return static_cast<double>(count_bytes({state.data() + element.values, element.instances},
                                               static_cast<std::byte>(place)));
    std::size_t count = 0;
    for (std::uint32_t row = 0; row < element.instances; ++row) {
        const engine::NodeRef leaf{node.element, row};
        count += state.is_present(leaf) && state.leaf_code(leaf) == place ? 1 : 0;
    }
    return static_cast<double>(count);
}

double Material::worth(const Position& position, Seat seat) const {
    const engine::State& state = *position.ruleset_state();
    double sum = 0;
    for (const Node& node : nodes_)
        for (Seat player = 0; player < sign_.size(); ++player)
            sum += node.weight * sign_[seat][player] * of_player(node, state, player);
    return sum;
}

} // namespace croupier::games
