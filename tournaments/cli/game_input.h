// Games, states and moves that the user named, and what is wrong with them.
#pragma once

#include "engine/api/run.h"
#include "games/contract/game.h"
#include "games/registry.h"
#include "results/record.h"
#include "results/store/games_reader.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/replay/game_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// Names of games and positions of runs, as in runs/life-1:3.1:12, and what stands behind them.

// RUN:BLOCK.GAME[:PLY], block and game as games.csv numbers them, PLY moves after the beginning.
struct GamePlace {
    std::string run; // its folder
    results::GameId id;
    std::optional<std::uint32_t> ply; // none: the whole game, or its last position
};
// Nothing if the text names something else, as a file that there is. Throws Mistake if it names a
// run and then no game of the right form, or no run. `or_game`: a word without a slash that is no
// such name may be that of a game (life, life:torus), whatever folders there are.
std::optional<GamePlace> game_place(const std::string& text, bool or_game = false);

// A game of a run, as it was.
struct NamedGame {
    ReadRun read;
    PreparedRun run;
    results::GameRecord recorded;
    std::string lines; // its record; of the game as it was kept, or as it was played again
};
// Throws Mistake that says why the game cannot be had.
NamedGame open_named_game(const GamePlace& place, const std::string& agents_folder,
                          Context& context);

// The position that a place names, in the game's rules as they were.
struct NamedPosition {
    NamedGame game;
    std::unique_ptr<tournaments::Course> course; // at the position
    std::string next;                            // the move that was made in it; empty: none
};
NamedPosition open_named_position(const GamePlace& place, Context& context);

// A text that the user named: a file, "-", or the state at a place of a run.
struct NamedText {
    std::string name; // for messages
    std::string text;
};
NamedText read_state(const std::string& path, Context& context);

// The options that name a game, alike in every subcommand.
struct GameArguments {
    std::string game;
    std::vector<std::string> set; // "name=value"
    std::string folder;           // --games-folder
};
// GAME, a positional argument.
Option add_game(Options& options, std::string& game);
void add_game_options(Options& options, GameArguments& arguments);
// Of these all but the game's name.
void add_game_settings(Options& options, GameArguments& arguments);
// --set and its like.
void add_settings(Options& options, const std::string& name, std::vector<std::string>& set,
                  const std::string& text);
// --state: a position as a file.
Option add_state(Options& options, std::string& state,
                 const std::string& text = "File with the position, or RUN:BLOCK.GAME:PLY");
// "name=value" of --set, or Mistake.
games::GameOption parse_setting(const std::string& setting);
// --games-folder
void add_games_folder(Options& options, std::string& folder);
// --seed, as far as records can hold it.
void add_seed(Options& options, std::uint64_t& seed);

// Of a ruleset that is none of the folder's: the user has named its file.
void name_game(const games::Registry& registry, const games::GameName& name,
               const Context& context);
// The shipped games, or those of `folder`, if that is not empty.
games::Registry open_registry(const std::string& folder, const Context& context);
// The file of rules that a word names: itself, or that of a game by name or folder, as everywhere;
// "-" is itself. Throws Mistake.
std::string rules_file(const std::string& word, const std::string& games_folder,
                       const Context& context);
// The path of something that comes with the program, "games", "agents" or "ruleset.schema.json": in
// the folder that CROUPIER_DATA names, else beside the program. Nothing may be there.
std::string shipped(std::string_view name, const Context& context);
// The program that runs programs of CLIPS (games/clips/program.h); empty where it was not built.
std::string clips_worker();
// The folder that the user named, or what comes with the program.
std::string games_folder(const std::string& named, const Context& context);
std::string agents_folder(const std::string& named, const Context& context);

// The game, or Mistake; what its file says wrong goes to standard error.
std::shared_ptr<const games::Game> open_game(const GameArguments& arguments, Context& context);
std::shared_ptr<const games::Game> open_game(const games::Registry& registry,
                                             const games::GameName& name,
                                             std::span<const games::GameOption> options,
                                             Context& context);

// The state of a file, or of a place in a run, laid over the game's initial one. Throws Mistake if
// it cannot be.
void load_position(const std::string& path, games::Position& position, games::Random& chance,
                   Context& context);

// The position after the deal of the seed or, if `path` is not empty, the one in that file, ready
// for moves. Throws Mistake if it cannot be.
void start_or_load(const std::string& path, std::uint64_t seed, games::Position& position,
                   Context& context);

// The position that the arguments of a subcommand name, ready for moves: RUN:BLOCK.GAME:PLY in
// place of a game, or as start_or_load has it. Throws Mistake if there is none.
struct OpenedPosition {
    games::Position* position = nullptr;
    games::Random chance{0}; // of the moves that are made in it
    // What it lives in.
    std::optional<NamedPosition> named;
    std::shared_ptr<const games::Game> game;
    std::unique_ptr<games::Position> own;
};
OpenedPosition open_position(const GameArguments& arguments, const std::string& state,
                             std::uint64_t seed, engine::Log* log, Context& context);
// Throws Mistake if the position was aborted.
void refuse_aborted(const games::Position& position);

} // namespace croupier::cli
