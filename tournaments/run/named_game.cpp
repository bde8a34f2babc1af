// Finds games of runs by name: kept ones in moves.jsonl, others by replaying.
#include "tournaments/run/named_game.h"

#include "engine/api/text.h"
#include "results/store/file.h"
#include "results/store/journal.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/run/files.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::tournaments {

namespace {

std::vector<games::GameOption> parse_settings(const std::vector<std::string>& settings) {
    std::vector<games::GameOption> options;
    options.reserve(settings.size());
    for (const std::string& setting : settings)
        options.push_back(parse_setting(setting));
    return options;
}

NamedPosition named_position(const GamePlace& place, const GameArguments& arguments,
                             const std::string& state, const HostServices& host) {
    if (!state.empty())
        throw UserError(fmt::format("{} is a position already; leave --state out", arguments.game));
    if (!arguments.set.empty() || !arguments.folder.empty())
        throw UserError(fmt::format("{}: a game of a run has the rules and options that it was "
                                    "played with; leave --set and --games-folder out",
                                    arguments.game));
    return open_named_position(place, host);
}

namespace fs = std::filesystem;

constexpr std::string_view kForm =
    "a game of a run is named RUN:BLOCK.GAME, as games.csv numbers them, and a position "
    "RUN:BLOCK.GAME:PLY, PLY moves after the beginning, as in runs/life-1:3.1:12";

bool is_run(const std::string& folder) {
    return holds(folder, results::kRunFile);
}

// The parts before and after the last colon.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    return std::pair(text.substr(0, colon), text.substr(colon + 1));
}

std::optional<std::uint32_t> read_ply(const std::string& text) {
    std::uint32_t ply = 0;
    return results::read_number(text, ply) ? std::optional(ply) : std::nullopt;
}

std::string name_of(const GamePlace& place) {
    return fmt::format("{}:{}", place.run, results::text_of(place.id));
}

results::GameRecord find_recorded(const GamePlace& place, const results::RunFile& file,
                                  const WholeRows& whole) {
    if (whole.games == 0)
        throw UserError(fmt::format("{}: no game of the run has been played", place.run));
    results::GamesReader reader(results::in_folder(place.run, results::kGamesFile), file.facts,
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
            throw UserError(fmt::format("{}: there is no such game; block {} has games 0 to {}",
                                        name_of(place), last, games.size() - 1));
        if (last > place.id.block) break;
    }
    if (reader.failure()) throw UserError(*reader.failure());
    if (!any) throw UserError(fmt::format("{}: no game of the run has been played", place.run));
    throw UserError(fmt::format("{}: there is no such game; {} {} {}", name_of(place), place.run,
                                last > place.id.block ? "is a part of a run, and its next block is"
                                                      : "has blocks up to",
                                last));
}

std::string find_kept(const GamePlace& place, const WholeRows& whole) {
    results::KeptGames kept(results::in_folder(place.run, results::kMovesFile), whole.moves);
    results::GameId id;
    std::string lines;
    while (kept.next(id, lines)) {
        if (id == place.id) return lines;
        if (id > place.id) break;
    }
    if (kept.failure()) throw UserError(*kept.failure());
    return {};
}

template <class Load>
void load_named(const std::string& path, const HostServices& host, const Load& load) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    NamedText named = read_state(path, host);
    const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
    const auto document = engine::read_json(sources, file, diagnostics);
    if (document) load(*document, diagnostics);
    host.diagnose(diagnostics, sources);
    if (diagnostics.has_errors()) throw UserError("the state cannot be used");
}

} // namespace

std::shared_ptr<const games::Game> open_game(const GameArguments& arguments,
                                             const HostServices& host) {
    return open_game(open_registry(arguments.folder, host), games::parse_game_name(arguments.game),
                     parse_settings(arguments.set), host);
}

void load_position(const std::string& path, games::Position& position, games::Random& chance,
                   const HostServices& host) {
    load_named(path, host, [&](const engine::Document& document, engine::Diagnostics& wrong) {
        position.load(document, chance, wrong);
    });
    refuse_aborted(position);
}

void load_state(const std::string& path, const engine::Catalogue& catalogue, engine::State& state,
                const HostServices& host) {
    load_named(path, host, [&](const engine::Document& document, engine::Diagnostics& wrong) {
        catalogue.import(state, document, wrong);
    });
}

OpenedPosition open_position(const GameArguments& arguments, const std::string& state,
                             std::uint64_t seed, engine::Log* log, const HostServices& host) {
    OpenedPosition opened;
    if (const auto place = game_place(arguments.game, true)) {
        opened.named.emplace(named_position(*place, arguments, state, host));
        opened.position = &opened.named->replay->take_position();
        opened.chance = opened.named->replay->chance();
        opened.position->set_log(log);
        return opened;
    }
    opened.game = open_game(arguments, host);
    opened.own = opened.game->new_position();
    opened.position = opened.own.get();
    opened.position->set_log(log);
    opened.chance = games::stream(seed, 0, games::Purpose::Play);
    start_or_load(state, seed, *opened.position, host);
    return opened;
}

