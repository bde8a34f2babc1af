// Schedules in rounds, of which the next depends on who won the last: knockout and Swiss.
#pragma once

#include "tournaments/schedule/schedule.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace croupier::tournaments {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// A match of two agents that was played: the sum of their block scores.
struct Match {
    Pair agents;
    double first = 0;
    double second = 0;
};

// Who meets whom next. Agents are numbered by their strength as the user listed them.
class Pairing {
  public:
    Pairing() = default;
    Pairing(const Pairing&) = delete;
    Pairing& operator=(const Pairing&) = delete;
    virtual ~Pairing() = default;

    // Of all rounds together.
    [[nodiscard]] virtual std::uint64_t matches() const = 0;
    // The pairs of the next round, `last` being what became of the one before.
    virtual std::vector<Pair> next(const std::vector<Match>& last) = 0;
};

// Who loses is out; a tie goes to who stands first in the list. The best meet the last, and where
// numbers do not come out even the best pass the first round.
std::unique_ptr<Pairing> make_knockout(std::uint32_t agents);
// Every round, those who stand alike meet, and nobody twice as long as that can be had. One left
// over has a bye, the last in the table who had none yet, which counts as a win.
std::unique_ptr<Pairing> make_swiss(std::uint32_t agents, std::uint32_t rounds);

// Rounds of the pairing, each match of so many blocks that all together are what was asked for.
MadeSchedule make_staged(const ScheduleRequest& request, std::unique_ptr<Pairing> pairing);

} // namespace croupier::tournaments
