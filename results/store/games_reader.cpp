// Rows by fast-cpp-csv-parser, checked against each other and against the facts of the run.
#include "results/store/games_reader.h"

#include "results/store/csv_file.h"
#include "results/store/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace croupier::results {

namespace {

constexpr std::size_t kColumns = 16;
constexpr std::size_t kLater = 4; // columns that not all runs have

// One line, its cells as text; good until the next.
struct Row {
    char* block = nullptr;
    char* game = nullptr;
    char* seat = nullptr;
    char* player = nullptr;
    char* agent = nullptr;
    char* score = nullptr;
    char* place = nullptr;
    char* role = nullptr;
    char* plies = nullptr;
    char* end = nullptr;
    char* fault = nullptr;
    char* line = nullptr;
    char* substitute = nullptr; // null: an older run, which has no such column
    char* start = nullptr;      // the same
    char* choices = nullptr;    // null: it is a run, and not a comparison
    char* forced = nullptr;     // the same
};

bool read_hash(std::string_view text, std::uint64_t& hash) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    return text.size() == 16 && error == std::errc() && end == text.data() + text.size();
}

// What the row says of the game as a whole. Returns what is wrong, or nothing.
std::optional<std::string> read_facts(const Row& row, GameRecord& game) {
    const auto wrong = [](std::string_view what, const char* found) {
        return fmt::format("the {} is '{}'", what, found);
    };
    if (!read_number(row.block, game.block)) return wrong("block", row.block);
    if (!read_number(row.game, game.game)) return wrong("game", row.game);
    if (!read_number(row.plies, game.plies)) return wrong("number of plies", row.plies);
    if (!read_hash(row.line, game.line)) return wrong("hash of the moves", row.line);
    if (row.start != nullptr && *row.start != '\0') {
        if (!read_number(row.start, game.start.emplace())) return wrong("start", row.start);
    }
    if (row.choices != nullptr && !read_number(row.choices, game.choices))
        return wrong("number of choices", row.choices);
    if (row.forced != nullptr && !read_number(row.forced, game.forced))
        return wrong("number of forced moves", row.forced);
    const auto end = end_of(row.end);
    if (!end) return wrong("end", row.end);
    game.end = *end;
    return std::nullopt;
}

std::optional<std::string> read_seat(const Row& row, std::size_t wanted, const RunFacts& facts,
                                     SeatRecord& seat) {
    std::size_t number = 0;
    if (!read_number(row.seat, number) || number != wanted)
        return fmt::format("the seat is '{}' where {} should follow", row.seat, wanted);
    if (facts.players[wanted] != row.player)
        return fmt::format("the player is '{}' and not '{}'", row.player, facts.players[wanted]);
    const auto agent = std::find(facts.agents.begin(), facts.agents.end(), row.agent);
    if (agent == facts.agents.end()) return fmt::format("the run has no agent '{}'", row.agent);
    seat.agent = static_cast<std::uint32_t>(agent - facts.agents.begin());
    if (!read_number(row.score, seat.score)) return fmt::format("the score is '{}'", row.score);
    if (!read_number(row.place, seat.place) || seat.place > facts.players.size())
        return fmt::format("the place is '{}'", row.place);
    seat.role = row.role;
    seat.substitute.reset();
    if (row.substitute == nullptr || *row.substitute == '\0') return std::nullopt;
    if (!read_number(row.substitute, seat.substitute.emplace()))
        return fmt::format("the move from which another agent plays is '{}'", row.substitute);
    return std::nullopt;
}

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::string_view kFirst = "{\"id\":\""; // so begins the first line of a game
constexpr auto kKeepNames = std::to_array<std::string_view>({"none", "faults", "all"});
static_assert(kKeepNames.size() == static_cast<std::size_t>(Keep::All) + 1);

std::optional<GameId> id_in(std::string_view line) {
    if (!line.starts_with(kFirst)) return std::nullopt;
    line.remove_prefix(kFirst.size());
    return game_id_of(line.substr(0, line.find('"')));
}

} // namespace

