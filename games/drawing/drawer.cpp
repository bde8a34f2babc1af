// Fills boards, hands and facts from states, by shape and `"draw"`.
#include "games/drawing/drawer.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/hidden.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games {

namespace {

constexpr std::string_view kDrawHint =
    "as in \"draw\": {\"pot\": false, \"board\": \"chess\"}: false leaves a node out";

std::optional<Wish> wish_of(const engine::Document& value) {
    if (value.scalar == engine::Scalar(false)) return Wish::Leave;
    if (value.is_string() && value.text() == "chess") return Wish::Chess;
    if (value.is_string() && value.text() == "letters") return Wish::Letters;
    if (value.is_string() && value.text() == "hand") return Wish::Hand;
    return std::nullopt;
}

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
    return map.fields[0].shape;
}

Look look_of(const std::vector<std::string>& pieces) {
    const bool king = std::ranges::any_of(
        pieces, [](const std::string& name) { return name == "K" || name == "k"; });
    const bool chess = king && std::ranges::all_of(pieces, is_chessman);
    return chess ? Look::Chess : Look::Letters;
}

using engine::Document;
using engine::Member;

const Document* child_of(const Document& map, const std::string& name) {
    const Member* const member = map.find(name);
    return member == nullptr ? nullptr : &member->value;
}

// The text at the path; empty if there is none.
std::string text_at(const Document& state, const std::vector<std::string>& path) {
    const Document* value = &state;
    for (const std::string& key : path) {
        value = value->is_object() ? child_of(*value, key) : nullptr;
        if (value == nullptr) return {};
    }
    return value->is_string() ? value->text() : std::string();
}

using engine::DocumentKind;
using Part = DrawnNode::Part;

// Small letters are the second player's.
std::uint32_t owner_of(std::string_view chessman) {
    return std::islower(static_cast<unsigned char>(chessman[0])) != 0 ? 1 : 0;
}

} // namespace

// Context of drawing a position: its state, the viewer, and what is hidden from that seat.
struct Scene {
    engine::Document state;
    std::optional<Seat> viewer;             // unset for all but what is hidden from all players
    std::optional<engine::Document> likely; // agrees with the view; used to count hidden cards
    std::optional<Seat> turn;
    const Facts& facts;

    [[nodiscard]] const engine::Document* at(const std::string& name) const {
        return child_of(state, name);
    }

    [[nodiscard]] const engine::Document* likely_at(const std::string& name) const {
        return likely ? child_of(*likely, name) : nullptr;
    }

    // Whether the viewer may not see a node with that entry; `key` is that of a map's child.
    [[nodiscard]] bool hides(const Hidden* said, const std::string& key = {}) const {
        if (said == nullptr) return false;
        switch (said->kind) {
        case Hidden::Kind::Nobody:
            return true;
        case Hidden::Kind::OnlyVariable:
            return viewer && key != facts.players[*viewer];
        case Hidden::Kind::OnlyNamed:
            return viewer && text_at(state, said->path) != facts.players[*viewer];
        case Hidden::Kind::Below:
            break;
        }
        if (key.empty()) return false;
        for (const Hidden& entry : said->entries)
            if ((entry.variable || entry.key == key) && entry.kind != Hidden::Kind::Below &&
                hides(&entry, key))
                return true;
        return false;
    }
};

std::vector<std::pair<std::string, Wish>> wishes_of(const engine::Ruleset& ruleset,
                                                    engine::Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, Wish>> wishes;
    const engine::Member* const draw =
        ruleset.game.is_object() ? ruleset.game.find("draw") : nullptr;
    if (draw == nullptr) return wishes;
    std::vector<std::string> known;
    if (ruleset.shape)
        for (const auto& [name, shape] : ruleset.shape->fields)
            known.push_back(name);
    if (!draw->value.is_object())
        diagnostics.error(code::kDraw, draw->value.span, "draw takes an object of nodes",
                          std::string(kDrawHint));
    for (const engine::Member& member : draw->value.members) {
        const auto wish = wish_of(member.value);
        if (!wish) {
            diagnostics.error(code::kDraw, member.value.span,
                              "a node in draw is false, \"chess\", \"letters\" or \"hand\"",
                              std::string(kDrawHint));
        } else if (std::ranges::find(known, member.key) == known.end()) {
            diagnostics.error(code::kDraw, member.key_span,
                              "the shape has no node \"" + member.key + "\"",
                              engine::hint_for(member.key, known, kDrawHint));
        } else if (const engine::Shape* const shape = root_field(ruleset, member.key);
                   *wish == Wish::Hand && shape->kind != engine::ShapeKind::Member) {
            diagnostics.error(code::kDraw, member.value.span,
                              "\"hand\" is for a node that names a player",
                              "its shape is the type of the players");
        } else {
            wishes.emplace_back(member.key, *wish);
        }
    }
    return wishes;
}

