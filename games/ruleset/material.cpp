// Reads `game.material`, and counts bytes.
#include "games/ruleset/material.h"

#include "games/ruleset/codes.h"

#include <algorithm>
#include <optional>
#include <span>
#include <variant>

namespace croupier::games {
namespace {

using engine::Member;
using engine::Shape;
using engine::ShapeKind;

constexpr std::string_view kMaterialHint =
    "as in \"material\": {\"board\": 1}: what a stone on it is worth";

bool are_players(const engine::Ruleset& ruleset, const std::string& domain, const Facts& facts) {
    const engine::Domain* const table = ruleset.domain(domain);
    return table != nullptr &&
           std::all_of(facts.players.begin(), facts.players.end(), [&](const std::string& player) {
               return std::find(table->members.begin(), table->members.end(), player) !=
                      table->members.end();
           });
}

// Whether a node of that shape has something that belongs to players and can be counted.
bool counts(const engine::Ruleset& ruleset, const Shape& shape, const Facts& facts) {
    if (shape.kind != ShapeKind::Map || shape.domain.empty()) return false;
    const Shape& element = shape.fields.front().second;
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

// How many of the bytes are that one. A sum of bytes goes into a register many at a time; a
// stretch is short enough for it to hold.
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
        } else if (std::find(known.begin(), known.end(), member.key) == known.end()) {
            const auto meant = engine::nearest(member.key, known);
            wrong(member.key_span,
                  "the shape has no node \"" + member.key +
                      "\" whose values name players, or that holds an integer for each",
                  meant ? "did you mean \"" + *meant + "\"?" : std::string(kMaterialHint));
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
    for (const Node& node : nodes_) {
        for (Seat player = 0; player < sign_.size(); ++player)
            sum += node.weight * sign_[seat][player] * of_player(node, state, player);
    }
    return sum;
}

} // namespace croupier::games
