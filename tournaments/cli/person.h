// People at the terminal: input and output, the list of moves, and how they leave a game.
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

// One session for all people at a table; used by one thread.
class TerminalSession {
  public:
    // All arguments outlive it. `advisers`: specs of agents for hints, best first. `make` throws
    // UserError.
    TerminalSession(tournaments::LiveGame& game, Page& page, std::istream& in,
                    std::vector<std::string> advisers, tournaments::MakeAgent make);

    // The agent that plays that seat of a person for now, if it is its turn; else null.
    tournaments::SeatedAgent* stand_in(games::Seat seat);
    // Lets the person to move make a move, take one back, hand over the seat, resign, or leave.
    // False if the input has ended.
    bool ask();
    // Shows the end of the game from that person's seat.
    void show_end(games::Seat seat);

  private:
    struct Person {
        std::unique_ptr<tournaments::SeatedPerson> eyes;
        std::size_t told = 0;                 // number of moves already shown
        std::optional<games::Drawing> before; // the last position drawn
        std::unique_ptr<tournaments::SeatedAgent> stand_in;
        std::optional<std::size_t> moves; // that it still makes; nothing: all
    };
    // What an input line does to the prompt.
    enum class Answer : std::uint8_t { Repeat, Done, InputEnded };

    [[nodiscard]] const games::Facts& facts() const { return game_.game().facts(); }
    // A trimmed line; nothing at the end of input.
    [[nodiscard]] std::optional<std::string> read(const std::string& prompt);
    // Call before showing a seat's view. If another person sat here and the game hides something,
    // clears the screen and waits until the new person confirms. False if the input ended.
    bool take_seat(games::Seat seat);
    // The person has moved, and others follow.
    void leave_seat();
    // Makes an adviser; for an empty spec the best available. Null, after a message, if there is
    // none.
    [[nodiscard]] std::unique_ptr<tournaments::SeatedAgent> adviser(std::string& spec);

    // Shows the seat's view and returns it.
    const games::Position& show(games::Seat me);
    void tell_news(games::Seat me);
    void show_moves(const tournaments::MoveList& moves, const std::vector<std::size_t>& places,
                    std::size_t rows);
    // These act for the person to move.
    Answer answer(const std::string& line, const games::Position& view,
                  const tournaments::MoveList& moves);
    Answer command(std::string_view word, const std::string& rest, const games::Position& view,
                   const tournaments::MoveList& moves);
    void explain(const games::Position& view, const std::string& move,
                 const tournaments::MoveList& moves);
    void give_hint(std::string spec);
    Answer take_back();
    // `rest`: an agent, the best available if none is named, and for how many moves.
    Answer hand_over(const std::string& rest);
    void bring_back(const std::string& player);
    Answer resign();
    void help();

    tournaments::LiveGame& game_;
    Page& page_;
    std::istream& in_;
    std::vector<std::string> advisers_;
    tournaments::MakeAgent make_;
    games::Drawer drawer_;
    std::map<games::Seat, Person> people_;
    std::optional<tournaments::MoveReasons> reasons_; // unset if there are no rules to ask
    std::optional<games::Seat> here_;                 // the last seat shown
};

} // namespace croupier::cli
