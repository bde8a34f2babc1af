// Shows each chair what it may see.
#include "tournaments/serve/tables.h"

#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"
#include "tournaments/serve/seen_table.h"

#include <nlohmann/json.hpp>

namespace croupier::serve {
namespace {

using Why = Refused::Why;
using games::Seat;

// Of a table that a chair looks at.
SeenTable seen_by(const OpenTable& table, std::vector<Seat> mine) {
    SeenTable seen{table.table->game(), table.sheet.agents,  std::move(mine),
                   table.table->made(), table.table->turn(), table.table->verdict(),
                   table.table->fault()};
    for (Table::Made& made : seen.made)
        if (made.secret && !seen.mine.empty() && !holds(seen.mine, made.player)) made.move.clear();
    return seen;
}

} // namespace

Tables::Seen Tables::look(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard looking(table->looking);
    std::unique_lock lock(table->mutex);
    OpenTable::Shown& shown = table->shown[std::string(chair)];
    if (shown.deal == table->sheet.deal && shown.version == table->version)
        return {shown.version, shown.json};
    if (shown.deal != table->sheet.deal) shown.eyes.clear();
    shown.deal = table->sheet.deal;
    shown.version = table->version;
    // Read again: somebody may have moved on a seat since.
    const SeenTable seen = seen_by(*table, table->seats_of(chair));
    const std::vector<std::string> moves = table->table->moves();
    const TableSheet sheet = table->sheet;
    const bool thinking = table->thinking || table->called;
    const bool hurry = can_hurry(*table);
    const bool kept = table->kept;
    const bool alone = table->people() == 1;
    const auto no_undo = table->table->why_no_undo(seen.mine);
    const bool redo = table->table->can_redo() && alone;
    const bool all = seen.mine.empty();
    const bool yours = seen.turn && holds(seen.mine, *seen.turn);
    if (yours)
        shown.viewer = *seen.turn;
    else if (!all && !holds(seen.mine, shown.viewer))
        shown.viewer = seen.mine.front();
    std::unique_ptr<games::Position> open; // everything: nobody else sits here
    if (all) open = table->table->position().clone();
    lock.unlock();

    Json json;
    const games::Position* view = open.get();
    if (all) {
        json = table_json(seen, table->drawer.draw(*view), table->drawer);
    } else {
        auto& eyes = shown.eyes[shown.viewer];
        if (eyes == nullptr)
            eyes = std::make_unique<SeatedPerson>(seen.game, shown.viewer, sheet.seed);
        eyes->follow(moves);
        json = table_json(seen, eyes->draw(table->drawer), table->drawer);
        view = &eyes->view();
        json["viewer"] = shown.viewer;
    }
    if (yours) json["moves"] = moves_json(*view, table->drawer);
    json["end"] = end_json(seen, *view);
    json["thinking"] = thinking;
    json["hurry"] = hurry;
    json["undo"] = !all && !no_undo;
    if (!all && no_undo) json["no_undo"] = *no_undo;
    json["redo"] = redo;
    json["again"] = alone || !seen.turn;
    json["record"] = !seen.game.facts().hides || !seen.turn;
    json["pace"] = sheet.pace_ms;
    json["advisers"] = table->advisers;
    json["deal"] = sheet.deal;
    // Who knows the seed of a deal knows the deal.
    if (!seen.game.facts().hides || !seen.turn || !sheet.random_deal)
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
    if (table->game->facts().hides && !table->table->ended())
        throw Refused(Why::Wrong, "The record tells what everybody holds: it is there once the "
                                  "game is over.");
    return folder_.record(table->sheet).value_or("");
}

} // namespace croupier::serve
