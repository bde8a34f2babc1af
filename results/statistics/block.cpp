// From the records of a block to who met whom; see block.h.
#include "results/statistics/block.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <utility>

namespace croupier::results {
namespace {

using Couple = std::pair<Contestant, Contestant>;

std::uint32_t halves_of_first(std::uint32_t first_place, std::uint32_t second_place) {
    if (first_place == second_place) return 1;
    return first_place < second_place ? 2 : 0;
}

void add_meetings(std::span<const Side> sides, std::map<Couple, Meeting>& meetings) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (std::size_t j = i + 1; j < sides.size(); ++j) {
            Side one = sides[i];
            Side other = sides[j];
            if (one.contestant == other.contestant) continue; // nothing learnt from oneself
            if (one.contestant > other.contestant) std::swap(one, other);
            Meeting& meeting = meetings[{one.contestant, other.contestant}];
            meeting.first = one.contestant;
            meeting.second = other.contestant;
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

} // namespace

BlockReader::BlockReader(const RunFacts& facts) : agents_(facts.agents) {
    for (const TeamFacts& team : facts.teams)
        teams_.push_back(team.seats);
    for (std::uint32_t seat = 0; facts.teams.empty() && seat < facts.players.size(); ++seat)
        teams_.push_back({seat});
    for (std::uint32_t agent = 0; agent < facts.agents.size(); ++agent)
        members_.push_back({agent});
}

Contestant BlockReader::contestant_of(std::vector<std::uint32_t> agents) {
    std::sort(agents.begin(), agents.end());
    agents.erase(std::unique(agents.begin(), agents.end()), agents.end());
    if (agents.size() == 1) return agents.front();
    const auto known = std::find(members_.begin() + static_cast<std::ptrdiff_t>(agents_.size()),
                                 members_.end(), agents);
    const auto found = static_cast<Contestant>(known - members_.begin());
    if (known == members_.end()) members_.push_back(std::move(agents));
    return found;
}

std::vector<Side> BlockReader::sides(const GameRecord& game) {
    std::vector<Side> result;
    for (const auto& team : teams_) {
        std::vector<std::uint32_t> agents;
        std::uint32_t place = 0;
        for (const std::uint32_t seat : team) {
            assert(seat < game.seats.size());
            assert(game.seats[seat].agent < agents_.size());
            agents.push_back(game.seats[seat].agent);
            place = game.seats[seat].place;
        }
        if (place == 0) return {};
        result.push_back({contestant_of(std::move(agents)), place});
    }
    return result;
}

BlockOutcome BlockReader::read(std::span<const GameRecord> games) {
    BlockOutcome outcome;
    std::map<Couple, Meeting> meetings;
    for (const GameRecord& game : games) {
        const auto sides_here = sides(game);
        ++(sides_here.empty() ? outcome.voids : outcome.games);
        add_meetings(sides_here, meetings);
        outcome.diverged = outcome.diverged || game.line != games.front().line;
    }
    outcome.comparable = games.size() > 1;
    for (const auto& [couple, meeting] : meetings)
        outcome.meetings.push_back(meeting);
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
