// A game as JSON lines: a header, a line per move, a last line. Written during or after play.
#pragma once

#include "agents/game_runner.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "results/store/games_file.h"
#include "tournaments/replay/game_replay.h"
#include "tournaments/starts/starts.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// A part of the seed that somebody gave, and its hash, which all knew before.
struct Share {
    std::string by; // "host", or the players of the seats
    std::string hash;
    std::string share;
};

struct RecordHeader {
    std::optional<results::GameId> id; // of a run's game
    std::string game;                  // as the user named it
    std::string revision;
    std::uint64_t seed = 0;
    const Start* start = nullptr;    // null if it began as usual
    std::vector<std::string> agents; // by seat
    std::vector<Share> shares = {};  // that the seed was made of, if it was
};

// The key that determines the chance of the recorded game.
agents::GameKey key_of(const RecordHeader& header);

// Writes each line as soon as it is known. The bytes depend only on header, rules and moves.
class RecordWriter : public agents::Listener {
  public:
    using Sink = std::function<void(std::string_view line)>;
    // With `states`, every move's line has the full state before it.
    RecordWriter(RecordHeader header, bool states, Sink sink);

    void begins(const games::Position& position) override;
    void moves(const games::Position& before, games::Move move) override;
    void faults(const games::Position& position, const agents::AgentFault& fault) override;
    void judged(const games::Position& position, const agents::Verdict& verdict) override;
    void substituted(const games::Position& position, games::Seat seat,
                     const agents::Substitution& other) override;
    void ends(const games::Position& position) override;

    // From its next move on, `agent` plays that seat. The lines of its moves name it, if it is not
    // the one that the header names.
    void sits(games::Seat seat, std::string agent) { holders_[seat] = std::move(agent); }
    // A seat that another has played from then on.
    struct Change {
        games::Seat seat = 0;
        std::uint32_t ply = 0; // of the agent's first move
        std::string agent;
    };
    [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

  private:
    RecordHeader header_;
    bool states_;
    Sink sink_;
    std::optional<agents::AgentFault> fault_;
    std::optional<agents::Verdict> verdict_;
    std::optional<engine::Document> substitutes_;
    std::vector<std::string> holders_; // by seat
    std::vector<std::string> played_;  // who has moved last, by seat
    std::vector<Change> changes_;
};

// Who has played each seat: "human", or "human, rules:table from move 13".
std::vector<std::string> with_changes(std::vector<std::string> agents,
                                      std::span<const RecordWriter::Change> changes);

// Which games of a run are kept, and the header of their records.
struct KeepSettings {
    results::Keep keep = results::Keep::None;
    std::string game; // as the user named it
    std::string revision;
};

// Writes records of a run's games from the runner's last game. Use one per thread.
class GameKeeper {
  public:
    // The game must outlive it.
    GameKeeper(const games::Game& game, KeepSettings settings, std::uint64_t seed,
               std::vector<std::string> agents)
        : settings_(std::move(settings)), seed_(seed), agents_(std::move(agents)), replay_(game) {}

    [[nodiscard]] bool keeps(results::End end) const { return results::keeps(settings_.keep, end); }
    // Appends the game's lines to `into`.
    void append(results::GameId id, std::span<const std::uint32_t> seating, const Start* start,
                const agents::GameRunner& table, std::string& into);

  private:
    KeepSettings settings_;
    std::uint64_t seed_;
    std::vector<std::string> agents_; // of the run
    GameReplay replay_;
};

// The moves of a record.
struct RecordedMove {
    std::string move;
    std::string agent; // empty: the one that the header names
};
std::vector<RecordedMove> played_in(std::string_view record);
std::vector<std::string> moves_in(std::string_view record);

} // namespace croupier::tournaments
