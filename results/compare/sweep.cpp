// Compares all points of a sweep with the first, and gives up those that are surely beaten.
#include "results/compare/sweep.h"

#include "results/statistics/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

namespace croupier::results {
namespace {

// Where points may be given up: after these parts of all blocks, if there are enough of them.
constexpr std::array kLooks{8, 4, 2};
constexpr std::uint64_t kFirstLook = 32;
constexpr std::size_t kMostInteractions = 1000; // with more, there is none: too many to read

using Scope = MetricKey::Scope;
constexpr std::array<std::pair<std::string_view, Scope>, 3> kGaps{
    {{"seats", Scope::Side}, {"roles", Scope::Role}, {"skill", Scope::Agent}}};

// The gap between the most and the least of some wins. Their intervals hold together, so that the
// gap's does.
Estimate gap_estimate(std::span<const BlockMean* const> wins, double confidence) {
    Estimate gap;
    if (wins.size() < 2) return gap;
    // The wins of two are one number: one minus the other.
    const double numbers = wins.size() == 2 ? 1 : static_cast<double>(wins.size());
    std::optional<std::pair<double, double>> values;
    std::optional<std::pair<double, double>> lows;
    std::optional<std::pair<double, double>> highs;
    const auto add = [](auto& ends, std::optional<double> value) {
        if (!value) return;
        if (!ends) ends = {*value, *value};
        ends = {std::min(ends->first, *value), std::max(ends->second, *value)};
    };
    for (const BlockMean* const each : wins) {
        const Estimate win = mean_estimate(each->moments(kShare), 1 - (1 - confidence) / numbers);
        gap.doubtful = gap.doubtful || win.doubtful;
        add(values, win.value);
        add(lows, win.low);
        add(highs, win.high);
    }
    if (values) gap.value = values->second - values->first;
    if (lows && highs) {
        gap.low = std::max(0.0, lows->second - highs->first);
        gap.high = std::min(1.0, highs->second - lows->first);
    }
    return gap;
}

// Whether the intervals of both exclude each other.
bool apart(const Estimate& one, const Estimate& other) {
    return one.low && other.low && (*one.low > *other.high || *other.low > *one.high);
}

// The sum of a metric's means in a block over these points, by `each`; absent if one has none.
std::optional<double> sum_over(std::span<const std::uint32_t> points,
                               std::span<const MetricSums> sums, const MetricKey& key,
                               std::size_t each) {
    double sum = 0;
    for (const std::uint32_t point : points) {
        const auto found = sums[point].find(key);
        if (found == sums[point].end() || !(found->second.count > 0)) return std::nullopt;
        sum += found->second.sum / found->second.count;
    }
    return sum / static_cast<double>(each);
}

// Judges the differences of these cells together.
void judge_together(std::span<const PairedMoments> differences, std::span<SweepCell* const> cells,
                    double margin) {
    const Judgements judged = judge(differences, std::vector<double>(cells.size(), margin), {},
                                    Correction::FalseDiscoveries);
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i]->judgement = judged.rows[i];
}

// Whether the first is by its values as good in all, and better in one.
template <class Bounds>
bool dominates(const std::vector<Bounds>& one, const std::vector<Bounds>& other) {
    if (one.size() != other.size()) return false;
    bool better = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i].value > other[i].value) return false;
        better = better || one[i].value < other[i].value;
    }
    return better;
}

} // namespace

std::string_view name_of(const SweptMetric& metric) {
    if (!metric.gap) return name_of(metric.key.kind);
    return std::ranges::find(kGaps, metric.key.of, &decltype(kGaps)::value_type::second)->first;
}

std::string title_of(const SweptMetric& metric) {
    if (metric.gap)
        return metric.key.of == Scope::Agent
                   ? "skill"
                   : std::string(metric.key.of == Scope::Side ? "seat gap" : "role gap");
    return std::string(name_of(metric)) + (metric.of.empty() ? "" : " " + metric.of);
}

bool is_share(const SweptMetric& metric) {
    return metric.gap || is_share(metric.key.kind);
}

std::vector<std::string> swept_names() {
    std::vector<std::string> names;
    for (const MetricKind kind : metric_kinds())
        names.emplace_back(name_of(kind));
    for (const auto& [name, scope] : kGaps)
        names.emplace_back(name);
    return names;
}

