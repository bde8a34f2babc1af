// Turns records into sums, and sums into verdicts.
#include "results/compare/comparison.h"

#include "results/statistics/means.h"
#include "results/statistics/ratings.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <utility>

namespace croupier::results {

namespace {

struct KindFacts {
    MetricKind kind;
    std::string_view name;
    bool share;
};

constexpr std::array kKinds{
    KindFacts{MetricKind::Win, "win", true},
    KindFacts{MetricKind::Score, "score", false},
    KindFacts{MetricKind::Draws, "draws", true},
    KindFacts{MetricKind::Length, "length", false},
    KindFacts{MetricKind::Forced, "forced", true},
    KindFacts{MetricKind::Branching, "branching", false},
    KindFacts{MetricKind::Settled, "settled", true},
    KindFacts{MetricKind::Leads, "leads", false},
    KindFacts{MetricKind::Comebacks, "comebacks", true},
    KindFacts{MetricKind::Coverage, "coverage", true},
    KindFacts{MetricKind::Aborted, "aborted", true},
    KindFacts{MetricKind::Unfinished, "unfinished", true},
    KindFacts{MetricKind::Fault, "fault", true},
};

constexpr auto kAllKinds = [] {
    std::array<MetricKind, kKinds.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = kKinds[i].kind;
    return all;
}();

const KindFacts& facts_of(MetricKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

void add(MetricSums& into, const MetricKey& key, double value, double count = 1) {
    MetricSum& sum = into[key];
    sum.sum += value;
    sum.count += count;
}

// The agent's share of the win; nothing if it did not play.
std::optional<double> win_of(std::uint32_t agent, std::span<const Side> sides) {
    std::vector<Side> present;
    best_of_each(sides, present);
    for (const auto& [contestant, place] : present)
        if (contestant == agent) return win_share(present, place);
    return std::nullopt;
}

constexpr auto kChangeNames = std::to_array<std::string_view>(
    {"too few", "constant", "higher", "lower", "equivalent", "undecided"});
static_assert(kChangeNames.size() == static_cast<std::size_t>(Change::Undecided) + 1);

// "No difference" and "a difference beyond the margin" exclude each other, so they form one group.
void correct(std::span<const PairedMoments> differences, std::span<const std::size_t> questions,
             Correction correction, Judgements& judgements) {
    std::vector<double> p_values;
    std::vector<std::size_t> groups;
    std::vector<std::optional<double>*> places;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i].differing == 0) continue;
        Judgement& judgement = judgements.rows[i];
        for (auto* p : {&judgement.p_value, &judgement.equivalence_p_value}) {
            if (!*p) continue;
            p_values.push_back(**p);
            groups.push_back(questions.empty() ? i : questions[i]);
            places.push_back(p);
        }
    }
    const std::vector<double> corrected = correction == Correction::AnyError
                                              ? holm(p_values, groups)
                                              : false_discoveries(p_values, groups);
    for (std::size_t i = 0; i < places.size(); ++i)
        *places[i] = corrected[i];
    judgements.corrected_for = std::set(groups.begin(), groups.end()).size();
}

Change change_of(const PairedMoments& difference, Verdict alone, const Judgement& judgement) {
    if (alone == Verdict::TooFew) return Change::TooFew;
    if (judgement.equivalence_p_value && *judgement.equivalence_p_value < kAlpha)
        return Change::Equivalent;
    if (!judgement.p_value) {
        const bool constant = difference.differing > 0 && difference.blocks.squares == 0;
        return constant && difference.blocks.mean ? Change::Constant : Change::Undecided;
    }
    if (*judgement.p_value >= kAlpha) return Change::Undecided;
    return *difference.blocks.mean > 0 ? Change::Higher : Change::Lower;
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

constexpr std::uint32_t kAgent = 0;
constexpr double kNsPerUs = 1000;

// Sort key: value for time. An unknown cost is at most the least known one.
double rank_of(const WorthRow& row, double least_cost) {
    return row.score.value.value_or(0) / row.rule.cost_ns.value_or(least_cost);
}

} // namespace

