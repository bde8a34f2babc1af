// Opens tables: those that are laid, and those that are kept.
#include "tournaments/serve/tables.h"

#include "tournaments/serve/open_table.h"
#include "tournaments/serve/refused.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace croupier::serve {
namespace {

using games::Seat;
using Why = Refused::Why;

constexpr std::size_t kMostOpen = 64; // tables in memory that nobody is busy with

// Letters that may stand in the name of a file.
std::string file_word(std::string_view title) {
    constexpr std::size_t kMost = 40;
    std::string word;
    for (const char each : title.substr(0, kMost))
        word += std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' ? each : '-';
    return word.empty() ? "game" : word;
}

std::uint64_t seed_from(const std::string& text) {
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size() || seed >> 63 != 0)
        throw Refused(Why::Wrong, "A seed is a whole number from 0 on.");
    return seed;
}

} // namespace

Tables::Tables(const Catalogue& catalogue, Lent lent, TableFolder folder)
    : catalogue_(catalogue), lent_(std::move(lent)), folder_(std::move(folder)),
      timer_(lent_.clock, 1), thinkers_(lent_.clock, lent_.thinkers) {
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
    std::unique_ptr<Table> table;
    if (fresh) {
        table = std::make_unique<Table>(std::move(game), sheet.game, sheet.revision, sheet.seed,
                                        sheet.agents);
        if (table->position().ending() == games::Ending::Aborted)
            throw Refused(Why::Wrong, "The rules break off the game at the deal: " +
                                          table->position().fault().what);
    } else {
        table = restored(std::move(game), sheet, folder_.record(sheet).value_or(""));
        if (table == nullptr)
            throw Refused(Why::Wrong,
                          fmt::format("The rules have changed since this game was played. Its "
                                      "record is kept: {}",
                                      folder_.record_path(sheet).filename().string()));
    }
    auto made = std::make_shared<OpenTable>(std::move(table), std::move(sheet));
    // A page tells states apart by their versions: none that the table had when it was open before.
    const auto now = lent_.clock.now() / std::chrono::microseconds(1);
    made->version = static_cast<std::uint64_t>(now) + 1;
    made->advisers = agents_for(*made->game);
    const Hurried opening(*this, made->hurry);
    if (!made->table->ended()) seat_agents(*made);
    return made;
}