std::optional<SweptMetric> swept_named(std::string_view name) {
    for (const auto& gap : kGaps)
        if (gap.first == name) return SweptMetric{{MetricKind::Win, gap.second, 0, {}}, true, {}};
    if (const auto kind = metric_of(name))
        return SweptMetric{{*kind, Scope::All, 0, {}}, false, {}};
    return std::nullopt;
}

bool Sought::is_of(const SweptMetric& swept) const {
    return metric == name_of(swept) && of == swept.of;
}

double Sought::distance(double value) const {
    if (goal == Goal::Near) return std::abs(value - target);
    return goal == Goal::Least ? value : -value;
}

std::string Sought::text() const {
    const std::string what = metric + (of.empty() ? "" : ":" + of);
    if (goal == Goal::Near) return fmt::format("{}={:.6g}", what, target);
    return what + (goal == Goal::Least ? "=least" : "=most");
}

SweepTally::SweepTally(const RunFacts& facts, SweepDesign design, std::vector<Sought> sought,
                       std::uint64_t blocks, std::uint32_t games, bool by_agent)
    : reader_(facts, by_agent), facts_(facts), design_(std::move(design)),
      sought_(std::move(sought)), games_(games), points_(design_.points.size()),
      blocks_(design_.points.size()), fired_(design_.points.size()) {
    for (std::uint32_t point = 0; point < design_.points.size(); ++point)
        playing_.push_back(point);
    for (const auto part : kLooks)
        if (!sought_.empty() && blocks / part >= kFirstLook) looks_.push_back(blocks / part);
    looks_.push_back(blocks);
    if (design_.grid) add_contrasts();
}

void SweepTally::add_contrasts() {
    const auto& factors = design_.factors;
    struct At {
        std::uint32_t factor, value;
    };
    const auto points_with = [&](At one, std::optional<At> two = {}) {
        std::vector<std::uint32_t> found;
        for (std::uint32_t point = 0; point < design_.points.size(); ++point) {
            const std::vector<std::uint32_t>& values = design_.points[point];
            if (values[one.factor] == one.value && (!two || values[two->factor] == two->value))
                found.push_back(point);
        }
        return found;
    };
    const auto joined = [](std::vector<std::uint32_t> one, const std::vector<std::uint32_t>& two) {
        one.insert(one.end(), two.begin(), two.end());
        return one;
    };
    std::size_t pairs = 0;
    for (std::size_t one = 0; one < factors.size(); ++one)
        for (std::size_t two = one + 1; two < factors.size(); ++two)
            pairs += (factors[one].values.size() - 1) * (factors[two].values.size() - 1);
    for (std::uint32_t one = 0; one < factors.size(); ++one) {
        for (std::uint32_t a = 1; a < factors[one].values.size(); ++a) {
            auto plus = points_with(At{one, a});
            const std::size_t each = plus.size();
            effects_.push_back(
                {{one, a, {}, 0, 0, {}}, std::move(plus), points_with(At{one, 0}), each, {}, 0});
            for (std::uint32_t two = one + 1; pairs <= kMostInteractions && two < factors.size();
                 ++two) {
                for (std::uint32_t b = 1; b < factors[two].values.size(); ++b) {
                    auto both = points_with(At{one, a}, At{two, b});
                    const std::size_t of_both = both.size();
                    interactions_.push_back(
                        {{one, a, two, b, 0, {}},
                         joined(std::move(both), points_with(At{one, 0}, At{two, 0})),
                         joined(points_with(At{one, a}, At{two, 0}),
                                points_with(At{one, 0}, At{two, b})),
                         of_both,
                         {},
                         0});
                }
            }
        }
    }
}

bool SweepTally::plays(std::uint32_t point) const {
    return std::ranges::binary_search(playing_, point);
}

void SweepTally::add(Contrast& contrast, std::span<const MetricSums> sums) const {
    const auto lacks = [&](std::uint32_t point) { return !plays(point); };
    if (std::ranges::any_of(contrast.plus, lacks) || std::ranges::any_of(contrast.minus, lacks))
        return;
    MetricSums a;
    MetricSums b;
    for (const auto& [key, sum] : sums[contrast.plus.front()]) {
        const auto plus = sum_over(contrast.plus, sums, key, contrast.each);
        const auto minus = sum_over(contrast.minus, sums, key, contrast.each);
        if (!plus || !minus) continue;
        a[key] = {*minus, 1};
        b[key] = {*plus, 1};
    }
    contrast.metrics.add_block(a, b);
    ++contrast.blocks;
}

