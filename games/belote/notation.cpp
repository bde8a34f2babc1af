// Writes positions by hand, so to speak.
#include "games/belote/notation.h"

namespace croupier::plain {
namespace {

std::string letter(std::string_view letters, int place) {
    return '"' + std::string(1, letters[static_cast<std::size_t>(place)]) + '"';
}

std::string team_of(int team) {
    return team == 0 ? "\"AC\"" : "\"BD\"";
}

std::string hand_to_json(const std::vector<Card>& hand) {
    std::string json;
    for (const Card& card : hand) {
        json += (json.empty() ? "\"" : ", \"") + name_of(card) + "\": true";
    }
    return "{" + json + "}";
}

} // namespace

std::string name_of(const Card& card) {
    return {kRanks[static_cast<std::size_t>(card.rank)],
            kSuits[static_cast<std::size_t>(card.suit)]};
}

Card card_named(std::string_view name) {
    return {static_cast<int>(kSuits.find(name[1])), static_cast<int>(kRanks.find(name[0]))};
}

std::string position_json(const Position& position) {
    std::string json = "{\"phase\": \"play\", \"turn\": " + letter(kSeats, position.turn) +
                       ", \"trump\": " + letter(kSuits, position.trump) + ", \"hands\": {";
    for (int seat = 0; seat < 4; ++seat) {
        json += (seat == 0 ? "" : ", ") + letter(kSeats, seat) + ": " +
                hand_to_json(position.hands[static_cast<std::size_t>(seat)]);
    }
    json += "}, \"trick\": {";
    for (std::size_t i = 0; i < position.trick.size(); ++i) {
        json += (i == 0 ? "\"" : ", \"") + std::to_string(i) +
                "\": {\"player\": " + letter(kSeats, position.trick[i].player) + ", \"card\": \"" +
                name_of(position.trick[i].card) + "\"}";
    }
    json += "}, \"taken\": {";
    for (int team = 0; team < 2; ++team) {
        const auto i = static_cast<std::size_t>(team);
        json += (team == 0 ? "" : ", ") + team_of(team) +
                ": {\"points\": " + std::to_string(position.points[i]) +
                ", \"tricks\": " + std::to_string(position.tricks[i]) + "}";
    }
    json += "}, \"belote\": {";
    for (int team = 0; team < 2; ++team) {
        const auto i = static_cast<std::size_t>(team);
        json += (team == 0 ? "" : ", ") + team_of(team) + ": " + std::to_string(position.belote[i]);
    }
    json += "}";
    if (position.tricks[0] + position.tricks[1] > 0) {
        json += ", \"last\": " + team_of(position.last);
    }
    return json + "}";
}

} // namespace croupier::plain
