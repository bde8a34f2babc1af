// Reads a shape once.
#include "games/drawing/nodes.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/drawing/wishes.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <utility>

namespace croupier::games {
namespace {

using engine::Domain;
using engine::Shape;
using engine::ShapeKind;

constexpr std::array<std::string_view, 10> kHarness = {
    "turn", "moves", "move", "over", "score", "place", "role", "secret", "observer", "refused"};

bool is_leaf(const Shape& shape) {
    return shape.kind != ShapeKind::Map && shape.kind != ShapeKind::Record &&
           shape.kind != ShapeKind::Any;
}

bool is_truth(const Shape& shape) {
    return shape.kind == ShapeKind::Unit || shape.kind == ShapeKind::Bool;
}

const Shape& child(const Shape& map) {
    return map.fields[0].second;
}

Look look_of(const std::vector<std::string>& pieces) {
    const bool king = std::any_of(pieces.begin(), pieces.end(), [](const std::string& name) {
        return name == "K" || name == "k";
    });
    const bool chess = king && std::all_of(pieces.begin(), pieces.end(), is_chessman);
    return chess ? Look::Chess : Look::Letters;
}

} // namespace

bool is_harness(std::string_view name) {
    return std::find(kHarness.begin(), kHarness.end(), name) != kHarness.end();
}

bool is_chessman(std::string_view name) {
    constexpr std::string_view kMen = "KQRBNPkqrbnp";
    return name.size() == 1 && kMen.find(name[0]) != std::string_view::npos;
}

DrawnNodes::DrawnNodes(const Game& game) : players_(game.facts().players) {
    const RulesetGame* const rules = game.ruleset_game();
    if (rules == nullptr) return;
    ruleset_ = &rules->ruleset();
    engine::Diagnostics none; // the game was opened: there is nothing wrong
    if (ruleset_->hidden) hidden_ = read_hidden(*ruleset_, none);
    if (!ruleset_->shape) return;
    declared_ = true;
    find_cards(*ruleset_->shape);
    for (const auto& [name, shape] : ruleset_->shape->fields) {
        if (is_harness(name)) continue;
        DrawnNode node = node_of(name, shape);
        for (const Hidden& entry : hidden_)
            if (entry.key == name && !entry.variable) node.hidden = &entry;
        nodes_.push_back(std::move(node));
    }
    keep_one_kind_of_board();
    read_wishes();
}

const Domain* DrawnNodes::domain_of(const Shape& shape) const {
    return shape.domain.empty() ? nullptr : ruleset_->domain(shape.domain);
}

const Domain* DrawnNodes::grid_of(const Shape& shape) const {
    const Domain* const found = domain_of(shape);
    return found != nullptr && found->grid ? found : nullptr;
}

// The grid of a map that is a board.
const Domain* DrawnNodes::board_of(const Shape& shape) const {
    return shape.kind == ShapeKind::Map && is_leaf(child(shape)) ? grid_of(shape) : nullptr;
}

bool DrawnNodes::is_by_player(const Shape& shape) const {
    if (shape.kind != ShapeKind::Map) return false;
    const Domain* const found = domain_of(shape);
    return found != nullptr && found->members == players_;
}

bool DrawnNodes::is_card(const Shape& shape) const {
    return !card_domain_.empty() && shape.kind == ShapeKind::Member && shape.domain == card_domain_;
}

// Where there are cards, their suits go by letters.
bool DrawnNodes::is_suit(const Shape& shape) const {
    const Domain* const values = shape.kind == ShapeKind::Member ? domain_of(shape) : nullptr;
    return values != nullptr && !card_domain_.empty() &&
           std::all_of(values->members.begin(), values->members.end(), [](const std::string& name) {
               return name.size() == 1 && !suit_sign(name[0], true).empty();
           });
}

// A set of cards, or cards in the order of places.
bool DrawnNodes::lists_cards(const Shape& shape) const {
    if (card_domain_.empty() || shape.kind != ShapeKind::Map) return false;
    if (is_truth(child(shape))) return shape.domain == card_domain_;
    const Domain* const keys = domain_of(shape);
    const bool places = keys != nullptr ? keys->numbered : shape.key_type == "int";
    return places && is_card(child(shape));
}

// The domain of which players hold sets; else the first whose members are named as cards are.
void DrawnNodes::find_cards(const Shape& root) {
    for (const auto& [name, shape] : root.fields) {
        if (!is_by_player(shape) || child(shape).kind != ShapeKind::Map) continue;
        const Shape& held = child(shape);
        if (child(held).kind != ShapeKind::Unit || domain_of(held) == nullptr ||
            grid_of(held) != nullptr || is_by_player(held))
            continue;
        card_domain_ = held.domain;
        break;
    }
    if (card_domain_.empty()) {
        const auto named = [](const std::string& name) { return read_card(name).suit != 0; };
        for (const Domain& domain : ruleset_->types) {
            if (domain.members.size() < 8 || domain.grid ||
                !std::all_of(domain.members.begin(), domain.members.end(), named))
                continue;
            card_domain_ = domain.name;
            break;
        }
    }
    if (!card_domain_.empty()) pack_ = Pack(*ruleset_->domain(card_domain_));
}

DrawnNode DrawnNodes::node_of(const std::string& name, const Shape& shape) const {
    if (shape.kind == ShapeKind::Map) return map_node(name, shape);
    if (shape.kind == ShapeKind::Record && !shape.fields.empty()) {
        std::vector<std::string> pieces;
        for (const auto& [field, leaf] : shape.fields)
            if (leaf.kind == ShapeKind::Member && grid_of(leaf) != nullptr) pieces.push_back(field);
        if (pieces.size() == shape.fields.size())
            return {name, Part::Pieces, grid_of(shape.fields[0].second), look_of(pieces)};
    }
    DrawnNode node{name, is_card(shape) ? Part::Card : Part::Fact};
    node.suit = is_suit(shape);
    return node;
}

DrawnNode DrawnNodes::map_node(const std::string& name, const Shape& shape) const {
    const Shape& inner = child(shape);
    const Domain* const keys = domain_of(shape);
    const auto look = [&](const Shape& leaf) {
        const Domain* const pieces = leaf.kind == ShapeKind::Member ? domain_of(leaf) : nullptr;
        if (pieces == nullptr) return Look::Letters;
        return pieces->members == players_ ? Look::Stones : look_of(pieces->members);
    };
    if (const Domain* const grid = board_of(shape)) return {name, Part::Board, grid, look(inner)};
    if (const Domain* const grid = board_of(inner))
        return {name, Part::Boards, grid, look(child(inner))};
    if (lists_cards(shape)) return {name, Part::Cards};
    if (lists_cards(inner) && keys != nullptr) return {name, Part::CardsBy, keys};
    if (inner.kind == ShapeKind::Member) {
        if (const Domain* const grid = grid_of(inner); grid != nullptr && keys != nullptr)
            return {name, Part::Pieces, grid, look_of(keys->members)};
        const Domain* const values = domain_of(inner);
        const bool players = values != nullptr && values->members == players_;
        if (is_by_player(shape) && is_card(inner)) return {name, Part::CardOfPlayer};
        if (players && !card_domain_.empty() && shape.domain == card_domain_)
            return {name, Part::PlayerOfCard};
    }
    if (inner.kind == ShapeKind::Record) {
        DrawnNode trick{name, Part::Trick};
        for (const auto& [field, leaf] : inner.fields) {
            if (is_card(leaf)) trick.card_field = field;
            const Domain* const whose = leaf.kind == ShapeKind::Member ? domain_of(leaf) : nullptr;
            if (whose != nullptr && whose->members == players_) trick.player_field = field;
        }
        if (!trick.card_field.empty()) return trick;
    }
    return {name, Part::Fact};
}

// A board that says of its cells no more than whether they are in it.
bool DrawnNodes::is_set(const DrawnNode& node) const {
    if (node.part != Part::Board) return false;
    for (const auto& [name, shape] : ruleset_->shape->fields)
        if (name == node.name) return is_truth(child(shape));
    return false;
}

// Of a grid that has a board, sets of cells are mostly what rules have worked out, and where
// somebody stands is a fact: both are drawn where nothing else is.
void DrawnNodes::keep_one_kind_of_board() {
    const auto has_board = [&](const Domain* grid) {
        return std::any_of(nodes_.begin(), nodes_.end(), [&](const DrawnNode& node) {
            return node.part == Part::Board && node.domain == grid && !is_set(node);
        });
    };
    for (DrawnNode& node : nodes_)
        if (node.part == Part::Pieces && has_board(node.domain)) node.part = Part::Fact;
    const bool others = std::any_of(nodes_.begin(), nodes_.end(), [&](const DrawnNode& node) {
        return node.part == Part::Boards || node.part == Part::Pieces ||
               (node.part == Part::Board && !is_set(node));
    });
    bool first = !others;
    std::erase_if(nodes_, [&](const DrawnNode& node) {
        return is_set(node) && !std::exchange(first, false);
    });
}

void DrawnNodes::read_wishes() {
    engine::Diagnostics none;
    for (const auto& [name, wish] : wishes_of(*ruleset_, none)) {
        if (wish == Wish::Leave)
            std::erase_if(nodes_,
                          [&name = name](const DrawnNode& node) { return node.name == name; });
        for (DrawnNode& node : nodes_) {
            if (node.name != name) continue;
            if (wish == Wish::Hand) node.part = Part::AtHand;
            node.look = wish == Wish::Chess ? Look::Chess : Look::Letters;
        }
    }
}

} // namespace croupier::games
