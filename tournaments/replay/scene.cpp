// Reads shapes once, and states after every move.
#include "tournaments/replay/scene.h"

#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace croupier::tournaments {
namespace {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using engine::Shape;
using engine::ShapeKind;
using results::Scene;
using results::SceneCards;

// Nodes that the harness shares with rules; who is to move and who has won is told elsewhere.
constexpr std::array kHarness{"moves", "move", "over", "score", "place", "observer", "secret"};

bool is_leaf(const Shape& shape) {
    return shape.kind != ShapeKind::Map && shape.kind != ShapeKind::Record &&
           shape.kind != ShapeKind::Any;
}

const Shape& child(const Shape& map) {
    return map.fields[0].second;
}

std::string text_of(const Document& value) {
    return value.is_string() ? value.text() : engine::write_json(value, -1);
}

// "points 30, tricks 2"; of a set its members.
std::string flat(const Document& value) {
    if (value.kind == DocumentKind::Scalar) return text_of(value);
    std::string text;
    for (const Member& member : value.members) {
        if (!text.empty()) text += ", ";
        const bool plain = member.value.kind == DocumentKind::Scalar;
        const std::string inner = flat(member.value);
        text += member.key;
        if (inner != "true") text += plain ? " " + inner : " (" + inner + ")";
    }
    return text;
}

std::vector<results::SceneCard> cards_of(const Document& set) {
    std::vector<results::SceneCard> cards;
    for (const Member& member : set.members)
        cards.push_back(card_of(member.key));
    return cards;
}

// As chess draws what it calls so; else the name itself.
std::string sign_of(const std::string& piece) {
    static constexpr std::array<std::pair<char, const char*>, 6> kSigns{
        {{'K', "♚"}, {'Q', "♛"}, {'R', "♜"}, {'B', "♝"}, {'N', "♞"}, {'P', "♟"}}};
    for (const auto& [letter, sign] : kSigns)
        if (piece == std::string(1, letter)) return sign;
    return piece;
}

char upper(char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

} // namespace

results::SceneCard card_of(std::string_view name) {
    static constexpr std::array<std::pair<char, const char*>, 4> kSuits{
        {{'S', "♠"}, {'H', "♥"}, {'D', "♦"}, {'C', "♣"}}};
    const std::string text(name);
    if (name.size() < 2) return {text, false};
    for (const auto& [letter, sign] : kSuits) {
        const bool red = letter == 'H' || letter == 'D';
        const bool last = name.back() == letter;
        if (!last && name.front() != letter) continue;
        std::string rank = last ? text.substr(0, text.size() - 1) : text.substr(1);
        if (!last && std::isdigit(static_cast<unsigned char>(rank[0])) == 0) continue;
        if (rank == "T") rank = "10";
        return {rank + sign, red};
    }
    return {text, false};
}

SceneMaker::SceneMaker(const games::Game& game) : game_(game) {
    const games::RulesetGame* rules = game.ruleset_game();
    if (rules == nullptr || !rules->ruleset().shape) return;
    ruleset_ = &rules->ruleset();
    find_cards(*ruleset_->shape);
    for (const auto& [name, shape] : ruleset_->shape->fields)
        if (std::find(kHarness.begin(), kHarness.end(), name) == kHarness.end())
            take_field(name, shape);
}

const engine::Domain* SceneMaker::domain(const std::string& name) const {
    return name.empty() ? nullptr : ruleset_->domain(name);
}

const engine::Domain* SceneMaker::grid_of(const Shape& shape) const {
    const engine::Domain* found = domain(shape.domain);
    return found != nullptr && found->grid ? found : nullptr;
}

bool SceneMaker::is_by_player(const Shape& shape) const {
    if (shape.kind != ShapeKind::Map) return false;
    const engine::Domain* found = domain(shape.domain);
    return found != nullptr && found->members == game_.facts().players;
}

void SceneMaker::find_cards(const Shape& root) {
    for (const auto& [name, shape] : root.fields) {
        if (!is_by_player(shape) || child(shape).kind != ShapeKind::Map) continue;
        const Shape& held = child(shape);
        if (child(held).kind != ShapeKind::Unit || grid_of(held) != nullptr) continue;
        card_domain_ = held.domain;
        return;
    }
}

bool SceneMaker::is_card(const Shape& shape) const {
    return !card_domain_.empty() && shape.kind == ShapeKind::Member && shape.domain == card_domain_;
}

void SceneMaker::take_board(const engine::Domain& grid) {
    columns_ = grid.grid->columns;
    rows_ = grid.grid->rows;
    cells_ = grid.members;
}

void SceneMaker::take_field(const std::string& name, const Shape& shape) {
    if (shape.kind == ShapeKind::Map) {
        const Shape& inner = child(shape);
        const bool set = inner.kind == ShapeKind::Unit || inner.kind == ShapeKind::Bool;
        if (const engine::Domain* grid = grid_of(shape)) {
            if (!is_leaf(inner) || set || columns_ > 0) return;
            take_board(*grid);
            nodes_.push_back({name, Part::Board});
        } else if (set && !card_domain_.empty() && shape.domain == card_domain_) {
            nodes_.push_back({name, Part::Cards});
        } else if (is_by_player(shape) && inner.kind == ShapeKind::Map &&
                   inner.domain == card_domain_ && !card_domain_.empty()) {
            nodes_.push_back({name, Part::Hands});
        } else if (inner.kind == ShapeKind::Record) {
            Node trick{name, Part::Trick};
            for (const auto& [field, leaf] : inner.fields) {
                if (is_card(leaf)) trick.card_field = field;
                const engine::Domain* whose =
                    leaf.kind == ShapeKind::Member ? domain(leaf.domain) : nullptr;
                if (whose != nullptr && whose->members == game_.facts().players)
                    trick.player_field = field;
            }
            nodes_.push_back(trick.card_field.empty() ? Node{name, Part::Fact} : trick);
        } else if (is_by_player(shape)) {
            nodes_.push_back({name, Part::Fact});
        }
        return;
    }
    if (shape.kind == ShapeKind::Record) {
        const bool pieces =
            !shape.fields.empty() &&
            std::all_of(shape.fields.begin(), shape.fields.end(), [&](const auto& field) {
                return field.second.kind == ShapeKind::Member && grid_of(field.second) != nullptr;
            });
        if (pieces && columns_ == 0) {
            take_board(*grid_of(shape.fields[0].second));
            nodes_.push_back({name, Part::Pieces});
        } else if (card_domain_.empty() && !pieces) {
            // places of pieces once more, in numbers
        } else {
            nodes_.push_back({name, Part::Fact});
        }
        return;
    }
    if (is_leaf(shape)) nodes_.push_back({name, is_card(shape) ? Part::Card : Part::Fact});
}

void SceneMaker::add_board(const Document& board, Scene& scene) const {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        const Member* member = board.find(cells_[cell]);
        if (member == nullptr) continue;
        const std::string letter = text_of(member->value);
        scene.cells[cell] = {letter, game_.facts().seat(letter).value_or(0)};
    }
}

