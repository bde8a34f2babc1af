// Writes and reads the files of tables.
#include "tournaments/serve/table_file.h"

#include "engine/api/text.h"
#include "results/store/file.h"
#include "results/store/json_field.h"
#include "tournaments/replay/record.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/fair_deal.h"
#include "tournaments/serve/open_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

namespace croupier::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using results::JsonField;

constexpr std::string_view kSheetEnding = ".table.json";

engine::Scalar scalar_from(const ordered_json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return {};
}

// A reader of the tables' folder could see all hands.
constexpr unsigned kOwnersAlone = 0600;

bool write_anew(const fs::path& path, std::string_view text) {
    return !results::replace_file(path.string(), text, kOwnersAlone);
}

std::optional<std::string> file_text(const fs::path& path) {
    std::string text;
    if (results::read_file(path.string(), text)) return std::nullopt;
    return text;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + '\n';
    return text;
}

template <class Number>
Number whole_from(const JsonField& field) {
    return static_cast<Number>(field.number(0, std::numeric_limits<Number>::max()));
}

// Each person's seat is held, or awaits a person, exactly once; if a chair has no seat, all players
// must be agents, since it sees everything.
bool seats_agree(const TableSheet& sheet) {
    std::vector<bool> taken(sheet.agents.size());
    const auto take = [&](games::Seat seat) {
        if (seat >= taken.size() || taken[seat] || !agents::is_person(sheet.agents[seat]))
            return false;
        taken[seat] = true;
        return true;
    };
    const std::size_t people = sheet.chairs.size() + sheet.invitations.size();
    for (const Chair& chair : sheet.chairs)
        if ((chair.seats.empty() && people > 1) ||
            !std::all_of(chair.seats.begin(), chair.seats.end(), take))
            return false;
    for (const Invitation& open : sheet.invitations)
        if (!take(open.seat)) return false;
    return !sheet.chairs.empty() &&
           std::count(taken.begin(), taken.end(), true) ==
               std::count_if(sheet.agents.begin(), sheet.agents.end(), agents::is_person);
}

// Throws JsonMistake.
TableSheet sheet_from(const JsonField& from) {
    TableSheet sheet;
    sheet.name = from.at("table").text();
    sheet.deal = whole_from<std::size_t>(from.at("deal"));
    sheet.game = from.at("game").text();
    sheet.revision = from.at("revision").text();
    for (const auto& [name, value] : from.at("options").value().items())
        sheet.options.push_back({name, scalar_from(value)});
    sheet.seed = whole_from<std::uint64_t>(from.at("seed"));
    sheet.random_deal = from.at("random_deal").truth();
    sheet.agents = from.at("agents").texts();
    for (const JsonField& from_chair : from.at("chairs").items()) {
        Chair& chair = sheet.chairs.emplace_back();
        chair.secret = from_chair.at("secret").text();
        for (const JsonField& seat : from_chair.at("seats").items())
            chair.seats.push_back(whole_from<games::Seat>(seat));
        if (const auto agent = from_chair.find("agent")) chair.agent = agent->text();
        if (const auto gone = from_chair.find("gone")) chair.gone = gone->truth();
        if (const auto hash = from_chair.find("hash")) chair.hash = hash->text();
        if (const auto share = from_chair.find("share")) chair.share = share->text();
        if (agents::is_person(chair.agent)) from_chair.wrong("a person plays for another");
    }
    for (const JsonField& open : from.at("invitations").items())
        sheet.invitations.push_back(
            {open.at("code").text(), whole_from<games::Seat>(open.at("seat"))});
    sheet.pace_ms = std::min(whole_from<std::uint32_t>(from.at("pace_ms")), kMaxPace);
    if (const auto host = from.find("host_share")) {
        sheet.fair = true;
        sheet.host_share = host->text();
        sheet.dealt = from.at("dealt").truth();
    }
    if (!seats_agree(sheet)) from.wrong("its seats do not agree");
    return sheet;
}

} // namespace

std::vector<tournaments::Share> shares_of(const TableSheet& sheet, const games::Facts& facts) {
    if (!sheet.fair) return {};
    std::vector<tournaments::Share> shares = {
        {"host", hash_of(sheet.host_share), sheet.host_share}};
    for (const Chair& chair : sheet.chairs) {
        shares.push_back({fmt::format("{}", fmt::join(facts.names_of(chair.seats), " ")),
                          chair.hash, chair.share});
    }
    return shares;
}

tournaments::RecordHeader header_of(const TableSheet& sheet, const games::Facts& facts) {
    return {{},      sheet.game,   sheet.revision,         sheet.seed,
            nullptr, sheet.agents, shares_of(sheet, facts)};
}

