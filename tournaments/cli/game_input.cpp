// Opens games and positions for the subcommands.
#include "tournaments/cli/game_input.h"

#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/files.h"
#include "results/store/games_reader.h"
#include "results/store/journal.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/replay/recorder.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace croupier::cli {

namespace fs = std::filesystem;

namespace {

std::vector<games::GameOption> parse_settings(const std::vector<std::string>& settings) {
    std::vector<games::GameOption> options;
    options.reserve(settings.size());
    for (const std::string& setting : settings)
        options.push_back(parse_setting(setting));
    return options;
}

} // namespace

games::GameOption parse_setting(const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Mistake(fmt::format("--set takes name=value, found '{}'", setting));
    return {setting.substr(0, equals), games::parse_setting_value(setting.substr(equals + 1))};
}

void add_games_folder(Options& options, std::string& folder) {
    options.add("--games-folder", folder, "Folder of the games, in place of the shipped one")
        .type_name("DIR")
        .offers(Offers::Folders);
}

Option add_game(Options& options, std::string& game) {
    return options
        .add("GAME", game,
             "Name of a game, its folder, or a file of rules; :REVISION for one of its revisions")
        .offers(Offers::Games);
}

void add_game_options(Options& options, GameArguments& arguments) {
    add_game(options, arguments.game).required();
    add_game_settings(options, arguments);
}

void add_game_settings(Options& options, GameArguments& arguments) {
    add_settings(options, "--set", arguments.set, "Set an option of the game");
    add_games_folder(options, arguments.folder);
}

void add_settings(Options& options, const std::string& name, std::vector<std::string>& set,
                  const std::string& text) {
    options.add(name, set, text).type_name("NAME=VALUE").one_value_each().offers(Offers::Setting);
}

Option add_state(Options& options, std::string& state, const std::string& text) {
    return options.add("--state", state, text).type_name("FILE").offers(Offers::Files);
}

void add_seed(Options& options, std::uint64_t& seed) {
    constexpr auto kMost =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()); // JSON's integers
    options.add("--seed", seed, "Seed of all chance")
        .range(0, kMost)
        .type_name("N")
        .shows_default();
}

namespace {

std::string beside_the_program(std::string_view folder, std::string_view name) {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return games::shipped(program.string(), folder, name);
}

} // namespace

std::string shipped(std::string_view name, const Context& context) {
    if (!context.data.empty()) return (fs::path(context.data) / name).string();
    return beside_the_program(CROUPIER_INSTALLED, name);
}

std::string clips_worker() {
#ifdef CROUPIER_CLIPS
    return beside_the_program(CROUPIER_LIBEXEC, "clips");
#else
    return {};
#endif
}

std::string games_folder(const std::string& named, const Context& context) {
    return named.empty() ? shipped("games", context) : named;
}

std::string agents_folder(const std::string& named, const Context& context) {
    return named.empty() ? shipped("agents", context) : named;
}

games::Registry open_registry(const std::string& folder, const Context& context) {
    const std::string place = games_folder(folder, context);
    context.include_roots->add(place);
    return {place, file_opener(context), clips_worker()};
}

void name_game(const games::Registry& registry, const games::GameName& name,
               const Context& context) {
    std::string ignored;
    if (!registry.has(name)) context.include_roots->name(registry.find(name, ignored));
}

std::string rules_file(const std::string& word, const std::string& games_folder,
                       const Context& context) {
    std::error_code ignored;
    if (word.ends_with(".clp"))
        throw Mistake(word +
                      " is a program of CLIPS, not a ruleset: croupier clips tells of those");
    const bool there = fs::exists(word, ignored) && !fs::is_directory(word, ignored);
    if (word == "-" || there) return word;
    std::string unknown;
    std::string path =
        open_registry(games_folder, context).find(games::parse_game_name(word), unknown);
    if (path.empty() && fs::is_directory(word, ignored)) throw Mistake(unknown);
    if (path.empty()) throw Mistake(fmt::format("there is no file '{}', and {}", word, unknown));
    return path;
}

std::shared_ptr<const games::Game> open_game(const games::Registry& registry,
                                             const games::GameName& name,
                                             std::span<const games::GameOption> options,
                                             Context& context) {
    name_game(registry, name, context);
    games::OpenedGame opened = registry.open(name, options);
    print_diagnostics(opened.diagnostics, opened.sources, context);
    if (opened.game != nullptr) return opened.game;
    if (!opened.error.empty()) throw Mistake(opened.error);
    throw Mistake(errors_in(opened.diagnostics) + " in the game");
}

std::shared_ptr<const games::Game> open_game(const GameArguments& arguments, Context& context) {
    return open_game(open_registry(arguments.folder, context),
                     games::parse_game_name(arguments.game), parse_settings(arguments.set),
                     context);
}

void load_position(const std::string& path, games::Position& position, games::Random& chance,
                   Context& context) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    NamedText named = read_state(path, context);
    const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
    const auto document = engine::read_json(sources, file, diagnostics);
    if (document) position.load(*document, chance, diagnostics);
    print_diagnostics(diagnostics, sources, context);
    if (diagnostics.has_errors()) throw Mistake("the state cannot be used");
    refuse_aborted(position);
}

namespace {

NamedPosition named_position(const GamePlace& place, const GameArguments& arguments,
                             const std::string& state, Context& context) {
    if (!state.empty())
        throw Mistake(fmt::format("{} is a position already; leave --state out", arguments.game));
    if (!arguments.set.empty() || !arguments.folder.empty())
        throw Mistake(fmt::format("{}: a game of a run has the rules and options that it was "
                                  "played with; leave --set and --games-folder out",
                                  arguments.game));
    return open_named_position(place, context);
}

} // namespace

OpenedPosition open_position(const GameArguments& arguments, const std::string& state,
                             std::uint64_t seed, engine::Log* log, Context& context) {
    OpenedPosition opened;
    if (const auto place = game_place(arguments.game, true)) {
        opened.named.emplace(named_position(*place, arguments, state, context));
        opened.position = &opened.named->course->take_position();
        opened.chance = opened.named->course->chance();
        opened.position->set_log(log);
        return opened;
    }
    opened.game = open_game(arguments, context);
    opened.own = opened.game->new_position();
    opened.position = opened.own.get();
    opened.position->set_log(log);
    opened.chance = games::stream(seed, 0, games::Purpose::Play);
    start_or_load(state, seed, *opened.position, context);
    return opened;
}

void start_or_load(const std::string& path, std::uint64_t seed, games::Position& position,
                   Context& context) {
    games::Random deal = games::stream(seed, 0, games::Purpose::Deal);
    if (path.empty()) {
        position.start(deal);
    } else {
        load_position(path, position, deal, context);
        position.resume(deal);
    }
    refuse_aborted(position);
}

void refuse_aborted(const games::Position& position) {
    if (position.ending() != games::Ending::Aborted) return;
    const games::Fault& fault = position.fault();
    throw Mistake(
        fmt::format("{}{}the game is aborted: {}{}", fault.place, fault.place.empty() ? "" : ": ",
                    fault.rule.empty() ? "" : fmt::format("rule {}: ", fault.rule), fault.what));
}

// Finds games of runs by name: kept ones in moves.jsonl, others are played once more.

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
        for (results::GameRecord& game : games)
            if (results::GameId{game.block, game.game} == place.id) return std::move(game);
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
