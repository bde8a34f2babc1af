// A CLIPS program as a game: README.md says which facts declare its players, moves and end.
#pragma once

#include "engine/api/ruleset.h"
#include "games/contract/game.h"

#include <memory>
#include <string>

namespace croupier::games::clips {

// Returns null with a message in `error` if it fails. `worker` is the path of the worker program;
// `name` is the game's name in results; `sources` receives the file.
std::shared_ptr<const Game> open_clips_game(const std::string& worker, const std::string& path,
                                            const engine::FileOpener& open, const std::string& name,
                                            const std::string& revision, engine::Sources& sources,
                                            std::string& error);

} // namespace croupier::games::clips
