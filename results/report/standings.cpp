// Sums: counts by game, by block, and on closing a block; and the rows of a summary.
#include "results/report/standings.h"

#include "results/statistics/means.h"
#include "results/statistics/ratings.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace croupier::results {
namespace {

// Limit of distinguished faults, since texts may contain moves.
constexpr std::size_t kFaultKinds = 100;
constexpr const char* kOtherFaults = "(others)";

double share_of_first(const Meeting& meeting) {
    return meeting.halves / (2.0 * meeting.pairs);
}

// Skips contestants that never played; the index of each among those that did.
std::vector<std::uint32_t> shown_indices(std::span<const std::uint64_t> games) {
    std::vector<std::uint32_t> result;
    std::uint32_t next = 0;
    for (const std::uint64_t count : games)
        result.push_back(count > 0 ? next++ : 0);
    return result;
}

} // namespace

Standings::Standings(RunFacts facts, bool balanced)
    : reader_(facts), balanced_(balanced),
      seat_cells_(facts.players.size(), std::vector<Cell>(facts.agents.size() + 1)) {
    totals_.facts = std::move(facts);
}

void Standings::add_block(std::span<const GameRecord> games) {
    if (!games.empty()) count_block(games, reader_.read(games));
}

void Standings::add_block(std::span<const GameRecord> games, const BlockOutcome& outcome) {
    if (!games.empty()) count_block(games, outcome);
}

void Standings::count_block(std::span<const GameRecord> games, const BlockOutcome& outcome) {
    for (const GameRecord& game : games) {
        count_ending(game);
        const auto sides = reader_.sides(game);
        if (sides.empty()) continue;
        players_.resize(reader_.contestants());
        count_players(game, sides);
        count_cells(game, sides);
        count_meetings(sides);
    }
    for (Open* open : touched_) {
        open->mean.add(open->sum, open->count);
        open->sum = open->count = 0;
    }
    touched_.clear();
    count_outcome(games.front().block, outcome);
}

void Standings::count_ending(const GameRecord& game) {
    ++totals_.games;
    ++totals_.endings[static_cast<std::size_t>(game.end)];
    totals_.plies.add(game.plies);
    bool somebodys = false;
    for (const SeatRecord& seat : game.seats) {
        if (seat.at_fault) count_fault(game.fault, seat.agent, true);
        if (seat.substitute) count_fault(seat.lapse, seat.agent, false);
        somebodys = somebodys || seat.at_fault;
    }
    if (!somebodys && !game.fault.empty()) count_fault(game.fault, kNobody, true);
}

void Standings::count_fault(const std::string& what, std::uint32_t agent, bool ended) {
    const bool known = faults_.contains({what, agent, ended}) || faults_.size() < kFaultKinds;
    ++faults_[{known ? what : kOtherFaults, agent, ended}];
}

void Standings::add_open(Open& open, double value) {
    if (open.count == 0) touched_.push_back(&open);
    open.sum += value;
    ++open.count;
}

void Standings::count_players(const GameRecord& game, std::span<const Side> sides) {
    best_of_each(sides, present_);
    bool drawn = false;
    for (const auto& [contestant, place] : present_) {
        Player& player = players_[contestant];
        ++player.games;
        if (present_.size() == 1) break; // all sides are one contestant
        const double win = win_share(present_, place);
        ++(win == 1 ? player.wins : win > 0 ? player.draws : player.losses);
        drawn = drawn || (win > 0 && win < 1);
        add_open(player.win, win);
    }
    if (drawn) ++totals_.draws;
    if (!has_points(game.end)) return;
    const auto& teams = reader_.teams();
    for (std::size_t side = 0; side < sides.size(); ++side)
        for (const std::uint32_t seat : teams[side])
            add_open(players_[sides[side].contestant].points, game.seats[seat].score);
}

