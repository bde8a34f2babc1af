// People at the terminal: what they read and write, the list of moves, their seat, and how they
// leave a game.
#pragma once

#include "agents/agent.h"
#include "agents/game_runner.h"
#include "games/drawing/drawer.h"
#include "tournaments/cli/process.h"
#include "tournaments/cli/terminal.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/run/move_list.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// One for all people at a table; one thread.
class TerminalSession {
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
    // asked for a hint, the best first. `make` throws UserError.
    TerminalSession(const games::Game& game, Page& page, std::istream& in, std::size_t people,
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
    [[nodiscard]] const tournaments::MoveReasons* reasons();

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
    std::optional<tournaments::MoveReasons> reasons_;
    std::optional<games::Seat> here_; // who has sat here last
    Wish wish_ = Wish::None;
    std::size_t keep_ = 0;
};

// An agent that asks a person: it shows what its seat may see, and reads what to play.

class HumanAgent : public agents::Agent {
  public:
    // The desk outlives it.
    explicit HumanAgent(TerminalSession& desk) : desk_(desk) {}

    void reset(const games::Game& game, games::Seat me) override;
    std::size_t choose(const games::Position& view, games::Random& random) override;
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const games::Position& view, const agents::ObservedMove& seen) override;
    void ends(const games::Position& view) override;
    [[nodiscard]] bool is_reproducible() const override { return false; }

  private:
    // A move as it was seen, for those who are asked for advice later.
    struct Happened {
        games::Seat player = 0;
        std::string move;
        bool draw = false;
        std::unique_ptr<games::Position> view; // afterwards
    };
    // What a line of input comes to: a choice, or nothing yet.
    using Answer = std::optional<std::size_t>;

    void show(const games::Position& view);
    void tell_news();
    void show_moves(const tournaments::MoveList& moves, const std::vector<std::size_t>& places,
                    std::size_t rows);
    Answer answer(const std::string& line, const games::Position& view,
                  const tournaments::MoveList& moves);
    Answer command(std::string_view word, const std::string& rest, const games::Position& view,
                   const tournaments::MoveList& moves);
    void explain(const games::Position& view, const std::string& move,
                 const tournaments::MoveList& moves);
    void give_hint(const games::Position& view, std::string spec);
    Answer take_back();
    void help();

    TerminalSession& desk_;
    const games::Game* game_ = nullptr;
    games::Seat me_ = 0;
    std::vector<Happened> happened_;
    std::size_t told_ = 0;                      // of these, on the screen
    std::unique_ptr<games::Observer> observer_; // counts what is hidden; null: it is not counted
    std::unique_ptr<games::Position> likely_;
    std::optional<games::Drawing> before_; // the last that was drawn
};

// A game in which people sit: it may be taken back, and left.

class PersonGame {
  public:
    // Who hears of the game from its beginning; asked anew whenever it is played again, after
    // somebody has taken a move back.
    using Begin = std::function<agents::Listener&()>;

    // All of them outlive it.
    PersonGame(agents::GameRunner& table, TerminalSession& desk, StopSignals& stop)
        : table_(table), desk_(desk), stop_(stop) {}

    // Plays; returns the position where it ended or was left. Moves that are played again after one
    // was taken back meet the same chance, and nobody is asked for them.
    const games::Position& play(std::span<agents::Agent* const> agents, const agents::GameKey& key,
                                const Begin& begin, const agents::Opening* opening);
    // Whether it was left: it has no result.
    [[nodiscard]] bool left() const { return table_.abandoned(); }

  private:
    agents::GameRunner& table_;
    TerminalSession& desk_;
    StopSignals& stop_;
};

} // namespace croupier::cli
