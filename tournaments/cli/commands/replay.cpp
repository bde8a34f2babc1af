// croupier replay: replays a recorded game.
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"
#include "tournaments/replay/record.h"
#include "tournaments/run/files.h"
#include "tournaments/serve/fair_deal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

namespace {

using nlohmann::ordered_json;
using tournaments::GameReplay;
using tournaments::RecordWriter;

// A difference between a record and the game as it is now.
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
            "once more, if its agents give the same moves again. With :PLY after it, the game "
            "stops after that many moves. A file may also be what a page kept for one seat at a "
            "table whose players gave shares of the seed, with the record that was opened at the "
            "end: --check then proves that nobody chose the deal, and that what the seat was shown "
            "follows from it. --check compares every byte of the record with what the "
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
        if (json_ && show_) throw UserError("--json is the only output: not with --show");
        if (const auto place = tournaments::game_place(record_))
            return replay_place(*place, context);
        const std::vector<tournaments::Record> records =
            tournaments::split_records(record_, tournaments::read_input(record_, context.in));
        if (serve::is_seat_record(records.front())) return check_seat(records, context);
        bool good = true;
        for (const tournaments::Record& record : records) {
            if (records.size() > 1 && !json_) context.out().heading(record.name());
            const auto game = open(record, context);
            good = replay(record, *game, {}, context) && good;
        }
        return good ? kGood : kFailed;
    }

  private:
    // What a page was shown, with the opened record behind it.
    int check_seat(const std::vector<tournaments::Record>& records, Context& context) {
        if (!check_ || json_ || show_)
            throw UserError(
                fmt::format("{} is what one seat was shown: it takes --check alone", record_));
        if (records.size() != 2)
            throw UserError(
                fmt::format("{}: the record of a seat ends with that of the game, which the "
                            "host opens after its end",
                            record_));
        const auto game = open(records[1], context);
        const tournaments::ReadHeader header = read_header(records[1]);
        const bool same = replay(records[1], *game, {}, context);
        const serve::SeatCheck check =
            serve::check_seat(records[0], records[1], header.header, game);
        context.out().paragraph(check.text());
        return same && !check.wrong ? kGood : kFailed;
    }

    int replay_place(const tournaments::GamePlace& place, Context& context) const {
        if (check_ && place.ply)
            throw UserError(fmt::format("{}: --check looks at whole games", record_));
        const tournaments::NamedGame named = open_named_game(place, agents_folder_, context);
        if (place.ply && *place.ply > named.recorded.plies)
            throw UserError(
                fmt::format("{}: PLY is from 0 to {} in this game", record_, named.recorded.plies));
        const std::vector<tournaments::Record> records =
            tournaments::split_records(record_, named.lines);
        return replay(records.front(), *named.run.game, place.ply, context) ? kGood : kFailed;
    }

    // False if it was compared and differs.
    bool replay(const tournaments::Record& record, const games::Game& game,
                std::optional<std::uint32_t> stop, Context& context) const {
        const tournaments::ReadHeader header = read_header(record);
        std::vector<std::string> now;
        RecordWriter writer(header.header, record.has_states(),
                            [&](std::string_view line) { now.emplace_back(line); });
        Show show(context.out());
        GameReplay again(game);
        begin(record, header, again, context);
        const games::Position& position = again.position();
        tournaments::Listeners listeners = {&writer, show_ ? &show : nullptr};
        listeners.begins(position);
        std::size_t line = 1;
        while (line < record.lines.size() && position.ending() == games::Ending::None &&
               (!stop || position.plies() < *stop)) {
            const auto name = record.move(line);
            if (!name) break;
            const games::Seat seat = position.turn();
            writer.sits(seat, record.agent(line).value_or(header.header.agents[seat]));
            again.play(record.legal_move(position, *name, line), &listeners);
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
        std::optional<ChangedLine> found = check_ ? compare(record, now) : std::nullopt;
        const auto share = check_ ? serve::wrong_share(header.header) : std::nullopt;
        if (share && !found) found = {record.place(0), record.lines[0], *share};
        if (json_)
            print_told(std::move(told), record, found, context);
        else if (check_)
            print_difference(found, context);
        return !found;
    }

    // The result, already printed or as JSON.
    [[nodiscard]] ordered_json conclude(const tournaments::Record& record,
                                        const tournaments::ReadHeader& header,
                                        const games::Position& position, std::size_t line,
                                        RecordWriter& writer, Context& context) const {
        const tournaments::Record::End end = record.end(line, position.game().facts());
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
            for (const RecordWriter::Change& each : writer.changes())
                result["changes"].push_back({{"player", position.game().facts().players[each.seat]},
                                             {"ply", each.ply},
                                             {"agent", each.agent}});
            return result;
        }
        if (show_) context.out().line();
        cli::print_result(position,
                          tournaments::with_changes(header.header.agents, writer.changes()),
                          context.out(), verdict);
        return {};
    }

    static void print(const ordered_json& json, Context& context) {
        context.out().raw(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }

    void print_told(ordered_json told, const tournaments::Record& record,
                    const std::optional<ChangedLine>& found, Context& context) const {
        told["record"] = record.name();
        if (check_) told["same"] = !found;
        if (found)
            told["differs"] = {
                {"at", found->place}, {"recorded", found->recorded}, {"now", found->now}};
        print(told, context);
    }

    static void begin(const tournaments::Record& record, const tournaments::ReadHeader& header,
                      GameReplay& again, Context& context) {
        const std::size_t seats = again.position().game().facts().seats();
        if (header.header.agents.size() != seats)
            throw UserError(fmt::format("{}: the game has {} seats, and the record {} agents",
                                        record.place(0), seats, header.header.agents.size()));
        engine::Diagnostics diagnostics;
        again.begin(tournaments::key_of(header.header), header.header.start, diagnostics);
        context.diagnose(diagnostics, *header.sources);
        if (diagnostics.has_errors())
            throw UserError(fmt::format("{}: the game cannot begin like this", record.place(0)));
    }

    [[nodiscard]] std::shared_ptr<const games::Game> open(const tournaments::Record& record,
                                                          Context& context) {
        const tournaments::GameOfRecord wanted = read_game(record);
        if (last_ != nullptr && last_wanted_ == wanted.text) return last_;
        last_ = open_game(open_registry(folder_, context), wanted.name, wanted.options, context);
        last_wanted_ = wanted.text;
        if (wanted.ruleset != last_->facts().ruleset && !check_) {
            context.warn(fmt::format("{} was recorded with other rules ({}, now {})", record_,
                                     wanted.ruleset, last_->facts().ruleset));
        }
        return last_;
    }

    // The first line that differs.
    static std::optional<ChangedLine> compare(const tournaments::Record& record,
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
    std::shared_ptr<const games::Game> last_; // of the previous record
    std::string last_wanted_;
};

} // namespace

std::unique_ptr<Command> make_replay() {
    return std::make_unique<Replay>();
}

} // namespace croupier::cli