void SweepTally::add_block(std::span<const GameRecord> games) {
    assert(games.size() == playing_.size() * games_);
    std::vector<MetricSums> sums(points_.size());
    for (std::size_t at = 0; at < playing_.size(); ++at) {
        const auto own = games.subspan(at * games_, games_);
        sums[playing_[at]] = reader_.read(own);
        std::string& fired = fired_[playing_[at]];
        for (const GameRecord& game : own) {
            if (fired.size() < game.fired.size()) fired.resize(game.fired.size(), '.');
            for (std::size_t rule = 0; rule < game.fired.size(); ++rule)
                if (game.fired[rule] == '#') fired[rule] = '#';
        }
    }
    for (const std::uint32_t point : playing_) {
        points_[point].add_block(sums.front(), sums[point]);
        ++blocks_[point];
    }
    for (auto* const contrasts : {&effects_, &interactions_})
        for (Contrast& each : *contrasts)
            add(each, sums);
    ++all_blocks_;
    if (sought_.empty() || all_blocks_ == looks_.back() ||
        std::ranges::find(looks_, all_blocks_) == looks_.end())
        return;
    const std::vector<bool> beats = beaten(losses());
    std::erase_if(playing_, [&](std::uint32_t point) { return point > 0 && beats[point]; });
}

std::uint64_t SweepTally::look() const {
    const auto next = std::ranges::upper_bound(looks_, all_blocks_);
    return next == looks_.end() ? looks_.back() : *next;
}

std::vector<SweptMetric> SweepTally::all_metrics() const {
    std::set<MetricKey> keys;
    for (const PairedMetrics& point : points_)
        for (const auto& [key, pairs] : point.pairs())
            keys.insert(key);
    std::vector<SweptMetric> all;
    for (const auto& gap : kGaps) {
        const auto wins = std::ranges::count_if(keys, [&](const MetricKey& key) {
            return key.kind == MetricKind::Win && key.of == gap.second;
        });
        if (wins > 1) all.push_back(*swept_named(gap.first));
    }
    for (const MetricKey& key : keys)
        all.push_back({key, false, reader_.name_of(key)});
    return all;
}

Estimate SweepTally::value_of(const SweptMetric& metric, std::uint32_t point,
                              double confidence) const {
    const auto& pairs = points_[point].pairs();
    if (metric.gap) {
        std::vector<const BlockMean*> wins;
        for (const auto& [key, each] : pairs)
            if (key.kind == MetricKind::Win && key.of == metric.key.of && each.under_b().mean())
                wins.push_back(&each.under_b());
        return gap_estimate(wins, confidence);
    }
    const auto found = pairs.find(metric.key);
    if (found == pairs.end()) return {};
    return mean_estimate(found->second.under_b().moments(range_of(metric.key.kind)), confidence);
}

bool SweepTally::is_spoiled(std::uint32_t point) const {
    const auto aborted = points_[point].pairs().find({MetricKind::Aborted, Scope::All, 0, {}});
    return aborted != points_[point].pairs().end() &&
           aborted->second.under_b().mean().value_or(0) > 0;
}

std::vector<std::vector<SweepTally::Bounds>> SweepTally::losses() const {
    // All bounds hold together at all looks, so that the best point is given up, or not among the
    // best, in at most 5 % of sweeps.
    const auto bounds = static_cast<double>((kLooks.size() + 1) * points_.size() * sought_.size());
    const std::vector<SweptMetric> known = all_metrics();
    std::vector<std::vector<Bounds>> losses(points_.size());
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
        if (is_spoiled(point)) continue;
        for (const Sought& sought : sought_) {
            const auto metric = std::ranges::find_if(
                known, [&](const SweptMetric& each) { return sought.is_of(each); });
            if (metric == known.end()) break;
            const Estimate found = value_of(*metric, point, 1 - kAlpha / bounds);
            if (!found.value || !found.low || !found.high) break;
            const double of_low = sought.distance(*found.low);
            const double of_high = sought.distance(*found.high);
            Bounds loss{std::min(of_low, of_high), std::max(of_low, of_high),
                        sought.distance(*found.value)};
            if (sought.goal == Sought::Goal::Near && *found.low <= sought.target &&
                sought.target <= *found.high)
                loss.low = 0;
            losses[point].push_back(loss);
        }
        if (losses[point].size() != sought_.size()) losses[point].clear();
    }
    return losses;
}

