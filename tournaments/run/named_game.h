// Games and positions of runs by name, as in runs/life-1:3.1:12, and positions for moves.
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

// RUN:BLOCK.GAME[:PLY], block and game as games.csv numbers them, PLY moves after the beginning.
struct GamePlace {
    std::string run; // its folder
    results::GameId id;
    std::optional<std::uint32_t> ply; // none: the whole game, or its last position
};
// Nothing if the text names something else, as a file that there is. Throws UserError if it names a
// run and then no game of the right form, or no run. `or_game`: a word without a slash that is no
// such name may be that of a game (life, life:torus), whatever folders there are.
std::optional<GamePlace> game_place(const std::string& text, bool or_game = false);

// A game of a run, as it was.
struct NamedGame {
    ReadRun read;
    PreparedRun run;
    results::GameRecord recorded;
    std::string lines; // its record; of the game as it was kept, or as it was played again

    // How it began, besides its rules.
    [[nodiscard]] agents::GameKey key() const {
        return {run.facts.seed, recorded.block, recorded.game};
    }
    [[nodiscard]] const Start* start() const {
        return recorded.start ? &(*run.starts)[*recorded.start] : nullptr;
    }
};
// Throws UserError that says why the game cannot be opened.
NamedGame open_named_game(const GamePlace& place, const std::string& agents_folder,
                          const HostServices& host);

// The position that a place names, in the game's rules as they were.
struct NamedPosition {
    NamedGame game;
    std::unique_ptr<GameReplay> replay; // at the position
    std::string next;                   // the move that was made in it; empty: none
};
NamedPosition open_named_position(const GamePlace& place, const HostServices& host);

// A text that the user named: a file, "-", or the state at a place of a run.
struct NamedText {
    std::string name; // for messages
    std::string text;
};
NamedText read_state(const std::string& path, const HostServices& host);

// The state of a file, or of a place in a run, in place of what `state` held. Throws UserError if
// it cannot be.
void load_state(const std::string& path, const engine::Catalogue& catalogue, engine::State& state,
                const HostServices& host);

// A game as the options of a subcommand name it.
struct GameArguments {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string folder;           // of the games; empty: the shipped one
};
// The game, or UserError; what its file says wrong goes to standard error.
std::shared_ptr<const games::Game> open_game(const GameArguments& arguments,
                                             const HostServices& host);

// The state of a file, or of a place in a run, laid over the game's initial one. Throws UserError
// if it cannot be.
void load_position(const std::string& path, games::Position& position, games::Random& chance,
                   const HostServices& host);

// The position after the deal of the seed or, if `path` is not empty, the one in that file, ready
// for moves. Throws UserError if it cannot be.
void start_or_load(const std::string& path, std::uint64_t seed, games::Position& position,
                   const HostServices& host);

// The position that the arguments of a subcommand name, ready for moves: RUN:BLOCK.GAME:PLY in
// place of a game, or as start_or_load has it. Throws UserError if there is none.
struct OpenedPosition {
    games::Position* position = nullptr;
    games::Random chance{0}; // of the moves that are made in it
    // What it lives in.
    std::optional<NamedPosition> named;
    std::shared_ptr<const games::Game> game;
    std::unique_ptr<games::Position> own;
};
OpenedPosition open_position(const GameArguments& arguments, const std::string& state,
                             std::uint64_t seed, engine::Log* log, const HostServices& host);
// Throws UserError if the position was aborted.
void refuse_aborted(const games::Position& position);

} // namespace croupier::tournaments