std::optional<Range> range_of(MetricKind kind) {
    return is_share(kind) ? std::optional(kShare) : std::nullopt;
}

std::span<const MetricKind> metric_kinds() {
    return kAllKinds;
}

std::string_view name_of(MetricKind kind) {
    return facts_of(kind).name;
}

bool is_of_lead(MetricKind kind) {
    return kind == MetricKind::Settled || kind == MetricKind::Leads ||
           kind == MetricKind::Comebacks;
}

std::optional<MetricKind> metric_of(std::string_view name) {
    for (const KindFacts& each : kKinds)
        if (each.name == name) return each.kind;
    return std::nullopt;
}

bool is_share(MetricKind kind) {
    return facts_of(kind).share;
}

MetricReader::MetricReader(const RunFacts& facts, bool by_agent)
    : reader_(facts), agents_(facts.agents), by_agent_(by_agent) {
    for (const TeamFacts& team : facts.teams)
        sides_.push_back(team.name);
    if (facts.teams.empty()) sides_ = facts.players;
}

MetricSums MetricReader::read(std::span<const GameRecord> games) {
    MetricSums sums;
    for (const GameRecord& game : games) {
        const auto all = [&](MetricKind kind, double value, double count = 1) {
            add(sums, {kind, MetricKey::Scope::All, 0, {}}, value, count);
        };
        all(MetricKind::Length, game.plies);
        all(MetricKind::Forced, game.forced, game.plies);
        all(MetricKind::Branching, static_cast<double>(game.choices), game.plies);
        all(MetricKind::Aborted, game.end == End::Aborted ? 1 : 0);
        all(MetricKind::Unfinished, game.end == End::Unfinished ? 1 : 0);
        all(MetricKind::Fault, game.end == End::Fault ? 1 : 0);
        if (!game.fired.empty())
            all(MetricKind::Coverage, static_cast<double>(std::ranges::count(game.fired, '#')),
                static_cast<double>(game.fired.size()));
        const auto sides = reader_.sides(game);
        if (sides.empty()) continue; // void
        add_sides(game, sides, sums);
        if (by_agent_) add_agents(game, sides, sums);
        if (!game.course) continue;
        all(MetricKind::Settled, game.course->settled, game.plies);
        all(MetricKind::Leads, game.course->leads);
        all(MetricKind::Comebacks, game.course->comeback ? 1 : 0);
    }
    return sums;
}

void MetricReader::add_sides(const GameRecord& game, std::span<const Side> sides,
                             MetricSums& into) const {
    double best = 0;
    const bool points = has_points(game.end);
    for (std::uint32_t side = 0; side < sides.size(); ++side) {
        const double win = win_share(sides, sides[side].place);
        best = std::max(best, win);
        const MetricKey::Scope of = MetricKey::Scope::Side;
        add(into, {MetricKind::Win, of, side, {}}, win);
        for (const std::uint32_t seat : reader_.teams()[side]) {
            const SeatRecord& row = game.seats[seat];
            if (points) add(into, {MetricKind::Score, of, side, {}}, row.score);
            if (row.role.empty()) continue;
            add(into, {MetricKind::Win, MetricKey::Scope::Role, 0, row.role}, win);
            if (points)
                add(into, {MetricKind::Score, MetricKey::Scope::Role, 0, row.role}, row.score);
        }
    }
    add(into, {MetricKind::Draws, MetricKey::Scope::All, 0, {}}, best < 1 ? 1 : 0);
}