std::vector<bool> SweepTally::beaten(std::span<const std::vector<Bounds>> losses) const {
    std::vector<bool> result(losses.size(), true);
    for (std::size_t one = 0; one < losses.size(); ++one) {
        if (losses[one].empty()) {
            result[one] = is_spoiled(static_cast<std::uint32_t>(one));
            continue;
        }
        result[one] = std::ranges::any_of(losses, [&](const std::vector<Bounds>& other) {
            return !other.empty() &&
                   std::ranges::equal(losses[one], other, [](const Bounds& a, const Bounds& b) {
                       return a.low > b.high;
                   });
        });
    }
    return result;
}

// The smallest error at which the intervals of the gap exclude each other; 1 if that is not below
// 5 %, which no correction makes smaller.
double SweepTally::gap_p(const SweptMetric& metric, std::uint32_t point) const {
    const auto differs = [&](double alpha) {
        return apart(value_of(metric, 0, 1 - alpha / 2), value_of(metric, point, 1 - alpha / 2));
    };
    double differing = kAlpha;
    if (!differs(differing)) return 1;
    double alike = 1e-12;
    while (differing / alike > 1.1) {
        const double middle = std::sqrt(differing * alike);
        (differs(middle) ? differing : alike) = middle;
    }
    return differing;
}

// The gap between two is by how far one wins more than half. Where that is surely the same one at
// both points, the gaps differ by twice the difference of its wins, which is paired.
std::optional<PairedMoments> SweepTally::paired_gap(const SweptMetric& metric,
                                                    std::uint32_t point) const {
    std::vector<const PairedDifference*> wins;
    for (const auto& [key, pairs] : points_[point].pairs())
        if (key.kind == MetricKind::Win && key.of == metric.key.of) wins.push_back(&pairs);
    if (wins.size() != 2) return std::nullopt;
    constexpr double kSure = 0.001;
    const auto leads = [&](const PairedDifference& win) {
        return std::ranges::all_of(std::array{&win.under_a(), &win.under_b()}, [](const auto* of) {
            return p_at_most(of->moments(kShare), 0.5).value_or(1) < kSure;
        });
    };
    for (const PairedDifference* const win : wins)
        if (leads(*win)) return win->difference(kShare);
    return std::nullopt;
}

Estimate SweepTally::gap_difference(const SweptMetric& metric, std::uint32_t point,
                                    std::optional<double>& p) const {
    if (const auto paired = paired_gap(metric, point)) {
        const Comparison found = compare(*paired, 0, kAlpha);
        p = found.p_value;
        Estimate difference = found.difference;
        for (auto* const number :
             {&difference.value, &difference.error, &difference.low, &difference.high})
            if (*number) **number *= 2;
        return difference;
    }
    const Estimate one = value_of(metric, 0, 1 - kAlpha / 2);
    const Estimate two = value_of(metric, point, 1 - kAlpha / 2);
    Estimate difference;
    if (!one.value || !two.value) return difference;
    difference.value = *two.value - *one.value;
    if (!one.low || !two.low) return difference;
    difference.low = *two.low - *one.high;
    difference.high = *two.high - *one.low;
    p = gap_p(metric, point);
    return difference;
}

void SweepTally::judge_gap(const SweptMetric& metric, std::size_t at, SweepSummary& summary) const {
    std::vector<double> p_values;
    std::vector<std::size_t> tested;
    for (std::uint32_t point = 1; point < points_.size(); ++point) {
        std::optional<double> p;
        summary.points[point].cells[at].difference = gap_difference(metric, point, p);
        if (!p || !plays(point)) continue;
        p_values.push_back(*p);
        tested.push_back(point);
    }
    const std::vector<double> corrected = false_discoveries(p_values, tested);
    for (std::size_t i = 0; i < tested.size(); ++i) {
        SweepCell& cell = summary.points[tested[i]].cells[at];
        const bool decided = corrected[i] < kAlpha;
        const Change change = blocks_[tested[i]] < kMinBlocks ? Change::TooFew
                              : !decided                      ? Change::Undecided
                              : *cell.difference.value > 0    ? Change::Higher
                                                              : Change::Lower;
        cell.judgement = {change, corrected[i], {}, {}};
    }
}

