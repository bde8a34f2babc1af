// Coverage of intervals and error rates of verdicts are as stated: quickly, with fixed seeds.
#include "results/compare/comparison.h"
#include "results/statistics/means.h"
#include "results/statistics/ratings.h"
#include "results/statistics/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

// Simulated runs with a known truth: how often each printed interval covers it, and how often each
// verdict is false.

struct ErrorRate {
    enum class Claim { Interval, Verdict }; // covers (at least 95 %), is false (at most 5 %)
    Claim of = Claim::Interval;
    std::string what;  // "score"
    std::string where; // how blocks are distributed
    // One run of that many blocks: whether the interval covers, or the verdict is false.
    std::function<bool(Dice&, int blocks)> run;
    int slowness = 1; // relative to the others
    // The claim must hold from this number of blocks on; below, it is only measured.
    int holds_from = 6;
};

std::vector<ErrorRate> error_rates();

// The share of `runs` in which it is true.
double rate_of(const ErrorRate& what, int blocks, int runs);

// Whether a rate is within its limit, plus three standard errors of the simulation; coverage may be
// one point short.
bool is_kept(const ErrorRate& what, double rate, int runs);

// Distributions of blocks, and their claims.

namespace {

using Claim = ErrorRate::Claim;
using Draw = std::function<double(Dice&)>;

bool covers(const Estimate& estimate, double truth) {
    constexpr double kRounding = 1e-9;
    return estimate.low.value_or(truth) <= truth + kRounding &&
           estimate.high.value_or(truth) >= truth - kRounding &&
           (estimate.low.has_value() || estimate.high.has_value());
}

// Two games on one deal. `luck` above 0: the deal favours a seat, so the games of a pair tend to
// opposite results; below 0: to equal results.
double pair_of(Dice& dice, double win, double draw, double luck) {
    const double tilt = std::abs(luck) * (dice.uniform() - 0.5);
    const double first = dice.game(win + tilt, draw);
    return (first + dice.game(win + (luck > 0 ? -tilt : tilt), draw)) / 2;
}

// As in belote: mostly 40 to 120, often all or nothing, 252 for all tricks.
double points_of(Dice& dice) {
    const double at = dice.uniform();
    if (at < 0.15) return 0;
    if (at < 0.2) return 252;
    return at < 0.35 ? 162 : 40 + 80 * dice.uniform();
}
constexpr double kMeanPoints = 0.05 * 252 + 0.15 * 162 + 0.65 * 80;

struct Scores { // of a side, in a block
    std::string where;
    double mean;
    Draw draw;
};

std::vector<Scores> score_kinds() {
    return {
        {"pairs, even", 0.5, [](Dice& s) { return pair_of(s, 0.4, 0.2, 0); }},
        {"pairs, the deal decides", 0.5, [](Dice& s) { return pair_of(s, 0.5, 0, -0.9); }},
        {"pairs, the seat decides", 0.5, [](Dice& s) { return pair_of(s, 0.5, 0, 0.9); }},
        {"pairs, 3 of 4 won", 0.75, [](Dice& s) { return pair_of(s, 0.7, 0.1, 0); }},
        {"pairs, nearly all won", 0.97, [](Dice& s) { return pair_of(s, 0.96, 0.02, 0); }},
        {"pairs, mostly draws", 0.51, [](Dice& s) { return pair_of(s, 0.05, 0.92, 0); }},
        {"single games, 1 of 5 won", 0.2, [](Dice& s) { return s.chance(0.2) ? 1.0 : 0.0; }},
    };
}

BlockMean drawn(Dice& dice, int blocks, const Draw& draw) {
    BlockMean mean;
    for (int block = 0; block < blocks; ++block)
        mean.add(draw(dice));
    return mean;
}

void add_scores(std::vector<ErrorRate>& rates) {
    for (const auto& [where, truth, draw] : score_kinds())
        rates.push_back({Claim::Interval, "score, win rate", where,
                         [truth = truth, draw = draw](Dice& s, int n) {
                             return covers(mean_estimate(drawn(s, n, draw).moments(kShare)), truth);
                         }});
    // A role that occurs 0 to 4 times per block, with luck by block.
    rates.push_back({Claim::Interval, "score, win rate", "a role, had 0 to 4 times a block",
                     [](Dice& s, int n) {
                         BlockMean wins;
                         for (int block = 0; block < n; ++block) {
                             const double chance = 0.2 + 0.2 * s.uniform();
                             const auto count = static_cast<int>(5 * s.uniform());
                             double won = 0;
                             for (int i = 0; i < count; ++i)
                                 won += s.chance(chance) ? 1 : 0;
                             wins.add(won, count);
                         }
                         return covers(mean_estimate(wins.moments(kShare)), 0.3);
                     }});
    const auto points = [](const std::string& where, double truth, const Draw& draw) {
        return ErrorRate{Claim::Interval, "points", where, [truth, draw](Dice& s, int n) {
                             return covers(mean_estimate(drawn(s, n, draw).moments()), truth);
                         }};
    };
    rates.push_back(points("single games, as in belote", kMeanPoints, points_of));
    rates.push_back(points("pairs, as in belote", kMeanPoints,
                           [](Dice& s) { return (points_of(s) + points_of(s)) / 2; }));
    rates.push_back(points("zero or one", 0.5, [](Dice& s) { return s.chance(0.5) ? 1.0 : 0.0; }));
    rates.push_back(points("evenly spread", 0.5, [](Dice& s) { return s.uniform(); }));
}

void add_elo(std::vector<ErrorRate>& rates) {
    for (const auto& [where, truth, draw] : score_kinds()) {
        rates.push_back(
            {Claim::Interval, "Elo", where, [truth = truth, draw = draw](Dice& s, int n) {
                 return covers(elo_of(drawn(s, n, draw).moments(kShare)), *elo_of_score(truth));
             }});
    }
    for (const double win : {0.4, 0.7}) {
        // The variance of one game is win + draw / 4 - mean^2, of a pair's mean half of that.
        const double mean = win + 0.1;
        const double sigma = std::sqrt((win + 0.05 - mean * mean) / 2);
        const double truth = kNormalizedElo * (mean - 0.5) / (std::sqrt(2) * sigma);
        rates.push_back({Claim::Interval, "nElo", win < 0.5 ? "pairs, even" : "pairs, 4 of 5 won",
                         [=](Dice& s, int n) {
                             const auto scores =
                                 drawn(s, n, [=](Dice& t) { return pair_of(t, win, 0.2, 0); });
                             const auto estimate = normalized_elo_of_run(scores, 2);
                             // If all blocks agree, nothing is printed.
                             return !estimate.low || covers(estimate, truth);
                         }});
    }
    rates.push_back(
        {Claim::Verdict, "LOS beyond 97.5 or 2.5 %", "equal agents", [](Dice& s, int n) {
             const auto scores = drawn(s, n, [](Dice& t) { return pair_of(t, 0.4, 0.2, 0); });
             const auto los = likelihood_of_superiority(scores.moments(kShare));
             return los && (*los > 0.975 || *los < 0.025);
         }});
}

// Differences of a rate between two rulesets on the same deals: up by `jump` in `up` of the blocks,
// and down by the same amount in `down` of them.
struct Differences {
    std::string where;
    double up;
    double down;
    double jump;