std::shared_ptr<OpenTable> Tables::find(std::string_view chair) {
    std::unique_lock lock(mutex_);
    const auto known = chairs_.find(chair);
    if (known == chairs_.end()) throw Refused(Why::Unknown, "There is no such table.");
    const std::string name = known->second;
    if (kept_[name].open == nullptr) {
        const TableSheet sheet = kept_[name].sheet;
        lock.unlock();
        // Others may be at it too: the first wins.
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

// Those that nobody has looked at for longest stay on file alone.
void Tables::forget_idle() {
    std::vector<Kept*> idle;
    std::size_t open = 0;
    for (auto& [name, kept] : kept_) {
        if (kept.open != nullptr) ++open;
        if (kept.open != nullptr && kept.open.use_count() == 1) idle.push_back(&kept);
    }
    std::sort(idle.begin(), idle.end(),
              [](const Kept* a, const Kept* b) { return a->used < b->used; });
    for (std::size_t i = 0; i < idle.size() && open >= kMostOpen; ++i, --open) {
        idle[i]->sheet = idle[i]->open->sheet;
        idle[i]->open.reset();
    }
}

TableSheet Tables::sheet_from(const nlohmann::json& asked) {
    if (!asked.is_object()) throw Refused(Why::Wrong, "A table is asked for by an object.");
    const auto entry = catalogue_.find(asked.value("game", ""));
    if (!entry) throw Refused(Why::Unknown, "There is no such game.");
    TableSheet sheet;
    sheet.game = entry->name.game;
    sheet.revision = entry->name.revision;
    sheet.options = options_from(asked.value("options", nlohmann::json::object()));
    const nlohmann::json wish = asked.value("seed", nlohmann::json(""));
    const std::string seed = wish.is_string() ? wish.get<std::string>() : wish.dump();
    sheet.random_deal = seed.empty();
    sheet.seed = seed.empty() ? lent_.seed() >> 1 : seed_from(seed);
    sheet.pace_ms = std::min(asked.value("pace", std::uint32_t{0}), kMostPace);
    sheet.name = file_word(entry->id) + "-" + lent_.secret().substr(0, 8);
    Chair mine{lent_.secret(), {}};
    const nlohmann::json seats = asked.value("seats", nlohmann::json::array());
    if (!seats.is_array() || seats.size() > games::kMostPlayers)
        throw Refused(Why::Wrong, "There are too many seats.");
    for (Seat seat = 0; seat < seats.size(); ++seat) {
        const std::string who = seats[seat].value("who", "");
        if (who == "agent") {
            sheet.agents.push_back(seats[seat].value("agent", "random"));
            if (sheet.agents.back() == kHuman)
                throw Refused(Why::Wrong, "A person is no agent: choose one.");
            continue;
        }
        sheet.agents.emplace_back(kHuman);
        if (who == "person")
            sheet.invitations.push_back({lent_.secret(), seat});
        else if (who == "me")
            mine.seats.push_back(seat);
        else
            throw Refused(Why::Wrong, "A seat is yours, another person's, or an agent's.");
    }
    // Who sits nowhere sees everything, so there must be nobody to look over the shoulder of.
    if (mine.seats.empty() && !sheet.invitations.empty())
        throw Refused(Why::Wrong, "Take a seat yourself, or let agents play alone.");
    sheet.chairs.push_back(std::move(mine));
    return sheet;
}

Tables::Json Tables::lay(const nlohmann::json& asked) {
    TableSheet sheet;
    try {
        sheet = sheet_from(asked);
    } catch (const nlohmann::json::exception&) {
        throw Refused(Why::Wrong, "A table is not asked for like this.");
    }
    const auto game = catalogue_.open({sheet.game, sheet.revision}, sheet.options);
    if (game->facts().seats() != sheet.agents.size())
        throw Refused(Why::Wrong, fmt::format("{} has {} seats.", game->facts().title(),
                                              game->facts().seats()));
    const std::shared_ptr<OpenTable> table = open(sheet, true);
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= lent_.most_tables)
        throw Refused(Why::Busy, fmt::format("{} tables are kept already. Delete some of the files "
                                             "in the folder of tables, and start croupier again.",
                                             kept_.size()));
    if (!folder_.keep(sheet))
        throw Refused(Why::Busy, "The table cannot be kept: its file cannot be written.");
    forget_idle();
    chairs_[sheet.chairs.front().secret] = sheet.name;
    Json invitations = Json::array();
    for (const Invitation& open : sheet.invitations) {
        invitations_[open.code] = sheet.name;
        invitations.push_back({{"seat", open.seat}, {"code", open.code}});
    }
    kept_[sheet.name] = {sheet, table, ++uses_};
    const std::lock_guard inside(table->mutex);
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
            throw Refused(Why::Unknown, "Somebody has taken this seat already, or there is none.");
        name = known->second;
        host = kept_[name].sheet.chairs.front().secret;
    }
    const std::shared_ptr<OpenTable> table = find(host);
    const std::lock_guard lock(mutex_);
    const std::lock_guard inside(table->mutex);
    auto& open = table->sheet.invitations;
    const auto found = std::find_if(open.begin(), open.end(),
                                    [&](const Invitation& each) { return each.code == code; });
    if (found == open.end()) throw Refused(Why::Unknown, "Somebody has taken this seat already.");
    Chair chair{lent_.secret(), {found->seat}};
    invitations_.erase(found->code);
    open.erase(found);
    chairs_[chair.secret] = name;
    table->sheet.chairs.push_back(chair);
    kept_[name].sheet = table->sheet;
    table->kept = folder_.keep(table->sheet);
    ++table->version;
    table->changed.notify_all();
    return {{"chair", chair.secret}};
}

} // namespace croupier::serve