void SweepTally::judge_metric(const SweptMetric& metric, std::size_t at, double margin,
                              SweepSummary& summary) const {
    std::vector<PairedMoments> differences;
    std::vector<SweepCell*> cells;
    for (std::uint32_t point = 1; point < points_.size(); ++point) {
        const auto found = points_[point].pairs().find(metric.key);
        if (found == points_[point].pairs().end()) continue;
        const PairedMoments difference = found->second.difference(range_of(metric.key.kind));
        SweepCell& cell = summary.points[point].cells[at];
        cell.difference = mean_estimate(difference.blocks);
        if (!plays(point)) continue;
        differences.push_back(difference);
        cells.push_back(&cell);
    }
    judge_together(differences, cells, margin);
}

std::vector<SweepEffect> SweepTally::judged(std::span<const Contrast> contrasts,
                                            std::span<const SweptMetric> metrics,
                                            const Margins& margins, double most) const {
    std::vector<SweepEffect> effects;
    for (const Contrast& each : contrasts) {
        effects.push_back(each.effect);
        effects.back().blocks = each.blocks;
        effects.back().cells.resize(metrics.size());
    }
    for (std::size_t at = 0; at < metrics.size(); ++at) {
        if (metrics[at].gap) continue;
        const MetricKind kind = metrics[at].key.kind;
        const std::optional<Range> range =
            is_share(kind) ? std::optional(Range{0, most}) : std::nullopt;
        std::vector<PairedMoments> differences;
        std::vector<SweepCell*> cells;
        for (std::size_t i = 0; i < contrasts.size(); ++i) {
            const auto found = contrasts[i].metrics.pairs().find(metrics[at].key);
            if (found == contrasts[i].metrics.pairs().end()) continue;
            differences.push_back(found->second.difference(range));
            cells.push_back(&effects[i].cells[at]);
            cells.back()->difference = mean_estimate(differences.back().blocks);
        }
        judge_together(differences, cells, margins.at(kind));
    }
    return effects;
}

SweepSummary SweepTally::summary(std::span<const std::string> metrics,
                                 const Margins& margins) const {
    SweepSummary result;
    result.game = facts_.game;
    result.agents = facts_.agents;
    result.design = design_;
    result.sought = sought_;
    result.seed = facts_.seed;
    result.starts = facts_.starts;
    result.blocks = all_blocks_;
    // What is sought, in that order; then numbers of whole games, then those of a side, role or
    // agent.
    const auto rank_of = [&](const SweptMetric& metric) {
        const auto sought =
            std::ranges::find_if(sought_, [&](const Sought& each) { return each.is_of(metric); });
        if (sought != sought_.end()) return static_cast<std::size_t>(sought - sought_.begin());
        return sought_.size() + (metric.of.empty() ? 0 : 1);
    };
    for (SweptMetric& metric : all_metrics())
        if (metrics.empty() || std::ranges::find(metrics, name_of(metric)) != metrics.end() ||
            rank_of(metric) < sought_.size())
            result.metrics.push_back(std::move(metric));
    std::ranges::stable_sort(result.metrics, {}, rank_of);
    const std::vector<std::vector<Bounds>> all_losses = losses();
    const std::vector<bool> beats = beaten(all_losses);
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
        SweepPoint& row = result.points.emplace_back();
        row.blocks = blocks_[point];
        row.games = row.blocks * games_;
        result.games += row.games;
        row.given_up = !plays(point);
        row.rules = fired_[point].size();
        row.fired = static_cast<std::uint64_t>(std::ranges::count(fired_[point], '#'));
        const std::vector<Bounds>& loss = all_losses[point];
        row.among_best = !loss.empty() && !beats[point];
        row.on_front = !loss.empty() && std::ranges::none_of(all_losses, [&](const auto& other) {
            return dominates(other, loss);
        });
        for (const SweptMetric& metric : result.metrics)
            row.cells.push_back({value_of(metric, point, kConfidence), {}, {}});
    }
    for (std::size_t at = 0; at < result.metrics.size(); ++at) {
        const SweptMetric& metric = result.metrics[at];
        if (metric.gap)
            judge_gap(metric, at, result);
        else
            judge_metric(metric, at, margins.at(metric.key.kind), result);
    }
    result.effects = judged(effects_, result.metrics, margins, 1);
    // An interaction is a difference between two differences.
    result.interactions = judged(interactions_, result.metrics, margins, 2);
    return result;
}

} // namespace croupier::results
