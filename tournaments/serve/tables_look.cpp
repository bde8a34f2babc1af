// The view of a position for a page: what each chair may see.
#include "games/drawing/cards.h"
#include "games/drawing/drawer.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/fair_deal.h"
#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"
#include "tournaments/serve/tables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::serve {

namespace {

using games::Seat;
using nlohmann::ordered_json;
using tournaments::card_json;
using Reason = Refused::Reason;

constexpr std::size_t kMovesShown = 60; // the last ones

// The data about a table for a page: only what its reader's seats may see.
struct SeenTable {
    const games::Game& game;
    std::vector<std::string> agents;  // by seat, as the game began
    std::vector<std::string> holders; // who plays the seats now
    std::vector<Seat> mine;
    // Moves as those seats observed them; `move` is empty if it was secret.
    std::vector<LiveGame::Made> made;
    std::optional<Seat> turn;
    std::optional<agents::Verdict> verdict;
    std::optional<agents::AgentFault> fault;
};

std::string ending_text(const SeenTable& seen, const games::Position& view) {
    const std::vector<std::string>& players = seen.game.facts().players;
    if (seen.fault)
        return fmt::format("{} could not continue: {}", players[seen.verdict->seat],
                           seen.fault->what);
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

// The legal moves of the view, with cards sorted as in a hand.
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

// How the game ended, as text and by seat; null before the end.
ordered_json end_json(const SeenTable& seen, const games::Position& view) {
    if (seen.turn) return nullptr;
    ordered_json results = ordered_json::array();
    const bool counts = view.ending() == games::Ending::Over && !seen.verdict;
    for (Seat seat = 0; seat < seen.game.facts().seats(); ++seat) {
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

// Everything except the moves.
ordered_json table_json(const SeenTable& seen, const games::Drawing& drawing,
                        const games::Drawer& drawer) {
    const games::Facts& facts = seen.game.facts();
    ordered_json seats = ordered_json::array();
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        const bool me = std::find(seen.mine.begin(), seen.mine.end(), seat) != seen.mine.end();
        const bool person = agents::is_person(seen.agents[seat]);
        ordered_json one = {{"name", facts.players[seat]},
                            {"who", me       ? "me"
                                    : person ? "person"
                                             : "agent"}};
        if (!agents::is_person(seen.holders[seat])) one["agent"] = seen.holders[seat];
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
        const LiveGame::Made& each = seen.made[i];
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

// What a page needs to give its share of the deal, and to keep a record of its own.
ordered_json shares_json(OpenTable& table, std::string_view chair) {
    const games::Facts& facts = table.game->facts();
    const TableSheet& sheet = table.sheet;
    const Chair& mine = table.chair_of(chair);
    const char* const need = mine.hash.empty()                          ? "hash"
                             : table.all_hashes() && mine.share.empty() ? "share"
                                                                        : "";
    return {{"dealt", sheet.dealt},
            {"need", need},
            {"hashes", hashes_json(shares_of(sheet, facts))},
            {"head",
             {{"seats", facts.names_of(mine.seats)},
              {"game", sheet.game},
              {"revision", sheet.revision},
              {"options", options_json(facts.options)}}}};
}

// A table from a chair's view.
SeenTable seen_by(const OpenTable& table, std::vector<Seat> mine) {
    SeenTable seen{table.live->game(),    table.sheet.agents, table.live->holders(),
                   std::move(mine),       table.live->made(), table.live->turn(),
                   table.live->verdict(), table.live->fault()};
    for (LiveGame::Made& made : seen.made)
        if (made.secret && !seen.mine.empty() && !holds(seen.mine, made.player)) made.move.clear();
    return seen;
}

} // namespace

Snapshot Tables::look(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard looking(table->looking);
    std::unique_lock lock(table->mutex);
    OpenTable::Shown& shown = table->shown[std::string(chair)];
    if (shown.deal == table->sheet.deal && shown.version == table->version)
        return {shown.version, shown.json};
    if (shown.deal != table->sheet.deal) shown.eyes.clear();
    shown.deal = table->sheet.deal;
    shown.version = table->version;
    // Read again: another chair with the seat may have moved since.
    SeenTable seen = seen_by(*table, table->seats_of(chair));
    if (!table->sheet.dealt) seen.turn.reset(); // that of no game
    const std::vector<std::string> moves = table->live->moves();
    const TableSheet sheet = table->sheet;
    const bool thinking = table->thinking || table->called;
    const bool hurry = can_hurry(*table);
    const bool kept = table->kept;
    const bool alone = table->people() == 1;
    const auto no_undo = table->live->why_no_undo(seen.mine);
    const bool redo = table->live->can_redo() && alone;
    const bool all = seen.mine.empty();
    const bool yours = seen.turn && holds(seen.mine, *seen.turn);
    const std::string away = table->chair_of(chair).agent;
    if (yours)
        shown.viewer = *seen.turn;
    else if (!all && !holds(seen.mine, shown.viewer))
        shown.viewer = seen.mine.front();
    Json shares = sheet.fair ? shares_json(*table, chair) : Json();
    std::unique_ptr<games::Position> open; // everything: no other people play
    if (all) open = table->live->position().clone();
    lock.unlock();

    Json json;
    const games::Position* view = open.get();
    if (!sheet.dealt) {
        json = table_json(seen, {}, table->drawer);
    } else if (all) {
        json = table_json(seen, table->drawer.draw(*view), table->drawer);
    } else {
        auto& eyes = shown.eyes[shown.viewer];
        if (eyes == nullptr)
            eyes = std::make_unique<SeatedPerson>(seen.game, shown.viewer, sheet.seed);
        eyes->follow(moves);
        json = table_json(seen, eyes->draw(table->drawer), table->drawer);
        view = &eyes->view();
    }
    if (!all) json["viewer"] = shown.viewer;
    if (yours && away.empty()) json["moves"] = moves_json(*view, table->drawer);
    if (!away.empty()) json["away"] = away;
    json["end"] = view != nullptr ? end_json(seen, *view) : Json();
    if (sheet.fair) json["shares"] = std::move(shares);
    json["thinking"] = thinking;
    json["hurry"] = hurry;
    json["undo"] = !all && !no_undo;
    if (!all && no_undo) json["no_undo"] = *no_undo;
    json["redo"] = redo;
    const bool over = sheet.dealt && !seen.turn;
    json["again"] = alone || over;
    json["record"] = !seen.game.facts().hides || over;
    json["pace"] = sheet.pace_ms;
    json["advisers"] = table->advisers;
    json["deal"] = sheet.deal;
    // The seed of a deal reveals the deal.
    if (!seen.game.facts().hides || over || !sheet.random_deal)
        json["seed"] = std::to_string(sheet.seed);
    if (!kept) json["not_kept"] = true;
    json["open"] = Json::array();
    for (const Invitation& invitation : sheet.invitations) {
        Json one = {{"seat", invitation.seat}};
        if (chair == sheet.chairs.front().secret) one["code"] = invitation.code;
        json["open"].push_back(std::move(one));
    }
    json["version"] = shown.version;
    shown.json = std::make_shared<const std::string>(
        json.dump(-1, ' ', false, Json::error_handler_t::replace));
    return {shown.version, shown.json};
}

bool Tables::wait(std::string_view chair, std::uint64_t version, std::chrono::milliseconds most) {
    const std::shared_ptr<OpenTable> table = find(chair);
    std::unique_lock lock(table->mutex);
    return table->changed.wait_for(lock, most, [&] {
        return stopped_ || table->version != version;
    }) && !stopped_;
}

std::string Tables::record(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    if (table->game->facts().hides && !table->live->ended())
        throw Refused(Reason::Wrong,
                      "The record shows all hands: it is available once the game is over.");
    return folder_.record(table->sheet).value_or("");
}

} // namespace croupier::serve
