// Finds the meetings in the records of a block.
#include "results/statistics/block.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace croupier::results {
namespace {

using Couple = std::pair<Contestant, Contestant>;

std::uint32_t halves_of_first(std::uint32_t first_place, std::uint32_t second_place) {
    if (first_place == second_place) return 1;
    return first_place < second_place ? 2 : 0;
}

// Finds or inserts a couple; the vector is sorted, and short.
Meeting& meeting_of(Couple couple, std::vector<Meeting>& meetings) {
    const auto at = std::lower_bound(meetings.begin(), meetings.end(), couple,
                                     [](const Meeting& one, const Couple& other) {
                                         return Couple{one.first, one.second} < other;
                                     });
    if (at != meetings.end() && Couple{at->first, at->second} == couple) return *at;
    Meeting fresh;
    fresh.first = couple.first;
    fresh.second = couple.second;
    return *meetings.insert(at, fresh);
}

std::uint32_t best_place(std::span<const Side> sides) {
    const auto by_place = [](const Side& one, const Side& other) {
        return one.place < other.place;
    };
    return std::ranges::min_element(sides, by_place)->place;
}

} // namespace

void best_of_each(std::span<const Side> sides, std::vector<Side>& into) {
    into.clear();
    for (const Side& side : sides) {
        const auto known = std::ranges::find(into, side.contestant, &Side::contestant);
        if (known == into.end())
            into.push_back(side);
        else
            known->place = std::min(known->place, side.place);
    }
}

double win_share(std::span<const Side> sides, std::uint32_t place) {
    const std::uint32_t best = best_place(sides);
    if (place != best) return 0;
    return 1 / static_cast<double>(std::ranges::count(sides, best, &Side::place));
}

BlockReader::BlockReader(const RunFacts& facts) : agents_(facts.agents) {
    for (const TeamFacts& team : facts.teams)
        teams_.push_back(team.seats);
    for (std::uint32_t seat = 0; facts.teams.empty() && seat < facts.players.size(); ++seat)
        teams_.push_back({seat});
    for (std::uint32_t agent = 0; agent < facts.agents.size(); ++agent)
        members_.push_back({agent});
}

Contestant BlockReader::partnership(std::span<const std::uint32_t> team, const GameRecord& game) {
    std::vector<std::uint32_t> agents;
    for (const std::uint32_t seat : team)
        agents.push_back(game.seats[seat].agent);
    std::ranges::sort(agents);
    agents.erase(std::unique(agents.begin(), agents.end()), agents.end());
    const auto known = std::find(members_.begin() + static_cast<std::ptrdiff_t>(agents_.size()),
                                 members_.end(), agents);
    const auto found = static_cast<Contestant>(known - members_.begin());
    if (known == members_.end()) members_.push_back(std::move(agents));
    return found;
}

std::span<const Side> BlockReader::sides(const GameRecord& game) {
    sides_.clear();
    for (const auto& team : teams_) {
        const SeatRecord& first = game.seats[team.front()];
        assert(first.agent < agents_.size());
        if (first.place == 0) return {};
        const bool alike = std::ranges::all_of(
            team, [&](std::uint32_t seat) { return game.seats[seat].agent == first.agent; });
        sides_.push_back({alike ? first.agent : partnership(team, game), first.place});
    }
    return sides_;
}

void add_meetings(std::span<const Side> sides, std::vector<Meeting>& meetings) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (std::size_t j = i + 1; j < sides.size(); ++j) {
            Side one = sides[i];
            Side other = sides[j];
            if (one.contestant == other.contestant) continue; // the same contestant on both sides
            if (one.contestant > other.contestant) std::swap(one, other);
            Meeting& meeting = meeting_of({one.contestant, other.contestant}, meetings);
            meeting.halves += halves_of_first(one.place, other.place);
            ++meeting.pairs;
        }
    }
}

const BlockOutcome& BlockReader::read(std::span<const GameRecord> games) {
    outcome_.meetings.clear();
    outcome_.games = outcome_.voids = 0;
    outcome_.diverged = false;
    for (const GameRecord& game : games) {
        const auto sides_here = sides(game);
        ++(sides_here.empty() ? outcome_.voids : outcome_.games);
        add_meetings(sides_here, outcome_.meetings);
        outcome_.diverged = outcome_.diverged || game.line != games.front().line;
    }
    outcome_.comparable = games.size() > 1;
    take_scores();
    return outcome_;
}

void BlockReader::take_scores() {
    halves_.assign(members_.size(), {});
    for (const Meeting& meeting : outcome_.meetings) {
        halves_[meeting.first].won += meeting.halves;
        halves_[meeting.second].won += 2 * meeting.pairs - meeting.halves;
        halves_[meeting.first].possible += 2 * meeting.pairs;
        halves_[meeting.second].possible += 2 * meeting.pairs;
    }
    outcome_.scores.assign(members_.size(), std::nullopt);
    for (std::size_t i = 0; i < halves_.size(); ++i) {
        const auto& [won, possible] = halves_[i];
        if (possible > 0)
            outcome_.scores[i] = static_cast<double>(won) / static_cast<double>(possible);
    }
}

std::string BlockReader::name(Contestant contestant) const {
    std::string result;
    for (const std::uint32_t agent : members_[contestant])
        result += (result.empty() ? "" : " + ") + agents_[agent];
    return result;
}

} // namespace croupier::results
