// Opens tables, new and stored ones; lets agents think, and carries out people's actions.
#include "tournaments/serve/tables.h"

#include "results/store/file.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/serve/fair_deal.h"
#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace croupier::serve {

namespace {

using games::Seat;
using Reason = Refused::Reason;

constexpr std::size_t kMaxOpen = 64;      // idle tables in memory
constexpr std::size_t kMaxMoveName = 200; // bytes
constexpr int kMaxHints = 3;              // at a time
constexpr std::size_t kMaxReasons = 40;   // lines shown on a page

std::uint64_t seed_from(const std::string& text) {
    std::uint64_t seed = 0;
    if (!results::read_number(text, seed) || seed >> 63 != 0)
        throw Refused(Reason::Wrong, "A seed is a whole number of at least 0.");
    return seed;
}

[[noreturn]] void refuse_stale() {
    throw Refused(Reason::Stale, "The game has moved on meanwhile.");
}

[[noreturn]] void refuse_while_away() {
    throw Refused(Reason::Wrong, "An agent plays for you. Take your seat back first.");
}

void must_be_dealt(const OpenTable& table) {
    if (!table.sheet.dealt)
        throw Refused(Reason::Wrong, "The deal waits for the shares of all players.");
}

// The seat acting for a chair, and the game so far. `ply`: the position that the request is for.
struct Turn {
    Seat seat = 0;
    std::uint64_t seed = 0;
    std::vector<std::string> moves;
};
Turn turn_of(std::string_view chair, OpenTable& table, std::optional<std::size_t> ply = {}) {
    const std::lock_guard lock(table.mutex);
    const auto turn = table.live->turn();
    must_be_dealt(table);
    if (ply && table.live->moves().size() != *ply) refuse_stale();
    if (!turn || !holds(table.seats_of(chair), *turn))
        throw Refused(Reason::Wrong, "It is not your turn.");
    if (!table.live->is_person(*turn)) refuse_while_away();
    return {*turn, table.sheet.seed, table.live->moves()};
}

} // namespace

Tables::Tables(const Catalogue& catalogue, TableSettings settings, TableFolder folder)
    : catalogue_(catalogue), settings_(std::move(settings)), folder_(std::move(folder)),
      timer_(settings_.clock, 1), thinkers_(settings_.clock, settings_.thinkers) {
    TableFolder::Read read = folder_.read();
    for (TableSheet& sheet : read.sheets) {
        for (const Chair& chair : sheet.chairs)
            chairs_[chair.secret] = sheet.name;
        for (const Invitation& open : sheet.invitations)
            invitations_[open.code] = sheet.name;
        std::string name = sheet.name;
        kept_[std::move(name)] = {std::move(sheet), nullptr, 0};
    }
}

Tables::~Tables() {
    stop();
}

void Tables::stop() {
    stopped_ = true;
    thinkers_.stop();
    timer_.stop();
    const std::lock_guard lock(mutex_);
    for (std::atomic<bool>* const each : hurries_)
        *each = true;
    for (auto& [name, kept] : kept_) {
        if (kept.open == nullptr) continue;
        const std::lock_guard table(kept.open->mutex);
        kept.open->hurry = true;
        kept.open->changed.notify_all();
    }
}

std::shared_ptr<OpenTable> Tables::open(TableSheet sheet, bool fresh) {
    auto game = catalogue_.open({sheet.game, sheet.revision}, sheet.options);
    std::unique_ptr<LiveGame> table;
    if (fresh) {
        auto header = header_of(sheet, game->facts());
        table = std::make_unique<LiveGame>(std::move(game), std::move(header));
        if (table->position().ending() == games::Ending::Aborted)
            throw Refused(Reason::Wrong, "The rules abort the game at the deal: " +
                                             table->position().fault().what);
    } else {
        table = restored(std::move(game), sheet, folder_.record(sheet).value_or(""));
        if (table == nullptr)
            throw Refused(Reason::Wrong,
                          fmt::format("The rules have changed since this game was played. Its "
                                      "record is kept: {}",
                                      folder_.record_path(sheet).filename().string()));
    }
    auto made = std::make_shared<OpenTable>(std::move(table), std::move(sheet));
    // Pages distinguish states by version: it must exceed all versions from earlier openings.
    const auto now = settings_.clock.now() / std::chrono::microseconds(1);
    made->version = static_cast<std::uint64_t>(now) + 1;
    made->advisers = agents_for(*made->game);
    const Hurried opening(*this, made->hurry);
    if (!made->live->ended()) seat_agents(*made);
    return made;
}

