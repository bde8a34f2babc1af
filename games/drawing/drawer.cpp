// Fills boards, hands and facts from states.
#include "games/drawing/drawer.h"

#include "engine/api/text.h"
#include "games/drawing/scene.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace croupier::games {
namespace {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using Part = DrawnNode::Part;

bool is_true(const Document& value) {
    const bool* const truth = std::get_if<bool>(&value.scalar);
    return value.kind == DocumentKind::Scalar && truth != nullptr && *truth;
}

// Small letters are the second player's.
std::uint32_t owner_of(std::string_view chessman) {
    return std::islower(static_cast<unsigned char>(chessman[0])) != 0 ? 1 : 0;
}

} // namespace

std::string_view name_of(Look look) {
    switch (look) {
    case Look::Stones:
        return "stones";
    case Look::Chess:
        return "chess";
    case Look::Letters:
        break;
    }
    return "letters";
}

Drawing Drawer::draw(const Position& position) const {
    Drawing drawing = draw(position.state());
    if (position.ending() == Ending::None) drawing.turn = position.turn();
    return drawing;
}

Drawing Drawer::draw(const Document& state) const {
    // What nobody sees is there, to be counted.
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
        for (const Member& member : scene.state.members) {
            if (!is_harness(member.key)) add_fact({member.key}, member.value, drawing);
        }
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
        if (node.part == Part::Boards) {
            for (const Member& each : value->members)
                add_board(node, each.value, node.name + " " + each.key, drawing);
        } else if (node.part == Part::Card) {
            drawing.cards.push_back({node.name, {read_card(text_of(*value))}, {}, false});
        } else if (node.part == Part::Trick || node.part == Part::CardOfPlayer ||
                   node.part == Part::PlayerOfCard) {
            add_trick(node, *value, drawing);
        } else if (node.part == Part::Fact) {
            add_fact(node, *value, drawing);
        }
    }
    std::stable_sort(drawing.cards.begin(), drawing.cards.end(),
                     [](const DrawnCards& a, const DrawnCards& b) {
                         return a.hand.value_or(kMostPlayers) < b.hand.value_or(kMostPlayers);
                     });
    for (const DrawnNode& node : nodes_.all()) {
        const Document* const value = scene.at(node.name);
        if (node.part == Part::AtHand && value != nullptr) add_note(node, *value, drawing);
    }
    return drawing;
}

void Drawer::add_board(const DrawnNode& node, const Document& value, std::string name,
                       Drawing& drawing) const {
    DrawnBoard board{
        std::move(name), node.domain->grid->columns, node.domain->grid->rows, node.look, {}};
    for (const std::string& cell : node.domain->members) {
        const Member* const member = value.is_object() ? value.find(cell) : nullptr;
        DrawnCell drawn;
        if (member != nullptr) {
            const std::string text = text_of(member->value);
            drawn.piece = is_true(member->value) ? "#" : text;
            drawn.owner = game_.facts().seat(text).value_or(0);
            if (node.look == Look::Chess && is_chessman(text)) drawn.owner = owner_of(text);
        }
        board.cells.push_back(std::move(drawn));
    }
    drawing.boards.push_back(std::move(board));
}

void Drawer::add_pieces(const DrawnNode& node, const Document& value, Drawing& drawing) const {
    DrawnBoard board{node.name, node.domain->grid->columns, node.domain->grid->rows, node.look,
                     std::vector<DrawnCell>(node.domain->members.size())};
    const std::vector<std::string>& cells = node.domain->members;
    for (const Member& piece : value.members) {
        const auto at = std::find(cells.begin(), cells.end(), text_of(piece.value));
        if (at == cells.end()) continue;
        std::uint32_t owner = game_.facts().seat(piece.key).value_or(0);
        if (node.look == Look::Chess && is_chessman(piece.key)) owner = owner_of(piece.key);
        board.cells[static_cast<std::size_t>(at - cells.begin())] = {piece.key, owner};
    }
    drawing.boards.push_back(std::move(board));
}

// A set is sorted as a hand is held; places are in their order.
std::vector<DrawnCard> Drawer::cards_in(const Document& value) const {
    std::vector<DrawnCard> cards;
    if (!value.is_object()) return cards;
    bool set = true;
    for (const Member& member : value.members) {
        set = set && !member.value.is_string();
        cards.push_back(read_card(set ? member.key : text_of(member.value)));
    }
    if (set)
        std::sort(cards.begin(), cards.end(), [&](const DrawnCard& a, const DrawnCard& b) {
            return pack().place(a.name) < pack().place(b.name);
        });
    return cards;
}

// How many there are, if there may be any.
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

// The first such node by player is that of the hands.
void Drawer::add_cards_by(const DrawnNode& node, const Scene& scene, Drawing& drawing) const {
    const bool hands =
        node.domain->members == game_.facts().players &&
        node.name ==
            std::find_if(nodes_.all().begin(), nodes_.all().end(), [&](const DrawnNode& each) {
                return each.part == Part::CardsBy && each.domain->members == game_.facts().players;
            })->name;
    const Document* const value = scene.at(node.name);
    const Document* const likely = scene.likely_at(node.name);
    const auto below = [](const Document* map, const std::string& key) {
        const Member* const member = map != nullptr && map->is_object() ? map->find(key) : nullptr;
        return member == nullptr ? nullptr : &member->value;
    };
    // Before anything is dealt nobody has a hand.
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

// Where that player has no hand it is a fact like others.
void Drawer::add_note(const DrawnNode& node, const Document& value, Drawing& drawing) const {
    const std::optional<Seat> seat = game_.facts().seat(text_of(value));
    const auto hand =
        std::find_if(drawing.cards.begin(), drawing.cards.end(),
                     [&](const DrawnCards& cards) { return seat && cards.hand == seat; });
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
    const bool nested =
        !inner && std::any_of(value.members.begin(), value.members.end(), [](const Member& member) {
            return member.value.kind != DocumentKind::Scalar;
        });
    std::string text;
    for (const Member& member : value.members) {
        if (text.size() > kLongest) return text + ", ..";
        const bool plain = nested || member.value.kind == DocumentKind::Scalar;
        const std::string below = flat(member.value, true);
        if (below.empty()) continue; // nothing of this is there
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