    [[nodiscard]] double mean() const { return (up - down) * jump; }
    [[nodiscard]] PairedDifference draw(Dice& dice, int blocks) const {
        PairedDifference pairs;
        for (int block = 0; block < blocks; ++block) {
            const double at = dice.uniform();
            const double change = at < up ? jump : at < up + down ? -jump : 0;
            // The luck of the deal, within the possible range.
            const double base =
                jump < 1 && change == 0 ? 0.5 * std::floor(3 * dice.uniform()) : 0.5;
            const double under_a = change == 0 ? base : 0.5 - change / 2;
            pairs.add(under_a, under_a + change);
        }
        return pairs;
    }
};

std::vector<Differences> differences(double mean) {
    return {
        {"few blocks differ, all one way", mean / 0.5, 0, 0.5},
        {"few blocks differ, by a whole game", mean, 0, 1},
        {"few blocks differ, both ways", mean / 0.5 + 0.01, 0.01, 0.5},
        {"half of the blocks differ", 0.25 + mean, 0.25 - mean, 0.5},
    };
}

void add_differences(std::vector<ErrorRate>& rates) {
    constexpr double kMargin = 0.02;
    for (const Differences& kind : differences(kMargin)) {
        rates.push_back({Claim::Interval, "difference of a rate", kind.where, [=](Dice& s, int n) {
                             return covers(mean_estimate(kind.draw(s, n).difference(kShare).blocks),
                                           kind.mean());
                         }});
        rates.push_back({Claim::Verdict, "equivalent, at just the margin", kind.where,
                         [=](Dice& s, int n) {
                             return compare(kind.draw(s, n).difference(kShare), kMargin).verdict ==
                                    Verdict::Equivalent;
                         },
                         1, 1});
    }
    rates.push_back({Claim::Interval, "difference of points", "as in belote", [](Dice& s, int n) {
                         PairedDifference pairs;
                         for (int block = 0; block < n; ++block)
                             pairs.add(points_of(s), points_of(s) + 5);
                         return covers(mean_estimate(pairs.difference().blocks), 5);
                     }});
    rates.push_back(
        {Claim::Interval, "difference of points", "half of the blocks differ", [](Dice& s, int n) {
             PairedDifference pairs;
             for (int block = 0; block < n; ++block) {
                 const double points = points_of(s);
                 pairs.add(points, s.chance(0.5) ? points : points_of(s));
             }
             return covers(mean_estimate(pairs.difference().blocks), 0);
         }});
}

// Two equal rulesets: a `share` of blocks differ at random anyway. Eight metrics, as in compare,
// judged together.
bool names_one_different(Dice& dice, int blocks, double share, double margin) {
    std::array<PairedDifference, 8> pairs;
    std::array<std::optional<Range>, 8> ranges{kShare, kShare, {}, {}, kShare, {}, kShare, {}};
    const auto play = [&] {
        const double win = pair_of(dice, 0.4, 0.2, -0.5);
        const double length = 20 - 10 * std::log(1 - dice.uniform());
        const double forced = std::floor(length * dice.uniform() / 2);
        return std::array<double, 8>{win,
                                     1 - win,
                                     points_of(dice),
                                     points_of(dice),
                                     win == 0.5 ? 1.0 : 0.0,
                                     length,
                                     forced,
                                     length * (2 + dice.uniform())};
    };
    for (int block = 0; block < blocks; ++block) {
        const auto a = play();
        const auto b = dice.chance(share) ? play() : a;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const bool of_moves = i >= 6;
            pairs[i].add(a[i], of_moves ? a[5] : 1, b[i], of_moves ? b[5] : 1);
        }
    }
    std::vector<PairedMoments> moments;
    std::vector<double> margins;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        moments.push_back(pairs[i].difference(ranges[i]));
        margins.push_back(ranges[i] ? margin : 0);
    }
    const auto judged = judge(moments, margins).rows;
    return std::any_of(judged.begin(), judged.end(), [](const Judgement& each) {
        return each.change == Change::Higher || each.change == Change::Lower;
    });
}

