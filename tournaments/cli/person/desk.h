// Where people play at the terminal: what they read and write, and how they leave a game.
#pragma once

#include "agents/agent.h"
#include "games/drawing/drawer.h"
#include "tournaments/cli/person/move_reasons.h"
#include "tournaments/cli/terminal.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

namespace croupier::cli {

// One for all people at a table; one thread.
class Desk {
  public:
    // What somebody wants that is no move: the game is broken off.
    enum class Wish : std::uint8_t {
        None,
        Undo, // and goes on with the first `keep` moves
        Quit,
        InputEnded,
    };

    using AgentOf = std::function<std::unique_ptr<agents::Agent>(const std::string& spec)>;

    // All of them outlive it. `people`: how many sit here. `advisers`: specs of those that may be
    // asked for a hint, the best first. `make` throws Mistake.
    Desk(const games::Game& game, Page& page, std::istream& in, std::size_t people,
         std::vector<std::string> advisers, AgentOf make);

    [[nodiscard]] Page& page() { return page_; }
    [[nodiscard]] const games::Drawer& drawer() const { return drawer_; }
    // A line without the blanks around it; nothing at the end of input.
    [[nodiscard]] std::optional<std::string> read(const std::string& prompt);
    // Somebody is about to see what he may see: where somebody else has sat here and things are
    // hidden, the screen is cleared, and nothing is shown before he says that he is there.
    void take_seat(games::Seat seat);
    // The same while he still is there, after his move.
    void leave_seat();

    // Makes an adviser; with an empty spec the best that can be had for the game. Null, and it has
    // said why, if there is none.
    [[nodiscard]] std::unique_ptr<agents::Agent> adviser(std::string& spec);
    // Null: the game has no rules to be asked.
    [[nodiscard]] const MoveReasons* reasons();

    void wish(Wish wish, std::size_t keep = 0) {
        wish_ = wish;
        keep_ = keep;
        if (on_wish) on_wish();
    }
    void forget_wish() { wish_ = Wish::None; }
    [[nodiscard]] Wish wish() const { return wish_; }
    [[nodiscard]] std::size_t keep() const { return keep_; }
    // Called when somebody has a wish: whoever plays the game breaks it off.
    std::function<void()> on_wish;
    // Moves that belong to the position where the game begins: nobody takes them back.
    std::size_t given = 0;
    // Moves that are played again after somebody has taken one back: nothing is said of them.
    std::size_t told_before = 0;

  private:
    const games::Game& game_;
    Page& page_;
    std::istream& in_;
    std::size_t people_;
    std::vector<std::string> advisers_;
    AgentOf make_;
    games::Drawer drawer_;
    std::optional<MoveReasons> reasons_;
    std::optional<games::Seat> here_; // who has sat here last
    Wish wish_ = Wish::None;
    std::size_t keep_ = 0;
};

} // namespace croupier::cli
