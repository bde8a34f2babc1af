// Facts about one finished game, and about its run: all that results need.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// The value of an enumeration with that name in its table of names.
template <class Enum, std::size_t Count>
std::optional<Enum> value_named(const std::array<std::string_view, Count>& names,
                                std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

// How a game ended, as records spell it: "over", "aborted", "unfinished", "fault", "resigned",
// "agreed", "cut".
enum class End : std::uint8_t {
    Over,       // by its rules
    Aborted,    // a rule failed: no player is to blame
    Unfinished, // the game's own limit of moves was reached
    Fault,      // an agent violated its contract: see GameRecord::fault
    Resigned,   // an agent resigned
    Agreed,     // all sides offered a draw
    Cut,        // the run's limit of moves was reached: a draw
};
inline constexpr std::size_t kEnds = 7;

// Whether the game itself determined the scores. Otherwise there may be places, which count, but no
// points, which enter no mean.
constexpr bool has_points(End end) {
    return end == End::Over || end == End::Unfinished;
}

// One seat of one game.
struct SeatRecord {
    std::uint32_t agent = 0; // its player: an index into RunFacts::agents
    double score = 0;        // the game's own points; more is better
    // 1 is the best, equal seats share it, partners have the same. 0 at all seats if the game is
    // void and does not count.
    std::uint32_t place = 0;
    std::string role;      // "taker"; empty if the game knows no roles
    bool at_fault = false; // this seat's agent caused `fault`
    // The ply from which another agent has played in its place, because of `lapse`. Unset if that
    // one is at fault as well: the game has then ended.
    std::optional<std::uint32_t> substitute = {};
    std::string lapse = {};
};

// How the lead went, judged before each move by playouts: a side leads once it would win surely
// more often than any other.
struct Course {
    std::uint32_t settled = 0; // moves after which the winner led to the end; all in a draw
    std::uint32_t leads = 0;   // how often another side took the lead
    bool comeback = false;     // another side led before the winner

    friend bool operator==(const Course&, const Course&) = default;
};

// One finished game. Games of a block share the deal; blocks are the unit of all statistics.
struct GameRecord {
    std::uint64_t block = 0;            // in schedule order, from 0, without gaps in a complete run
    std::uint32_t game = 0;             // index of the seating in the block
    std::optional<std::uint64_t> start; // number of the start position; unset if it began as usual
    std::vector<SeatRecord> seats;      // by seat
    std::uint32_t plies = 0;
    End end = End::Over;
    std::string fault;      // what was wrong, without local paths; empty if nothing
    std::uint64_t line = 0; // hash of the moves: equal games have equal lines
    // Number of choices, if requested; files of a run do not keep it.
    std::uint64_t choices = 0; // legal moves, summed over the plies
    std::uint32_t forced = 0;  // plies with a single legal move
    std::optional<Course> course = {};
    // A character for each rule of the game, in its order: '#' if it fired, else '.'. Empty if the
    // rules were not watched.
    std::string fired = {};
};

struct TeamFacts {
    std::string name;
    std::vector<std::uint32_t> seats;
};

// The facts about a run that results refer to.
struct RunFacts {
    std::string game;                 // "belote:contest"
    std::vector<std::string> players; // names of the seats
    std::vector<TeamFacts> teams;     // empty if everyone plays alone
    std::vector<std::string> agents;  // names, distinct
    // Agents whose choices are not a function of the seed: they depend on time, or are programs.
    std::vector<std::string> irreproducible;
    std::vector<std::string> oracles; // agents that see what is hidden
    std::uint64_t starts = 0;         // number of start positions; 0 if games begin as usual
    std::uint64_t seed = 0;
};

} // namespace croupier::results