void add_comparisons(std::vector<ErrorRate>& rates) {
    for (const double share : {1.0, 0.2, 0.05})
        rates.push_back({Claim::Verdict, "higher or lower, 8 metrics of one ruleset twice",
                         share == 1    ? "all blocks differ"
                         : share > 0.1 ? "1 block of 5 differs"
                                       : "1 block of 20 differs",
                         [=](Dice& s, int n) { return names_one_different(s, n, share, 0.02); }, 8,
                         1});
    // Five rules, each worth 60 Elo: a block score of 0.585 with it, 0.5 without.
    rates.push_back({Claim::Verdict, "ablate: no matter, of five rules worth 60 Elo", "pairs",
                     [](Dice& s, int n) {
                         std::vector<PairedMoments> moments;
                         for (int rule = 0; rule < 5; ++rule) {
                             PairedDifference pairs;
                             for (int block = 0; block < n; ++block) {
                                 const double without = pair_of(s, 0.4, 0.2, -0.5);
                                 const bool changed = s.chance(0.17) && without < 1;
                                 pairs.add(without, changed ? without + 0.5 : without);
                             }
                             moments.push_back(pairs.difference(kShare));
                         }
                         const auto judged = judge(moments, std::vector<double>(5, 0.02)).rows;
                         return std::any_of(judged.begin(), judged.end(), [](const auto& each) {
                             return each.change == Change::Equivalent;
                         });
                     },
                     5, 1});
    rates.push_back({Claim::Interval, "ablate: Elo of a rule", "pairs", [](Dice& s, int n) {
                         PairedDifference pairs;
                         for (int block = 0; block < n; ++block) {
                             const double deal = 0.4 * (s.uniform() - 0.5);
                             const auto score = [&](double win) {
                                 return (s.game(win + deal, 0.2) + s.game(win + deal, 0.2)) / 2;
                             };
                             const double without = score(0.4);
                             pairs.add(without, score(0.5));
                         }
                         return covers(elo_difference(pairs), *elo_of_score(0.6));
                     }});
}

// Three agents of known strength at one table, by the model of Plackett and Luce, which the joint
// fit of all pairs must recover.
bool rating_covers(Dice& dice, int blocks, std::optional<Contestant> anchor) {
    const std::array<double, 3> elo{80, 0, -80};
    const auto seed = static_cast<std::uint64_t>(1e9 * dice.uniform());
    MeetingTable meetings;
    for (int block = 0; block < blocks; ++block) {
        std::vector<std::size_t> left{0, 1, 2};
        std::vector<Meeting> outcome;
        while (left.size() > 1) {
            double all = 0;
            for (const std::size_t who : left)
                all += std::pow(10, elo[who] / 400);
            double at = all * dice.uniform();
            std::size_t first = 0;
            while (first + 1 < left.size() && at >= std::pow(10, elo[left[first]] / 400))
                at -= std::pow(10, elo[left[first++]] / 400);
            const std::size_t winner = left[first];
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(first));
            for (const std::size_t loser : left)
                outcome.push_back({static_cast<Contestant>(std::min(winner, loser)),
                                   static_cast<Contestant>(std::max(winner, loser)),
                                   winner < loser ? 2U : 0U, 1});
        }
        meetings.add(seed, static_cast<std::uint64_t>(block), outcome);
    }
    const Rating best = meetings.ratings(3, anchor)[0];
    const double truth = anchor ? elo[0] - elo[*anchor] : elo[0];
    // If a replicate has no ratings, no interval is printed.
    return !best.low || covers({best.elo, best.error, best.low, best.high, false}, truth);
}

} // namespace

