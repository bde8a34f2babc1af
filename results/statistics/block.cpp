// From the records of a block to who met whom; see block.h.
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

// Kept sorted by couple; there are few.
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

void add_meetings(std::span<const Side> sides, std::vector<Meeting>& meetings) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (std::size_t j = i + 1; j < sides.size(); ++j) {
            Side one = sides[i];
            Side other = sides[j];
            if (one.contestant == other.contestant) continue; // nothing learnt from oneself
            if (one.contestant > other.contestant) std::swap(one, other);
            Meeting& meeting = meeting_of({one.contestant, other.contestant}, meetings);
            meeting.halves += halves_of_first(one.place, other.place);
            ++meeting.pairs;
        }
    }
}

BlockScores scores_of(std::span<const Meeting> meetings, std::size_t contestants) {
    std::vector<std::uint64_t> halves(contestants);
    std::vector<std::uint64_t> possible(contestants);
    for (const Meeting& meeting : meetings) {
        halves[meeting.first] += meeting.halves;
        halves[meeting.second] += 2 * meeting.pairs - meeting.halves;
        possible[meeting.first] += 2 * meeting.pairs;
        possible[meeting.second] += 2 * meeting.pairs;
    }
    BlockScores scores(contestants);
    for (std::size_t i = 0; i < contestants; ++i)
        if (possible[i] > 0)
            scores[i] = static_cast<double>(halves[i]) / static_cast<double>(possible[i]);
    return scores;
}

std::uint32_t best_place(std::span<const Side> sides) {
    const auto by_place = [](const Side& one, const Side& other) {
        return one.place < other.place;
    };
    return std::min_element(sides.begin(), sides.end(), by_place)->place;
}

} // namespace

std::vector<Contestant> winners(std::span<const Side> sides) {
    const std::uint32_t best = best_place(sides);
    std::vector<Contestant> result;
    for (const Side& side : sides)
        if (side.place == best) result.push_back(side.contestant);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

double win_share(std::span<const Side> sides, std::uint32_t place) {
    const std::uint32_t best = best_place(sides);
    if (place != best) return 0;
    return 1 / static_cast<double>(std::count_if(sides.begin(), sides.end(), [&](const Side& side) {
               return side.place == best;
           }));
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
    std::sort(agents.begin(), agents.end());
    agents.erase(std::unique(agents.begin(), agents.end()), agents.end());
    const auto known = std::find(members_.begin() + static_cast<std::ptrdiff_t>(agents_.size()),
                                 members_.end(), agents);
    const auto found = static_cast<Contestant>(known - members_.begin());
    if (known == members_.end()) members_.push_back(std::move(agents));
    return found;
}

std::vector<Side> BlockReader::sides(const GameRecord& game) {
    std::vector<Side> result;
    for (const auto& team : teams_) {
        const SeatRecord& first = game.seats[team.front()];
        assert(first.agent < agents_.size());
        if (first.place == 0) return {};
        const bool alike = std::all_of(team.begin(), team.end(), [&](std::uint32_t seat) {
            return game.seats[seat].agent == first.agent;
        });
        result.push_back({alike ? first.agent : partnership(team, game), first.place});
    }
    return result;
}

std::vector<Meeting> meetings_between(std::span<const Side> sides) {
    std::vector<Meeting> meetings;
    add_meetings(sides, meetings);
    return meetings;
}

BlockOutcome BlockReader::read(std::span<const GameRecord> games) {
    BlockOutcome outcome;
    for (const GameRecord& game : games) {
        const auto sides_here = sides(game);
        ++(sides_here.empty() ? outcome.voids : outcome.games);
        add_meetings(sides_here, outcome.meetings);
        outcome.diverged = outcome.diverged || game.line != games.front().line;
    }
    outcome.comparable = games.size() > 1;
    outcome.scores = scores_of(outcome.meetings, members_.size());
    return outcome;
}

std::string BlockReader::name(Contestant contestant) const {
    std::string result;
    for (const std::uint32_t agent : members_[contestant])
        result += (result.empty() ? "" : " + ") + agents_[agent];
    return result;
}

} // namespace croupier::results