std::shared_ptr<OpenTable> Tables::find(std::string_view chair) {
    std::unique_lock lock(mutex_);
    const auto known = chairs_.find(chair);
    if (known == chairs_.end()) throw Refused(Reason::Unknown, "There is no such table.");
    const std::string name = known->second;
    if (kept_[name].open == nullptr) {
        const TableSheet sheet = kept_[name].sheet;
        lock.unlock();
        // Other threads may open it, too: the first wins.
        const std::shared_ptr<OpenTable> opened = open(sheet, false);
        lock.lock();
        if (kept_[name].open == nullptr) {
            forget_idle();
            kept_[name].open = opened;
            const std::lock_guard table(opened->mutex);
            changed(opened);
        }
    }
    Kept& kept = kept_[name];
    kept.used = ++uses_;
    return kept.open;
}

// Closes the tables that were not used for longest; their files stay.
void Tables::forget_idle() {
    std::vector<Kept*> idle;
    std::size_t open = 0;
    for (auto& [name, kept] : kept_) {
        if (kept.open != nullptr) ++open;
        if (kept.open != nullptr && kept.open.use_count() == 1) idle.push_back(&kept);
    }
    std::sort(idle.begin(), idle.end(),
              [](const Kept* a, const Kept* b) { return a->used < b->used; });
    for (std::size_t i = 0; i < idle.size() && open >= kMaxOpen; ++i, --open) {
        idle[i]->sheet = idle[i]->open->sheet;
        idle[i]->open.reset();
    }
}

TableSheet Tables::sheet_from(const nlohmann::json& asked) {
    if (!asked.is_object())
        throw Refused(Reason::Wrong, "Malformed request: an object is expected.");
    const auto entry = catalogue_.find(asked.value("game", ""));
    if (!entry) throw Refused(Reason::Unknown, "There is no such game.");
    TableSheet sheet;
    sheet.game = entry->name.game;
    sheet.revision = entry->name.revision;
    sheet.options = options_from(asked.value("options", nlohmann::json::object()));
    const nlohmann::json wish = asked.value("seed", nlohmann::json(""));
    const std::string seed = wish.is_string() ? wish.get<std::string>() : wish.dump();
    sheet.random_deal = seed.empty();
    sheet.seed = seed.empty() ? settings_.seed() >> 1 : seed_from(seed);
    sheet.fair = asked.value("fair", false);
    if (sheet.fair) {
        if (!sheet.random_deal)
            throw Refused(Reason::Wrong, "Either the deal is chosen, or all give a share of it.");
        sheet.host_share = settings_.secret();
        sheet.seed = 0;
        sheet.dealt = false;
    }
    sheet.pace_ms = std::min(asked.value("pace", std::uint32_t{0}), kMaxPace);
    sheet.name = file_word(entry->id, 40) + "-" + settings_.secret().substr(0, 8);
    Chair mine{settings_.secret(), {}};
    const nlohmann::json seats = asked.value("seats", nlohmann::json::array());
    if (!seats.is_array() || seats.size() > games::kMaxPlayers)
        throw Refused(Reason::Wrong, "There are too many seats.");
    for (Seat seat = 0; seat < seats.size(); ++seat) {
        const std::string who = seats[seat].value("who", "");
        if (who == "agent") {
            sheet.agents.push_back(seats[seat].value("agent", "random"));
            if (agents::is_person(sheet.agents.back()))
                throw Refused(Reason::Wrong, "A person is not an agent: choose an agent.");
            continue;
        }
        sheet.agents.emplace_back(agents::kPerson);
        if (who == "person")
            sheet.invitations.push_back({settings_.secret(), seat});
        else if (who == "me")
            mine.seats.push_back(seat);
        else
            throw Refused(Reason::Wrong, "A seat is yours, another person's, or an agent's.");
    }
    // A chair without a seat sees everything, so there must be no other people.
    if (mine.seats.empty() && !sheet.invitations.empty())
        throw Refused(Reason::Wrong, "Take a seat yourself, or let agents play alone.");
    sheet.chairs.push_back(std::move(mine));
    return sheet;
}

