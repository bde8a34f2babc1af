// A net that was trained by self-play, from a file.
#pragma once

#include "agents/agent.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/features.h"
#include "games/ruleset/ruleset_game.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace croupier::agents {

class Net;

// `net` is null if the diagnostics have an error.
struct OpenedNet {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    std::shared_ptr<const Net> net;
};

// What each move is worth for the seat that sees these bits: dense layers with rectifiers between
// them. The last one says what each move gains, and what the position is worth. It computes with
// whole numbers only, so that all machines get the same. Immutable; threads share it.
class Net {
  public:
    // Reads the file and checks that it is for the game, which must outlive the net.
    static OpenedNet open(const std::string& path, const engine::FileOpener& open,
                          const games::RulesetGame& game);

    // What one thread needs for its computations.
    struct Work {
        std::vector<std::uint8_t> bits;
        std::vector<std::int16_t> sums;
        std::vector<std::int32_t> totals;
        std::vector<std::int16_t> values;
        std::vector<std::int16_t> next;
    };
    // Sets worths[i] to what moves[i] is worth, in fixed point, which `points` converts. `view` is
    // as `me` sees it.
    void look(const Position& view, const games::Memory& memory, Seat me,
              std::span<const Move> moves, Work& work, std::vector<std::int64_t>& worths) const;
    // By how many points the seat will be ahead, as the net expects.
    [[nodiscard]] double points(std::int64_t worth) const;
    [[nodiscard]] double unit() const { return unit_; } // the usual result, in points
    // Whether results are -1 to 1, from all others ahead to none, in place of points.
    [[nodiscard]] bool wants_wins() const { return wants_wins_; }

    [[nodiscard]] const games::Features& features() const { return features_; }
    // What differs between the game played and the one it was trained for; empty if nothing does.
    [[nodiscard]] const std::string& difference() const { return difference_; }

  private:
    class Reader;

    // Weights are whole numbers up to 127, with a factor for each unit.
    struct Layer {
        std::uint32_t inputs = 0;
        std::uint32_t units = 0;
        std::uint32_t row = 0;             // length of a row, padded with zeros
        std::vector<std::int16_t> weights; // of the first layer by input, of others by unit
        std::vector<std::int64_t> factors; // in 1 / kFactor
        std::vector<std::int64_t> biases;  // in 1 / (kFactor * kOne)
    };

    explicit Net(const games::RulesetGame& game) : features_(game) {}
    void add_bits(const Layer& layer, Work& work) const;
    static std::int64_t worth_of(const Layer& layer, std::uint32_t unit,
                                 const std::vector<std::int16_t>& values);

    games::Features features_;
    std::vector<std::int32_t> input_of_; // by bit: its input, or -1
    std::vector<Layer> layers_;          // at least two
    bool wants_wins_ = false;
    double unit_ = 1; // points of a worth of 1
    std::string difference_;
};

} // namespace croupier::agents
