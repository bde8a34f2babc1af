// games.csv as text: a row per game and seat.
#pragma once

#include "results/record.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

inline constexpr std::string_view kRowTitles =
    "block,game,start,seat,player,agent,score,place,role,plies,end,fault,substitute,line\n";
// Of comparisons: how much there was to choose, too.
inline constexpr std::string_view kComparedTitles =
    "block,game,start,seat,player,agent,score,place,role,plies,end,fault,substitute,line,choices,"
    "forced\n";

std::string_view name_of(End end);
std::optional<End> end_of(std::string_view name);

// Immutable; several threads may use one.
class RowFormat {
  public:
    // `choices`: rows below kComparedTitles.
    explicit RowFormat(const RunFacts& facts, bool choices = false);

    // The rows of one game, each ended by a newline.
    void append(const GameRecord& game, std::string& into) const;

  private:
    [[nodiscard]] const std::string& who(const GameRecord& game, std::size_t seat) const;

    std::size_t agents_;
    bool choices_;
    std::vector<std::string> who_; // seat * agents + agent: "2,NORTH,eval,", as it stands in a row
};

// The text as a cell of CSV: in quotes where it needs them.
std::string csv_cell(std::string_view text);

} // namespace croupier::results