Tables::Json Tables::lay(const nlohmann::json& asked) {
    TableSheet sheet;
    try {
        sheet = sheet_from(asked);
    } catch (const nlohmann::json::exception&) {
        throw Refused(Reason::Wrong, "Malformed request.");
    }
    const auto game = catalogue_.open({sheet.game, sheet.revision}, sheet.options);
    if (game->facts().seats() != sheet.agents.size())
        throw Refused(Reason::Wrong, fmt::format("{} has {} seats.", game->facts().title(),
                                                 game->facts().seats()));
    if (sheet.fair && !game->facts().hides)
        throw Refused(Reason::Wrong, "Nothing is hidden here, so no deal needs to be checked.");
    if (sheet.fair && sheet.chairs.front().seats.empty())
        throw Refused(Reason::Wrong, "Take a seat yourself to give a share of the deal.");
    const std::shared_ptr<OpenTable> table = open(sheet, true);
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= settings_.most_tables)
        throw Refused(Reason::Busy,
                      fmt::format("{} tables are kept already. Delete some of the files "
                                  "in the folder of tables, and start croupier again.",
                                  kept_.size()));
    if (!folder_.keep(sheet))
        throw Refused(Reason::Busy, "The table cannot be saved: its file cannot be written.");
    forget_idle();
    chairs_[sheet.chairs.front().secret] = sheet.name;
    Json invitations = Json::array();
    for (const Invitation& open : sheet.invitations) {
        invitations_[open.code] = sheet.name;
        invitations.push_back({{"seat", open.seat}, {"code", open.code}});
    }
    kept_[sheet.name] = {sheet, table, ++uses_};
    const std::lock_guard inside(table->mutex);
    table->present[sheet.chairs.front().secret].seen = settings_.clock.now();
    changed(table);
    return {{"chair", sheet.chairs.front().secret}, {"invitations", std::move(invitations)}};
}

Tables::Json Tables::join(std::string_view code) {
    std::string name;
    std::string host;
    {
        const std::lock_guard lock(mutex_);
        const auto known = invitations_.find(code);
        if (known == invitations_.end())
            throw Refused(Reason::Unknown, "This seat is taken or does not exist.");
        name = known->second;
        host = kept_[name].sheet.chairs.front().secret;
    }
    const std::shared_ptr<OpenTable> table = find(host);
    const std::lock_guard lock(mutex_);
    const std::lock_guard inside(table->mutex);
    auto& open = table->sheet.invitations;
    const auto found = std::find_if(open.begin(), open.end(),
                                    [&](const Invitation& each) { return each.code == code; });
    if (found == open.end()) throw Refused(Reason::Unknown, "This seat is taken.");
    Chair chair{settings_.secret(), {found->seat}};
    invitations_.erase(found->code);
    open.erase(found);
    chairs_[chair.secret] = name;
    table->sheet.chairs.push_back(chair);
    table->present[chair.secret].seen = settings_.clock.now();
    watch(table);
    kept_[name].sheet = table->sheet;
    table->kept = folder_.keep(table->sheet);
    table->tell();
    return {{"chair", chair.secret}};
}

// ---- agents think and move ----------------------------------------------------------------------

std::vector<std::string> Tables::agents_for(const games::Game& game) const {
    std::vector<std::string> specs = settings_.advisers(game);
    specs.emplace_back("random");
    for (std::string& program : catalogue_.programs())
        specs.push_back(std::move(program));
    return specs;
}

std::unique_ptr<agents::Agent> Tables::make_agent(const std::string& spec, OpenTable& table,
                                                  const std::atomic<bool>& hurry) const {
    return catalogue_.make_agent(spec, {.game = *table.game,
                                        .clock = &settings_.clock,
                                        .abandon = &hurry,
                                        .programs = &table.programs});
}

void Tables::seat_agents(OpenTable& table) const {
    const games::Game& game = table.live->game();
    table.agents.clear();
    for (agents::Seat seat = 0; seat < game.facts().seats(); ++seat) {
        if (table.live->is_person(seat)) {
            table.agents.push_back(nullptr);
            continue;
        }
        table.agents.push_back(std::make_shared<SeatedAgent>(
            game, seat, table.sheet.seed,
            make_agent(table.live->holders()[seat], table, table.hurry)));
    }
}

std::unique_ptr<agents::Agent> Tables::make_adviser(std::string& spec, OpenTable& table,
                                                    const std::atomic<bool>& hurry) const {
    const auto make = [&](const std::string& each) { return make_agent(each, table, hurry); };
    if (auto made = tournaments::make_adviser(spec, agents_for(*table.game), make)) return made;
    throw Refused(Reason::Wrong, "No adviser is available here.");
}

// ---- seats change hands -------------------------------------------------------------------------