class GamesReader::Rows : public CsvFile<kColumns> {
  public:
    Rows(std::string path, std::uint64_t bytes, std::uint64_t from)
        : CsvFile(std::move(path), kNames, bytes, kLater, from) {}
    Rows(std::string name, std::string_view text)
        : CsvFile(std::move(name), text, kNames, kLater) {}

    bool next(Row& row) {
        Cells cells{};
        if (!CsvFile::next(cells)) return false;
        row = {cells[0],  cells[1],  cells[2],  cells[3], cells[4],  cells[5],
               cells[6],  cells[7],  cells[8],  cells[9], cells[10], cells[11],
               cells[12], cells[13], cells[14], cells[15]};
        return true;
    }

  private:
    static constexpr Names kNames{"block",      "game",  "seat",    "player", "agent", "score",
                                  "place",      "role",  "plies",   "end",    "fault", "line",
                                  "substitute", "start", "choices", "forced"};
};

GamesReader::GamesReader(std::string path, const RunFacts& facts, std::uint64_t bytes,
                         std::uint64_t from)
    : facts_(facts), rows_(std::make_unique<Rows>(std::move(path), bytes, from)) {}

GamesReader::GamesReader(std::string name, std::string_view text, const RunFacts& facts)
    : facts_(facts), rows_(std::make_unique<Rows>(std::move(name), text)) {}

GamesReader::~GamesReader() = default;

const Failure& GamesReader::failure() const {
    return rows_->failure();
}

bool GamesReader::read_game(GameRecord& game) {
    const std::size_t seats = facts_.players.size();
    game.seats.resize(seats);
    game.fault.clear();
    for (std::size_t seat = 0; seat < seats; ++seat) {
        Row row;
        if (!rows_->next(row))
            return seat == 0 ? false : rows_->fail("the file ends in the middle of a game");
        GameRecord one;
        if (const auto wrong = read_facts(row, one)) return rows_->fail(*wrong);
        if (seat == 0) {
            ahead_line_ = rows_->line();
            game.block = one.block;
            game.game = one.game;
            game.start = one.start;
            game.plies = one.plies;
            game.end = one.end;
            game.line = one.line;
            game.choices = one.choices;
            game.forced = one.forced;
        }
        const bool same = one.block == game.block && one.game == game.game &&
                          one.start == game.start && one.plies == game.plies &&
                          one.end == game.end && one.line == game.line;
        if (!same)
            return rows_->fail("the row does not fit the one before it, which is of the same game");
        if (const auto wrong = read_seat(row, seat, facts_, game.seats[seat]))
            return rows_->fail(*wrong);
        SeatRecord& sits = game.seats[seat];
        const bool told = *row.fault != '\0';
        sits.lapse.clear();
        if (sits.substitute)
            sits.lapse = row.fault;
        else if (told)
            game.fault = row.fault;
        sits.at_fault = told && !sits.substitute && game.end == End::Fault;
    }
    return true;
}

bool GamesReader::next(std::vector<GameRecord>& games) {
    games.clear();
    if (failure()) return false;
    if (!has_ahead_) has_ahead_ = read_game(ahead_);
    while (has_ahead_) {
        const bool follows =
            games.empty() ? !begun_ || ahead_.game == 0 : ahead_.game == games.back().game + 1;
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

// Names of kept games, and the file that holds them, a chunk at a time.

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
    const char* const end = text.data() + text.size();
    const auto [dot, wrong] = std::from_chars(text.data(), end, id.block);
    if (wrong != std::errc() || dot == end || *dot != '.') return std::nullopt;
    const auto [stop, error] = std::from_chars(dot + 1, end, id.game);
    if (error != std::errc() || stop != end) return std::nullopt;
    return id;
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
        if (buffer_.empty()) return line_.empty() ? false : fail("the file ends within a line");
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