std::uint32_t Standings::role_index(const std::string& role) {
    const auto found = std::ranges::find(roles_, role);
    const auto index = static_cast<std::uint32_t>(found - roles_.begin());
    if (found == roles_.end()) {
        roles_.push_back(role);
        role_cells_.emplace_back(totals_.facts.agents.size() + 1);
    }
    return index;
}

void Standings::count_cell(std::vector<Cell>& group, const SeatRecord& row, double win,
                           bool points) {
    for (Cell* const cell : {&group[row.agent], &group.back()}) {
        ++cell->games;
        add_open(cell->win, win);
        if (points) add_open(cell->points, row.score);
    }
}

void Standings::count_cells(const GameRecord& game, std::span<const Side> sides) {
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
        const SeatRecord& row = game.seats[seat];
        const double win = win_share(sides, row.place);
        const bool points = has_points(game.end);
        count_cell(seat_cells_[seat], row, win, points);
        if (!row.role.empty()) count_cell(role_cells_[role_index(row.role)], row, win, points);
    }
}

void Standings::count_meetings(std::span<const Side> sides) {
    meetings_here_.clear();
    add_meetings(sides, meetings_here_);
    for (const Meeting& meeting : meetings_here_) {
        Couple& couple = couples_[{meeting.first, meeting.second}];
        couple.game_score.add(share_of_first(meeting));
        ++couple.games;
    }
}

void Standings::count_outcome(std::uint64_t block, const BlockOutcome& outcome) {
    ++totals_.blocks;
    totals_.voids += outcome.voids;
    if (outcome.comparable) ++totals_.comparable;
    if (outcome.diverged) ++totals_.diverged;
    players_.resize(reader_.contestants());
    assert(outcome.scores.size() == players_.size());
    for (std::size_t i = 0; i < outcome.scores.size(); ++i)
        if (outcome.scores[i]) players_[i].score.add(*outcome.scores[i]);
    for (const Meeting& meeting : outcome.meetings) {
        Couple& couple = couples_[{meeting.first, meeting.second}];
        couple.score.add(share_of_first(meeting));
        if (reader_.teams().size() == 2 && meeting.pairs == 2)
            ++couple.pairs.counts[meeting.halves];
    }
    if (has_ratings()) meetings_.add(totals_.facts.seed, block, outcome.meetings);
}

// Turns the sums into the rows of a summary.

std::uint64_t PairCounts::pairs() const {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::optional<double> PairCounts::ratio() const {
    const std::uint64_t lost = counts[0] + counts[1];
    if (lost == 0) return std::nullopt;
    return static_cast<double>(counts[3] + counts[4]) / static_cast<double>(lost);
}

std::optional<double> PairCounts::draw_ratio() const {
    if (pairs() == 0) return std::nullopt;
    return static_cast<double>(counts[2]) / static_cast<double>(pairs());
}

std::vector<std::vector<std::optional<double>>> crosstable(const Summary& summary) {
    const std::size_t size = summary.contestants.size();
    std::vector scores(size, std::vector<std::optional<double>>(size));
    for (const MeetingRow& row : summary.meetings) {
        if (!row.score.value) continue;
        scores[row.first][row.second] = *row.score.value;
        scores[row.second][row.first] = 1 - *row.score.value;
    }
    return scores;
}

std::vector<std::uint32_t> by_win_rate(const Summary& summary) {
    const auto rate = [&](std::uint32_t each) {
        return summary.contestants[each].win_rate.value.value_or(-1);
    };
    std::vector<std::uint32_t> order(summary.contestants.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](std::uint32_t one, std::uint32_t other) { return rate(one) > rate(other); });
    return order;
}

ContestantRow Standings::contestant_row(Contestant contestant) const {
    const Player& player = players_[contestant];
    ContestantRow row;
    row.name = reader_.name(contestant);
    row.blocks = player.win.mean.blocks();
    row.games = player.games;
    row.wins = player.wins;
    row.draws = player.draws;
    row.losses = player.losses;
    row.win_rate = mean_estimate(player.win.mean.moments(kShare));
    row.score = mean_estimate(player.score.moments(kShare));
    row.points = mean_estimate(player.points.mean.moments());
    return row;
}

