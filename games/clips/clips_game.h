// A program of CLIPS as a game: README.md says by which facts it tells its players, moves and end.
#pragma once

#include "engine/api/ruleset.h"
#include "games/contract/game.h"

#include <memory>
#include <string>

namespace croupier::games::clips {

// Null: `error` says why. `worker` is the program of workers; `name` what results call the game;
// `sources` gets the file.
std::shared_ptr<const Game> open_clips_game(const std::string& worker, const std::string& path,
                                            const engine::FileOpener& open, const std::string& name,
                                            const std::string& revision, engine::Sources& sources,
                                            std::string& error);

} // namespace croupier::games::clips
