// Shows games to people: drawn positions in colour, and results.
#pragma once

#include "agents/game_runner.h"
#include "engine/api/run.h"
#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "games/drawing/text.h"
#include "tournaments/cli/terminal.h"
#include "tournaments/replay/move_reasons.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// Prints a drawing's lines in colours.
void print_lines(const std::vector<games::TextLine>& lines, Page& page);
// Prints the position for people; boards mark changes since `before`.
void print_drawing(const games::Drawing& drawing, const games::Drawing* before,
                   const games::Facts& facts, Page& page);
// Prints how the game ended, and a table of the seats; `verdict` if its rules have not ended it.
void print_result(const games::Position& position, const std::vector<std::string>& agents,
                  Page& page, const std::optional<agents::Verdict>& verdict = {});

// Prints the rules' reasons for a move, or for all.
void print_reasons(const tournaments::MoveReasons& reasons, const games::Position& view,
                   std::string_view move, Page& page);

// Prints lines of @print to the trace, so that standard output has only the answer.
class PrintedLines : public engine::Log {
  public:
    explicit PrintedLines(Page& page) : page_(page) {}
    void line(const std::string& text) override { page_.line({text}); }

  private:
    Page& page_;
};

// Shows a game during play.
class Show : public agents::Listener {
  public:
    explicit Show(Page& page) : page_(page) {}

    void begins(const games::Position& position) override;
    void moves(const games::Position& before, games::Move move) override;
    void moved(const games::Position& after) override;

  private:
    void draw(const games::Position& position);

    Page& page_;
    std::optional<games::Drawer> drawer_;
    std::optional<games::Drawing> before_;
};

// The contents of print_result as an object: "game", "end", "moves", "seats", and "fault" if the
// game was aborted; `verdict` if its rules have not ended it.
nlohmann::ordered_json result_json(const games::Position& position,
                                   const std::vector<std::string>& agents,
                                   const std::optional<agents::Verdict>& verdict = {});

} // namespace croupier::cli
