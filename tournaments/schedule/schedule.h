// Which games a run consists of: a pure function of what was asked, block by block.
//
// A block is one deal played in several seatings; its number is its deal, so no two blocks share
// chance. A schedule only answers "which is block n?", for any n below known(), from any thread.
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

// Who sits where: the seatings of one block, every one a game with the same deal.

// Which seatings a block has.
enum class Rotation : std::uint8_t {
    Rotate, // everyone moves on by one side until he has sat on all
    All,    // every order of the field
    None,   // one game a block; the field moves on by one side from round to round
};
std::string_view name_of(Rotation rotation); // "rotate", "all", "none"

// Seats by side: those of a team, or one seat where everyone plays alone.
using Sides = std::vector<std::vector<std::uint32_t>>;

// Immutable.
class Seatings {
  public:
    Seatings(Sides sides, Rotation rotation);

    [[nodiscard]] std::size_t sides() const { return sides_.size(); }
    [[nodiscard]] std::uint32_t seats() const { return seats_; }
    // Appends the seatings of a field, one entrant a side, flat: `seats()` agents a game. The same
    // entrants on the same sides come once. `round` matters to Rotation::None alone.
    void append(std::span<const std::uint32_t> field, std::uint64_t round,
                std::vector<std::uint32_t>& flat) const;

  private:
    void append_one(std::span<const std::uint32_t> by_side, std::vector<std::uint32_t>& flat) const;

    Sides sides_;
    Rotation rotation_;
    std::uint32_t seats_ = 0;
};

// Reused from block to block, so that asking allocates nothing in steady state.
struct Block {
    std::uint64_t index = 0;
    std::uint64_t deal = 0;
    std::uint64_t round = 0; // in which every table, or match, has one block
    std::uint32_t seats = 0;
    std::vector<std::uint32_t> agents; // flat: `seats` a game

    [[nodiscard]] std::uint32_t games() const {
        return static_cast<std::uint32_t>(agents.size() / seats);
    }
    [[nodiscard]] std::span<const std::uint32_t> seating(std::uint32_t game) const {
        return std::span(agents).subspan(static_cast<std::size_t>(game) * seats, seats);
    }
};

enum class ScheduleKind : std::uint8_t {
    RoundRobin, // every table of different agents that there can be, in turn
    Gauntlet,   // the same, with the first agent at each of them
    FreeForAll, // all agents are shuffled and sat down at tables, round after round
    Knockout,   // pairs; who loses a match is out
    Swiss,      // pairs of those who stand alike, each round
};
std::string_view name_of(ScheduleKind kind); // "round-robin", ..
std::span<const ScheduleKind> schedule_kinds();

class Schedule {
  public:
    Schedule() = default;
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;
    virtual ~Schedule() = default;

    // The most that the run will have.
    [[nodiscard]] virtual std::uint64_t blocks() const = 0;
    [[nodiscard]] virtual std::uint32_t games_per_block() const = 0;
    // Blocks below this can be asked for. All of them, unless later ones depend on results.
    [[nodiscard]] virtual std::uint64_t known() const { return blocks(); }
    [[nodiscard]] bool depends_on_results() const { return known() != blocks(); }
    // Whether any two agents play in each other's places as often, with all others where they were.
    // If not, the score of a meeting includes what the order at the table is worth.
    [[nodiscard]] virtual bool balances_couples() const { return true; }
    virtual void get(std::uint64_t index, Block& into) const = 0;
    // For those whose later blocks depend on results: the scores of the next block in order, by
    // agent, in [0, 1]; absent for whoever did not play. Never while somebody asks.
    virtual void feed(std::span<const std::optional<double>> /*scores*/) {}
    // What was fed since is taken into account: more blocks may be known. Only when all that are
    // known were fed.
    virtual void advance() {}
};

struct ScheduleRequest {
    ScheduleKind kind = ScheduleKind::RoundRobin;
    Rotation rotation = Rotation::Rotate;
    std::uint32_t agents = 0;
    Sides sides;
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> blocks; // so many
    std::optional<std::uint64_t> games;  // at least so many: up to the end of a round
    std::uint32_t rounds = 0;            // of Swiss; 0: as many as a knockout would take
};

// Either a schedule or why there is none.
struct MadeSchedule {
    std::unique_ptr<Schedule> schedule;
    std::string error;
};
MadeSchedule make_schedule(const ScheduleRequest& request);

} // namespace croupier::tournaments