void MetricReader::add_agents(const GameRecord& game, std::span<const Side> sides,
                              MetricSums& into) const {
    for (std::uint32_t agent = 0; agent < agents_.size(); ++agent)
        if (const auto win = win_of(agent, sides))
            add(into, {MetricKind::Win, MetricKey::Scope::Agent, agent, {}}, *win);
    if (!has_points(game.end)) return;
    for (const SeatRecord& row : game.seats)
        add(into, {MetricKind::Score, MetricKey::Scope::Agent, row.agent, {}}, row.score);
}

std::string MetricReader::name_of(const MetricKey& key) const {
    switch (key.of) {
    case MetricKey::Scope::Side:
        return sides_[key.index];
    case MetricKey::Scope::Role:
        return key.role;
    case MetricKey::Scope::Agent:
        return agents_[key.index];
    case MetricKey::Scope::All:
        break;
    }
    return {};
}

MetricKey MetricReader::question_of(MetricKey key) const {
    const bool of_two = (key.of == MetricKey::Scope::Side && sides_.size() == 2) ||
                        (key.of == MetricKey::Scope::Agent && agents_.size() == 2);
    if (key.kind == MetricKind::Win && of_two) key.index = 0;
    return key;
}

MetricSum wins_of(std::uint32_t agent, std::span<const GameRecord> games, BlockReader& reader) {
    MetricSum wins;
    for (const GameRecord& game : games) {
        const auto win = win_of(agent, reader.sides(game));
        if (!win) continue;
        wins.sum += *win;
        ++wins.count;
    }
    return wins;
}

MetricSum points_of(std::uint32_t agent, std::span<const GameRecord> games) {
    MetricSum points;
    for (const GameRecord& game : games) {
        if (!has_points(game.end)) continue;
        for (const SeatRecord& row : game.seats) {
            if (row.agent != agent || row.place == 0) continue;
            points.sum += row.score;
            ++points.count;
        }
    }
    return points;
}

std::string_view to_string(Change change) {
    return kChangeNames[static_cast<std::size_t>(change)];
}

std::optional<Change> change_named(std::string_view name) {
    return value_named<Change>(kChangeNames, name);
}

Judgements judge(std::span<const PairedMoments> differences, std::span<const double> margins,
                 std::span<const std::size_t> questions, Correction correction) {
    assert(differences.size() == margins.size());
    assert(questions.empty() || questions.size() == differences.size());
    Judgements judgements;
    std::vector<Verdict> alone;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const Comparison found = compare(differences[i], margins[i], kAlpha);
        judgements.rows.push_back({{}, found.p_value, found.equivalence_p_value, {}});
        alone.push_back(found.verdict);
    }
    correct(differences, questions, correction, judgements);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        Judgement& judgement = judgements.rows[i];
        judgement.change = change_of(differences[i], alone[i], judgement);
        if (judgement.change != Change::Undecided || correction != Correction::AnyError) continue;
        // As strict as for the most corrected hypothesis.
        const bool corrected = differences[i].differing > 0 && judgements.corrected_for > 0;
        const double share = corrected ? static_cast<double>(judgements.corrected_for) : 1;
        judgement.blocks_to_decide = blocks_to_decide(differences[i], margins[i], kAlpha / share);
    }
    return judgements;
}

