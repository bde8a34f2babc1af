// Results of games as JSON.
#include "tournaments/cli/game_result.h"

#include <nlohmann/json.hpp>

namespace croupier::cli {

using nlohmann::ordered_json;

ordered_json result_json(const games::Position& position, const std::vector<std::string>& agents,
                         const std::optional<agents::Verdict>& verdict) {
    const games::Facts& facts = position.game().facts();
    ordered_json seats = ordered_json::array();
    for (games::Seat seat = 0; seat < facts.seats(); ++seat) {
        ordered_json row{{"player", facts.players[seat]}, {"agent", agents[seat]}};
        row["score"] = verdict ? ordered_json() : ordered_json(position.score(seat));
        row["place"] = verdict ? agents::place_after(*verdict, facts, seat) : position.place(seat);
        if (!position.role(seat).empty()) row["role"] = position.role(seat);
        seats.push_back(std::move(row));
    }
    ordered_json result{
        {"game", facts.title()},
        {"end", verdict ? agents::name_of(verdict->kind) : games::name_of(position.ending())},
        {"moves", position.plies()},
        {"seats", std::move(seats)}};
    if (position.ending() == games::Ending::Aborted) {
        const games::Fault& fault = position.fault();
        result["fault"] = {{"rule", fault.rule}, {"place", fault.place}, {"what", fault.what}};
    }
    return result;
}

} // namespace croupier::cli
