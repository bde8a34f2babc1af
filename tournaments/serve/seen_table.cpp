// Writes moves and results as JSON.
#include "tournaments/serve/seen_table.h"

#include "games/drawing/cards.h"
#include "tournaments/replay/scene.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace croupier::serve {
namespace {

using nlohmann::ordered_json;
using tournaments::card_json;

constexpr std::size_t kMovesShown = 60; // the last ones

std::string ending_text(const SeenTable& seen, const games::Position& view) {
    const std::vector<std::string>& players = seen.game.facts().players;
    if (seen.fault)
        return fmt::format("{} could not go on: {}", players[seen.verdict->seat], seen.fault->what);
    if (seen.verdict) return fmt::format("{} resigned", players[seen.verdict->seat]);
    if (view.ending() == games::Ending::Unfinished)
        return fmt::format("No result: the game has reached {} moves", seen.game.facts().max_plies);
    if (view.ending() == games::Ending::Aborted) {
        const games::Fault& fault = view.fault();
        return fmt::format("The rules broke off the game: {}{}",
                           fault.rule.empty() ? "" : fault.rule + ": ", fault.what);
    }
    return "The game is over";
}

} // namespace

ordered_json moves_json(const games::Position& view, const games::Drawer& drawer) {
    struct Legal {
        std::string name;
        bool card;
    };
    std::vector<Legal> legal;
    for (std::size_t i = 0; i < view.move_count(); ++i) {
        std::string name(view.text(view.move(i)));
        const bool card = drawer.is_card(name);
        legal.push_back({std::move(name), card});
    }
    std::stable_sort(legal.begin(), legal.end(), [&](const Legal& a, const Legal& b) {
        return a.card && drawer.pack().place(a.name) < drawer.pack().place(b.name);
    });
    ordered_json json = ordered_json::array();
    for (const Legal& move : legal) {
        ordered_json one = {{"name", move.name}};
        if (move.card) one["card"] = card_json(games::read_card(move.name));
        json.push_back(std::move(one));
    }
    return json;
}

ordered_json end_json(const SeenTable& seen, const games::Position& view) {
    if (seen.turn) return nullptr;
    ordered_json results = ordered_json::array();
    const bool counts = view.ending() == games::Ending::Over && !seen.verdict;
    for (games::Seat seat = 0; seat < seen.game.facts().seats(); ++seat) {
        ordered_json one = {{"seat", seat}};
        if (seen.verdict)
            one["place"] = agents::place_after(*seen.verdict, seen.game.facts(), seat);
        if (view.ending() == games::Ending::Unfinished) one["score"] = view.score(seat);
        if (counts) {
            one["place"] = view.place(seat);
            one["score"] = view.score(seat);
            if (const std::string role = view.role(seat); !role.empty()) one["role"] = role;
        }
        results.push_back(std::move(one));
    }
    return {{"text", ending_text(seen, view)}, {"results", std::move(results)}};
}

ordered_json table_json(const SeenTable& seen, const games::Drawing& drawing,
                        const games::Drawer& drawer) {
    const games::Facts& facts = seen.game.facts();
    ordered_json seats = ordered_json::array();
    for (games::Seat seat = 0; seat < facts.seats(); ++seat) {
        const bool me = std::find(seen.mine.begin(), seen.mine.end(), seat) != seen.mine.end();
        const bool person = seen.agents[seat] == kHuman;
        ordered_json one = {{"name", facts.players[seat]},
                            {"who", me       ? "me"
                                    : person ? "person"
                                             : "agent"}};
        if (!person) one["agent"] = seen.agents[seat];
        for (std::size_t team = 0; team < facts.teams.size(); ++team) {
            const auto& members = facts.teams[team].seats;
            if (std::find(members.begin(), members.end(), seat) != members.end())
                one["team"] = facts.teams[team].name;
        }
        seats.push_back(std::move(one));
    }
    ordered_json made = ordered_json::array();
    const std::size_t first = seen.made.size() - std::min(seen.made.size(), kMovesShown);
    for (std::size_t i = first; i < seen.made.size(); ++i) {
        const Table::Made& each = seen.made[i];
        ordered_json one = {{"seat", each.player}, {"name", each.move}};
        if (drawer.is_card(each.move)) one["card"] = card_json(games::read_card(each.move));
        made.push_back(std::move(one));
    }
    return {{"title", facts.title()},
            {"hides", facts.hides},
            {"seats", std::move(seats)},
            {"ply", seen.made.size()},
            {"made", std::move(made)},
            {"turn", seen.turn ? ordered_json(*seen.turn) : ordered_json()},
            {"scene", tournaments::scene_json(drawing)}};
}

} // namespace croupier::serve
