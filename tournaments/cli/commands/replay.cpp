// croupier replay: plays a recorded game again.
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/game_record.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;

class Replay : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"replay", "Play a recorded game again",
                "Makes the moves of a record that croupier play wrote, and says how the game "
                "ended. --check compares every byte of the record with what the rules and the "
                "seed give now: exit code 1, with the first line that differs, if they do not "
                "agree. A move that is not legal any more is named: exit code 2. '-' is standard "
                "input.",
                "croupier replay game.jsonl --check\n"
                "croupier replay game.jsonl --show"};
    }

    void declare(Options& options) override {
        options.add("RECORD", record_, "File with the record").required();
        options.add_flag("--show", show_, "Draw every position");
        options.add_flag("--check", check_, "Compare the record with the game as it is now");
        add_games_folder(options, folder_);
    }

    int run(Context& context) override {
        read_lines(context);
        const ordered_json header = parse(0);
        const auto game = open(header, context);
        const bool states =
            lines_.size() > 1 && parse(1).contains("state") && parse(1).contains("move");
        std::vector<std::string> now;
        RecordWriter writer(read_header(header), states,
                            [&](std::string_view line) { now.emplace_back(line); });
        Show show(context.out());

        const auto position = game->new_position();
        const auto seed = header.at("seed").get<std::uint64_t>();
        games::Random deal = games::stream(seed, 0, games::Purpose::Deal);
        games::Random chance = games::stream(seed, 0, games::Purpose::Play);
        position->start(deal);
        writer.begins(*position);
        if (show_) show.begins(*position);
        std::size_t line = 1;
        for (; line < lines_.size() && position->ending() == games::Ending::None; ++line) {
            const ordered_json entry = parse(line);
            if (!entry.contains("move")) break;
            const games::Move move = legal_move(*position, entry, line);
            writer.moves(*position, move);
            if (show_) show.moves(*position, move);
            position->play(move, chance);
            if (show_) show.moved(*position);
        }
        if (position->ending() != games::Ending::None) {
            writer.ends(*position);
            if (show_) context.out().line();
            print_result(*position, header.at("agents").get<std::vector<std::string>>(),
                         context.out());
        } else {
            context.out().line({fmt::format("{}: the record stops after {} moves",
                                            game->facts().title(), position->plies())});
        }
        return check_ ? compare(now, context) : kGood;
    }

  private:
    void read_lines(Context& context) {
        std::istringstream text(read_input(record_, context.in));
        for (std::string line; std::getline(text, line);)
            lines_.push_back(line);
        if (lines_.empty()) throw Mistake(fmt::format("{}: the record is empty", record_));
    }

    [[nodiscard]] std::string place(std::size_t line) const {
        return fmt::format("{}:{}", record_, line + 1);
    }

    [[nodiscard]] ordered_json parse(std::size_t line) const {
        ordered_json entry = ordered_json::parse(lines_[line], nullptr, false);
        if (!entry.is_object())
            throw Mistake(fmt::format("{}: a line of a record is a JSON object", place(line)));
        return entry;
    }

    [[nodiscard]] std::shared_ptr<const games::Game> open(const ordered_json& header,
                                                          Context& context) const {
        std::vector<games::GameOption> options;
        check_header(header);
        for (const auto& [name, value] : header.at("options").items()) {
            options.push_back({name, value.is_string() ? engine::Scalar(value.get<std::string>())
                                                       : games::parse_option_value(value.dump())});
        }
        auto game = open_game(
            open_registry(folder_),
            {header.at("game").get<std::string>(), header.at("revision").get<std::string>()},
            options, context);
        if (header.at("ruleset") != game->facts().ruleset && !check_) {
            context.terminal.warning("croupier replay",
                                     fmt::format("{} was recorded with other rules ({}, now {})",
                                                 record_, header.at("ruleset").get<std::string>(),
                                                 game->facts().ruleset));
        }
        return game;
    }

    void check_header(const ordered_json& header) const {
        const auto is = [&](const char* key, ordered_json::value_t type) {
            return header.contains(key) && header.at(key).type() == type;
        };
        using Type = ordered_json::value_t;
        bool good = is("options", Type::object) && is("seed", Type::number_unsigned) &&
                    is("agents", Type::array) && is("players", Type::array);
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
                                      place(0)));
        }
    }

    static RecordHeader read_header(const ordered_json& header) {
        return {header.at("game").get<std::string>(), header.at("revision").get<std::string>(),
                header.at("seed").get<std::uint64_t>(),
                header.at("agents").get<std::vector<std::string>>()};
    }

    [[nodiscard]] games::Move legal_move(const games::Position& position, const ordered_json& entry,
                                         std::size_t line) const {
        const ordered_json& name = entry.at("move");
        if (name.is_string()) {
            if (const auto move = position.find_move(name.get<std::string>())) return *move;
        }
        throw Mistake(fmt::format("{}: {} is not legal for {} at ply {}; legal are {}", place(line),
                                  name.dump(), position.game().facts().players[position.turn()],
                                  position.plies(), list_of_moves(position)));
    }

    [[nodiscard]] int compare(const std::vector<std::string>& now, Context& context) const {
        for (std::size_t i = 0; i < std::max(now.size(), lines_.size()); ++i) {
            const std::string was = i < lines_.size() ? lines_[i] : "(nothing)";
            const std::string is = i < now.size() ? now[i] : "(nothing)";
            if (was == is) continue;
            context.out().line({fmt::format("{} differs", place(i))});
            context.out().line({"  recorded ", was});
            context.out().line({"  now      ", is});
            return kFailed;
        }
        context.out().line({"the record is what the rules and the seed give"});
        return kGood;
    }

    std::string record_;
    std::string folder_;
    bool show_ = false;
    bool check_ = false;
    std::vector<std::string> lines_;
};

} // namespace

std::unique_ptr<Command> make_replay() {
    return std::make_unique<Replay>();
}

} // namespace croupier::cli
