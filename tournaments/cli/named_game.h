// Names of games and positions of runs, as in runs/life-1:3.1:12, and what stands behind them.
#pragma once

#include "results/record.h"
#include "results/store/kept_games.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/run_input.h"
#include "tournaments/replay/game_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace croupier::cli {

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

} // namespace croupier::cli
