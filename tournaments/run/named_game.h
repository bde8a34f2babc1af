// Names of games and positions in runs, as runs/life-1:3.1:12, and positions to move in.
#pragma once

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "games/contract/game.h"
#include "results/record.h"
#include "results/store/games_file.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/run/prepared_run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// RUN:BLOCK.GAME[:PLY]: block and game as in games.csv, PLY moves after the beginning.
struct GamePlace {
    std::string run; // its folder
    results::GameId id;
    std::optional<std::uint32_t> ply; // unset for the whole game, or its last position
};
// Parses a place; nothing if the text names something else, such as an existing file. Throws
// UserError if it names a run without a valid game, or no run. `or_game`: a word without a slash
// that is not a place may be a game (life, life:torus), even if a folder has that name.
std::optional<GamePlace> game_place(const std::string& text, bool or_game = false);

// A game of a run, as it was played.
struct NamedGame {
    ReadRun read;
    PreparedRun run;
    results::GameRecord recorded;
    std::string lines; // its record, kept or made by replaying

    // How it began, besides its rules.
    [[nodiscard]] agents::GameKey key() const {
        return {run.facts.seed, recorded.block, recorded.game};
    }
    [[nodiscard]] const Start* start() const {
        return recorded.start ? &(*run.starts)[*recorded.start] : nullptr;
    }
};
// Throws a UserError that says why the game cannot be opened.
NamedGame open_named_game(const GamePlace& place, const std::string& agents_folder,
                          const HostServices& host);

// The position that a place names, with the game's rules of that time.
struct NamedPosition {
    NamedGame game;
    std::unique_ptr<GameReplay> replay; // at the position
    std::string next;                   // the move made in it; empty if none
};
NamedPosition open_named_position(const GamePlace& place, const HostServices& host);

// A text that the user named: a file, "-", or the state at a place of a run.
struct NamedText {
    std::string name; // for messages
    std::string text;
};
NamedText read_state(const std::string& path, const HostServices& host);

// Replaces `state` by that of a file, or of a place in a run. Throws UserError on failure.
void load_state(const std::string& path, const engine::Catalogue& catalogue, engine::State& state,
                const HostServices& host);

// The options of a subcommand that name a game.
struct GameArguments {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string folder;           // of the games; if empty, the shipped one
};
// The game, or UserError after printing the errors of its file to standard error.
std::shared_ptr<const games::Game> open_game(const GameArguments& arguments,
                                             const HostServices& host);

// Overlays the game's initial state with that of a file, or of a place in a run. Throws UserError
// on failure.
void load_position(const std::string& path, games::Position& position, games::Random& chance,
                   const HostServices& host);

// The position after the deal of the seed or, if `path` is not empty, the one in that file, ready
// for moves. Throws UserError on failure.
void start_or_load(const std::string& path, std::uint64_t seed, games::Position& position,
                   const HostServices& host);

// The position named by a subcommand's arguments, ready for moves: RUN:BLOCK.GAME:PLY in place of a
// game, or as in start_or_load. Throws UserError on failure.
struct OpenedPosition {
    games::Position* position = nullptr;
    games::Random chance{0}; // for moves made in it
    // The owners of the position.
    std::optional<NamedPosition> named;
    std::shared_ptr<const games::Game> game;
    std::unique_ptr<games::Position> own;
};
OpenedPosition open_position(const GameArguments& arguments, const std::string& state,
                             std::uint64_t seed, engine::Log* log, const HostServices& host);
// Throws UserError if the position was aborted.
void refuse_aborted(const games::Position& position);

} // namespace croupier::tournaments