void start_or_load(const std::string& path, std::uint64_t seed, games::Position& position,
                   const HostServices& host) {
    games::Random deal = games::stream(seed, 0, games::Purpose::Deal);
    if (path.empty()) {
        position.start(deal);
    } else {
        load_position(path, position, deal, host);
        position.resume(deal);
    }
    refuse_aborted(position);
}

void refuse_aborted(const games::Position& position) {
    if (position.ending() != games::Ending::Aborted) return;
    const games::Fault& fault = position.fault();
    throw UserError(
        fmt::format("{}{}the game is aborted: {}{}", fault.place, fault.place.empty() ? "" : ": ",
                    fault.rule.empty() ? "" : fmt::format("rule {}: ", fault.rule), fault.what));
}

std::optional<GamePlace> game_place(const std::string& text, bool or_game) {
    std::error_code ignored;
    if (fs::is_regular_file(text, ignored)) return std::nullopt;
    const bool lenient = or_game && text.find('/') == std::string::npos;
    const auto last = split(text);
    if (!last) {
        if (!lenient && is_run(text))
            throw UserError(fmt::format("{}: which game of the run? {}", text, kForm));
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
            // The name of a game, or of a file, may contain a colon, too.
            if (!lenient && (is_run(front) || (first && is_run(first->first))))
                throw UserError(fmt::format("{}: {}", text, kForm));
            return std::nullopt;
        }
        place = {first->first, *named, read_ply(back)};
        if (!place.ply)
            throw UserError(
                fmt::format("{}: '{}' is not a number of moves; {}", text, back, kForm));
    }
    if (!is_run(place.run))
        throw UserError(fmt::format("{}: there is no run in '{}' ({} is missing); {}", text,
                                    place.run, results::kRunFile, kForm));
    return place;
}

NamedGame open_named_game(const GamePlace& place, const std::string& agents_folder,
                          const HostServices& host) {
    NamedGame found;
    found.read = read_run(place.run, host);
    const WholeRows whole = find_whole_rows(place.run, found.read.file);
    found.recorded = find_recorded(place, found.read.file, whole);
    found.run = reopen_run(place.run, found.read, agents_folder, host);
    const PreparedRun& run = found.run;
    const AgentMaker make = [&run](std::uint32_t agent) {
        agents::MadeAgent made = made_agent(run, run.specification.agents[agent].spec);
        if (made.agent == nullptr)
            throw UserError(fmt::format("the agent {} cannot be made as it was: {}",
                                        run.facts.agents[agent], made.error));
        return std::move(made.agent);
    };
    const ReplayRequest request{*run.game, make, run.facts.agents, run.facts.seed,
                                run.starts.get()};
    found.lines = find_kept(place, whole);
    if (!found.lines.empty()) {
        if (!tells_of(found.lines, request, found.recorded))
            throw UserError(fmt::format("{}: its moves in {} are not those recorded in {}",
                                        name_of(place), results::kMovesFile, results::kGamesFile));
        return found;
    }
    Retold retold = retell(request, found.recorded, keep_settings(run));
    if (!retold.problem.empty())
        throw UserError(fmt::format("{}: {}", name_of(place), retold.problem));
    found.lines = std::move(retold.lines);
    return found;
}

NamedPosition open_named_position(const GamePlace& place, const HostServices& host) {
    NamedPosition at{open_named_game(place, {}, host), nullptr, {}};
    const NamedGame& game = at.game;
    const std::uint32_t plies = game.recorded.plies;
    const std::uint32_t ply = place.ply.value_or(plies);
    if (ply > plies)
        throw UserError(
            fmt::format("{}:{}: PLY is from 0 to {} in this game", name_of(place), ply, plies));
    at.replay = std::make_unique<GameReplay>(*game.run.game);
    engine::Diagnostics none;
    at.replay->begin(game.key(), game.start(), none);
    const std::vector<std::string> moves = moves_in(game.lines);
    at.replay->go(moves, ply);
    if (ply < moves.size()) at.next = moves[ply];
    return at;
}

NamedText read_state(const std::string& path, const HostServices& host) {
    if (const auto place = game_place(path)) {
        const NamedPosition at = open_named_position(*place, host);
        return {path, engine::write_json(at.replay->position().state())};
    }
    return {path == "-" ? "<stdin>" : path, host.read(path)};
}

} // namespace croupier::tournaments
