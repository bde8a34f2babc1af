// Shared by tests of reports.
#pragma once

#include "results/report/report.h"
#include "results/report/standings.h"

#include <string>
#include <vector>

namespace croupier::results {

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Standings fed game by game: a block ends when the next one begins.
class GameStandings : public Standings {
  public:
    using Standings::Standings;

    void add(const GameRecord& game) {
        if (!open_.empty() && open_.front().block != game.block) close();
        open_.push_back(game);
    }
    // Counts the last block as complete.
    [[nodiscard]] Summary summary() {
        close();
        return Standings::summary();
    }

  private:
    void close() {
        add_block(open_);
        open_.clear();
    }

    std::vector<GameRecord> open_;
};

inline Report make_report(GameStandings& standings) {
    return {standings.summary(), {}, {}, {}};
}

} // namespace croupier::results
