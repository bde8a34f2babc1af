// croupier replay: plays a recorded game again.
#include "agents/agent.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/registry.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

// Records of games, read back: each line checked as far as somebody goes by it.

// One game among the lines of a file.
struct Record {
    std::string file;      // its name
    std::size_t first = 0; // which of the file's lines begins it, from 0
    std::vector<std::string> lines;

    [[nodiscard]] std::string place(std::size_t line) const; // "game.jsonl:3"
    [[nodiscard]] std::string name() const;                  // "3.1", or the place of its header
    // The line as an object. Throws Mistake.
    [[nodiscard]] nlohmann::ordered_json parse(std::size_t line) const;
    [[nodiscard]] bool has_states() const;
    [[nodiscard]] std::uint32_t moves() const; // how many
    // The move of that line; nothing if the line is none of a move.
    [[nodiscard]] std::optional<nlohmann::ordered_json> move(std::size_t line) const;
    // Throws Mistake that names the legal ones.
    [[nodiscard]] games::Move legal_move(const games::Position& position,
                                         const nlohmann::ordered_json& name,
                                         std::size_t line) const;
    // What a last line tells of, besides the rules: a fault, or another verdict, and for whom
    // another agent has played.
    struct End {
        std::optional<agents::AgentFault> fault;
        std::optional<agents::Verdict> verdict;
        std::vector<std::pair<games::Seat, agents::Substitution>> substitutes;
    };
    [[nodiscard]] End end(std::size_t line, const games::Facts& facts) const;
};
// At least one. Throws Mistake if there is none.
std::vector<Record> split_records(const std::string& file, const std::string& text);

// Which game a record is of.
struct GameOfRecord {
    games::GameName name;
    std::vector<games::GameOption> options;
    std::string ruleset;
    std::string text; // all of this: equal for equal games
};
// Throw Mistake if the first line is not that of a record.
GameOfRecord read_game(const Record& record);

struct ReadHeader {
    tournaments::RecordHeader header; // its start is `start`
    std::unique_ptr<tournaments::Start> start;
    std::unique_ptr<engine::Sources> sources; // where its places are
};
ReadHeader read_header(const Record& record);

// Lines of records to values.

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
        throw Mistake(fmt::format("{}: a line of a record is a JSON object", place(line)));
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

games::Move Record::legal_move(const games::Position& position, const ordered_json& name,
                               std::size_t line) const {
    if (name.is_string()) {
        if (const auto move = position.find_move(name.get<std::string>())) return *move;
    }
    throw Mistake(fmt::format("{}: {} is not legal for {} at ply {}; legal are {}", place(line),
                              name.dump(), position.game().facts().players[position.turn()],
                              position.plies(), tournaments::list_of_moves(position)));
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
    for (const Kind kind : {Kind::Fault, Kind::Resigned, Kind::Agreed, Kind::Cut})
        if (is_text(entry, "end") && entry["end"] == agents::name_of(kind))
            return agents::Verdict{kind, seat_in(entry, facts).value_or(0)};
    return std::nullopt;
}

} // namespace

