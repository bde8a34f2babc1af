// Writes rows with std::to_chars: what is written reads back as the same value.
#include "results/store/rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace croupier::results {
namespace {

constexpr auto kEndNames = std::to_array<std::string_view>(
    {"over", "aborted", "unfinished", "fault", "resigned", "agreed", "cut"});
static_assert(kEndNames.size() == kEnds);

// ---- Each writes at `at`, where there is room enough, and returns where it has stopped. ----

constexpr std::size_t kMostDigits = 32; // of any number

char* put(std::string_view text, char* at) {
    return std::copy(text.begin(), text.end(), at);
}

template <class Number>
char* put_number(Number number, char* at) {
    return std::to_chars(at, at + kMostDigits, number).ptr;
}

// Whole numbers as such: the same digits as long as no exponent is shorter, and found sooner.
char* put_score(double score, char* at) {
    const int whole = std::abs(score) < 1e5 ? static_cast<int>(score) : 0;
    const bool same = whole == score && (whole != 0 || !std::signbit(score));
    return same ? put_number(whole, at) : put_number(score, at);
}

// Always 16 digits, so that a line cut short shows.
char* put_line_hash(std::uint64_t hash, char* at) {
    for (int shift = 60; shift >= 0; shift -= 4)
        *at++ = "0123456789abcdef"[(hash >> shift) & 15];
    return at;
}

bool needs_quotes(std::string_view text) {
    if (text.empty()) return false;
    return text.front() == ' ' || text.back() == ' ' ||
           std::ranges::any_of(text, [](char c) { return c == ',' || c == '"' || c == '\t'; });
}

constexpr std::size_t most_of_cell(std::string_view text) {
    return 2 * text.size() + 2;
}

char* put_cell(std::string_view text, char* at) {
    if (!needs_quotes(text)) return put(text, at);
    *at++ = '"';
    for (const char c : text) {
        if (c == '"') *at++ = '"';
        *at++ = c;
    }
    *at++ = '"';
    return at;
}

// What the rows of a game have in common.
struct Shared {
    std::array<char, 7 * kMostDigits> text; // NOLINT(*-member-init): written before it is read
    std::string_view begin;                 // "block,game,start,"
    std::string_view end;                   // ",plies,end,"
    std::string_view line;                  // ",line\n", or ",line,choices,forced\n"

    Shared(const GameRecord& game, bool choices) {
        char* at = put(",", put_number(game.block, text.data()));
        at = put(",", put_number(game.game, at));
        if (game.start) at = put_number(*game.start, at);
        at = put(",", at);
        begin = {text.data(), at};
        at = put(",", put_number(game.plies, put(",", at)));
        at = put(",", put(name_of(game.end), at));
        end = {begin.end(), at};
        at = put_line_hash(game.line, put(",", at));
        if (choices) {
            at = put_number(game.choices, put(",", at));
            at = put_number(game.forced, put(",", at));
        }
        at = put("\n", at);
        line = {end.end(), at};
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
};

} // namespace

std::string_view name_of(End end) {
    return kEndNames[static_cast<std::size_t>(end)];
}

std::optional<End> end_of(std::string_view name) {
    return value_named<End>(kEndNames, name);
}

std::string csv_cell(std::string_view text) {
    std::string cell(most_of_cell(text), '\0');
    cell.resize(static_cast<std::size_t>(put_cell(text, cell.data()) - cell.data()));
    return cell;
}

RowFormat::RowFormat(const RunFacts& facts, bool choices)
    : agents_(facts.agents.size()), choices_(choices) {
    for (std::size_t seat = 0; seat < facts.players.size(); ++seat) {
        const std::string player = std::to_string(seat) + "," + csv_cell(facts.players[seat]) + ",";
        for (const std::string& agent : facts.agents)
            who_.push_back(player + csv_cell(agent) + ",");
    }
}

void RowFormat::append(const GameRecord& game, std::string& into) const {
    assert(game.seats.size() * agents_ == who_.size());
    const Shared shared(game, choices_);
    const std::size_t before = into.size();
    std::size_t most = 0;
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat)
        most += sizeof(Shared::text) + 2 * kMostDigits + who(game, seat).size() +
                most_of_cell(game.seats[seat].role) + most_of_cell(game.fault) +
                most_of_cell(game.seats[seat].lapse);
    into.resize(before + most);
    char* at = into.data() + before;
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
        const SeatRecord& row = game.seats[seat];
        at = put(who(game, seat), put(shared.begin, at));
        at = put(",", put_score(row.score, at));
        at = put(",", put_number(row.place, at));
        at = put(shared.end, put_cell(row.role, at));
        // An agent's fault stands in its own row, what nobody did in all.
        if (!row.lapse.empty())
            at = put_cell(row.lapse, at);
        else if (game.end != End::Fault || row.at_fault)
            at = put_cell(game.fault, at);
        *at++ = ',';
        if (row.substitute) at = put_number(*row.substitute, at);
        at = put(shared.line, at);
    }
    into.resize(static_cast<std::size_t>(at - into.data()));
}

const std::string& RowFormat::who(const GameRecord& game, std::size_t seat) const {
    return who_[seat * agents_ + game.seats[seat].agent];
}

} // namespace croupier::results
