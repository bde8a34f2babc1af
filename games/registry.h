// All games by name: shipped rulesets and their revisions, rulesets anywhere.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::games {

// What a user wrote to name a game: "life", "life:torus", "my/life.json", "my/life.json:torus", or
// the folder "my/life", "my/life:torus"; or a program of CLIPS, "my/nim.clp". A word with a slash
// or ending in .json or .clp is a path; revisions are the files beside the ruleset. A word that
// names no game may be a folder with rules.json in it: "life:rules" is "life".
struct GameName {
    std::string game;
    std::string revision;

    [[nodiscard]] bool is_path() const;
};
GameName parse_game_name(std::string_view text);

struct GameEntry {
    std::string name;
    std::string revision; // empty: the game itself
    std::string path;     // of the ruleset

    [[nodiscard]] std::string title() const;
};

// A game, or why not: `error` for what was named, `diagnostics` for what its file says.
struct OpenedGame {
    std::shared_ptr<const Game> game;
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::string error;
};

class Registry {
  public:
    // `folder` holds a folder per game, with rules.json and a file per revision in it.
    // `clips` is the program of workers, for games that are programs of CLIPS; empty: there are
    // none.
    Registry(std::string folder, engine::FileOpener open, std::string clips = {});

    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] const std::string& clips() const { return clips_; }
    // By name, each game before its revisions; at the end the programs of CLIPS beside them.
    [[nodiscard]] const std::vector<GameEntry>& entries() const { return entries_; }
    // Options are what the user set, over the defaults of the ruleset.
    [[nodiscard]] OpenedGame open(const GameName& name,
                                  std::span<const GameOption> options = {}) const;
    // Whether it is one of the folder's games, whatever path it might be besides.
    [[nodiscard]] bool has(const GameName& name) const;
    // The file that it would be read from; empty if there is none. Sets `error` instead.
    [[nodiscard]] std::string find(const GameName& name, std::string& error) const;

  private:
    [[nodiscard]] std::string unknown(const GameName& name) const;

    std::string folder_;
    engine::FileOpener open_;
    std::string clips_;
    std::vector<GameEntry> entries_;
};

// What C++ finds sooner than the rules of that very ruleset do: the best of all moves by material.
// Null for all but a few. Both must outlive it.
std::unique_ptr<const Evaluation> evaluation_in_cpp(const RulesetGame& game,
                                                    const Evaluation& material);

// The value that a word of the command line stands for: a number, true, false or null, else a text.
engine::Scalar parse_option_value(std::string_view text);
// The same of an option of a game, whose type nobody knows yet: what is not spelled as the value
// would be stays a text, and `Registry::open` reads it by the type of the option.
engine::Scalar parse_setting_value(std::string_view text);

} // namespace croupier::games