void Tables::hand_over(const std::shared_ptr<OpenTable>& table, Chair& chair,
                       std::optional<std::string> agent, bool gone) {
    if (agent && agents::is_person(*agent))
        throw Refused(Reason::Wrong, "A person is not an agent: choose an agent.");
    for (const Seat seat : chair.seats) {
        table->agents[seat] =
            agent ? std::make_shared<SeatedAgent>(*table->game, seat, table->sheet.seed,
                                                  make_adviser(*agent, *table, table->hurry))
                  : nullptr;
        table->live->sit(seat, agent ? *agent : table->sheet.agents[seat]);
    }
    chair.agent = agent.value_or("");
    chair.gone = gone;
    table->hurry = true; // whoever thinks for the seat may stop
    const bool kept = folder_.keep(table->sheet);
    changed(table);
    table->kept = table->kept && kept;
}

// A program has no move until it has answered.
bool Tables::can_hurry(const OpenTable& table) const {
    const auto turn = table.live->turn();
    return turn && (table.thinking || table.called) &&
           !catalogue_.program(table.live->holders()[*turn]);
}

// If an agent is to move, starts its thinking when the pace allows.
void Tables::call(const std::shared_ptr<OpenTable>& table) {
    const auto turn = table->live->turn();
    if (!turn || table->live->is_person(*turn) || table->called || stopped_) return;
    if (!table->sheet.dealt) return;
    table->called = true;
    thinkers_.after(std::chrono::milliseconds(table->sheet.pace_ms),
                    [this, table] { think(table); });
}

void Tables::think(const std::shared_ptr<OpenTable>& table) {
    std::unique_lock lock(table->mutex);
    const auto turn = table->live->turn();
    if (!turn || table->agents[*turn] == nullptr || table->thinking || stopped_) {
        table->called = false;
        return table->tell();
    }
    const std::shared_ptr<SeatedAgent> agent = table->agents[*turn];
    const std::vector<std::string> moves = table->live->moves();
    const std::size_t deal = table->sheet.deal;
    const std::uint64_t thought = ++table->thoughts;
    table->thinking = true;
    table->hurry = stopped_.load();
    lock.unlock();

    timer_.after(settings_.think, [table, thought] {
        const std::lock_guard late(table->mutex);
        if (table->thinking && table->thoughts == thought) table->hurry = true;
    });
    const tournaments::Choice choice = agent->choose(moves);

    lock.lock();
    table->thinking = table->called = false;
    // Meanwhile a move may have been taken back, the seat too, or a new deal begun.
    const bool same = table->sheet.deal == deal && table->live->moves() == moves &&
                      table->live->turn() == turn && table->agents[*turn] == agent && !stopped_;
    if (same) table->live->take(choice);
    changed(table);
}

// Call with the table locked, after any change.
void Tables::changed(const std::shared_ptr<OpenTable>& table) {
    if (table->sheet.dealt)
        table->kept = folder_.append(table->sheet, table->live->take_record_lines());
    if (table->live->ended())
        std::fill(table->agents.begin(), table->agents.end(), nullptr); // programs may end
    table->tell();
    call(table);
}

// ---- people move, ask, deal anew ----------------------------------------------------------------

void Tables::move(std::string_view chair, std::size_t ply, const std::string& move) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    must_be_dealt(*table);
    const auto turn = table->live->turn();
    if (table->live->moves().size() != ply) refuse_stale();
    if (!turn) throw Refused(Reason::Wrong, "The game is over.");
    if (!holds(mine, *turn)) throw Refused(Reason::Wrong, "It is not your turn.");
    if (!table->live->is_person(*turn)) refuse_while_away();
    if (move.size() > kMaxMoveName || !table->live->play(move))
        throw Refused(Reason::Wrong, "That move is not legal.");
    changed(table);
}

void Tables::resign(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    must_be_dealt(*table);
    if (table->live->ended()) throw Refused(Reason::Wrong, "The game is over.");
    if (mine.empty()) throw Refused(Reason::Wrong, "You have no seat here.");
    const Seat turn = *table->live->turn();
    table->live->resign(holds(mine, turn) ? turn : mine.front());
    table->hurry = true;
    changed(table);
}

void Tables::undo(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    if (mine.empty()) throw Refused(Reason::Wrong, "You have no seat here.");
    if (const auto no = table->live->why_no_undo(mine)) throw Refused(Reason::Wrong, *no);
    const bool ended = table->live->ended();
    table->live->undo(mine);
    table->hurry = true; // the thinking agent may stop
    if (ended) seat_agents(*table);
    changed(table);
}

