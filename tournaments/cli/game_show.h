// Games for people: boards in colour, how a game ended.
#pragma once

#include "agents/table.h"
#include "games/contract/game.h"
#include "tournaments/cli/terminal.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::cli {

void print_picture(const games::Picture& picture, Page& page);
// The position as the game draws it, marked by what changed since `before`; else as JSON.
void print_position(const games::Position& position, const games::Position* before, Page& page);
// How the game ended, and a table of the seats; `verdict` where its rules have not ended it.
void print_result(const games::Position& position, const std::vector<std::string>& agents,
                  Page& page, const std::optional<agents::Verdict>& verdict = {});

// Shows a game while it is played.
class Show : public agents::Listener {
  public:
    explicit Show(Page& page) : page_(page) {}

    void begins(const games::Position& position) override;
    void moves(const games::Position& before, games::Move move) override;
    void moved(const games::Position& after) override;

  private:
    Page& page_;
    std::unique_ptr<games::Position> before_;
};

} // namespace croupier::cli
