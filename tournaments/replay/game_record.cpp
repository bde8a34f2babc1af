// Writes records.
#include "tournaments/replay/game_record.h"

#include "engine/api/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace croupier::tournaments {
namespace {

using engine::Document;
namespace json = engine::json;

// Writes whole numbers as integers, even if the rules computed them as doubles.
Document number(double value) {
    constexpr double kExact = 9007199254740992.0; // 2^53
    if (std::floor(value) == value && std::abs(value) <= kExact)
        return json::integer(static_cast<std::int64_t>(value));
    return json::scalar(value);
}

Document texts(const std::vector<std::string>& all) {
    Document list = json::array();
    for (const std::string& text : all)
        json::append(list, json::text(text));
    return list;
}

Document start_json(const Start& start) {
    Document made = json::object({{"number", json::integer(start.number)}});
    if (start.state) json::add(made, "state", *start.state);
    if (!start.moves.empty()) json::add(made, "moves", texts(start.moves));
    return made;
}

} // namespace

agents::GameKey key_of(const RecordHeader& header) {
    if (!header.id) return {.seed = header.seed};
    return {header.seed, header.id->block, header.id->game};
}

RecordWriter::RecordWriter(RecordHeader header, bool states, Sink sink)
    : header_(std::move(header)), states_(states), sink_(std::move(sink)), holders_(header_.agents),
      played_(header_.agents) {}

void RecordWriter::begins(const games::Position& position) {
    const games::Facts& facts = position.game().facts();
    Document options = json::object();
    for (const games::GameOption& option : facts.options)
        json::add(options, option.name, json::scalar(option.value));
    Document shares = json::array();
    Document line = json::object();
    if (header_.id) json::add(line, "id", json::text(results::text_of(*header_.id)));
    json::add(line, "game", json::text(header_.game));
    json::add(line, "revision", json::text(header_.revision));
    json::add(line, "ruleset", json::text(facts.ruleset));
    json::add(line, "options", std::move(options));
    json::add(line, "seed", json::integer(header_.seed));
    for (const Share& each : header_.shares)
        json::append(shares, json::object({{"by", json::text(each.by)},
                                           {"hash", json::text(each.hash)},
                                           {"share", json::text(each.share)}}));
    if (!header_.shares.empty()) json::add(line, "shares", std::move(shares));
    if (header_.start != nullptr) json::add(line, "start", start_json(*header_.start));
    json::add(line, "agents", texts(header_.agents));
    json::add(line, "players", texts(facts.players));
    sink_(engine::write_json(line, -1));
}

void RecordWriter::moves(const games::Position& before, games::Move move) {
    Document legal = json::array();
    for (std::size_t i = 0; i < before.move_count(); ++i)
        json::append(legal, json::text(before.text(before.move(i))));
    const games::Seat seat = before.turn();
    const std::string& agent = holders_[seat];
    if (agent != played_[seat]) changes_.push_back({seat, before.plies(), agent});
    played_[seat] = agent;
    Document line = json::object();
    json::add(line, "ply", json::integer(before.plies()));
    json::add(line, "player", json::text(before.game().facts().players[seat]));
    if (agent != header_.agents[seat]) json::add(line, "agent", json::text(agent));
    json::add(line, "legal", std::move(legal));
    json::add(line, "move", json::text(before.text(move)));
    if (states_) json::add(line, "state", before.state());
    sink_(engine::write_json(line, -1));
}

void RecordWriter::faults(const games::Position&, const agents::AgentFault& fault) {
    fault_ = fault;
}

void RecordWriter::judged(const games::Position&, const agents::Verdict& verdict) {
    verdict_ = verdict;
}

void RecordWriter::substituted(const games::Position& position, games::Seat seat,
                               const agents::Substitution& other) {
    Document entry = json::object();
    json::add(entry, "player", json::text(position.game().facts().players[seat]));
    json::add(entry, "ply", json::integer(other.ply));
    json::add(entry, "fault", json::text(agents::name_of(other.fault.kind)));
    json::add(entry, "why", json::text(other.fault.what));
    if (!substitutes_) substitutes_ = json::array();
    json::append(*substitutes_, std::move(entry));
}

void RecordWriter::ends(const games::Position& position) {
    const games::Facts& facts = position.game().facts();
    Document scores = json::object();
    for (games::Seat seat = 0; seat < facts.seats(); ++seat)
        json::add(scores, facts.players[seat], number(position.score(seat)));
    Document line = json::object();
    json::add(line, "end",
              json::text(fault_     ? "fault"
                         : verdict_ ? agents::name_of(verdict_->kind)
                                    : games::name_of(position.ending())));
    using Kind = agents::Verdict::Kind;
    if (verdict_ && (verdict_->kind == Kind::Resigned || verdict_->kind == Kind::Left))
        json::add(line, "player", json::text(facts.players[verdict_->seat]));
    if (fault_) {
        json::add(line, "player", json::text(facts.players[position.turn()]));
        json::add(line, "fault", json::text(agents::name_of(fault_->kind)));
        json::add(line, "why", json::text(fault_->what));
    }
    if (position.ending() == games::Ending::Aborted) {
        json::add(line, "rule", json::text(position.fault().rule));
        json::add(line, "why", json::text(position.fault().what));
    }
    if (substitutes_) json::add(line, "substitutes", std::move(*substitutes_));
    json::add(line, "scores", std::move(scores));
    json::add(line, "plies", json::integer(position.plies()));
    json::add(line, "state", position.state());
    sink_(engine::write_json(line, -1));
}

void GameKeeper::append(results::GameId id, std::span<const std::uint32_t> seating,
                        const Start* start, const agents::GameRunner& table, std::string& into) {
    RecordHeader header{id, settings_.game, settings_.revision, seed_, start, {}};
    for (const std::uint32_t agent : seating)
        header.agents.push_back(agents_[agent]);
    const agents::GameKey key = key_of(header);
    RecordWriter writer(std::move(header), false, [&](std::string_view line) {
        into += line;
        into += '\n';
    });
    engine::Diagnostics none;
    replay_.begin(key, start, none);
    writer.begins(replay_.position());
    for (const std::uint32_t choice : table.made())
        replay_.play(replay_.position().move(choice), &writer);
    if (table.fault())
        writer.faults(replay_.position(), table.fault()->fault);
    else if (table.verdict())
        writer.judged(replay_.position(), *table.verdict());
    for (const auto& [seat, other] : table.substitutions())
        writer.substituted(replay_.position(), seat, other);
    writer.ends(replay_.position());
}

std::vector<std::string> with_changes(std::vector<std::string> agents,
                                      std::span<const RecordWriter::Change> changes) {
    for (const auto& [seat, ply, agent] : changes)
        agents[seat] += fmt::format(", {} from move {}", agent, ply + 1);
    return agents;
}

std::vector<RecordedMove> played_in(std::string_view record) {
    std::vector<RecordedMove> moves;
    while (!record.empty()) {
        const std::size_t end = std::min(record.find('\n'), record.size() - 1);
        const auto line = nlohmann::json::parse(record.substr(0, end + 1), nullptr, false);
        if (line.is_object() && line.contains("move") && line["move"].is_string())
            moves.push_back({line["move"].get<std::string>(),
                             line.contains("agent") && line["agent"].is_string()
                                 ? line["agent"].get<std::string>()
                                 : ""});
        record.remove_prefix(end + 1);
    }
    return moves;
}

std::vector<std::string> moves_in(std::string_view record) {
    std::vector<std::string> moves;
    for (RecordedMove& each : played_in(record))
        moves.push_back(std::move(each.move));
    return moves;
}

} // namespace croupier::tournaments
