// Writes drawings as JSON.
#include "tournaments/replay/scene.h"

#include "games/drawing/text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <utility>

namespace croupier::tournaments {
namespace {

using games::DrawnBoard;
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
            {"rows", board.rows},
            {"columns", std::move(names)},
            {"look", name_of(board.look)},
            {"pieces", std::move(pieces)}};
}

ordered_json pile_json(const DrawnCards& drawn) {
    ordered_json json = {{"name", drawn.name}};
    if (drawn.hand) json["hand"] = *drawn.hand;
    if (!drawn.notes.empty()) json["notes"] = drawn.notes;
    if (drawn.hidden) {
        json["hidden"] = drawn.hidden_count ? ordered_json(*drawn.hidden_count) : ordered_json();
        return json;
    }
    json["cards"] = ordered_json::array();
    for (const games::DrawnCard& card : drawn.cards)
        json["cards"].push_back(card_json(card));
    return json;
}

} // namespace

ordered_json card_json(const games::DrawnCard& card) {
    ordered_json json = {{"name", card.name}, {"rank", card.rank}};
    if (card.suit != 0) json["suit"] = std::string(1, card.suit);
    if (!card.player.empty()) json["by"] = card.player;
    return json;
}

ordered_json scene_json(const games::Drawing& drawing) {
    ordered_json json = {{"boards", ordered_json::array()},
                         {"piles", ordered_json::array()},
                         {"facts", ordered_json::array()}};
    for (const DrawnBoard& board : drawing.boards)
        json["boards"].push_back(board_json(board));
    for (const DrawnCards& cards : drawing.cards)
        json["piles"].push_back(pile_json(cards));
    for (const games::DrawnFact& fact : drawing.facts) {
        ordered_json one = {{"name", fact.name}, {"text", fact.text}};
        if (fact.suit != 0) one["suit"] = std::string(1, fact.suit);
        json["facts"].push_back(std::move(one));
    }
    return json;
}

} // namespace croupier::tournaments