std::vector<ErrorRate> error_rates() {
    std::vector<ErrorRate> rates;
    add_scores(rates);
    add_elo(rates);
    add_differences(rates);
    add_comparisons(rates);
    for (const auto anchor : {std::optional<Contestant>(), std::optional<Contestant>(1)})
        rates.push_back(
            {Claim::Interval, anchor ? "anchored rating" : "rating", "three at a table",
             [anchor](Dice& dice, int blocks) { return rating_covers(dice, blocks, anchor); },
             200});
    rates.push_back({Claim::Verdict, "not equal", "means of independent runs, spread by 3 and 1",
                     [](Dice& dice, int runs) {
                         BlockMean a;
                         BlockMean b;
                         for (int run = 0; run < runs; ++run)
                             (run % 2 == 0 ? a : b)
                                 .add((run % 2 == 0 ? 3 : 1) *
                                      normal_quantile(dice.uniform() + 0x1p-54));
                         const Verdict told = compare(independent_difference(a, b), 0).verdict;
                         return told == Verdict::Better || told == Verdict::Worse;
                     }});
    return rates;
}

double rate_of(const ErrorRate& what, int blocks, int runs) {
    Dice dice(static_cast<std::uint64_t>(blocks));
    int seen = 0;
    for (int run = 0; run < runs; ++run)
        seen += what.run(dice, blocks) ? 1 : 0;
    return static_cast<double>(seen) / runs;
}

bool is_kept(const ErrorRate& what, double rate, int runs) {
    const double promised = what.of == Claim::Interval ? 0.94 : 0.05;
    const double luck = 3 * std::sqrt(promised * (1 - promised) / runs);
    return what.of == Claim::Interval ? rate >= promised - luck : rate <= promised + luck;
}

namespace {

TEST(error_rates, are_kept_with_few_blocks_and_with_some) {
    for (const ErrorRate& what : error_rates()) {
        const int runs = what.slowness > 10 ? 20 : 250 / what.slowness + 40;
        for (const int blocks : {4, 6, 8, 20, 100}) {
            if (blocks < what.holds_from) continue;
            const double rate = rate_of(what, blocks, runs);
            EXPECT_TRUE(is_kept(what, rate, runs))
                << what.what << ", " << what.where << ", " << blocks << " blocks: " << rate;
        }
    }
}

// Clear data must give verdicts: mere caution would pass the test above.
TEST(error_rates, verdicts_are_given_where_the_data_suffice) {
    for (const ErrorRate& what : error_rates()) {
        if (what.of != ErrorRate::Claim::Verdict) continue;
        if (what.what.starts_with("equivalent")) {
            EXPECT_GT(rate_of(what, 1000, 400), 0.005) << what.where << ": alpha is used";
        }
    }
}

// The same with more runs; prints a table.

constexpr std::array kBlocks{4, 6, 8, 20, 100, 200, 400, 1000};

int runs_of(const ErrorRate& what, int blocks) {
    const int most = blocks <= 20 ? 10000 : blocks <= 100 ? 6000 : 2500;
    return std::max(500, most / std::min(what.slowness, 8));
}

TEST(slow_error_rates, are_kept_by_every_interval_and_verdict) {
    for (const auto of : {ErrorRate::Claim::Interval, ErrorRate::Claim::Verdict}) {
        std::string head = of == ErrorRate::Claim::Interval ? "\n| 95 % interval of | blocks |"
                                                            : "\n| false verdict | blocks |";
        std::string rule = "|---|---|";
        for (const int blocks : kBlocks) {
            head += " " + std::to_string(blocks) + " |";
            rule += "---:|";
        }
        std::printf("%s\n%s\n", head.c_str(), rule.c_str());
        for (const ErrorRate& what : error_rates()) {
            if (what.of != of) continue;
            std::printf("| %s | %s |", what.what.c_str(), what.where.c_str());
            for (const int blocks : kBlocks) {
                const int runs = runs_of(what, blocks);
                const double rate = rate_of(what, blocks, runs);
                std::printf(" %.1f |", 100 * rate);
                if (blocks >= what.holds_from) {
                    EXPECT_TRUE(is_kept(what, rate, runs))
                        << what.what << ", " << what.where << ", " << blocks << ": " << rate;
                }
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

} // namespace

} // namespace croupier::results
