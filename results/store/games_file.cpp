// Writes rows with std::to_chars, so that values read back unchanged. Reads them with
// fast-cpp-csv-parser, and checks them against each other and against the facts of the run.
#include "results/store/games_file.h"

#include "results/store/csv_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace croupier::results {
namespace {

constexpr auto kEndNames = std::to_array<std::string_view>(
    {"over", "aborted", "unfinished", "fault", "resigned", "agreed", "cut"});
static_assert(kEndNames.size() == kEnds);

// ---- These functions write at `at`, where there is enough room, and return the end. ----

constexpr std::size_t kMaxDigits = 32; // of any number

char* put(std::string_view text, char* at) {
    return std::copy(text.begin(), text.end(), at);
}

template <class Number>
char* put_number(Number number, char* at) {
    return std::to_chars(at, at + kMaxDigits, number).ptr;
}

// Whole numbers are printed as integers: faster, and with the same digits unless an exponent is
// shorter.
char* put_score(double score, char* at) {
    const int whole = std::abs(score) < 1e5 ? static_cast<int>(score) : 0;
    const bool same = whole == score && (whole != 0 || !std::signbit(score));
    return same ? put_number(whole, at) : put_number(score, at);
}

// Always 16 digits, so that a truncated line is recognized.
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

// The common text of a game's rows.
struct Shared {
    std::array<char, 10 * kMaxDigits> text; // NOLINT(*-member-init): written before it is read
    std::string_view begin;                 // "block,game,start,"
    std::string_view end;                   // ",plies,end,"
    std::string_view line;                  // ",line", or with the columns of comparisons

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
            const bool known = game.course.has_value();
            at = known ? put_number(game.course->settled, put(",", at)) : put(",", at);
            at = known ? put_number(game.course->leads, put(",", at)) : put(",", at);
            at = known ? put(game.course->comeback ? ",1" : ",0", at) : put(",", at);
            at = put(",", at);
        }
        line = {end.end(), at};
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
};

// The cells of a row, as text valid until the next row. Files of runs have no columns from
// `choices` on: their cells are null.
namespace at {
enum : std::size_t { Block, Game, Seat, Player, Agent, Score, Place, Role, Plies };
enum : std::size_t { End = Plies + 1, Fault, Line, Substitute, Start, Choices, Forced };
enum : std::size_t { Settled = Forced + 1, Leads, Comeback, Fired };
} // namespace at
constexpr std::array kGameColumns = {"block",  "game",    "seat",       "player",   "agent",
                                     "score",  "place",   "role",       "plies",    "end",
                                     "fault",  "line",    "substitute", "start",    "choices",
                                     "forced", "settled", "leads",      "comeback", "fired"};
constexpr std::size_t kLater = 6; // columns only in comparisons
using Row = std::array<char*, kGameColumns.size()>;

bool read_hash(std::string_view text, std::uint64_t& hash) {
    return text.size() == 16 && read_number(text, hash, 16);
}

// Reads the row's facts about the whole game. Returns the error, or nothing.
std::optional<std::string> read_facts(const Row& row, GameRecord& game) {
    const auto wrong = [](std::string_view what, const char* found) {
        return fmt::format("the {} is '{}'", what, found);
    };
    if (!read_number(row[at::Block], game.block)) return wrong("block", row[at::Block]);
    if (!read_number(row[at::Game], game.game)) return wrong("game", row[at::Game]);
    if (!read_number(row[at::Plies], game.plies)) return wrong("number of plies", row[at::Plies]);
    if (!read_hash(row[at::Line], game.line)) return wrong("hash of the moves", row[at::Line]);
    if (*row[at::Start] != '\0' && !read_number(row[at::Start], game.start.emplace()))
        return wrong("start", row[at::Start]);
    if (row[at::Choices] != nullptr && !read_number(row[at::Choices], game.choices))
        return wrong("number of choices", row[at::Choices]);
    if (row[at::Forced] != nullptr && !read_number(row[at::Forced], game.forced))
        return wrong("number of forced moves", row[at::Forced]);
    if (row[at::Settled] != nullptr && *row[at::Settled] != '\0') {
        Course& course = game.course.emplace();
        std::uint32_t comeback = 0;
        if (!read_number(row[at::Settled], course.settled) ||
            !read_number(row[at::Leads], course.leads) ||
            !read_number(row[at::Comeback], comeback) || comeback > 1)
            return wrong("course of the lead", row[at::Settled]);
        course.comeback = comeback == 1;
    }
    if (row[at::Fired] != nullptr) game.fired = row[at::Fired];
    if (game.fired.find_first_not_of(".#") != std::string::npos)
        return wrong("list of fired rules", row[at::Fired]);
    const auto end = end_of(row[at::End]);
    if (!end) return wrong("end", row[at::End]);
    game.end = *end;
    return std::nullopt;
}