std::string sheet_text(const TableSheet& sheet) {
    ordered_json chairs = ordered_json::array();
    for (const Chair& chair : sheet.chairs) {
        chairs.push_back({{"secret", chair.secret}, {"seats", chair.seats}});
        if (!chair.agent.empty())
            chairs.back().update({{"agent", chair.agent}, {"gone", chair.gone}});
        if (!chair.hash.empty()) chairs.back()["hash"] = chair.hash;
        if (!chair.share.empty()) chairs.back()["share"] = chair.share;
    }
    ordered_json invitations = ordered_json::array();
    for (const Invitation& open : sheet.invitations)
        invitations.push_back({{"code", open.code}, {"seat", open.seat}});
    ordered_json json{{"table", sheet.name},
                      {"deal", sheet.deal},
                      {"game", sheet.game},
                      {"revision", sheet.revision},
                      {"options", options_json(sheet.options)},
                      {"seed", sheet.seed},
                      {"random_deal", sheet.random_deal},
                      {"agents", sheet.agents},
                      {"chairs", std::move(chairs)},
                      {"invitations", std::move(invitations)},
                      {"pace_ms", sheet.pace_ms}};
    if (sheet.fair) json.update({{"host_share", sheet.host_share}, {"dealt", sheet.dealt}});
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<TableSheet> read_sheet(std::string_view text) {
    try {
        const ordered_json json = ordered_json::parse(text, nullptr, false);
        return sheet_from(JsonField(json));
    } catch (const results::JsonMistake&) {
        return std::nullopt;
    }
}

// ---- the folder ---------------------------------------------------------------------------------

bool TableFolder::make() const {
    std::error_code failed;
    fs::create_directories(folder_, failed);
    fs::permissions(folder_, fs::perms::owner_all, failed);
    const fs::path probe = folder_ / ".probe";
    const bool good = write_anew(probe, "");
    fs::remove(probe, failed);
    return good;
}

TableFolder::Read TableFolder::read() const {
    Read read;
    std::error_code failed;
    for (fs::directory_iterator each(folder_, failed), end; !failed && each != end;
         each.increment(failed)) {
        const std::string name = each->path().filename().string();
        if (!name.ends_with(kSheetEnding)) continue;
        const auto text = file_text(each->path());
        auto sheet = text ? read_sheet(*text) : std::nullopt;
        // A renamed file would name records of another table.
        if (sheet && sheet->name + std::string(kSheetEnding) == name)
            read.sheets.push_back(std::move(*sheet));
        else
            read.damaged.push_back(each->path());
    }
    std::sort(read.damaged.begin(), read.damaged.end());
    return read;
}

bool TableFolder::keep(const TableSheet& sheet) const {
    return write_anew(folder_ / (sheet.name + std::string(kSheetEnding)), sheet_text(sheet));
}

fs::path TableFolder::record_path(const TableSheet& sheet) const {
    return folder_ / fmt::format("{}-{}.jsonl", sheet.name, sheet.deal);
}

bool TableFolder::append(const TableSheet& sheet, const LiveGame::RecordLines& lines) const {
    const fs::path path = record_path(sheet);
    if (lines.anew) return write_anew(path, joined(lines.lines));
    results::File file;
    return lines.lines.empty() ||
           (!file.open(path.string(), results::File::Mode::Append, kOwnersAlone) &&
            !file.write(joined(lines.lines)));
}

std::optional<std::string> TableFolder::record(const TableSheet& sheet) const {
    return file_text(record_path(sheet));
}

std::unique_ptr<LiveGame> restored(std::shared_ptr<const games::Game> game, const TableSheet& sheet,
                                   std::string_view record) {
    if (sheet.agents.size() != game->facts().seats()) return nullptr;
    auto header = header_of(sheet, game->facts());
    auto table = std::make_unique<LiveGame>(std::move(game), std::move(header));
    for (const auto& [move, agent] : tournaments::played_in(record)) {
        if (const auto turn = table->turn())
            table->sit(*turn, agent.empty() ? sheet.agents[*turn] : agent);
        if (!table->play(move)) return nullptr;
    }
    for (const Chair& chair : sheet.chairs)
        for (const games::Seat seat : chair.seats)
            table->sit(seat, chair.agent.empty() ? sheet.agents[seat] : chair.agent);
    const std::string_view lines = record.substr(0, record.find_last_not_of('\n') + 1);
    const std::size_t last = lines.rfind('\n');
    const ordered_json line = ordered_json::parse(
        last == std::string_view::npos ? lines : lines.substr(last + 1), nullptr, false);
    if (!line.is_object() || table->ended()) return table;
    const auto end = tournaments::Record::end_in(line, table->game().facts());
    if (end.fault)
        table->give_up(end.verdict->seat, *end.fault);
    else if (end.verdict && end.verdict->kind == agents::Verdict::Kind::Resigned)
        table->resign(end.verdict->seat);
    return table;
}

} // namespace croupier::serve
