// Adding up: what is counted by game, by block, and when a block is closed.
#include "results/report/standings.h"

#include <algorithm>
#include <cassert>

namespace croupier::results {
namespace {

// More kinds of faults than this are no longer told apart: texts may name moves.
constexpr std::size_t kFaultKinds = 100;
constexpr const char* kOtherFaults = "(others)";

double share_of_first(const Meeting& meeting) {
    return meeting.halves / (2.0 * meeting.pairs);
}

} // namespace

Standings::Standings(RunFacts facts, bool balanced)
    : reader_(facts), balanced_(balanced), meetings_(facts.seed),
      seat_cells_(facts.players.size(), std::vector<Cell>(facts.agents.size() + 1)) {
    totals_.facts = std::move(facts);
}

void Standings::add(const GameRecord& game) {
    if (!block_.empty() && block_.front().block != game.block) {
        assert(game.block > block_.front().block);
        close_block();
    }
    block_.push_back(game);
}

void Standings::add_block(std::span<const GameRecord> games) {
    close_block();
    if (!games.empty()) count_block(games, reader_.read(games));
}

void Standings::add_block(std::span<const GameRecord> games, const BlockOutcome& outcome) {
    close_block();
    if (!games.empty()) count_block(games, outcome);
}

void Standings::close_block() {
    if (block_.empty()) return;
    count_block(block_, reader_.read(block_));
    block_.clear();
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
        if (present_.size() == 1) break; // nobody wins against itself
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
    const auto found = std::find(roles_.begin(), roles_.end(), role);
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
    if (has_ratings()) meetings_.add(block, outcome.meetings);
}

} // namespace croupier::results