Record::End Record::end(std::size_t line, const games::Facts& facts) const {
    End end;
    if (line >= lines.size()) return end;
    const ordered_json entry = parse(line);
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
    if (all.empty()) throw Mistake(fmt::format("{}: the record is empty", file));
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
                (!header.contains("start") || is("start", Type::object));
    for (const char* key : {"game", "revision", "ruleset"})
        good = good && is(key, Type::string);
    if (good) {
        for (const ordered_json& agent : header.at("agents"))
            good = good && agent.is_string();
        good = good && header.at("agents").size() == header.at("players").size();
    }
    if (!good) {
        throw Mistake(fmt::format("{}: the first line of a record holds game, revision, "
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
    tournaments::RecordHeader& header = read.header;
    header.game = json.at("game").get<std::string>();
    header.revision = json.at("revision").get<std::string>();
    header.seed = json.at("seed").get<std::uint64_t>();
    header.agents = json.at("agents").get<std::vector<std::string>>();
    if (json.contains("id")) {
        header.id = results::game_id_of(json["id"].get<std::string>());
        if (!header.id)
            throw Mistake(fmt::format("{}: the id of a game is its block and number, as in \"3.1\"",
                                      record.place(0)));
    }
    read.sources = std::make_unique<engine::Sources>();
    if (!json.contains("start")) return read;
    read.start = std::make_unique<tournaments::Start>();
    const ordered_json& start = json["start"];
    const bool good = start.contains("number") && start["number"].is_number_unsigned() &&
                      (!start.contains("state") || start["state"].is_object()) &&
                      (!start.contains("moves") || start["moves"].is_array());
    if (!good)
        throw Mistake(fmt::format("{}: the start of a game has a number, and a state, moves or "
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

namespace {

using nlohmann::ordered_json;
using tournaments::Course;
using tournaments::RecordWriter;

// Between a record and the game as it is now.
struct ChangedLine {
    std::string place;
    std::string recorded;
    std::string now;
};

class Replay : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "replay", "Play a recorded game again",
            "Makes the moves of a record and says how the game ended. RECORD is a file that "
            "croupier play wrote, a run's moves.jsonl with all games that were kept, or "
            "RUN:BLOCK.GAME for one game of a run, kept or not: a game that was not kept is played "
            "once more, if its agents give the same moves again. With :PLY behind it, the game "
            "stops after so many moves. --check compares every byte of the record with what the "
            "rules and the seed give now: exit code 1, with the first line that differs, if they "
            "do not agree. A move that is not legal any more is named: exit code 2. With --json, "
            "each game is one line. '-' is standard input.",
            "croupier replay game.jsonl --check\n"
            "croupier replay game.jsonl --show\n"
            "croupier replay runs/life-1:3.1:12"};
    }

    void declare(Options& options) override {
        options.add("RECORD", record_, "File with the record, or RUN:BLOCK.GAME[:PLY]")
            .required()
            .offers(Offers::Files);
        options.add_flag("--show", show_, "Draw every position");
        options.add_flag("--check", check_, "Compare the record with the game as it is now");
        add_games_folder(options, folder_);
        add_agents_folder(options, agents_folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (json_ && show_) throw Mistake("--json is the only output: not with --show");
        if (const auto place = tournaments::game_place(record_))
            return replay_place(*place, context);
        const std::vector<Record> records =
            split_records(record_, tournaments::read_input(record_, context.in));
        bool good = true;
        for (const Record& record : records) {
            if (records.size() > 1 && !json_) context.out().heading(record.name());
            const auto game = open(record, context);
            good = replay(record, *game, {}, context) && good;
        }
        return good ? kGood : kFailed;
    }

  private:
    int replay_place(const tournaments::GamePlace& place, Context& context) const {
        if (check_ && place.ply)
            throw Mistake(fmt::format("{}: --check looks at whole games", record_));
        const tournaments::NamedGame named = open_named_game(place, agents_folder_, context);
        if (place.ply && *place.ply > named.recorded.plies)
            throw Mistake(
                fmt::format("{}: PLY is from 0 to {} in this game", record_, named.recorded.plies));
        const std::vector<Record> records = split_records(record_, named.lines);
        return replay(records.front(), *named.run.game, place.ply, context) ? kGood : kFailed;
    }

    // False: it is compared, and not the same.
    bool replay(const Record& record, const games::Game& game, std::optional<std::uint32_t> stop,
                Context& context) const {
        const ReadHeader header = read_header(record);
        std::vector<std::string> now;
        RecordWriter writer(header.header, record.has_states(),
                            [&](std::string_view line) { now.emplace_back(line); });
        Show show(context.out());
        Course course(game);
        begin(record, header, course, context);
        const games::Position& position = course.position();
        writer.begins(position);
        if (show_) show.begins(position);
        std::size_t line = 1;
        while (line < record.lines.size() && position.ending() == games::Ending::None &&
               (!stop || position.plies() < *stop)) {
            const auto name = record.move(line);
            if (!name) break;
            const games::Move move = record.legal_move(position, *name, line);
            writer.moves(position, move);
            if (show_) show.moves(position, move);
            course.play(move);
            if (show_) show.moved(position);
            ++line;
        }
        if (stop && *stop < record.moves()) {
            if (json_) {
                const ordered_json state =
                    ordered_json::parse(engine::write_json(position.state(), -1));
                print({{"game", game.facts().title()},
                       {"record", record.name()},
                       {"after", position.plies()},
                       {"moves", record.moves()},
                       {"state", state}},
                      context);
                return true;
            }
            if (!show_)
                print_drawing(games::Drawer(game).draw(position), nullptr, game.facts(),
                              context.out());
            context.out().line({fmt::format("{}: after {} of {} moves", game.facts().title(),
                                            position.plies(), record.moves())});
            return true;
        }
        ordered_json told = conclude(record, header, position, line, writer, context);
        const std::optional<ChangedLine> found = check_ ? compare(record, now) : std::nullopt;
        if (json_)
            print_told(std::move(told), record, found, context);
        else if (check_)
            print_difference(found, context);
        return !found;
    }

    // The result, printed already or as JSON.
    [[nodiscard]] ordered_json conclude(const Record& record, const ReadHeader& header,
                                        const games::Position& position, std::size_t line,
                                        RecordWriter& writer, Context& context) const {
        const Record::End end = record.end(line, position.game().facts());
        const bool open = position.ending() == games::Ending::None;
        if (open && !end.verdict) {
            if (json_)
                return {{"game", position.game().facts().title()},
                        {"end", nullptr}, // the record stops
                        {"moves", position.plies()}};
            context.out().line({fmt::format("{}: the record stops after {} moves",
                                            position.game().facts().title(), position.plies())});
            return {};
        }
        if (open && end.fault)
            writer.faults(position, *end.fault);
        else if (open)
            writer.judged(position, *end.verdict);
        for (const auto& [seat, other] : end.substitutes)
            writer.substituted(position, seat, other);
        writer.ends(position);
        const auto verdict = open ? end.verdict : std::nullopt;
        if (json_) {
            ordered_json result = result_json(position, header.header.agents, verdict);
            result["seed"] = header.header.seed;
            return result;
        }
        if (show_) context.out().line();
        cli::print_result(position, header.header.agents, context.out(), verdict);
        return {};
    }

    static void print(const ordered_json& json, Context& context) {
        context.out().raw(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }

    void print_told(ordered_json told, const Record& record,
                    const std::optional<ChangedLine>& found, Context& context) const {
        told["record"] = record.name();
        if (check_) told["same"] = !found;
        if (found)
            told["differs"] = {
                {"at", found->place}, {"recorded", found->recorded}, {"now", found->now}};
        print(told, context);
    }

    static void begin(const Record& record, const ReadHeader& header, Course& course,
                      Context& context) {
        engine::Diagnostics diagnostics;
        course.begin(tournaments::key_of(header.header), header.header.start, diagnostics);
        context.diagnose(diagnostics, *header.sources);
        if (diagnostics.has_errors())
            throw Mistake(fmt::format("{}: the game cannot begin like this", record.place(0)));
    }

    [[nodiscard]] std::shared_ptr<const games::Game> open(const Record& record, Context& context) {
        const GameOfRecord wanted = read_game(record);
        if (last_ != nullptr && last_wanted_ == wanted.text) return last_;
        last_ = open_game(open_registry(folder_, context), wanted.name, wanted.options, context);
        last_wanted_ = wanted.text;
        if (wanted.ruleset != last_->facts().ruleset && !check_) {
            context.warn(fmt::format("{} was recorded with other rules ({}, now {})", record_,
                                     wanted.ruleset, last_->facts().ruleset));
        }
        return last_;
    }

    // The first line that is not the same.
    static std::optional<ChangedLine> compare(const Record& record,
                                              const std::vector<std::string>& now) {
        for (std::size_t i = 0; i < std::max(now.size(), record.lines.size()); ++i) {
            const std::string was = i < record.lines.size() ? record.lines[i] : "(nothing)";
            const std::string is = i < now.size() ? now[i] : "(nothing)";
            if (was != is) return ChangedLine{record.place(i), was, is};
        }
        return std::nullopt;
    }

    static void print_difference(const std::optional<ChangedLine>& found, Context& context) {
        if (!found) {
            context.out().line({"the record is what the rules and the seed give"});
            return;
        }
        context.out().line({fmt::format("{} differs", found->place)});
        context.out().line({"  recorded ", found->recorded});
        context.out().line({"  now      ", found->now});
    }

    std::string record_;
    std::string folder_;
    std::string agents_folder_;
    bool show_ = false;
    bool check_ = false;
    bool json_ = false;
    std::shared_ptr<const games::Game> last_; // of the record before
    std::string last_wanted_;
};

} // namespace

std::unique_ptr<Command> make_replay() {
    return std::make_unique<Replay>();
}

} // namespace croupier::cli
