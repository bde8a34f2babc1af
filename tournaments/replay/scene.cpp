// Writes drawings as JSON.
#include "tournaments/replay/scene.h"

#include "games/drawing/cards.h"
#include "games/drawing/text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <utility>

namespace croupier::tournaments {
namespace {

using games::DrawnBoard;
using games::DrawnCard;
using games::DrawnCards;
using games::Look;
using nlohmann::ordered_json;

// As chess draws what it calls so; else the name itself.
std::string sign_of(const std::string& piece) {
    static constexpr std::array<std::pair<char, const char*>, 6> kSigns{
        {{'K', "♚"}, {'Q', "♛"}, {'R', "♜"}, {'B', "♝"}, {'N', "♞"}, {'P', "♟"}}};
    for (const auto& [letter, sign] : kSigns)
        if (piece.size() == 1 && std::toupper(static_cast<unsigned char>(piece[0])) == letter)
            return sign;
    return piece;
}

ordered_json board_json(const DrawnBoard& board) {
    ordered_json pieces = ordered_json::array();
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
        const games::DrawnCell& drawn = board.cells[cell];
        if (drawn.piece.empty()) continue;
        pieces.push_back(
            {cell, board.look == Look::Chess ? sign_of(drawn.piece) : drawn.piece, drawn.owner});
    }
    ordered_json names = ordered_json::array();
    for (std::uint32_t column = 0; column < board.columns; ++column)
        names.push_back(games::column_name(column));
    return {{"name", board.name},
            {"columns", board.columns},
            {"rows", board.rows},
            {"style", name_of(board.look)},
            {"column_names", std::move(names)},
            {"pieces", std::move(pieces)}};
}

ordered_json cards_json(const DrawnCards& drawn) {
    ordered_json json = {{"name", drawn.name}, {"hand", drawn.hand.has_value()}};
    if (!drawn.notes.empty()) json["notes"] = drawn.notes;
    if (drawn.hidden) {
        json["hidden"] = drawn.hidden_count.value_or(0);
        return json;
    }
    ordered_json cards = ordered_json::array();
    for (const DrawnCard& card : drawn.cards) {
        const bool red = card.suit == 'H' || card.suit == 'D';
        cards.push_back(
            {(card.player.empty() ? "" : card.player + ": ") + games::label_of(card, false),
             red ? 1 : 0});
    }
    json["cards"] = std::move(cards);
    return json;
}

} // namespace

std::string scene_json(const games::Drawing& drawing, const std::vector<std::string>& players) {
    ordered_json json = ordered_json::object();
    if (drawing.turn) json["turn"] = players[*drawing.turn];
    for (const DrawnBoard& board : drawing.boards)
        json["boards"].push_back(board_json(board));
    for (const DrawnCards& cards : drawing.cards)
        json["cards"].push_back(cards_json(cards));
    for (const games::DrawnFact& fact : drawing.facts)
        json["facts"].push_back({fact.name, fact.suit != 0
                                                ? std::string(games::suit_sign(fact.suit, false))
                                                : fact.text});
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace croupier::tournaments
