// The explanations of `why` for moves and rules, for people and for programs.
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

// Explains why moves are legal or not, by running the rules for moves again on a player's view.

class MoveReasons {
  public:
    // The game must outlive it.
    explicit MoveReasons(const games::RulesetGame& game);

    struct Line {
        std::size_t indent = 0;
        std::string rule; // at the beginning of the line, highlighted; may be empty
        std::string text; // what follows
        bool wraps = true;
    };
    // The rules that make the view's moves legal; for one move, what makes it legal or prevents
    // that. An empty `move` means all.
    [[nodiscard]] std::vector<Line> tell(const games::Position& view, std::string_view move) const;
    // The same as plain lines of at most `width` columns.
    [[nodiscard]] std::vector<std::string> lines(const games::Position& view, std::string_view move,
                                                 std::size_t width) const;

    // A line for each illegal move: what the rules give or remove in its place, and what kept rules
    // that reached it from giving it. Moves share a line if their reasons differ only in names.
    [[nodiscard]] std::vector<std::string> refusals(const games::Position& view,
                                                    const std::vector<std::string>& moves) const;

    // The same as JSON.
    [[nodiscard]] engine::Document to_json(const games::Position& view,
                                           std::string_view move) const;

  private:
    // The run of the rules that list the moves; nothing if it does not yield the view's moves.
    struct Asked {
        engine::WhyChildren why;
        std::vector<std::string> legal;
        bool can_be_asked = false;
    };
    [[nodiscard]] Asked ask(const games::Position& view, std::string_view move) const;
    // A rule's effect on the moves, or on that move; may be none.
    struct Said {
        std::string gives;                     // "gives 7H 9H", and what it removes
        const engine::WhyStop* stop = nullptr; // where it fails, for an illegal move
        bool in_short = false;                 // it only fails, and not at that move
    };
    [[nodiscard]] static Said said_of(const engine::ChildrenGiven& given, std::string_view move,
                                      bool legal);
    void tell(const engine::ChildrenGiven& given, std::string_view move, bool legal,
              std::vector<Line>& lines) const;

    const games::RulesetGame& game_;
};

} // namespace croupier::tournaments
