// What positions of any game are worth, learnt from random games: for rulesets that say nothing of
// it themselves.
#pragma once

#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace croupier::agents {

// A number for each value that each declared leaf of the state can have ("a stone of mine on d3"),
// and their sum for the position: linear, so it knows nothing of lines, gaps or pairs. A function
// of the ruleset alone. Takes some tenths of a second to learn.
class LearntEvaluation final : public games::Evaluation {
  public:
    // Null: the game declares nothing that could be told apart, or no random game comes to an end.
    static std::shared_ptr<const LearntEvaluation> learn(const games::RulesetGame& game);

    // In percent: 100 for who is sure to be ahead of everybody, -100 for who is sure to be behind.
    [[nodiscard]] double worth(const games::Position& position, games::Seat seat) const override;
    [[nodiscard]] bool reads_moves() const override { return false; }

    [[nodiscard]] std::uint64_t games() const { return games_; } // that it was learnt from

  private:
    class Lesson;

    // Bytes of the state, one a row; each other than 0 is a value of that row.
    struct Codes {
        std::uint32_t begin = 0;
        std::uint32_t rows = 0;
        std::uint32_t values = 0; // that were seen: the greatest
        std::uint32_t first = 0;  // of its weights
    };
    // Rows that are there or not.
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
    // By side; where there are two, those of the first stand for both.
    std::vector<std::vector<double>> weights_;
    std::vector<double> base_;
    std::uint64_t games_ = 0;
};

} // namespace croupier::agents
