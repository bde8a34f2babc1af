// Converts lines of records to values.
#include "tournaments/replay/record.h"

#include <fmt/format.h>

#include <sstream>

namespace croupier::tournaments {

using nlohmann::ordered_json;

std::string Record::place(std::size_t line) const {
    return fmt::format("{}:{}", file, first + line + 1);
}

std::string Record::name() const {
    const ordered_json header = parse(0);
    return header.contains("id") && header["id"].is_string() ? header["id"].get<std::string>()
                                                             : place(0);
}

ordered_json Record::parse(std::size_t line) const {
    ordered_json entry = ordered_json::parse(lines[line], nullptr, false);
    if (!entry.is_object())
        throw UserError(fmt::format("{}: a line of a record is a JSON object", place(line)));
    return entry;
}

bool Record::has_states() const {
    if (lines.size() < 2) return false;
    const ordered_json entry = parse(1);
    return entry.contains("state") && entry.contains("move");
}

std::uint32_t Record::moves() const {
    std::uint32_t count = 0;
    for (std::size_t line = 1; line < lines.size(); ++line)
        count += parse(line).contains("move") ? 1 : 0;
    return count;
}

std::optional<ordered_json> Record::move(std::size_t line) const {
    ordered_json entry = parse(line);
    if (!entry.contains("move")) return std::nullopt;
    return entry["move"];
}

std::optional<std::string> Record::agent(std::size_t line) const {
    const ordered_json entry = parse(line);
    if (!entry.contains("agent")) return std::nullopt;
    if (entry["agent"].is_string()) return entry["agent"].get<std::string>();
    throw UserError(fmt::format("{}: the agent that made a move is a text", place(line)));
}

games::Move Record::legal_move(const games::Position& position, const ordered_json& name,
                               std::size_t line) const {
    if (name.is_string()) {
        if (const auto move = position.find_move(name.get<std::string>())) return *move;
    }
    throw UserError(fmt::format("{}: {} is not legal for {} at ply {}; legal are {}", place(line),
                                name.dump(), position.game().facts().players[position.turn()],
                                position.plies(), list_of_moves(position)));
}

namespace {

bool is_text(const ordered_json& entry, const char* key) {
    return entry.contains(key) && entry[key].is_string();
}

std::optional<agents::AgentFault> fault_in(const ordered_json& entry) {
    if (!is_text(entry, "fault") || !is_text(entry, "why")) return std::nullopt;
    using agents::FaultKind;
    for (const FaultKind kind : {FaultKind::Start, FaultKind::Crash, FaultKind::Stall,
                                 FaultKind::Illegal, FaultKind::Garbage, FaultKind::Flood})
        if (entry["fault"] == agents::name_of(kind))
            return agents::AgentFault{kind, entry["why"].get<std::string>()};
    return std::nullopt;
}

std::optional<games::Seat> seat_in(const ordered_json& entry, const games::Facts& facts) {
    if (!is_text(entry, "player")) return std::nullopt;
    return facts.seat(entry["player"].get<std::string>());
}

std::optional<agents::Verdict> verdict_in(const ordered_json& entry, const games::Facts& facts) {
    using Kind = agents::Verdict::Kind;
    for (const Kind kind : {Kind::Fault, Kind::Resigned, Kind::Agreed, Kind::Cut, Kind::Left})
        if (is_text(entry, "end") && entry["end"] == agents::name_of(kind)) {
            const auto seat = seat_in(entry, facts);
            if (!seat && kind != Kind::Agreed && kind != Kind::Cut) break; // no seat
            return agents::Verdict{kind, seat.value_or(0)};
        }
    return std::nullopt;
}

} // namespace

Record::End Record::end(std::size_t line, const games::Facts& facts) const {
    return line < lines.size() ? end_in(parse(line), facts) : End{};
}

Record::End Record::end_in(const ordered_json& entry, const games::Facts& facts) {
    End end;
    end.verdict = verdict_in(entry, facts);
    if (end.verdict && end.verdict->kind == agents::Verdict::Kind::Fault) {
        end.fault = fault_in(entry);
        if (!end.fault) end.verdict.reset();
    }
    if (!entry.contains("substitutes")) return end;
    for (const ordered_json& each : entry["substitutes"]) {
        const auto seat = seat_in(each, facts);
        const auto fault = fault_in(each);
        if (seat && fault && each.contains("ply") && each["ply"].is_number_unsigned())
            end.substitutes.push_back({*seat, {each["ply"].get<std::uint32_t>(), *fault}});
    }
    return end;
}

std::vector<Record> split_records(const std::string& file, const std::string& text) {
    std::vector<Record> all;
    std::istringstream in(text);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line); ++number) {
        const bool begins = line.starts_with("{\"id\":") || line.starts_with("{\"game\":");
        if (all.empty() || begins) all.push_back({file, number, {}});
        all.back().lines.push_back(line);
    }
    if (all.empty()) throw UserError(fmt::format("{}: the record is empty", file));
    return all;
}

