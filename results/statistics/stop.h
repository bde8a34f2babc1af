// Rules that end a run early: pure objects, fed block by block in schedule order.
//
// Never feed blocks in the order in which they finish. A run that ends early would be a biased
// sample: if losses last longer than wins, the first results are wins, and with some 64 games in
// flight a test fed that way accepts nearly always (tournaments/runner/runner_test.cpp shows it). A
// block that finished early waits for its turn; blocks after the stopping point are discarded. So
// the stopping point is a function of the schedule, the same for any number of threads, and a
// resumed run feeds its blocks again to restore the state.
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

// Generalized sequential probability ratio test on block scores of any distribution.

// The count of each block score. Scores are whole numbers divided once, so equal fractions are
// equal keys.
class ScoreCounts {
  public:
    // Scores that are possible in blocks of that many games between two sides, 0, 1/2k, .. 1, are
    // present from the start with count 0; others are added when seen.
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
    double alpha = 0.05; // probability of accepting H1 if elo0 is true
    double beta = 0.05;  // probability of accepting H0 if elo1 is true
    EloModel model = EloModel::Normalized;
};

// Why these bounds do not define a test, in a sentence; nothing if they do.
std::optional<std::string> wrong_with(const SprtBounds& bounds);

// "logistic", "normalized".
std::string_view to_string(EloModel model);
std::optional<EloModel> model_of(std::string_view name);

enum class SprtVerdict { Undecided, AcceptH0, AcceptH1 };

// ln(beta / (1 - alpha)): accepts H0 at or below it.
double lower_bound(const SprtBounds& bounds);
// ln((1 - beta) / alpha): accepts H1 at or above it.
double upper_bound(const SprtBounds& bounds);

// The log-likelihood ratio of elo1 against elo0. A count of zero is replaced by a thousandth.
// Absent without data, and if the hypotheses are so extreme that no distribution on these scores
// has them.
std::optional<double> log_likelihood_ratio(const ScoreCounts& counts, const SprtBounds& bounds);

SprtVerdict verdict_of(std::optional<double> llr, const SprtBounds& bounds);

// "H1 accepted"
std::string_view to_string(SprtVerdict verdict);

// The state of a rule, for the progress line and the report.
struct StopStatus {
    std::string rule;            // "sprt", "width"
    bool stopped = false;        // it has ended the run
    std::string verdict;         // "H0 accepted", "H1 accepted", "reached", "undecided"
    std::optional<double> value; // the log-likelihood ratio, or the width; absent if undefined
    double low = 0;              // bounds of the value that end the run
    double high = 0;
    std::uint64_t blocks = 0; // fed so far, except empty ones
};

// A sequential test stops a run when the data look clear, so their average exaggerates. A width
// depends only on the spread.
inline bool estimates_are_biased(const StopStatus& status) {
    return status.stopped && status.rule == "sprt";
}

class StopRule {
  public:
    StopRule() = default;
    StopRule(const StopRule&) = delete;
    StopRule& operator=(const StopRule&) = delete;
    virtual ~StopRule() = default;

    // Feeds the next block in schedule order. Returns true if the run ends with it; later calls
    // return true and count nothing.
    virtual bool feed(const BlockScores& scores) = 0;
    [[nodiscard]] virtual StopStatus status() const = 0;
};

// Sequential test of contestant 0 against the other, for runs of two agents on different sides.
// Skips blocks without a score (all games void). Takes some microseconds per block; memory depends
// on distinct scores.
class Sprt final : public StopRule {
  public:
    // `games_per_block` as scheduled: 2 for two sides rotated.
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
// given confidence. Uses the interval of the report, in which a few equal blocks at the start do
// not imply certainty, with a variance raised by 1/N (Chow and Robbins), as the data determine N.
class IntervalWidth final : public StopRule {
  public:
    // Waits until that many contestants have met an opponent, including those late in the schedule.
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