void Tables::redo(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    const std::vector<Seat> mine = table->seats_of(chair);
    if (!table->live->can_redo() || mine.empty() || table->people() != 1)
        throw Refused(Reason::Wrong, "There is nothing to redo.");
    table->live->redo();
    changed(table);
}

void Tables::leave(std::string_view chair, const std::string& agent) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    Chair& mine = table->chair_of(chair);
    must_be_dealt(*table);
    if (table->live->ended()) throw Refused(Reason::Wrong, "The game is over.");
    if (mine.seats.empty()) throw Refused(Reason::Wrong, "You have no seat here.");
    hand_over(table, mine, agent);
}

void Tables::back(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    Chair& mine = table->chair_of(chair);
    if (mine.agent.empty()) throw Refused(Reason::Wrong, "You have not left your seat.");
    hand_over(table, mine, std::nullopt);
}

std::shared_ptr<void> Tables::enter(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    OpenTable::Presence& here = table->present[std::string(chair)];
    ++here.pages;
    Chair& mine = table->chair_of(chair);
    if (mine.gone) hand_over(table, mine, std::nullopt);
    watch(table);
    return {table.get(), [this, table, &here](void*) {
                const std::lock_guard leaving(table->mutex);
                --here.pages;
                here.seen = settings_.clock.now();
                watch(table);
            }};
}

void Tables::here(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    table->present[std::string(chair)].seen = settings_.clock.now();
    watch(table);
}

void Tables::watch(const std::shared_ptr<OpenTable>& table) {
    timer_.after(settings_.gone, [this, weak = std::weak_ptr(table)] {
        if (const auto still = weak.lock()) replace_gone(still);
    });
}

void Tables::replace_gone(const std::shared_ptr<OpenTable>& table) {
    const std::lock_guard lock(table->mutex);
    if (table->live->ended() || stopped_ || !table->sheet.dealt) return;
    const auto now = settings_.clock.now();
    const auto is_gone = [&](const Chair& chair) {
        const OpenTable::Presence& its = table->present[chair.secret];
        return its.pages == 0 && its.seen + settings_.gone <= now;
    };
    std::vector<Chair>& chairs = table->sheet.chairs;
    if (std::all_of(chairs.begin(), chairs.end(), is_gone)) return; // nobody waits
    for (Chair& chair : chairs) {
        if (!chair.agent.empty() || !is_gone(chair)) continue;
        try {
            hand_over(table, chair, std::string(), true);
        } catch (const Refused&) { // no agent plays this game: the others wait
        }
    }
}

void Tables::hurry(std::string_view chair) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    if (!can_hurry(*table)) throw Refused(Reason::Wrong, "No agent is thinking.");
    table->hurry = true;
}

void Tables::set_pace(std::string_view chair, std::uint32_t ms) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    table->sheet.pace_ms = std::min(ms, kMaxPace);
    table->kept = folder_.keep(table->sheet);
    table->tell();
}

void Tables::again(std::string_view chair, bool same_deal, std::size_t on) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    if (table->people() != 1 && !table->live->ended())
        throw Refused(Reason::Wrong, "Others are still playing this game.");
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
        each.agent.clear();
        each.gone = false;
    }
    for (Invitation& each : sheet.invitations)
        each.seat = moved(each.seat);
    ++sheet.deal;
    if (!same_deal) {
        sheet.seed = settings_.seed() >> 1;
        sheet.random_deal = true;
    }
    if (sheet.fair) {
        if (same_deal)
            throw Refused(Reason::Wrong, "All know the shares of this deal: play a new one.");
        sheet.host_share = settings_.secret();
        sheet.seed = 0;
        sheet.dealt = false;
        for (Chair& each : sheet.chairs)
            each.hash = each.share = "";
    }
    deal(table, std::move(sheet));
}

void Tables::deal(const std::shared_ptr<OpenTable>& table, TableSheet sheet) {
    if (!folder_.keep(sheet))
        throw Refused(Reason::Busy, "The table cannot be saved: its file cannot be written.");
    table->live = std::make_unique<LiveGame>(table->game, header_of(sheet, table->game->facts()));
    table->sheet = std::move(sheet);
    table->hurry = true;
    seat_agents(*table);
    changed(table);
    watch(table);
}

// ---- shares of a deal ---------------------------------------------------------------------------