std::vector<PlaceRow> Standings::place_rows(const Cells& cells,
                                            std::span<const std::string> names) const {
    std::vector<PlaceRow> rows;
    for (std::uint32_t group = 0; group < names.size(); ++group) {
        const auto row_of = [&](const Cell& cell, std::optional<std::uint32_t> agent) {
            if (cell.games == 0) return;
            rows.push_back({names[group], agent, cell.games,
                            mean_estimate(cell.win.mean.moments(kShare)),
                            mean_estimate(cell.points.mean.moments())});
        };
        const auto agents = static_cast<std::uint32_t>(totals_.facts.agents.size());
        row_of(cells[group].back(), std::nullopt);
        for (std::uint32_t agent = 0; agent < agents; ++agent)
            row_of(cells[group][agent], agent);
    }
    return rows;
}

std::vector<MeetingRow> Standings::meeting_rows() const {
    std::vector<MeetingRow> rows;
    for (const auto& [who, couple] : couples_) {
        MeetingRow row;
        row.first = who.first;
        row.second = who.second;
        row.blocks = couple.score.blocks();
        row.games = couple.games;
        row.games_per_block = static_cast<double>(row.games) / static_cast<double>(row.blocks);
        const BlockMoments score = couple.score.moments(kShare);
        row.score = mean_estimate(score);
        row.balanced = balanced_;
        if (balanced_) {
            row.elo = elo_of(score);
            row.normalized_elo = normalized_elo_of_run(couple.score, row.games_per_block);
            row.los = likelihood_of_superiority(score);
        }
        if (couple.score.standard_error())
            row.variance_reduction =
                *couple.game_score.variance() / row.games_per_block / *couple.score.variance();
        if (couple.pairs.pairs() > 0) row.pairs = couple.pairs;
        rows.push_back(row);
    }
    return rows;
}

std::vector<FaultRow> Standings::fault_rows() const {
    std::vector<FaultRow> rows;
    for (const auto& [key, games] : faults_) {
        const auto& [what, agent, ended] = key;
        rows.push_back(
            {agent == kNobody ? std::nullopt : std::optional(agent), what, games, ended});
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, &FaultRow::games);
    return rows;
}

std::vector<std::pair<std::string, double>> Standings::leaders(std::size_t most) const {
    std::vector<std::pair<std::string, double>> rows;
    for (Contestant i = 0; i < players_.size(); ++i)
        if (const auto score = players_[i].score.mean()) rows.emplace_back(reader_.name(i), *score);
    std::ranges::stable_sort(
        rows, [](const auto& one, const auto& other) { return one.second > other.second; });
    if (rows.size() > most) rows.resize(most);
    return rows;
}

Summary Standings::summary() {
    Summary result = totals_;
    std::vector<std::uint64_t> games;
    for (const Player& player : players_)
        games.push_back(player.games);
    const auto shown = shown_indices(games);
    std::vector<Rating> ratings(players_.size());
    if (has_ratings()) ratings = meetings_.ratings(players_.size());
    for (Contestant i = 0; i < players_.size(); ++i) {
        if (games[i] == 0) continue;
        result.contestants.push_back(contestant_row(i));
        result.contestants.back().rating = ratings[i];
    }
    result.meetings = meeting_rows();
    WinTable met(result.contestants.size());
    for (MeetingRow& row : result.meetings) {
        row.first = shown[row.first];
        row.second = shown[row.second];
        met.at(row.first, row.second) = 1;
    }
    for (const std::uint32_t group : met_groups(met))
        result.groups = std::max(result.groups, group + 1);
    result.seats = place_rows(seat_cells_, totals_.facts.players);
    result.roles = place_rows(role_cells_, roles_);
    // Sort: they are in order of appearance, which is arbitrary.
    std::ranges::stable_sort(result.roles, {}, &PlaceRow::name);
    result.faults = fault_rows();
    return result;
}

} // namespace croupier::results
