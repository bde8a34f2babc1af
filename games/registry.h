// All games by name: shipped rulesets and their revisions, and rulesets anywhere.
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

// How a user names a game: "life", "life:torus", "my/life.json", "my/life.json:torus", or the
// folder "my/life", "my/life:torus"; or a CLIPS program, "my/nim.clp". A word with a slash or
// ending in .json or .clp is a path; revisions are the files beside the ruleset. A word that is not
// a game may be a folder with rules.json in it: "life:rules" is "life".
struct GameName {
    std::string game;
    std::string revision;

    [[nodiscard]] bool is_path() const;
};
GameName parse_game_name(std::string_view text);

struct GameEntry {
    std::string name;
    std::string revision; // empty for the game itself
    std::string path;     // of the ruleset

    [[nodiscard]] std::string title() const;
};

// A game, or errors: `error` for its name, `diagnostics` for its file.
struct OpenedGame {
    std::shared_ptr<const Game> game;
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::string error;
};

class Registry {
  public:
    // `folder` holds a folder per game, with rules.json and a file per revision. `clips` is the
    // worker program for CLIPS games; if empty, there are none.
    Registry(std::string folder, engine::FileOpener open, std::string clips = {});

    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] const std::string& clips() const { return clips_; }
    // Sorted by name, each game before its revisions, CLIPS programs last.
    [[nodiscard]] const std::vector<GameEntry>& entries() const { return entries_; }
    // Options are those set by the user; they override the ruleset's defaults.
    [[nodiscard]] OpenedGame open(const GameName& name,
                                  std::span<const GameOption> options = {}) const;
    // Whether it is one of the folder's games, even if a path has the same name.
    [[nodiscard]] bool has(const GameName& name) const;
    // The file that it is read from; empty, with `error` set, if there is none.
    [[nodiscard]] std::string find(const GameName& name, std::string& error) const;

  private:
    [[nodiscard]] std::string unknown(const GameName& name) const;

    std::string folder_;
    engine::FileOpener open_;
    std::string clips_;
    std::vector<GameEntry> entries_;
};

// An evaluation in C++ that finds the best of all moves by material faster than the rules of that
// ruleset. Null for most rulesets. Both arguments must outlive it.
std::unique_ptr<const Evaluation> evaluation_in_cpp(const RulesetGame& game,
                                                    const Evaluation& material);

// The value of a word of the command line: a number, true, false or null, otherwise a text.
engine::Scalar parse_option_value(std::string_view text);
// The same for a game option whose type is not known yet: a word not spelled as the value would be
// stays a text, and `Registry::open` reads it by the option's type.
engine::Scalar parse_setting_value(std::string_view text);

} // namespace croupier::games
