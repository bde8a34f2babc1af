// Records to sums; see metrics.h.
#include "results/compare/metrics.h"

#include <algorithm>
#include <array>
#include <cassert>

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

// What part of the game it has won; nothing if it does not sit there.
std::optional<double> win_of(std::uint32_t agent, std::span<const Side> sides) {
    std::vector<Side> present;
    best_of_each(sides, present);
    for (const auto& [contestant, place] : present)
        if (contestant == agent) return win_share(present, place);
    return std::nullopt;
}

} // namespace

std::span<const MetricKind> metric_kinds() {
    return kAllKinds;
}

std::string_view name_of(MetricKind kind) {
    return facts_of(kind).name;
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
            add(sums, {kind, MetricKey::Of::All, 0, {}}, value, count);
        };
        all(MetricKind::Length, game.plies);
        all(MetricKind::Forced, game.forced, game.plies);
        all(MetricKind::Branching, static_cast<double>(game.choices), game.plies);
        all(MetricKind::Aborted, game.end == End::Aborted ? 1 : 0);
        all(MetricKind::Unfinished, game.end == End::Unfinished ? 1 : 0);
        all(MetricKind::Fault, game.end == End::Fault ? 1 : 0);
        const auto sides = reader_.sides(game);
        if (sides.empty()) continue; // void
        add_sides(game, sides, sums);
        if (by_agent_) add_agents(game, sides, sums);
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
        const MetricKey::Of of = MetricKey::Of::Side;
        add(into, {MetricKind::Win, of, side, {}}, win);
        for (const std::uint32_t seat : reader_.teams()[side]) {
            const SeatRecord& row = game.seats[seat];
            if (points) add(into, {MetricKind::Score, of, side, {}}, row.score);
            if (row.role.empty()) continue;
            add(into, {MetricKind::Win, MetricKey::Of::Role, 0, row.role}, win);
            if (points) add(into, {MetricKind::Score, MetricKey::Of::Role, 0, row.role}, row.score);
        }
    }
    add(into, {MetricKind::Draws, MetricKey::Of::All, 0, {}}, best < 1 ? 1 : 0);
}

void MetricReader::add_agents(const GameRecord& game, std::span<const Side> sides,
                              MetricSums& into) const {
    for (std::uint32_t agent = 0; agent < agents_.size(); ++agent) {
        if (const auto win = win_of(agent, sides))
            add(into, {MetricKind::Win, MetricKey::Of::Agent, agent, {}}, *win);
    }
    if (!has_points(game.end)) return;
    for (const SeatRecord& row : game.seats)
        add(into, {MetricKind::Score, MetricKey::Of::Agent, row.agent, {}}, row.score);
}

std::string MetricReader::name_of(const MetricKey& key) const {
    switch (key.of) {
    case MetricKey::Of::Side:
        return sides_[key.index];
    case MetricKey::Of::Role:
        return key.role;
    case MetricKey::Of::Agent:
        return agents_[key.index];
    case MetricKey::Of::All:
        break;
    }
    return {};
}

MetricKey MetricReader::question_of(MetricKey key) const {
    const bool of_two = (key.of == MetricKey::Of::Side && sides_.size() == 2) ||
                        (key.of == MetricKey::Of::Agent && agents_.size() == 2);
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

} // namespace croupier::results