namespace {

ordered_json checked_header(const Record& record) {
    ordered_json header = record.parse(0);
    using Type = ordered_json::value_t;
    const auto is = [&](const char* key, Type type) {
        return header.contains(key) && header.at(key).type() == type;
    };
    bool good = is("options", Type::object) && is("seed", Type::number_unsigned) &&
                is("agents", Type::array) && is("players", Type::array) &&
                (!header.contains("id") || is("id", Type::string)) &&
                (!header.contains("shares") || is("shares", Type::array)) &&
                (!header.contains("start") || is("start", Type::object));
    for (const char* key : {"game", "revision", "ruleset"})
        good = good && is(key, Type::string);
    if (good) {
        for (const ordered_json& agent : header.at("agents"))
            good = good && agent.is_string();
        good = good && header.at("agents").size() == header.at("players").size();
    }
    if (!good) {
        throw UserError(fmt::format("{}: the first line of a record holds game, revision, "
                                    "ruleset, options, seed, agents and players",
                                    record.place(0)));
    }
    return header;
}

} // namespace

GameOfRecord read_game(const Record& record) {
    const ordered_json header = checked_header(record);
    GameOfRecord game;
    game.name = {header.at("game").get<std::string>(), header.at("revision").get<std::string>()};
    for (const auto& [name, value] : header.at("options").items()) {
        game.options.push_back({name, value.is_string() ? engine::Scalar(value.get<std::string>())
                                                        : games::parse_option_value(value.dump())});
    }
    game.ruleset = header.at("ruleset").get<std::string>();
    game.text = ordered_json{header.at("game"), header.at("revision"), header.at("options"),
                             header.at("ruleset")}
                    .dump();
    return game;
}

ReadHeader read_header(const Record& record) {
    const ordered_json json = checked_header(record);
    ReadHeader read;
    RecordHeader& header = read.header;
    header.game = json.at("game").get<std::string>();
    header.revision = json.at("revision").get<std::string>();
    header.seed = json.at("seed").get<std::uint64_t>();
    header.agents = json.at("agents").get<std::vector<std::string>>();
    if (json.contains("id")) {
        header.id = results::game_id_of(json["id"].get<std::string>());
        if (!header.id)
            throw UserError(fmt::format(
                "{}: the id of a game is its block and number, as in \"3.1\"", record.place(0)));
    }
    for (const ordered_json& each : json.value("shares", ordered_json::array())) {
        Share& share = header.shares.emplace_back();
        for (const auto& [name, into] :
             {std::pair{"by", &share.by}, {"hash", &share.hash}, {"share", &share.share}}) {
            if (!is_text(each, name))
                throw UserError(fmt::format("{}: each of the shares has the texts by, hash and "
                                            "share",
                                            record.place(0)));
            *into = each[name].get<std::string>();
        }
    }
    read.sources = std::make_unique<engine::Sources>();
    if (!json.contains("start")) return read;
    read.start = std::make_unique<Start>();
    const ordered_json& start = json["start"];
    const bool good = start.contains("number") && start["number"].is_number_unsigned() &&
                      (!start.contains("state") || start["state"].is_object()) &&
                      (!start.contains("moves") || start["moves"].is_array());
    if (!good)
        throw UserError(fmt::format("{}: the start of a game has a number, and a state, moves or "
                                    "both",
                                    record.place(0)));
    read.start->number = start["number"].get<std::uint64_t>();
    if (start.contains("state")) {
        engine::Diagnostics none; // it was read as JSON before
        const std::uint32_t file =
            read.sources->add(record.place(0) + " (start)", start["state"].dump());
        read.start->state = engine::read_json(*read.sources, file, none);
    }
    for (const ordered_json& move : start.value("moves", ordered_json::array()))
        read.start->moves.push_back(move.is_string() ? move.get<std::string>() : move.dump());
    header.start = read.start.get();
    return read;
}

} // namespace croupier::tournaments
