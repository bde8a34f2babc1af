// What games are compared by: numbers of a block that can be averaged over blocks.
#pragma once

#include "results/record.h"
#include "results/statistics/block.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

enum class MetricKind : std::uint8_t {
    Win,        // a draw is worth its share
    Score,      // the game's own points
    Draws,      // games that no side has won alone
    Length,     // moves of a game
    Forced,     // moves with no alternative, of all moves
    Branching,  // legal moves to choose from
    Aborted,    // games that ended so
    Unfinished, //
    Fault,      //
};
std::span<const MetricKind> metric_kinds();
// As tables, the command line and programs spell it: "win", "score", ..
std::string_view name_of(MetricKind kind);
std::optional<MetricKind> metric_of(std::string_view name);
// Between 0 and 1: shown in percent, and there is a margin to begin with.
bool is_share(MetricKind kind);

// Whose number it is: that of all, or of a side (a team, or a seat where everyone plays alone), of
// a role, of an agent. Ordered as tables show it.
struct MetricKey {
    enum class Of : std::uint8_t { All, Side, Role, Agent };
    MetricKind kind = MetricKind::Win;
    Of of = Of::All;
    std::uint32_t index = 0; // of a side or an agent
    std::string role;

    friend auto operator<=>(const MetricKey&, const MetricKey&) = default;
};

struct MetricSum {
    double sum = 0;
    double count = 0;
};
using MetricSums = std::map<MetricKey, MetricSum>;

class MetricReader {
  public:
    // `by_agent`: the agents differ, so that each is of interest by itself.
    MetricReader(const RunFacts& facts, bool by_agent);

    // All numbers of the games of a block.
    MetricSums read(std::span<const GameRecord> games);
    // "A", "taker", "rules:naive"; empty for all.
    [[nodiscard]] std::string name_of(const MetricKey& key) const;
    // The metric that it says the same as: where two sides, or two agents, share the wins, those of
    // the first are one less those of the second.
    [[nodiscard]] MetricKey question_of(MetricKey key) const;

  private:
    void add_sides(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;
    void add_agents(const GameRecord& game, std::span<const Side> sides, MetricSums& into) const;

    BlockReader reader_;
    std::vector<std::string> sides_;
    std::vector<std::string> agents_;
    bool by_agent_;
};

// What the agent has of each game of a block: as Standings count it. Nothing is added for games
// that it did not sit in, or that came to nothing.
MetricSum wins_of(std::uint32_t agent, std::span<const GameRecord> games, BlockReader& reader);
MetricSum points_of(std::uint32_t agent, std::span<const GameRecord> games);

} // namespace croupier::results
