// games.csv as text: a row per game and seat.
#pragma once

#include "results/record.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

inline constexpr std::string_view kRowTitles =
    "block,game,seat,player,agent,score,place,role,plies,end,fault,line\n";

std::string_view name_of(End end);

// Immutable; several threads may use one.
class RowFormat {
  public:
    explicit RowFormat(const RunFacts& facts);

    // The rows of one game, each ended by a newline.
    void append(const GameRecord& game, std::string& into) const;

  private:
    std::vector<std::string> seats_;  // "2,NORTH,", as they stand in a row
    std::vector<std::string> agents_; // "eval,"
};

// The text as a cell of CSV: in quotes where it needs them.
std::string csv_cell(std::string_view text);

} // namespace croupier::results