std::optional<std::string> read_seat(const Row& row, std::size_t wanted, const RunFacts& facts,
                                     SeatRecord& seat) {
    std::size_t number = 0;
    if (!read_number(row[at::Seat], number) || number != wanted)
        return fmt::format("the seat is '{}' where {} should follow", row[at::Seat], wanted);
    if (facts.players[wanted] != row[at::Player])
        return fmt::format("the player is '{}' and not '{}'", row[at::Player],
                           facts.players[wanted]);
    const auto agent = std::ranges::find(facts.agents, row[at::Agent]);
    if (agent == facts.agents.end())
        return fmt::format("the run has no agent '{}'", row[at::Agent]);
    seat.agent = static_cast<std::uint32_t>(agent - facts.agents.begin());
    if (!read_number(row[at::Score], seat.score))
        return fmt::format("the score is '{}'", row[at::Score]);
    if (!read_number(row[at::Place], seat.place) || seat.place > facts.players.size())
        return fmt::format("the place is '{}'", row[at::Place]);
    seat.role = row[at::Role];
    seat.substitute.reset();
    if (*row[at::Substitute] == '\0') return std::nullopt;
    if (!read_number(row[at::Substitute], seat.substitute.emplace()))
        return fmt::format("the move from which another agent plays is '{}'", row[at::Substitute]);
    return std::nullopt;
}

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::string_view kFirst = "{\"id\":\""; // the beginning of a game's first line
constexpr auto kKeepNames = std::to_array<std::string_view>({"none", "faults", "all"});
static_assert(kKeepNames.size() == static_cast<std::size_t>(Keep::All) + 1);

std::optional<GameId> id_in(std::string_view line) {
    if (!line.starts_with(kFirst)) return std::nullopt;
    line.remove_prefix(kFirst.size());
    return game_id_of(line.substr(0, line.find('"')));
}

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
        most += sizeof(Shared::text) + 2 * kMaxDigits + who(game, seat).size() +
                most_of_cell(game.seats[seat].role) + most_of_cell(game.fault) +
                most_of_cell(game.seats[seat].lapse) + game.fired.size() + 1;
    into.resize(before + most);
    char* at = into.data() + before;
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
        const SeatRecord& row = game.seats[seat];
        at = put(who(game, seat), put(shared.begin, at));
        at = put(",", put_score(row.score, at));
        at = put(",", put_number(row.place, at));
        at = put(shared.end, put_cell(row.role, at));
        // An agent's fault is in its own row, other failures are in all rows.
        if (!row.lapse.empty())
            at = put_cell(row.lapse, at);
        else if (game.end != End::Fault || row.at_fault)
            at = put_cell(game.fault, at);
        *at++ = ',';
        if (row.substitute) at = put_number(*row.substitute, at);
        at = put(shared.line, at);
        if (choices_) at = put(game.fired, at);
        at = put("\n", at);
    }
    into.resize(static_cast<std::size_t>(at - into.data()));
}

const std::string& RowFormat::who(const GameRecord& game, std::size_t seat) const {
    return who_[seat * agents_ + game.seats[seat].agent];
}

class GamesReader::Rows : public CsvFile<kGameColumns.size()> {
  public:
    using CsvFile::CsvFile;
};

GamesReader::GamesReader(std::string path, const RunFacts& facts, std::uint64_t bytes,
                         std::uint64_t from)
    : facts_(facts),
      rows_(std::make_unique<Rows>(std::move(path), kGameColumns, bytes, kLater, from)) {}

GamesReader::GamesReader(std::string name, std::string_view text, const RunFacts& facts)
    : facts_(facts), rows_(std::make_unique<Rows>(std::move(name), text, kGameColumns, kLater)) {}

GamesReader::~GamesReader() = default;

const Failure& GamesReader::failure() const {
    return rows_->failure();
}

