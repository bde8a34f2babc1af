// Rules that end a run early: pure objects, fed block by block in schedule order.
//
// Never feed blocks in the order in which they finish. What ends early is not a fair sample: where
// losses last longer than wins, the first results are wins, and with some 64 games in flight a test
// fed that way accepts nearly always (tournaments/runner/runner_test.cpp shows it). A block
// that finished early waits for its turn; blocks behind the stopping point are thrown away. So the
// stopping point is a function of the schedule, the same for any number of threads, and a resumed
// run feeds the blocks that it has once more and is where it was.
//
//     BlockReader reader(facts);
//     for (each block in schedule order)
//         if (rule.feed(reader.read(games).scores)) break; // the run ends with this block
#pragma once

#include "results/statistics/block.h"
#include "results/statistics/means.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// Generalized sequential probability ratio test on block scores of any shape.

// How often each block score was seen. Scores are fractions of whole numbers divided once, so equal
// fractions are equal keys.
class ScoreCounts {
  public:
    // The scores that blocks of so many games between two sides can have, 0, 1/2k, .. 1, count from
    // the start, though 0 times; others when they are seen.
    explicit ScoreCounts(std::uint32_t games_per_block);
    // Counts of equally spaced scores from 0 to 1: [LL, LD, DD+WL, WD, WW] for two games a block,
    // [L, D, W] for one.
    explicit ScoreCounts(std::span<const std::uint64_t> counts);

    void add(double score, std::uint64_t times = 1);

    [[nodiscard]] const std::map<double, std::uint64_t>& counts() const { return counts_; }
    [[nodiscard]] std::uint32_t games_per_block() const { return games_per_block_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] BlockMean mean() const;

  private:
    std::map<double, std::uint64_t> counts_;
    std::uint32_t games_per_block_;
    std::uint64_t blocks_ = 0;
};

enum class EloModel { Logistic, Normalized };

struct SprtBounds {
    double elo0 = 0;
    double elo1 = 2;
    double alpha = 0.05; // chance to accept H1 though elo0 is the truth
    double beta = 0.05;  // chance to accept H0 though elo1 is
    EloModel model = EloModel::Normalized;
};

// What keeps these bounds from being a test, in a sentence; nothing if they are one.
std::optional<std::string> wrong_with(const SprtBounds& bounds);

// "logistic", "normalized".
std::string_view to_string(EloModel model);
std::optional<EloModel> model_of(std::string_view name);

enum class SprtVerdict { Undecided, AcceptH0, AcceptH1 };

// ln(beta / (1 - alpha)): H0 is accepted at or below it.
double lower_bound(const SprtBounds& bounds);
// ln((1 - beta) / alpha): H1 is accepted at or above it.
double upper_bound(const SprtBounds& bounds);

// The log-likelihood ratio of elo1 against elo0. A count of zero stands for a thousandth. Absent
// without data, and where the hypotheses are so extreme that no distribution on these scores has
// them.
std::optional<double> log_likelihood_ratio(const ScoreCounts& counts, const SprtBounds& bounds);

SprtVerdict verdict_of(std::optional<double> llr, const SprtBounds& bounds);

// "H1 accepted"
std::string_view to_string(SprtVerdict verdict);

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
    // `games_per_block` as scheduled: 2 for two sides rotated. See stop.h for the rest.
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
