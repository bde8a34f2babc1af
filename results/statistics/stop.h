// Rules that end a run early: pure objects, fed block by block in schedule order.
//
// Never feed blocks in the order in which they finish. What ends early is not a fair sample: where
// losses last longer than wins, the first results are wins, and with some 64 games in flight a test
// fed that way accepts nearly always (tournaments/runner/in_flight_test.cpp shows it). A block
// that finished early waits for its turn; blocks behind the stopping point are thrown away. So the
// stopping point is a function of the schedule, the same for any number of threads, and a resumed
// run feeds the blocks that it has once more and is where it was.
//
//     BlockReader reader(facts);
//     for (each block in schedule order)
//         if (rule.feed(reader.read(games).scores)) break; // the run ends with this block
#pragma once

#include "results/statistics/accumulator.h"
#include "results/statistics/block.h"
#include "results/statistics/gsprt.h"
#include "results/statistics/normal.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::results {

// What a rule knows, for the progress line and the report.
struct StopStatus {
    std::string rule;            // "sprt", "width"
    bool stopped = false;        // it has ended the run
    std::string verdict;         // "H0 accepted", "H1 accepted", "reached", "undecided"
    std::optional<double> value; // the log-likelihood ratio, or the width; absent: undefined
    double low = 0;              // bounds of the value that end the run
    double high = 0;
    std::uint64_t blocks = 0; // fed so far, empty ones not counted
};

// A sequential test ends a run when the data look clear, so that what they show on average is too
// much. A width depends on the spread alone.
inline bool estimates_are_biased(const StopStatus& status) {
    return status.stopped && status.rule == "sprt";
}

class StopRule {
  public:
    StopRule() = default;
    StopRule(const StopRule&) = delete;
    StopRule& operator=(const StopRule&) = delete;
    virtual ~StopRule() = default;

    // The next block in schedule order. True when the run ends with it; from then on always true,
    // and nothing is counted any more.
    virtual bool feed(const BlockScores& scores) = 0;
    [[nodiscard]] virtual StopStatus status() const = 0;
};

// Sequential test of contestant 0 against the other, for runs of two agents that sit on different
// sides. Blocks without a score (all games void) are passed over. Costs some microseconds a
// block, memory by distinct scores.
class Sprt final : public StopRule {
  public:
    // `games_per_block` as scheduled: 2 for two sides rotated. See gsprt.h for the rest.
    Sprt(const SprtBounds& bounds, std::uint32_t games_per_block);

    bool feed(const BlockScores& scores) override;
    [[nodiscard]] StopStatus status() const override;

  private:
    SprtBounds bounds_;
    ScoreCounts counts_;
    std::optional<double> llr_;
    SprtVerdict verdict_ = SprtVerdict::Undecided;
};

// Ends when the interval of every contestant's mean block score is at most `width` wide, at the
// given confidence: the one that the report shows, which knows that a few equal blocks at the start
// are no certainty; and with a variance raised by 1/N (Chow and Robbins), as N is chosen by the
// data.
class IntervalWidth final : public StopRule {
  public:
    // Waits until so many contestants have met somebody: whoever comes late in the schedule is
    // waited for.
    explicit IntervalWidth(double width, std::size_t contestants = 2,
                           double confidence = kConfidence);

    bool feed(const BlockScores& scores) override;
    // The value is the widest interval so far.
    [[nodiscard]] StopStatus status() const override;

  private:
    [[nodiscard]] std::optional<double> widest() const;

    double width_;
    double confidence_;
    double z_;
    std::size_t contestants_;
    bool stopped_ = false;
    std::uint64_t blocks_ = 0;
    std::vector<BlockMean> means_;
};

} // namespace croupier::results