bool GamesReader::read_game(GameRecord& game) {
    const std::size_t seats = facts_.players.size();
    // The cells that are equal in all rows of a game.
    const auto whole = [](GameRecord& of) {
        return std::tie(of.block, of.game, of.start, of.plies, of.end, of.line);
    };
    game.seats.resize(seats);
    game.fault.clear();
    for (std::size_t seat = 0; seat < seats; ++seat) {
        Row row{};
        if (!rows_->next(row))
            return seat == 0 ? false : rows_->fail("the file ends in the middle of a game");
        GameRecord one;
        if (const auto wrong = read_facts(row, one)) return rows_->fail(*wrong);
        if (seat == 0) {
            ahead_line_ = rows_->line();
            whole(game) = whole(one);
            game.choices = one.choices;
            game.forced = one.forced;
            game.course = one.course;
            game.fired = one.fired;
        }
        if (whole(one) != whole(game))
            return rows_->fail("the row does not fit the one before it, which is of the same game");
        if (const auto wrong = read_seat(row, seat, facts_, game.seats[seat]))
            return rows_->fail(*wrong);
        SeatRecord& sits = game.seats[seat];
        const bool told = *row[at::Fault] != '\0';
        sits.lapse.clear();
        if (sits.substitute)
            sits.lapse = row[at::Fault];
        else if (told)
            game.fault = row[at::Fault];
        sits.at_fault = told && !sits.substitute && game.end == End::Fault;
    }
    return true;
}

bool GamesReader::next(std::vector<GameRecord>& games) {
    games.clear();
    if (failure()) return false;
    if (!has_ahead_) has_ahead_ = read_game(ahead_);
    while (has_ahead_) {
        // A sweep leaves out the games of points that it has given up.
        const bool follows = games.empty()        ? !begun_ || ahead_.game == 0
                             : rows_->has_later() ? ahead_.game > games.back().game
                                                  : ahead_.game == games.back().game + 1;
        if (!follows)
            return rows_->fail(ahead_line_, fmt::format("game {} does not follow", ahead_.game));
        games.push_back(std::move(ahead_));
        begun_ = true;
        ahead_ = {};
        has_ahead_ = read_game(ahead_);
        if (failure()) return false;
        if (!has_ahead_ || ahead_.block != games.back().block) break;
    }
    if (has_ahead_ && ahead_.block < games.back().block)
        return rows_->fail(ahead_line_, fmt::format("block {} follows block {}", ahead_.block,
                                                    games.back().block));
    return !games.empty();
}

// Names of kept games; reads their file in chunks.

std::string_view name_of(Keep keep) {
    return kKeepNames[static_cast<std::size_t>(keep)];
}

std::optional<Keep> keep_of(std::string_view name) {
    return value_named<Keep>(kKeepNames, name);
}

std::string text_of(GameId id) {
    return fmt::format("{}.{}", id.block, id.game);
}

std::optional<GameId> game_id_of(std::string_view text) {
    GameId id;
    if (!take_number(text, id.block) || !text.starts_with('.')) return std::nullopt;
    return read_number(text.substr(1), id.game) ? std::optional(id) : std::nullopt;
}

KeptGames::KeptGames(std::string path, std::uint64_t bytes) : path_(std::move(path)), most_(bytes) {
    std::error_code ignored;
    if (std::filesystem::exists(path_, ignored)) failure_ = file_.open(path_, File::Mode::Read);
}

bool KeptGames::fail(std::string_view what) {
    failure_ = fmt::format("{}:{}: {}", path_, number_, what);
    return false;
}

bool KeptGames::next_line() {
    line_.clear();
    ++number_;
    for (;;) {
        const std::size_t end = buffer_.find('\n', at_);
        if (end != std::string::npos) {
            line_.append(buffer_, at_, end + 1 - at_);
            at_ = end + 1;
            return true;
        }
        line_.append(buffer_, at_);
        at_ = 0;
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most_ - read_, kChunk));
        if ((failure_ = file_.read(read_, size, buffer_))) return false;
        read_ += buffer_.size();
        if (!buffer_.empty()) continue;
        file_.close(); // so that nobody asks it again for every block
        return line_.empty() ? false : fail("the file ends within a line");
    }
}

bool KeptGames::next(GameId& id, std::string& lines) {
    lines.clear();
    if (failure_ || !file_.is_open()) return false;
    if (line_.empty() && !next_line()) return false;
    const auto first = id_in(line_);
    if (!first) return fail("a kept game begins with its name, as in {\"id\":\"0.1\", ..");
    id = *first;
    do {
        lines += line_;
    } while (next_line() && !line_.starts_with(kFirst));
    return !failure_;
}

void KeptGames::take_block(std::uint64_t block, std::string& lines) {
    lines.clear();
    for (;;) {
        if (!ahead_) {
            ahead_.emplace();
            if (!next(ahead_->first, ahead_->second)) ahead_.reset();
        }
        if (!ahead_ || ahead_->first.block > block) return;
        if (ahead_->first.block == block) lines += ahead_->second;
        ahead_.reset();
    }
}

} // namespace croupier::results