void Tables::give_hash(std::string_view chair, const std::string& hash) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    Chair& mine = table->chair_of(chair);
    if (table->sheet.dealt) throw Refused(Reason::Stale, "Nobody gives a share of this deal.");
    if (!is_hash(hash)) throw Refused(Reason::Wrong, "A hash has 64 hexadecimal digits.");
    if (!mine.hash.empty()) throw Refused(Reason::Wrong, "You have shown the hash of your share.");
    mine.hash = hash;
    table->kept = folder_.keep(table->sheet);
    table->tell();
}

void Tables::give_share(std::string_view chair, const std::string& share) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const std::lock_guard lock(table->mutex);
    Chair& mine = table->chair_of(chair);
    if (table->sheet.dealt) throw Refused(Reason::Stale, "Nobody gives a share of this deal.");
    if (!table->all_hashes())
        throw Refused(Reason::Wrong, "Shares are given when all have shown their hashes.");
    if (hash_of(share) != mine.hash)
        throw Refused(Reason::Wrong, "This share does not fit its hash.");
    mine.share = share;
    TableSheet sheet = table->sheet;
    sheet.dealt = std::all_of(sheet.chairs.begin(), sheet.chairs.end(),
                              [](const Chair& each) { return !each.share.empty(); });
    if (sheet.dealt) {
        sheet.seed = seed_of(shares_of(sheet, table->game->facts()));
        return deal(table, std::move(sheet));
    }
    table->kept = folder_.keep(sheet);
    table->tell();
}

Tables::Json Tables::hint(std::string_view chair, std::size_t ply, const std::string& agent) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const Turn turn = turn_of(chair, *table, ply);
    const Slot slot(hints_, kMaxHints, "Others are being advised; ask again in a moment.");
    const auto hurry = std::make_shared<std::atomic<bool>>(false);
    const Hurried thinking(*this, *hurry);
    timer_.after(settings_.think, [hurry] { *hurry = true; });
    std::string spec = agent;
    std::unique_ptr<agents::Agent> adviser = make_adviser(spec, *table, *hurry);
    tournaments::FirstLines reasons(kMaxReasons);
    SeatedAgent seated(*table->game, turn.seat, turn.seed, std::move(adviser));
    seated.follow(turn.moves);
    seated.agent().set_log(&reasons);
    const tournaments::Choice choice = seated.choose(turn.moves);
    Json answer = {{"agent", spec}, {"reasons", reasons.lines}};
    if (choice.resigns) answer["resigns"] = true;
    if (choice.fault) throw Refused(Reason::Wrong, spec + ": " + choice.fault->what);
    if (!choice.move.empty()) answer["move"] = choice.move;
    return answer;
}

Tables::Json Tables::why(std::string_view chair, const std::string& move) {
    const std::shared_ptr<OpenTable> table = find(chair);
    const games::RulesetGame* const rules = table->game->ruleset_game();
    if (rules == nullptr)
        throw Refused(Reason::Wrong, "This game has no rules that could be asked.");
    if (move.size() > kMaxMoveName) throw Refused(Reason::Wrong, "That is not a move.");
    const Turn turn = turn_of(chair, *table);
    SeatedPerson looks(*table->game, turn.seat, turn.seed);
    looks.follow(turn.moves);
    constexpr std::size_t kWidth = 76;
    const tournaments::MoveReasons reasons(*rules);
    return {{"move", move}, {"lines", reasons.lines(looks.view(), move, kWidth)}};
}

// ---- the clock ----------------------------------------------------------------------------------

AlarmClock::AlarmClock(const agents::Clock& clock, std::size_t threads) : clock_(clock) {
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this] { work(); });
}

AlarmClock::~AlarmClock() {
    stop();
}

void AlarmClock::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    entries_.clear();
    changed_.notify_all();
}

void AlarmClock::after(std::chrono::nanoseconds delay, Job job) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    entries_.push_back({clock_.now() + delay, numbers_++, std::move(job)});
    changed_.notify_one();
}

void AlarmClock::work() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
        const auto next =
            std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
                return std::tie(a.due, a.number) < std::tie(b.due, b.number);
            });
        if (next == entries_.end()) {
            changed_.wait(lock);
            continue;
        }
        const std::chrono::nanoseconds wait = next->due - clock_.now();
        if (wait.count() > 0) {
            changed_.wait_for(lock, wait);
            continue;
        }
        const Job job = std::move(next->job);
        entries_.erase(next);
        lock.unlock();
        job();
        lock.lock();
    }
}

} // namespace croupier::serve