// Named as in chess notation: capital letters are the first player's, small ones the second's.
void SceneMaker::add_pieces(const Document& pieces, Scene& scene) const {
    for (const Member& piece : pieces.members) {
        const auto at = std::find(cells_.begin(), cells_.end(), text_of(piece.value));
        if (at == cells_.end()) continue;
        const bool small =
            piece.key.size() == 1 && std::islower(static_cast<unsigned char>(piece.key[0])) != 0;
        std::string letter = piece.key;
        if (small) letter[0] = upper(letter[0]);
        scene.cells[static_cast<std::size_t>(at - cells_.begin())] = {sign_of(letter),
                                                                      small ? 1U : 0U};
    }
}

void SceneMaker::add_hands(const Node& node, const Document& hands, Scene& scene) const {
    const bool hand = node.name == "hands";
    for (const std::string& player : game_.facts().players) {
        const Member* held = hands.find(player);
        if (held == nullptr && !hand) continue;
        SceneCards cards{hand ? player : node.name + " " + player, {}, hand};
        if (held != nullptr) cards.cards = cards_of(held->value);
        scene.cards.push_back(std::move(cards));
    }
}

void SceneMaker::add_trick(const Node& node, const Document& trick, Scene& scene) const {
    SceneCards cards{node.name, {}, false};
    for (const Member& place : trick.members) {
        const Member* card = place.value.find(node.card_field);
        if (card == nullptr) continue;
        results::SceneCard told = card_of(text_of(card->value));
        const Member* player = place.value.find(node.player_field);
        if (player != nullptr) told.label = text_of(player->value) + ": " + told.label;
        cards.cards.push_back(std::move(told));
    }
    scene.cards.push_back(std::move(cards));
}

Scene SceneMaker::scene(const games::Position& position) const {
    Scene scene;
    const Document state = position.state();
    scene.cells.resize(cells_.size());
    for (const Node& node : nodes_) {
        const Member* member = state.find(node.name);
        if (member == nullptr) continue;
        const Document& value = member->value;
        switch (node.part) {
        case Part::Board:
            add_board(value, scene);
            break;
        case Part::Pieces:
            add_pieces(value, scene);
            break;
        case Part::Hands:
            add_hands(node, value, scene);
            break;
        case Part::Cards:
            scene.cards.push_back({node.name, cards_of(value), false});
            break;
        case Part::Card:
            scene.cards.push_back({node.name, {card_of(text_of(value))}, false});
            break;
        case Part::Trick:
            add_trick(node, value, scene);
            break;
        case Part::Fact:
            if (const std::string text = flat(value); !text.empty())
                scene.facts.emplace_back(node.name, text);
            break;
        }
    }
    if (nodes_.empty()) scene.text = engine::write_json(state, 2);
    return scene;
}

} // namespace croupier::tournaments
