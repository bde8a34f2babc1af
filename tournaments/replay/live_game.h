// A game in progress as a value, for people and agents: what was dealt, who sits where, which moves
// were made. It knows nothing of pages, terminals, threads or files.
#pragma once

#include "agents/agent.h"
#include "agents/game_runner.h"
#include "agents/registry.h"
#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "tournaments/replay/game_record.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::tournaments {

struct LiveSettings {
    bool states = false;        // in its record, before every move
    std::uint32_t cut = 0;      // a game of so many moves is cut; 0: none is
    engine::Log* log = nullptr; // who gets the lines that rules print; not owned, null: nobody
};

// What an agent does when it is its turn.
struct Choice {
    std::string move = {}; // empty: it makes none
    bool resigns = false;
    std::optional<agents::AgentFault> fault = {};
};

class LiveGame {
  public:
    struct Made {
        games::Seat player = 0;
        std::string move;
        bool secret = false; // the others are not told which
        bool chance = false; // something happened by chance after it
        std::string agent;   // or person, who made it
    };
    // The start, if there is one, was checked and outlives it.
    LiveGame(std::shared_ptr<const games::Game> game, RecordHeader header,
             const LiveSettings& settings = {});

    [[nodiscard]] const games::Game& game() const { return *game_; }
    [[nodiscard]] const std::shared_ptr<const games::Game>& shared_game() const { return game_; }
    [[nodiscard]] const RecordHeader& header() const { return header_; }
    // With nothing hidden.
    [[nodiscard]] const games::Position& position() const { return replay_.position(); }
    [[nodiscard]] const std::vector<Made>& made() const { return made_; }
    [[nodiscard]] const std::vector<std::string>& moves() const { return moves_; }
    // Who plays that seat now.
    [[nodiscard]] const std::vector<std::string>& holders() const { return holders_; }
    [[nodiscard]] bool is_person(games::Seat seat) const {
        return agents::is_person(holders_[seat]);
    }
    // Seats that were handed over, as the record tells.
    [[nodiscard]] const std::vector<RecordWriter::Change>& changes() const {
        return writer_->changes();
    }
    // Who is to move; nobody once the game has ended.
    [[nodiscard]] std::optional<games::Seat> turn() const;
    [[nodiscard]] bool ended() const { return !turn().has_value(); }
    // How it ended, where its rules have not ended it.
    [[nodiscard]] const std::optional<agents::Verdict>& verdict() const { return verdict_; }
    [[nodiscard]] const std::optional<agents::AgentFault>& fault() const { return fault_; }

    // False: it is not legal, and nothing has happened.
    bool play(std::string_view move);
    // From its next move on, that agent, or a person, plays the seat.
    void sit(games::Seat seat, const std::string& agent) { holders_[seat] = agent; }
    void resign(games::Seat seat);
    // That person leaves, and nobody plays on: there is no winner.
    void leave(games::Seat seat);
    void give_up(games::Seat seat, agents::AgentFault fault);
    // Takes the choice of the agent at turn.
    void take(const Choice& choice);
    // Another agent plays for that seat, as the last line of the record will tell.
    void substituted(games::Seat seat, const agents::Substitution& other) {
        substitutes_.insert_or_assign(seat, other);
    }

    // Back to before the last move that one of those seats has made. Returns why people who meet at
    // a table cannot have it, or nothing.
    using Seats = std::vector<games::Seat>;
    [[nodiscard]] std::optional<std::string> why_no_undo(const Seats& mine) const;
    // Whether they have made a move that was not given with the start.
    [[nodiscard]] bool has_moved(const Seats& mine) const {
        return last_move_of(mine) != made_.size();
    }
    void undo(const Seats& mine);
    // Makes the moves again that the last undo took back.
    [[nodiscard]] bool can_redo() const { return !undone_.empty(); }
    void redo();

    // Lines of its record, as `croupier replay` reads them, that nobody has taken yet; `anew`: they
    // are the first ones, and what was taken before no longer counts. The last line of a record is
    // there once the game has ended.
    struct RecordLines {
        bool anew = false;
        std::vector<std::string> lines;
    };
    [[nodiscard]] RecordLines take_record_lines() { return std::exchange(pending_, {}); }

  private:
    void begin();
    // Which the last of those seats' moves is; made_.size(): none.
    [[nodiscard]] std::size_t last_move_of(const Seats& mine) const;
    void make(std::string_view move);
    void make(std::string_view move, const std::string& agent);
    void end(agents::Verdict::Kind kind, games::Seat seat);
    // After the deal and after a move.
    void look_for_end();
    void write_end();

    std::shared_ptr<const games::Game> game_;
    RecordHeader header_;
    LiveSettings settings_;
    GameReplay replay_;
    std::optional<RecordWriter> writer_;
    RecordLines pending_;
    std::vector<std::string> holders_; // by seat
    std::vector<Made> made_;
    std::vector<std::string> moves_; // their names
    std::optional<agents::Verdict> verdict_;
    std::optional<agents::AgentFault> fault_;
    std::map<games::Seat, agents::Substitution> substitutes_;
    std::vector<std::vector<std::string>> undone_; // the last is redone first
};

// Makes the agent `spec`; for an empty one the first of `specs` that can be made, which `spec`
// becomes. Null if none can.
using MakeAgent = std::function<std::unique_ptr<agents::Agent>(const std::string& spec)>;
std::unique_ptr<agents::Agent>
make_adviser(std::string& spec, const std::vector<std::string>& specs, const MakeAgent& make);

// An agent on its seat. What it chooses is a function of the game, the seed and the moves: it
// plays on as it would have after an interruption.
class SeatedAgent : public SeatReplay {
  public:
    SeatedAgent(const games::Game& game, games::Seat seat, std::uint64_t seed,
                std::unique_ptr<agents::Agent> agent, const Start* start = nullptr);

    // After those moves, when it is its turn. It sees its view, even as an oracle.
    Choice choose(std::span<const std::string> moves);
    // The game has ended after those moves.
    void ends(std::span<const std::string> moves, const std::optional<agents::Verdict>& verdict);
    [[nodiscard]] agents::Agent& agent() { return *agent_; }

  private:
    void begins() override;
    void sees(const games::Position& view, const agents::ObservedMove& seen) override;

    std::unique_ptr<agents::Agent> agent_;
    bool looks_ = true;
    bool observes_ = false;
};

// A person who looks: counts what is hidden, as far as the seat can.
class SeatedPerson : public SeatReplay {
  public:
    SeatedPerson(const games::Game& game, games::Seat seat, std::uint64_t seed,
                 const Start* start = nullptr);

    [[nodiscard]] games::Drawing draw(const games::Drawer& drawer);

  private:
    void begins() override;
    void sees(const games::Position& view, const agents::ObservedMove& seen) override;

    std::unique_ptr<games::Observer> observer_; // null: nothing is counted
    std::unique_ptr<games::Position> likely_;
};

} // namespace croupier::tournaments