// Reads a shape once.

bool is_harness(std::string_view name) {
    return std::ranges::find(kHarness, name) != kHarness.end();
}

bool is_chessman(std::string_view name) {
    constexpr std::string_view kMen = "KQRBNPkqrbnp";
    return name.size() == 1 && kMen.find(name[0]) != std::string_view::npos;
}

DrawnNodes::DrawnNodes(const Game& game) : players_(game.facts().players) {
    const RulesetGame* const rules = game.ruleset_game();
    if (rules == nullptr) return;
    ruleset_ = &rules->ruleset();
    engine::Diagnostics none; // the game was opened, so there are no errors
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

// In a game with cards, suits are letters.
bool DrawnNodes::is_suit(const Shape& shape) const {
    const Domain* const values = shape.kind == ShapeKind::Member ? domain_of(shape) : nullptr;
    return values != nullptr && !card_domain_.empty() &&
           std::ranges::all_of(values->members, [](const std::string& name) {
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

// The domain of the players' sets; otherwise the first with members named like cards.
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
                !std::ranges::all_of(domain.members, named))
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
            return {name, Part::Pieces, grid_of(shape.fields[0].shape), look_of(pieces)};
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

// Whether a board only says which cells are in a set.
bool DrawnNodes::is_set(const DrawnNode& node) const {
    if (node.part != Part::Board) return false;
    for (const auto& [name, shape] : ruleset_->shape->fields)
        if (name == node.name) return is_truth(child(shape));
    return false;
}

// If a grid has a board, sets of its cells are mostly derived, and a piece's cell is a fact: both
// are drawn only if the grid has no other board.
void DrawnNodes::keep_one_kind_of_board() {
    const auto has_board = [&](const Domain* grid) {
        return std::ranges::any_of(nodes_, [&](const DrawnNode& node) {
            return node.part == Part::Board && node.domain == grid && !is_set(node);
        });
    };
    for (DrawnNode& node : nodes_)
        if (node.part == Part::Pieces && has_board(node.domain)) node.part = Part::Fact;
    const bool others = std::ranges::any_of(nodes_, [&](const DrawnNode& node) {
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

std::string_view name_of(Look look) {
    constexpr auto kNames = std::to_array<std::string_view>({"letters", "stones", "chess"});
    static_assert(kNames.size() == static_cast<std::size_t>(Look::Chess) + 1);
    return kNames[static_cast<std::size_t>(look)];
}

Drawing Drawer::draw(const Position& position) const {
    Drawing drawing = draw(position.state());
    if (position.ending() == Ending::None) drawing.turn = position.turn();
    return drawing;
}

Drawing Drawer::draw(const Document& state) const {
    // Cards hidden from all players are counted in the state itself.
    return drawn({state, {}, state, {}, game_.facts()});
}

Drawing Drawer::draw_view(const Position& view, Seat viewer, const Position* likely) const {
    Scene scene{view.state(), viewer, {}, {}, game_.facts()};
    if (likely != nullptr) scene.likely = likely->state();
    if (view.ending() == Ending::None) scene.turn = view.turn();
    return drawn(scene);
}

Drawing Drawer::drawn(const Scene& scene) const {
    Drawing drawing;
    drawing.turn = scene.turn;
    if (!nodes_.declared()) {
        for (const Member& member : scene.state.members)
            if (!is_harness(member.key)) add_fact({member.key}, member.value, drawing);
        return drawing;
    }
    for (const DrawnNode& node : nodes_.all()) {
        if (node.part == Part::Cards) add_cards(node, scene, drawing);
        if (node.part == Part::CardsBy) add_cards_by(node, scene, drawing);
        const Document* const value = scene.at(node.name);
        if (node.part == Part::Pieces && value != nullptr) add_pieces(node, *value, drawing);
        if (node.part == Part::Board) {
            const Document nothing = engine::json::object();
            add_board(node, value == nullptr ? nothing : *value, node.name, drawing);
        }
        if (value == nullptr) continue;
        if (node.part == Part::Boards)
            for (const Member& each : value->members)
                add_board(node, each.value, node.name + " " + each.key, drawing);
        else if (node.part == Part::Card)
            drawing.cards.push_back({node.name, {read_card(text_of(*value))}, {}, false});
        else if (node.part == Part::Trick || node.part == Part::CardOfPlayer ||
                 node.part == Part::PlayerOfCard)
            add_trick(node, *value, drawing);
        else if (node.part == Part::Fact)
            add_fact(node, *value, drawing);
    }
    std::ranges::stable_sort(drawing.cards, [](const DrawnCards& a, const DrawnCards& b) {
        return a.hand.value_or(kMaxPlayers) < b.hand.value_or(kMaxPlayers);
    });
    for (const DrawnNode& node : nodes_.all()) {
        const Document* const value = scene.at(node.name);
        if (node.part == Part::AtHand && value != nullptr) add_note(node, *value, drawing);
    }
    return drawing;
}

void Drawer::add_board(const DrawnNode& node, const Document& value, std::string name,
                       Drawing& drawing) const {
    DrawnBoard board{std::move(name),
                     node.domain->grid->columns,
                     node.domain->grid->rows,
                     node.look,
                     {},
                     node.domain->grid->is_hex()};
    for (const std::string& cell : node.domain->members) {
        const Member* const member = value.is_object() ? value.find(cell) : nullptr;
        DrawnCell drawn;
        if (member != nullptr) {
            const std::string text = text_of(member->value);
            drawn.piece = member->value.is_true() ? "#" : text;
            drawn.owner = game_.facts().seat(text).value_or(0);
            if (node.look == Look::Chess && is_chessman(text)) drawn.owner = owner_of(text);
        }
        board.cells.push_back(std::move(drawn));
    }
    drawing.boards.push_back(std::move(board));
}

void Drawer::add_pieces(const DrawnNode& node, const Document& value, Drawing& drawing) const {
    DrawnBoard board{node.name,
                     node.domain->grid->columns,
                     node.domain->grid->rows,
                     node.look,
                     std::vector<DrawnCell>(node.domain->members.size()),
                     node.domain->grid->is_hex()};
    const std::vector<std::string>& cells = node.domain->members;
    for (const Member& piece : value.members) {
        const auto at = std::ranges::find(cells, text_of(piece.value));
        if (at == cells.end()) continue;
        std::uint32_t owner = game_.facts().seat(piece.key).value_or(0);
        if (node.look == Look::Chess && is_chessman(piece.key)) owner = owner_of(piece.key);
        board.cells[static_cast<std::size_t>(at - cells.begin())] = {piece.key, owner};
    }
    drawing.boards.push_back(std::move(board));
}

// Sorts a set like a held hand; keeps the order of places.
std::vector<DrawnCard> Drawer::cards_in(const Document& value) const {
    std::vector<DrawnCard> cards;
    if (!value.is_object()) return cards;
    bool set = true;
    for (const Member& member : value.members) {
        set = set && !member.value.is_string();
        cards.push_back(read_card(set ? member.key : text_of(member.value)));
    }
    if (set)
        std::ranges::sort(cards, [&](const DrawnCard& a, const DrawnCard& b) {
            return pack().place(a.name) < pack().place(b.name);
        });
    return cards;
}

// Adds hidden cards, with their number if it is known.
void Drawer::add_hidden(DrawnCards cards, const Document* likely, bool hand,
                        Drawing& drawing) const {
    cards.hidden = true;
    if (likely != nullptr) cards.hidden_count = cards_in(*likely).size();
    const bool none = !cards.hidden_count || *cards.hidden_count == 0;
    if (hand || !none) drawing.cards.push_back(std::move(cards));
}

void Drawer::add_cards(const DrawnNode& node, const Scene& scene, Drawing& drawing) const {
    DrawnCards cards{node.name, {}, {}, false};
    if (scene.hides(node.hidden))
        return add_hidden(std::move(cards), scene.likely_at(node.name), false, drawing);
    const Document* const value = scene.at(node.name);
    if (value == nullptr) return;
    cards.cards = cards_in(*value);
    if (!cards.cards.empty()) drawing.cards.push_back(std::move(cards));
}

// The first such node by player holds the hands.
void Drawer::add_cards_by(const DrawnNode& node, const Scene& scene, Drawing& drawing) const {
    const bool hands = node.domain->members == game_.facts().players &&
                       node.name == std::ranges::find_if(nodes_.all(), [&](const DrawnNode& each) {
                                        return each.part == Part::CardsBy &&
                                               each.domain->members == game_.facts().players;
                                    })->name;
    const Document* const value = scene.at(node.name);
    const Document* const likely = scene.likely_at(node.name);
    const auto below = [](const Document* map, const std::string& key) {
        const Member* const member = map != nullptr && map->is_object() ? map->find(key) : nullptr;
        return member == nullptr ? nullptr : &member->value;
    };
    // Before the deal there are no hands.
    if (hands && value == nullptr && likely == nullptr && node.hidden == nullptr) return;
    for (std::size_t i = 0; i < node.domain->members.size(); ++i) {
        const std::string& key = node.domain->members[i];
        DrawnCards cards{hands ? key : node.name + " " + key, {}, {}, false};
        if (hands) cards.hand = static_cast<Seat>(i);
        if (scene.hides(node.hidden, key)) {
            const Document* held = below(likely, key);
            const Document nothing = engine::json::object();
            if (held == nullptr && scene.likely) held = &nothing;
            add_hidden(std::move(cards), held, hands, drawing);
            continue;
        }
        if (const Document* const held = below(value, key)) cards.cards = cards_in(*held);
        if (hands || !cards.cards.empty()) drawing.cards.push_back(std::move(cards));
    }
}

void Drawer::add_trick(const DrawnNode& node, const Document& trick, Drawing& drawing) const {
    DrawnCards cards{node.name, {}, {}, false};
    for (const Member& place : trick.members) {
        DrawnCard card;
        if (node.part == Part::Trick) {
            const Member* const found =
                place.value.is_object() ? place.value.find(node.card_field) : nullptr;
            if (found == nullptr) continue;
            card = read_card(text_of(found->value));
            const Member* const player = place.value.find(node.player_field);
            if (player != nullptr) card.player = text_of(player->value);
        } else if (node.part == Part::CardOfPlayer) {
            card = read_card(text_of(place.value));
            card.player = place.key;
        } else {
            card = read_card(place.key);
            card.player = text_of(place.value);
        }
        cards.cards.push_back(std::move(card));
    }
    if (!cards.cards.empty()) drawing.cards.push_back(std::move(cards));
}

// If that player has no hand, the node is an ordinary fact.
void Drawer::add_note(const DrawnNode& node, const Document& value, Drawing& drawing) const {
    const std::optional<Seat> seat = game_.facts().seat(text_of(value));
    const auto hand = std::ranges::find_if(
        drawing.cards, [&](const DrawnCards& cards) { return seat && cards.hand == seat; });
    if (hand == drawing.cards.end()) return add_fact(node, value, drawing);
    hand->notes.push_back(node.name);
}

// ---- facts --------------------------------------------------------------------------------------

std::string Drawer::text_of(const Document& value) const {
    return value.is_string() ? value.text() : engine::write_json(value, -1);
}

void Drawer::add_fact(const DrawnNode& node, const Document& value, Drawing& drawing) const {
    DrawnFact fact{node.name, flat(value), 0};
    if (fact.text.empty()) return;
    if (node.suit) fact.suit = fact.text[0];
    drawing.facts.push_back(std::move(fact));
}

// "points 30, tricks 2", "A points 1; B points 2"; of a set its members.
std::string Drawer::flat(const Document& value, bool inner) const {
    constexpr std::size_t kLongest = 400;
    if (value.kind == DocumentKind::Scalar) return text_of(value);
    const bool nested = !inner && std::ranges::any_of(value.members, [](const Member& member) {
        return member.value.kind != DocumentKind::Scalar;
    });
    std::string text;
    for (const Member& member : value.members) {
        if (text.size() > kLongest) return text + ", ..";
        const bool plain = nested || member.value.kind == DocumentKind::Scalar;
        const std::string below = flat(member.value, true);
        if (below.empty()) continue; // all below is absent
        if (!text.empty()) text += nested ? "; " : ", ";
        if (value.is_array()) {
            text += below;
            continue;
        }
        text += member.key;
        if (below != "true") text += plain ? " " + below : " (" + below + ")";
    }
    return text;
}

} // namespace croupier::games
