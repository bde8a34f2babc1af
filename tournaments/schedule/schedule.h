// The games of a run: a pure function of the specification, block by block.
//
// A block is one deal played in several seatings; its number determines the deal, so no two blocks
// share chance. A schedule only answers "which is block n?", for any n below known(), from any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

// The seatings of one block, each a game with the same deal.

// Which seatings a block has.
enum class Rotation : std::uint8_t {
    Rotate, // all move by one side until each has played on all
    All,    // every order of the field
    None,   // one game per block; the field moves by one side each round
};
std::string_view name_of(Rotation rotation); // "rotate", "all", "none"

// Seats by side: those of a team, or one seat if everyone plays alone.
using Sides = std::vector<std::vector<std::uint32_t>>;

// Immutable.
class Seatings {
  public:
    Seatings(Sides sides, Rotation rotation);

    [[nodiscard]] std::size_t sides() const { return sides_.size(); }
    [[nodiscard]] std::uint32_t seats() const { return seats_; }
    // Appends the seatings of a field, one entrant per side, flat: `seats()` agents per game.
    // Identical seatings appear once. `round` matters only for Rotation::None.
    void append(std::span<const std::uint32_t> field, std::uint64_t round,
                std::vector<std::uint32_t>& flat) const;

  private:
    void append_one(std::span<const std::uint32_t> by_side, std::vector<std::uint32_t>& flat) const;

    Sides sides_;
    Rotation rotation_;
    std::uint32_t seats_ = 0;
};

// Reused from block to block, so that get() allocates nothing in steady state.
struct Block {
    std::uint64_t index = 0;
    std::uint64_t deal = 0;
    std::uint64_t round = 0; // a round has one block for every table, or match
    std::uint32_t seats = 0;
    std::vector<std::uint32_t> agents; // flat: `seats` per game

    [[nodiscard]] std::uint32_t games() const {
        return static_cast<std::uint32_t>(agents.size() / seats);
    }
    [[nodiscard]] std::span<const std::uint32_t> seating(std::uint32_t game) const {
        return std::span(agents).subspan(static_cast<std::size_t>(game) * seats, seats);
    }
};

enum class ScheduleKind : std::uint8_t {
    RoundRobin, // all possible tables of different agents, in turn
    Gauntlet,   // the same, with the first agent at each table
    FreeForAll, // all agents are shuffled and assigned to tables, round after round
    Knockout,   // pairs; the loser of a match is out
    Swiss,      // pairs of agents with equal standing, each round
};
std::string_view name_of(ScheduleKind kind); // "round-robin", ..
std::span<const ScheduleKind> schedule_kinds();

class Schedule {
  public:
    Schedule() = default;
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;
    virtual ~Schedule() = default;

    // The maximum for the run.
    [[nodiscard]] virtual std::uint64_t blocks() const = 0;
    [[nodiscard]] virtual std::uint32_t games_per_block() const = 0;
    // Blocks below this are available: all, unless later ones depend on results.
    [[nodiscard]] virtual std::uint64_t known() const { return blocks(); }
    [[nodiscard]] bool depends_on_results() const { return known() != blocks(); }
    // Whether any two agents play equally often in each other's places, with the others unchanged.
    // If not, the score of a meeting includes the effect of the order at the table.
    [[nodiscard]] virtual bool balances_couples() const { return true; }
    virtual void get(std::uint64_t index, Block& into) const = 0;
    // For schedules whose later blocks depend on results: feeds the scores of the next block in
    // order, by agent, in [0, 1]; absent for agents that did not play. Never concurrently with
    // other calls.
    virtual void feed(std::span<const std::optional<double>> /*scores*/) {}
    // Processes what was fed since: more blocks may become known. Only after all known blocks were
    // fed.
    virtual void advance() {}
};

struct ScheduleRequest {
    ScheduleKind kind = ScheduleKind::RoundRobin;
    Rotation rotation = Rotation::Rotate;
    std::uint32_t agents = 0;
    Sides sides;
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> blocks; // exactly that many
    std::optional<std::uint64_t> games;  // at least that many: up to the end of a round
    std::uint32_t rounds = 0;            // of Swiss; 0 for as many as a knockout has
};

// Either a schedule or why there is none.
struct MadeSchedule {
    std::unique_ptr<Schedule> schedule;
    std::string error;
};
MadeSchedule make_schedule(const ScheduleRequest& request);

} // namespace croupier::tournaments
