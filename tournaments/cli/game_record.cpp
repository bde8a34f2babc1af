// Writes records.
#include "tournaments/cli/game_record.h"

#include <cmath>
#include <utility>

namespace croupier::cli {
namespace {

using engine::Document;
using engine::Member;

Document value(engine::Scalar scalar) {
    Document document;
    document.scalar = std::move(scalar);
    return document;
}

Document value(std::string_view text) {
    return value(engine::Scalar(std::string(text)));
}

Document value(std::uint64_t number) {
    return value(engine::Scalar(static_cast<std::int64_t>(number)));
}

// Whole numbers as such, however the rules came by them.
Document value(double number) {
    constexpr double kExact = 9007199254740992.0; // 2^53
    if (std::floor(number) == number && std::abs(number) <= kExact)
        return value(engine::Scalar(static_cast<std::int64_t>(number)));
    return value(engine::Scalar(number));
}

Document empty(Document::Kind kind) {
    Document document;
    document.kind = kind;
    return document;
}

void add(Document& to, std::string key, Document what) {
    Member member;
    member.key = std::move(key);
    member.value = std::move(what);
    to.members.push_back(std::move(member));
}

Document texts(const std::vector<std::string>& all) {
    Document list = empty(Document::Kind::Array);
    for (const std::string& text : all)
        add(list, {}, value(std::string_view(text)));
    return list;
}

} // namespace

RecordWriter::RecordWriter(RecordHeader header, bool states, Sink sink)
    : header_(std::move(header)), states_(states), sink_(std::move(sink)) {}

void RecordWriter::begins(const games::Position& position) {
    const games::Facts& facts = position.game().facts();
    Document options = empty(Document::Kind::Object);
    for (const games::GameOption& option : facts.options)
        add(options, option.name, value(option.value));
    Document line = empty(Document::Kind::Object);
    add(line, "game", value(std::string_view(header_.game)));
    add(line, "revision", value(std::string_view(header_.revision)));
    add(line, "ruleset", value(std::string_view(facts.ruleset)));
    add(line, "options", std::move(options));
    add(line, "seed", value(header_.seed));
    add(line, "agents", texts(header_.agents));
    add(line, "players", texts(facts.players));
    sink_(engine::write_json(line, -1));
}

void RecordWriter::moves(const games::Position& before, games::Move move) {
    Document legal = empty(Document::Kind::Array);
    for (std::size_t i = 0; i < before.move_count(); ++i)
        add(legal, {}, value(before.text(before.move(i))));
    Document line = empty(Document::Kind::Object);
    add(line, "ply", value(std::uint64_t{before.plies()}));
    add(line, "player", value(std::string_view(before.game().facts().players[before.turn()])));
    add(line, "legal", std::move(legal));
    add(line, "move", value(before.text(move)));
    if (states_) add(line, "state", before.state());
    sink_(engine::write_json(line, -1));
}

void RecordWriter::ends(const games::Position& position) {
    const games::Facts& facts = position.game().facts();
    Document scores = empty(Document::Kind::Object);
    for (games::Seat seat = 0; seat < facts.seats(); ++seat)
        add(scores, facts.players[seat], value(position.score(seat)));
    Document line = empty(Document::Kind::Object);
    add(line, "end", value(games::name_of(position.ending())));
    if (position.ending() == games::Ending::Aborted) {
        add(line, "rule", value(std::string_view(position.fault().rule)));
        add(line, "why", value(std::string_view(position.fault().what)));
    }
    add(line, "scores", std::move(scores));
    add(line, "plies", value(std::uint64_t{position.plies()}));
    add(line, "state", position.state());
    sink_(engine::write_json(line, -1));
}

} // namespace croupier::cli