void PairedMetrics::add_block(const MetricSums& a, const MetricSums& b) {
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
}

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
    metrics_.add_block(reader_.read(under_a), reader_.read(under_b));
    ++blocks_;
    games_ += std::max(under_a.size(), under_b.size());
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
    for (const auto& [key, pairs] : metrics_.pairs()) {
        if (!kinds.empty() && std::ranges::find(kinds, key.kind) == kinds.end()) continue;
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

AblationTally::AblationTally(const RunFacts& facts, std::vector<AblatedRule> rules)
    : facts_(facts), reader_(facts), rules_(std::move(rules)), worths_(rules_.size()) {}

AblationTally::Outcome AblationTally::outcome_of(std::span<const GameRecord> games) {
    const MetricSum wins = wins_of(kAgent, games, reader_);
    const MetricSum points = points_of(kAgent, games);
    Outcome outcome{wins.sum, wins.count, points.sum, points.count, {}};
    outcome.score = reader_.read(games).scores[kAgent];
    return outcome;
}

void AblationTally::add_block(std::span<const GameRecord> games) {
    const std::size_t each = games.size() / (rules_.size() + 1);
    assert(each * (rules_.size() + 1) == games.size());
    const auto whole_games = games.first(each);
    const Outcome whole = outcome_of(whole_games);
    win_rate_.add(whole.win_sum, whole.wins);
    points_.add(whole.point_sum, whole.points);
    if (whole.score) score_.add(*whole.score);
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        const auto part_games = games.subspan((rule + 1) * each, each);
        const Outcome part = outcome_of(part_games);
        Worth& worth = worths_[rule];
        worth.win_rate.add(part.win_sum, part.wins, whole.win_sum, whole.wins);
        worth.points.add(part.point_sum, part.points, whole.point_sum, whole.points);
        worth.score.add(part.score.value_or(0), part.score ? 1 : 0, whole.score.value_or(0),
                        whole.score ? 1 : 0);
        if (same_lines(whole_games, part_games)) ++worth.alike;
    }
    ++blocks_;
    games_ += each;
}

void AblationTally::set_costs(std::span<const std::optional<double>> cost_ns) {
    assert(cost_ns.size() == rules_.size());
    assert(std::ranges::none_of(cost_ns, [](const auto& ns) { return ns && *ns <= 0; }));
    for (std::size_t rule = 0; rule < rules_.size(); ++rule)
        rules_[rule].cost_ns = cost_ns[rule];
}

WorthRow AblationTally::row_of(std::size_t rule) const {
    const Worth& worth = worths_[rule];
    WorthRow row;
    row.rule = rules_[rule];
    row.win_rate = mean_estimate(worth.win_rate.difference(kShare).blocks);
    row.points = mean_estimate(worth.points.difference().blocks);
    row.score = mean_estimate(worth.score.difference(kShare).blocks);
    row.elo = elo_difference(worth.score);
    row.alike = worth.alike;
    if (row.rule.cost_ns && row.elo.value && row.elo.low && row.elo.high) {
        const double us = *row.rule.cost_ns / kNsPerUs;
        row.elo_per_us = {*row.elo.value / us, {}, *row.elo.low / us, *row.elo.high / us};
    }
    return row;
}

AblationSummary AblationTally::summary(double margin) const {
    AblationSummary result;
    result.game = facts_.game;
    result.agent = facts_.agents.front();
    result.against.assign(facts_.agents.begin() + 1, facts_.agents.end());
    result.seed = facts_.seed;
    result.starts = facts_.starts;
    result.blocks = blocks_;
    result.games = games_;
    result.win_rate = mean_estimate(win_rate_.moments(kShare));
    result.points = mean_estimate(points_.moments());
    result.score = mean_estimate(score_.moments(kShare));
    result.margin = margin;
    std::vector<PairedMoments> differences;
    for (const Worth& worth : worths_)
        differences.push_back(worth.score.difference(kShare));
    const Judgements judged = judge(differences, std::vector<double>(worths_.size(), margin));
    result.corrected_for = judged.corrected_for;
    std::optional<double> least_cost;
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        WorthRow row = row_of(rule);
        row.judgement = judged.rows[rule];
        if (row.judgement.blocks_to_decide)
            row.games_to_decide = *row.judgement.blocks_to_decide * static_cast<double>(games_) /
                                  static_cast<double>(blocks_);
        if (row.rule.cost_ns)
            least_cost = std::min(*row.rule.cost_ns, least_cost.value_or(*row.rule.cost_ns));
        result.rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(result.rows, [&](const WorthRow& one, const WorthRow& other) {
        return rank_of(one, least_cost.value_or(1)) > rank_of(other, least_cost.value_or(1));
    });
    return result;
}

} // namespace croupier::results
