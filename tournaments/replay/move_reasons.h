// What `why` says of moves and rules, for people and for programs.
#pragma once

#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

engine::Document why_json(const engine::Why& why, const engine::Sources& sources);
engine::Document why_json(const engine::WhyStop& stop, const engine::Sources& sources);

// Why moves are legal or not: the rules that list them, run once more on what a player sees.

class MoveReasons {
  public:
    // The game must outlive it.
    explicit MoveReasons(const games::RulesetGame& game);

    struct Line {
        std::size_t indent = 0;
        std::string rule; // that the line begins with, to be set off; empty: none
        std::string text; // what follows
        bool wraps = true;
    };
    // The rules that make the view's moves legal; of a move, what makes it legal or keeps it from
    // being so. `move` empty: of all.
    [[nodiscard]] std::vector<Line> tell(const games::Position& view, std::string_view move) const;
    // The same as plain lines, at most so wide.
    [[nodiscard]] std::vector<std::string> lines(const games::Position& view, std::string_view move,
                                                 std::size_t width) const;

    // A line for each move that is not legal: what the rules give or take away in its place, and
    // what kept rules that came to it from giving it. Moves share a line where their reasons differ
    // in their names alone.
    [[nodiscard]] std::vector<std::string> refusals(const games::Position& view,
                                                    const std::vector<std::string>& moves) const;

    // The same for programs.
    [[nodiscard]] engine::Document to_json(const games::Position& view,
                                           std::string_view move) const;

  private:
    // What the rules that list the moves do; nothing if they do not come to the view's moves.
    struct Asked {
        engine::WhyChildren why;
        std::vector<std::string> legal;
        bool can_be_asked = false;
    };
    [[nodiscard]] Asked ask(const games::Position& view, std::string_view move) const;
    // What a rule has to do with the moves, or with that move; may be nothing.
    struct Said {
        std::string gives;                     // "gives 7H 9H", and what it takes away
        const engine::WhyStop* stop = nullptr; // where it stops, of a move that is not legal
        bool in_short = false;                 // it only stops, and not at that move
    };
    [[nodiscard]] static Said said_of(const engine::ChildrenGiven& given, std::string_view move,
                                      bool legal);
    void tell(const engine::ChildrenGiven& given, std::string_view move, bool legal,
              std::vector<Line>& lines) const;

    const games::RulesetGame& game_;
};

} // namespace croupier::tournaments
