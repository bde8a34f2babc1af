// Finds games of runs by name: kept ones in moves.jsonl, others are played once more.
#include "tournaments/cli/named_game.h"

#include "engine/api/text.h"
#include "results/store/games_reader.h"
#include "results/store/journal.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/kept_run.h"
#include "tournaments/cli/run_book.h"
#include "tournaments/replay/recorder.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kForm =
    "a game of a run is named RUN:BLOCK.GAME, as games.csv numbers them, and a position "
    "RUN:BLOCK.GAME:PLY, so many moves after the beginning, as in runs/life-1:3.1:12";

bool is_run(const std::string& folder) {
    std::error_code ignored;
    return fs::exists(fs::path(folder) / results::kRunFile, ignored);
}

// What stands before and behind the last colon.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    return std::pair(text.substr(0, colon), text.substr(colon + 1));
}

std::optional<std::uint32_t> read_ply(const std::string& text) {
    std::uint32_t ply = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, ply);
    if (error != std::errc() || stop != end) return std::nullopt;
    return ply;
}

std::string name_of(const GamePlace& place) {
    return fmt::format("{}:{}", place.run, results::text_of(place.id));
}

results::GameRecord find_recorded(const GamePlace& place, const results::RunFile& file,
                                  const WholeRows& whole) {
    if (whole.games == 0)
        throw Mistake(fmt::format("{}: no game of the run has been played", place.run));
    results::GamesReader reader((fs::path(place.run) / results::kGamesFile).string(), file.facts,
                                whole.games);
    std::vector<results::GameRecord> games;
    std::uint64_t last = 0;
    bool any = false;
    while (reader.next(games)) {
        any = true;
        last = games.front().block;
        for (results::GameRecord& game : games) {
            if (results::GameId{game.block, game.game} == place.id) return std::move(game);
        }
        if (last == place.id.block)
            throw Mistake(fmt::format("{}: there is no such game; block {} has games 0 to {}",
                                      name_of(place), last, games.size() - 1));
        if (last > place.id.block) break;
    }
    if (reader.failure()) throw Mistake(*reader.failure());
    if (!any) throw Mistake(fmt::format("{}: no game of the run has been played", place.run));
    throw Mistake(fmt::format("{}: there is no such game; {} {} {}", name_of(place), place.run,
                              last > place.id.block ? "is a part of a run, and its next block is"
                                                    : "has blocks up to",
                              last));
}

std::string find_kept(const GamePlace& place, const WholeRows& whole) {
    results::KeptGames kept((fs::path(place.run) / results::kMovesFile).string(), whole.moves);
    results::GameId id;
    std::string lines;
    while (kept.next(id, lines)) {
        if (id == place.id) return lines;
        if (id > place.id) break;
    }
    if (kept.failure()) throw Mistake(*kept.failure());
    return {};
}

} // namespace

std::optional<GamePlace> game_place(const std::string& text, bool or_game) {
    std::error_code ignored;
    if (fs::is_regular_file(text, ignored)) return std::nullopt;
    const bool lenient = or_game && text.find('/') == std::string::npos;
    const auto last = split(text);
    if (!last) {
        if (!lenient && is_run(text))
            throw Mistake(fmt::format("{}: which game of the run? {}", text, kForm));
        return std::nullopt;
    }
    const auto& [front, back] = *last;
    GamePlace place;
    if (const auto id = results::game_id_of(back)) {
        place = {front, *id, {}};
    } else {
        const auto first = split(front);
        const auto named = first ? results::game_id_of(first->second) : std::nullopt;
        if (!named) {
            // The name of a game may have a colon, too, and so may that of a file.
            if (!lenient && (is_run(front) || (first && is_run(first->first))))
                throw Mistake(fmt::format("{}: {}", text, kForm));
            return std::nullopt;
        }
        place = {first->first, *named, read_ply(back)};
        if (!place.ply)
            throw Mistake(fmt::format("{}: '{}' is not a number of moves; {}", text, back, kForm));
    }
    if (!is_run(place.run))
        throw Mistake(fmt::format("{}: there is no run in '{}' ({} is missing); {}", text,
                                  place.run, results::kRunFile, kForm));
    return place;
}

NamedGame open_named_game(const GamePlace& place, const std::string& agents_folder,
                          Context& context) {
    NamedGame found;
    found.read = read_run(place.run, context);
    const WholeRows whole = find_whole_rows(place.run, found.read.file);
    found.recorded = find_recorded(place, found.read.file, whole);
    found.run = reopen_run(place.run, found.read, agents_folder, context);
    const PreparedRun& run = found.run;
    const tournaments::AgentMaker make = [&run](std::uint32_t agent) {
        agents::MadeAgent made = made_agent(run, run.specification.agents[agent].spec);
        if (made.agent == nullptr)
            throw Mistake(fmt::format("the agent {} cannot be made as it was: {}",
                                      run.facts.agents[agent], made.error));
        return std::move(made.agent);
    };
    const tournaments::ReplayRequest request{*run.game, make, run.facts.agents, run.facts.seed,
                                             run.starts.get()};
    found.lines = find_kept(place, whole);
    if (!found.lines.empty()) {
        if (!tournaments::tells_of(found.lines, request, found.recorded))
            throw Mistake(fmt::format("{}: its moves in {} are not those recorded in {}",
                                      name_of(place), results::kMovesFile, results::kGamesFile));
        return found;
    }
    tournaments::Retold retold = tournaments::retell(request, found.recorded, keep_settings(run));
    if (!retold.problem.empty())
        throw Mistake(fmt::format("{}: {}", name_of(place), retold.problem));
    found.lines = std::move(retold.lines);
    return found;
}

NamedPosition open_named_position(const GamePlace& place, Context& context) {
    NamedPosition at{open_named_game(place, {}, context), nullptr, {}};
    const NamedGame& game = at.game;
    const std::uint32_t plies = game.recorded.plies;
    const std::uint32_t ply = place.ply.value_or(plies);
    if (ply > plies)
        throw Mistake(
            fmt::format("{}:{}: PLY is from 0 to {} in this game", name_of(place), ply, plies));
    at.course = std::make_unique<tournaments::Course>(*game.run.game);
    const tournaments::Start* start =
        game.recorded.start ? &(*game.run.starts)[*game.recorded.start] : nullptr;
    engine::Diagnostics none;
    at.course->begin({game.run.facts.seed, place.id.block, place.id.game}, start, none);
    const std::vector<std::string> moves = tournaments::moves_in(game.lines);
    // They are as many, and legal: the whole game was gone through.
    for (std::uint32_t i = at.course->position().plies(); i < ply; ++i)
        at.course->play(*at.course->position().find_move(moves[i]));
    if (ply < moves.size()) at.next = moves[ply];
    return at;
}

NamedText read_state(const std::string& path, Context& context) {
    if (const auto place = game_place(path)) {
        const NamedPosition at = open_named_position(*place, context);
        return {path, engine::write_json(at.course->position().state())};
    }
    return {path == "-" ? "<stdin>" : path, read_input(path, context.in)};
}

} // namespace croupier::cli
