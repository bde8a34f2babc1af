// What is known of one finished game, and of the run that it belongs to: all that results need.
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

// The value of an enumeration that is called so in the table of its names.
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
    Aborted,    // a rule failed: nobody's doing
    Unfinished, // the game's own limit of moves was reached
    Fault,      // an agent broke the rules of being an agent: GameRecord::fault says which and how
    Resigned,   // an agent gave up
    Agreed,     // all sides offered a draw
    Cut,        // the run's limit of moves was reached: a draw
};
inline constexpr std::size_t kEnds = 7;

// Whether the game itself has said what everybody scored. Otherwise there may be places, which
// count, but no points, which enter no mean.
constexpr bool has_points(End end) {
    return end == End::Over || end == End::Unfinished;
}

// One seat of one game.
struct SeatRecord {
    std::uint32_t agent = 0; // who sat there: an index into RunFacts::agents
    double score = 0;        // the game's own points; more is better
    // 1 is the best, equal ones share it, partners have the same. 0 at all seats: the game came to
    // nothing and counts for nobody.
    std::uint32_t place = 0;
    std::string role;      // "taker"; empty where the game knows none
    bool at_fault = false; // this seat's agent is the one that `fault` tells of
    // From this ply on another agent has played in its place, because of what `lapse` says. Not
    // where that one is at fault, too: then the game has ended.
    std::optional<std::uint32_t> substitute = {};
    std::string lapse = {};
};

// One finished game. Games of a block share the deal; blocks are the unit of all statistics.
struct GameRecord {
    std::uint64_t block = 0;            // in schedule order, from 0, without gaps in a complete run
    std::uint32_t game = 0;             // which of the block's seatings
    std::optional<std::uint64_t> start; // number of the start position; none: it began as usual
    std::vector<SeatRecord> seats;      // by seat
    std::uint32_t plies = 0;
    End end = End::Over;
    std::string fault;      // what was wrong, without places on this machine; empty if nothing
    std::uint64_t line = 0; // hash of the moves made: equal games, equal lines
    // How much there was to choose. Known where it was asked for; files of a run do not keep it.
    std::uint64_t choices = 0; // legal moves, added up over the plies
    std::uint32_t forced = 0;  // plies with a single legal move
};

struct TeamFacts {
    std::string name;
    std::vector<std::uint32_t> seats;
};

// What a run is about, as far as results speak of it.
struct RunFacts {
    std::string game;                 // "belote:contest"
    std::vector<std::string> players; // names of the seats
    std::vector<TeamFacts> teams;     // empty: everyone plays alone
    std::vector<std::string> agents;  // names, distinct
    // Those of them whose choices are no function of the seed: they go by time, or are programs.
    std::vector<std::string> irreproducible;
    std::vector<std::string> oracles; // those of them that see what is hidden
    std::uint64_t starts = 0;         // how many start positions there are; 0: games begin as usual
    std::uint64_t seed = 0;
};

} // namespace croupier::results
