// Writes rows with std::to_chars: what is written reads back as the same value.
#include "results/store/rows.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cstddef>

namespace croupier::results {
namespace {

template <class Number>
void append_number(Number number, std::string& into) {
    std::array<char, 32> text; // NOLINT(*-member-init): written before it is read
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    into.append(text.data(), end);
}

// Always 16 digits, so that a line cut short shows.
void append_line_hash(std::uint64_t hash, std::string& into) {
    for (int shift = 60; shift >= 0; shift -= 4)
        into.push_back("0123456789abcdef"[(hash >> shift) & 15]);
}

} // namespace

std::string_view name_of(End end) {
    switch (end) {
    case End::Over:
        return "over";
    case End::Aborted:
        return "aborted";
    case End::Unfinished:
        return "unfinished";
    case End::Fault:
        return "fault";
    }
    return {};
}

std::string csv_cell(std::string_view text) {
    const bool edges = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (!edges && text.find_first_of(",\"\t") == std::string_view::npos) return std::string(text);
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell.push_back('"');
        cell.push_back(c);
    }
    cell.push_back('"');
    return cell;
}

RowFormat::RowFormat(const RunFacts& facts) {
    for (std::size_t seat = 0; seat < facts.players.size(); ++seat) {
        seats_.emplace_back();
        append_number(seat, seats_.back());
        seats_.back() += "," + csv_cell(facts.players[seat]) + ",";
    }
    for (const std::string& agent : facts.agents)
        agents_.push_back(csv_cell(agent) + ",");
}

void RowFormat::append(const GameRecord& game, std::string& into) const {
    assert(game.seats.size() == seats_.size());
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
        const SeatRecord& row = game.seats[seat];
        append_number(game.block, into);
        into.push_back(',');
        append_number(game.game, into);
        into.push_back(',');
        into += seats_[seat];
        into += agents_[row.agent];
        append_number(row.score, into);
        into.push_back(',');
        append_number(row.place, into);
        into.push_back(',');
        if (!row.role.empty()) into += csv_cell(row.role);
        into.push_back(',');
        append_number(game.plies, into);
        into.push_back(',');
        into += name_of(game.end);
        into.push_back(',');
        // An agent's fault stands in its own row, what nobody did in all.
        const bool told = game.end == End::Fault ? row.at_fault : !game.fault.empty();
        if (told) into += csv_cell(game.fault);
        into.push_back(',');
        append_line_hash(game.line, into);
        into.push_back('\n');
    }
}

} // namespace croupier::results
