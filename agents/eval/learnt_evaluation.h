// Evaluates positions of any game, learnt from random games: for rulesets without an evaluation of
// their own.
#pragma once

#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace croupier::agents {

// A weight for each value of each declared leaf of the state ("a stone of mine on d3"); the
// position is worth their sum. Linear, so it knows nothing of lines, gaps or pairs. A function of
// the ruleset only. Learning takes some tenths of a second.
class LearntEvaluation final : public games::Evaluation {
  public:
    // Returns null if the game declares nothing that differs, or if no random game ends.
    static std::shared_ptr<const LearntEvaluation> learn(const games::RulesetGame& game);

    // In percent: 100 if the seat is certain to be ahead of all others, -100 if certain to be last.
    [[nodiscard]] double worth(const games::Position& position, games::Seat seat) const override;
    [[nodiscard]] bool reads_moves() const override { return false; }

    [[nodiscard]] std::uint64_t games() const { return games_; } // used for learning

  private:
    class Lesson;

    // Bytes of the state, one per row; each value except 0 is a value of that row.
    struct Codes {
        std::uint32_t begin = 0;
        std::uint32_t rows = 0;
        std::uint32_t values = 0; // the greatest seen
        std::uint32_t first = 0;  // index of its first weight
    };
    // Rows that are present or absent.
    struct Bits {
        engine::SchemaId schema = 0;
        std::uint32_t rows = 0;
        std::uint32_t first = 0;
    };

    LearntEvaluation() = default;
    void find_leaves(const games::RulesetGame& game);
    template <class Use>
    void each_feature(const engine::State& state, const Use& use) const;

    std::vector<Codes> codes_;
    std::vector<Bits> bits_;
    std::vector<std::size_t> side_; // by seat
    // By side; if there are two, the weights of the first serve both.
    std::vector<std::vector<double>> weights_;
    std::vector<double> base_;
    std::uint64_t games_ = 0;
};

} // namespace croupier::agents
