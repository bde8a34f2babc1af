// Families of revisions and line-ups on the same deals: what each point of a sweep changes against
// the first, the effects of its factors, and which points are worth having.
#pragma once

#include "results/compare/comparison.h"
#include "results/record.h"
#include "results/statistics/means.h"
#include "results/statistics/paired.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// What points differ in: an option, the game, the agents.
struct Factor {
    std::string name;
    std::vector<std::string> values;

    friend bool operator==(const Factor&, const Factor&) = default;
};

struct SweepDesign {
    std::vector<Factor> factors;
    std::vector<std::vector<std::uint32_t>> points; // the number of each factor's value
    bool grid = false; // every combination, the last factor fastest: effects can be told apart

    [[nodiscard]] const std::string& value(std::size_t point, std::size_t factor) const {
        return factors[factor].values[points[point][factor]];
    }
};

// A metric of games; or the gap between the most and the least winning side, role or agent, whose
// key is that of such wins.
struct SweptMetric {
    MetricKey key;
    bool gap = false;
    std::string of; // its scope; empty for all and for gaps
};
// "length"; "seats", "roles" and "skill" for gaps.
std::string_view name_of(const SweptMetric& metric);
// "length", "win A", "seat gap".
std::string title_of(const SweptMetric& metric);
bool is_share(const SweptMetric& metric);
std::vector<std::string> swept_names(); // of all metrics, then of gaps
// Without its scope.
std::optional<SweptMetric> swept_named(std::string_view name);

// What a sweep looks for: a metric that is small, large, or near a number.
struct Sought {
    enum class Goal : std::uint8_t { Least, Most, Near };
    std::string metric; // its name
    std::string of;     // its scope
    Goal goal = Goal::Least;
    double target = 0;

    [[nodiscard]] bool is_of(const SweptMetric& swept) const;
    // How far a value is from it: least where it is best.
    [[nodiscard]] double distance(double value) const;
    [[nodiscard]] std::string text() const; // "length=least", "win:A=0.5"
};

struct SweepCell {
    Estimate value;
    Estimate difference; // from the first point
    // Corrected over the metric's points for false discoveries; absent for the first point, and for
    // those that were given up.
    std::optional<Judgement> judgement;
};

struct SweepPoint {
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    bool given_up = false;   // surely beaten in all that is sought, or with aborted games
    bool among_best = false; // not surely beaten
    bool on_front = false;   // by its values no other point is as good in all and better in one
    std::uint64_t rules = 0; // that the game has; 0 if they were not watched
    std::uint64_t fired = 0; // of them, those that fired in some game
    std::vector<SweepCell> cells;  // by metric
    std::optional<double> seconds; // per game, if measured; not a function of the seed
};

// How a factor's value changes a metric, averaged over all points; or with a second factor, by how
// much its value changes that effect.
struct SweepEffect {
    std::uint32_t factor = 0;
    std::uint32_t value = 0; // against its first
    std::optional<std::uint32_t> other = {};
    std::uint32_t other_value = 0;
    std::uint64_t blocks = 0;
    std::vector<SweepCell> cells; // by metric; only differences, none of gaps
};

struct SweepSummary {
    std::string game; // "belote", or that of the first point
    std::vector<std::string> agents;
    SweepDesign design;
    std::vector<SweptMetric> metrics; // what is sought first
    std::vector<Sought> sought;
    std::vector<SweepPoint> points;
    std::vector<SweepEffect> effects;
    std::vector<SweepEffect> interactions;
    std::uint64_t seed = 0;
    std::uint64_t starts = 0;
    std::uint64_t blocks = 0;
    std::uint64_t games = 0; // of all points
    bool interrupted = false;
};

// Fed in block order.
class SweepTally {
  public:
    // `blocks`: of the whole sweep, with `games` of each point in each.
    SweepTally(const RunFacts& facts, SweepDesign design, std::vector<Sought> sought,
               std::uint64_t blocks, std::uint32_t games, bool by_agent);

    // The games of the points that play, one point after the other.
    void add_block(std::span<const GameRecord> games);
    // The points that play in the next blocks, up to block `look`: there points may be given up.
    [[nodiscard]] const std::vector<std::uint32_t>& playing() const { return playing_; }
    [[nodiscard]] std::uint64_t look() const;
    // `metrics`: names, or empty for all.
    [[nodiscard]] SweepSummary summary(std::span<const std::string> metrics,
                                       const Margins& margins) const;

  private:
    // The mean of a metric over some points against that over others; for an interaction, the sum
    // of two means against that of two others. Blocks that one of these points did not play are
    // left out.
    struct Contrast {
        SweepEffect effect;
        std::vector<std::uint32_t> plus;
        std::vector<std::uint32_t> minus;
        std::size_t each = 1; // number of points of one mean
        PairedMetrics metrics;
        std::uint64_t blocks = 0;
    };
    struct Bounds {
        double low = 0;
        double high = 0;
        double value = 0;
    };

    void add_contrasts();
    void add(Contrast& contrast, std::span<const MetricSums> sums) const;
    [[nodiscard]] bool plays(std::uint32_t point) const;
    [[nodiscard]] std::vector<SweptMetric> all_metrics() const;
    [[nodiscard]] Estimate value_of(const SweptMetric& metric, std::uint32_t point,
                                    double confidence) const;
    [[nodiscard]] bool is_spoiled(std::uint32_t point) const;
    // How far each point is from what is sought, by what is sought; empty if unknown.
    [[nodiscard]] std::vector<std::vector<Bounds>> losses() const;
    [[nodiscard]] std::vector<bool> beaten(std::span<const std::vector<Bounds>> losses) const;
    // Each sets the cells `at` of all points.
    void judge_gap(const SweptMetric& metric, std::size_t at, SweepSummary& summary) const;
    void judge_metric(const SweptMetric& metric, std::size_t at, double margin,
                      SweepSummary& summary) const;
    // `p`: of no difference; stays absent if unknown.
    [[nodiscard]] Estimate gap_difference(const SweptMetric& metric, std::uint32_t point,
                                          std::optional<double>& p) const;
    [[nodiscard]] std::optional<PairedMoments> paired_gap(const SweptMetric& metric,
                                                          std::uint32_t point) const;
    [[nodiscard]] double gap_p(const SweptMetric& metric, std::uint32_t point) const;
    // `most`: the greatest mean of a rate.
    [[nodiscard]] std::vector<SweepEffect> judged(std::span<const Contrast> contrasts,
                                                  std::span<const SweptMetric> metrics,
                                                  const Margins& margins, double most) const;

    MetricReader reader_;
    RunFacts facts_;
    SweepDesign design_;
    std::vector<Sought> sought_;
    std::vector<std::uint64_t> looks_; // blocks after which points may be given up
    std::uint32_t games_;
    std::vector<PairedMetrics> points_; // B is the point, A the first one
    std::vector<Contrast> effects_;
    std::vector<Contrast> interactions_;
    std::vector<std::uint32_t> playing_;
    std::vector<std::uint64_t> blocks_; // by point
    std::vector<std::string> fired_;    // by point, as in records
    std::uint64_t all_blocks_ = 0;
};

} // namespace croupier::results
