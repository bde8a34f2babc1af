// Perfect information Monte Carlo: draws the hidden parts many times and takes the move that is
// best on average over these deals.
#pragma once

#include "agents/search/playout.h"
#include "agents/search/worlds.h"
#include "agents/solve/double_dummy.h"

#include <memory>
#include <vector>

namespace croupier::agents {

struct PimcLimits {
    std::uint64_t deals = 20;      // in one decision
    TimeLimit time = {};           // where time is the limit instead
    std::uint64_t plies = 12;      // solves with at most that many moves left; before, plays out
    std::uint64_t nodes = 100'000; // limit of solving one deal; beyond it the deal is played out
    Resignation resignation = {};  // by the share of deals that the chosen move wins
};

// For any game: if nothing is hidden, each deal is the position itself.
class PimcAgent : public Agent {
  public:
    PimcAgent(const PimcLimits& limits, Playout playout, Worlds worlds = {});

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override { return worlds_.observes(); }
    void observe(const Position& view, const ObservedMove& seen) override {
        worlds_.observe(view, seen);
    }
    [[nodiscard]] std::vector<Note> notes() const override { return worlds_.notes(); }
    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Deals drawn since it was made, and how many of them were solved.
    [[nodiscard]] std::uint64_t deals() const { return deals_; }
    [[nodiscard]] std::uint64_t solved() const { return solved_; }
    // Positions visited by solving.
    [[nodiscard]] std::uint64_t nodes() const { return dummy_.nodes(); }

  private:
    bool look_at(const Position& deal, bool first, Random& random);
    bool solve(const Position& deal, const Random& course, Random& random);

    PimcLimits limits_;
    Playout playout_;
    Worlds worlds_;
    DoubleDummy dummy_;
    const Game* game_ = nullptr;
    Seat me_ = 0;
    Sides sides_;
    std::unique_ptr<Position> deal_;
    std::unique_ptr<Position> line_; // from the deal to the end
    std::chrono::nanoseconds until_{0};
    bool solves_ = false;       // in this decision
    std::vector<double> worth_; // by move, of one deal
    std::vector<double> sum_;   // over all deals
    std::vector<double> won_;   // number of deals in which the move leads to being ahead
    std::uint64_t deals_ = 0;
    std::uint64_t solved_ = 0;
};

// pimc:policy=AGENT,bids=AGENT,deals=N,ms=N,dd=N,nodes=N,resign=PERCENT
MadeAgent make_pimc_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
