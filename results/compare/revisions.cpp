// Paired differences, corrected together; see revisions.h.
#include "results/compare/revisions.h"

#include "results/statistics/mean_interval.h"

#include <algorithm>

namespace croupier::results {
namespace {

// What a block's mean can be: rates have ends, points and lengths have none that are known.
std::optional<Range> range_of(MetricKind kind) {
    return is_share(kind) ? std::optional(kShare) : std::nullopt;
}

ChangeRow row_of(const MetricKey& key, const PairedDifference& pairs, double margin) {
    const auto range = range_of(key.kind);
    const PairedMoments difference = pairs.difference(range);
    ChangeRow row;
    row.kind = key.kind;
    row.under_a = mean_estimate(pairs.under_a().moments(range));
    row.under_b = mean_estimate(pairs.under_b().moments(range));
    row.difference = mean_estimate(difference.blocks);
    row.differing = difference.differing;
    row.correlation = pairs.correlation();
    row.games_saved = pairs.games_saved();
    row.margin = margin;
    return row;
}

} // namespace

double Margins::at(MetricKind kind) const {
    const auto own = of.find(kind);
    if (own != of.end()) return own->second;
    return is_share(kind) ? share : 0;
}

bool same_lines(std::span<const GameRecord> one, std::span<const GameRecord> other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const GameRecord& a, const GameRecord& b) {
                          return a.line == b.line && a.plies == b.plies;
                      });
}

RevisionTally::RevisionTally(const RunFacts& facts, bool by_agent)
    : reader_(facts, by_agent), seed_(facts.seed), starts_(facts.starts) {}

void RevisionTally::add_block(std::span<const GameRecord> under_a,
                              std::span<const GameRecord> under_b) {
    const MetricSums a = reader_.read(under_a);
    const MetricSums b = reader_.read(under_b);
    const auto value = [](const MetricSums& sums, const MetricKey& key) {
        const auto found = sums.find(key);
        return found == sums.end() ? MetricSum{} : found->second;
    };
    const auto add = [&](const MetricKey& key) {
        const MetricSum in_a = value(a, key);
        const MetricSum in_b = value(b, key);
        pairs_[key].add(in_a.sum, in_a.count, in_b.sum, in_b.count);
    };
    for (const auto& [key, sum] : a)
        add(key);
    for (const auto& [key, sum] : b)
        if (!a.contains(key)) add(key);
    ++blocks_;
    games_ += under_a.size();
    if (same_lines(under_a, under_b)) ++alike_;
}

RevisionSummary RevisionTally::summary(std::span<const MetricKind> kinds,
                                       const Margins& margins) const {
    RevisionSummary result;
    result.seed = seed_;
    result.starts = starts_;
    result.blocks = blocks_;
    result.games = games_;
    result.alike = alike_;
    std::vector<PairedMoments> differences;
    std::vector<double> limits;
    std::vector<std::size_t> questions;
    std::map<MetricKey, std::size_t> known;
    for (const auto& [key, pairs] : pairs_) {
        if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), key.kind) == kinds.end())
            continue;
        limits.push_back(margins.at(key.kind));
        result.rows.push_back(row_of(key, pairs, limits.back()));
        result.rows.back().of = reader_.name_of(key);
        differences.push_back(pairs.difference(range_of(key.kind)));
        questions.push_back(
            known.try_emplace(reader_.question_of(key), known.size()).first->second);
    }
    const Judgements judged = judge(differences, limits, questions);
    result.corrected_for = judged.corrected_for;
    for (std::size_t i = 0; i < judged.rows.size(); ++i) {
        ChangeRow& row = result.rows[i];
        row.judgement = judged.rows[i];
        if (row.judgement.blocks_to_decide)
            row.games_to_decide = *row.judgement.blocks_to_decide * static_cast<double>(games_) /
                                  static_cast<double>(differences[i].blocks.blocks);
    }
    return result;
}

} // namespace croupier::results
