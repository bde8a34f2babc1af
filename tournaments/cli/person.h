// People at the terminal: what they read and write, the list of moves, and how they leave a game.
#pragma once

#include "agents/agent.h"
#include "games/drawing/drawer.h"
#include "tournaments/cli/terminal.h"
#include "tournaments/replay/live_game.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/run/move_list.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// One for all people at a table; one thread.
class TerminalSession {
  public:
    // How somebody leaves the game.
    enum class Left : std::uint8_t { No, Quit, InputEnded };

    using AgentOf = std::function<std::unique_ptr<agents::Agent>(const std::string& spec)>;

    // All of them outlive it. `advisers`: specs of those that may be asked for a hint, the best
    // first. `make` throws UserError.
    TerminalSession(tournaments::LiveGame& game, Page& page, std::istream& in,
                    std::vector<std::string> advisers, AgentOf make);

    // The person at turn makes a move, takes one back, resigns, or leaves.
    Left ask();
    // The end of the game, as that person sees it.
    void show_end(games::Seat seat);

  private:
    struct Person {
        std::unique_ptr<tournaments::SeatedPerson> eyes;
        std::size_t told = 0;                 // of the moves, on the screen
        std::optional<games::Drawing> before; // the last that was drawn
    };
    // What a line of input comes to; nothing: he is asked again.
    using Answer = std::optional<Left>;

    [[nodiscard]] const games::Facts& facts() const { return game_.game().facts(); }
    // A line without the blanks around it; nothing at the end of input.
    [[nodiscard]] std::optional<std::string> read(const std::string& prompt);
    // Somebody is about to see what he may see: where somebody else has sat here and things are
    // hidden, the screen is cleared, and nothing is shown before he says that he is there. False:
    // the input ends.
    bool take_seat(games::Seat seat);
    // He has moved, and others come.
    void leave_seat();
    // Makes an adviser; with an empty spec the best that can be had for the game. Null, and it has
    // said why, if there is none.
    [[nodiscard]] std::unique_ptr<agents::Agent> adviser(std::string& spec);

    // Returns what the seat sees.
    const games::Position& show(games::Seat me);
    void tell_news(games::Seat me);
    void show_moves(const tournaments::MoveList& moves, const std::vector<std::size_t>& places,
                    std::size_t rows);
    // All of them of the person at turn.
    Answer answer(const std::string& line, const games::Position& view,
                  const tournaments::MoveList& moves);
    Answer command(std::string_view word, const std::string& rest, const games::Position& view,
                   const tournaments::MoveList& moves);
    void explain(const games::Position& view, const std::string& move,
                 const tournaments::MoveList& moves);
    void give_hint(std::string spec);
    Answer take_back();
    void help();

    tournaments::LiveGame& game_;
    Page& page_;
    std::istream& in_;
    std::vector<std::string> advisers_;
    AgentOf make_;
    games::Drawer drawer_;
    std::map<games::Seat, Person> people_;
    std::optional<tournaments::MoveReasons> reasons_; // nothing: no rules can be asked
    std::optional<games::Seat> here_;                 // who has sat here last
};

} // namespace croupier::cli
