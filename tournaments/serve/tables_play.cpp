// What people do at tables: moves, hints, new deals.
#include "tournaments/serve/tables.h"

#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::serve {
namespace {

using Why = Refused::Why;
using games::Seat;

constexpr std::size_t kMostName = 200; // letters of a move
constexpr int kMostHints = 3;          // at a time

[[noreturn]] void refuse_stale() {
    throw Refused(Why::Stale, "The game has gone on meanwhile.");
}

} // namespace

void Tables::move(std::string_view chair, std::size_t ply, const std::string& move) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    const auto turn = table->table->turn();
    if (table->table->moves().size() != ply) refuse_stale();
    if (!turn) throw Refused(Why::Wrong, "The game is over.");
    if (!holds(mine, *turn)) throw Refused(Why::Wrong, "It is not your turn.");
    if (move.size() > kMostName || !table->table->play(move))
        throw Refused(Why::Wrong, "That move is not legal.");
    changed(table);
}

void Tables::resign(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    if (table->table->ended()) throw Refused(Why::Wrong, "The game is over.");
    if (mine.empty()) throw Refused(Why::Wrong, "You hold no seat here.");
    const Seat turn = *table->table->turn();
    table->table->resign(holds(mine, turn) ? turn : mine.front());
    table->hurry = true;
    changed(table);
}

void Tables::undo(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    if (mine.empty()) throw Refused(Why::Wrong, "You hold no seat here.");
    if (const auto no = table->table->why_no_undo(mine)) throw Refused(Why::Wrong, *no);
    const bool ended = table->table->ended();
    table->table->undo(mine);
    table->hurry = true; // who thinks need not go on
    if (ended) seat_agents(*table);
    changed(table);
}

void Tables::redo(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    if (!table->table->can_redo() || mine.empty() || table->people() != 1)
        throw Refused(Why::Wrong, "There is nothing to make again.");
    table->table->redo();
    changed(table);
}

void Tables::hurry(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    if (!can_hurry(*table)) throw Refused(Why::Wrong, "Nobody is thinking who could be hurried.");
    table->hurry = true;
}

void Tables::set_pace(std::string_view chair, std::uint32_t ms) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    table->sheet.pace_ms = std::min(ms, kMostPace);
    table->kept = folder_.keep(table->sheet);
    ++table->version;
    table->changed.notify_all();
}

void Tables::again(std::string_view chair, bool same_deal, std::size_t on) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    if (table->people() != 1 && !table->table->ended())
        throw Refused(Why::Wrong, "Others are still playing this game.");
    TableSheet sheet = table->sheet;
    const auto seats = static_cast<Seat>(sheet.agents.size());
    const auto shift = static_cast<Seat>(on % seats);
    const auto moved = [&](Seat seat) { return (seat + shift) % seats; };
    for (Seat seat = 0; seat < seats; ++seat)
        sheet.agents[moved(seat)] = table->sheet.agents[seat];
    for (Chair& each : sheet.chairs) {
        for (Seat& seat : each.seats)
            seat = moved(seat);
        std::sort(each.seats.begin(), each.seats.end());
    }
    for (Invitation& each : sheet.invitations)
        each.seat = moved(each.seat);
    ++sheet.deal;
    if (!same_deal) {
        sheet.seed = lent_.seed() >> 1;
        sheet.random_deal = true;
    }
    if (!folder_.keep(sheet))
        throw Refused(Why::Busy, "The table cannot be kept: its file cannot be written.");
    table->table =
        std::make_unique<Table>(table->game, sheet.game, sheet.revision, sheet.seed, sheet.agents);
    table->sheet = std::move(sheet);
    table->hurry = true;
    seat_agents(*table);
    changed(table);
}

Tables::Json Tables::hint(std::string_view chair, std::size_t ply, const std::string& agent) {
    const std::shared_ptr<OpenTable> table = find(chair);
    Seat seat = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> moves;
    {
        const std::lock_guard lock(table->mutex);
        const auto turn = table->table->turn();
        if (table->table->moves().size() != ply) refuse_stale();
        if (!turn || !holds(table->seats_of(chair), *turn))
            throw Refused(Why::Wrong, "It is not your turn.");
        seat = *turn;
        seed = table->sheet.seed;
        moves = table->table->moves();
    }
    struct Place { // among those that may be thought of at a time
        explicit Place(std::atomic<int>& of) : all(of), number(++of) {}
        ~Place() { --all; }
        std::atomic<int>& all;
        int number;
    };
    const Place place(hints_);
    if (place.number > kMostHints)
        throw Refused(Why::Busy, "Others are being advised; ask again in a moment.");
    const auto hurry = std::make_shared<std::atomic<bool>>(false);
    const Hurried thinking(*this, *hurry);
    timer_.after(lent_.think, [hurry] { *hurry = true; });
    std::unique_ptr<agents::Agent> adviser;
    std::string spec = agent;
    if (!agent.empty()) {
        adviser = make_agent(agent, *table, *hurry);
    } else {
        for (const std::string& each : agents_for(*table->game)) {
            try {
                adviser = make_agent(each, *table, *hurry);
                spec = each;
                break;
            } catch (const Refused&) { // it does not play this game: the next one
            }
        }
    }
    if (adviser == nullptr) throw Refused(Why::Wrong, "Nobody can advise here.");
    SeatedAgent seated(*table->game, seat, seed, std::move(adviser));
    const SeatedAgent::Choice choice = seated.choose(moves);
    Json answer = {{"agent", spec}, {"reasons", choice.reasons}};
    if (choice.resigns) answer["resigns"] = true;
    if (choice.fault) throw Refused(Why::Wrong, spec + ": " + choice.fault->what);
    if (!choice.move.empty()) answer["move"] = choice.move;
    return answer;
}

Tables::Json Tables::why(std::string_view chair, const std::string& move) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const games::RulesetGame* const rules = table->game->ruleset_game();
    if (rules == nullptr) throw Refused(Why::Wrong, "This game has no rules that could be asked.");
    if (move.size() > kMostName) throw Refused(Why::Wrong, "That is no move.");
    Seat seat = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> moves;
    {
        const std::lock_guard lock(table->mutex);
        const auto turn = table->table->turn();
        if (!turn || !holds(table->seats_of(chair), *turn))
            throw Refused(Why::Wrong, "It is not your turn.");
        seat = *turn;
        seed = table->sheet.seed;
        moves = table->table->moves();
    }
    SeatedPerson looks(*table->game, seat, seed);
    looks.follow(moves);
    return {{"move", move}, {"lines", lent_.why(*rules, looks.view(), move)}};
}

} // namespace croupier::serve
