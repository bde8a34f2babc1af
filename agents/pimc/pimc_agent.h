// Perfect information Monte Carlo: draws what is hidden many times, and takes the move that is best
// on the average of all these deals.
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
    std::uint64_t plies = 12;      // solved where no more are left; before that, played out
    std::uint64_t nodes = 100'000; // of one deal that is solved; then it is played out as well
    Resignation resignation = {};  // by the share of deals that the move it makes wins
};

// For any game: where nothing is hidden, each deal is the position itself.
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
    // Positions that solving has looked at.
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
    std::unique_ptr<Position> line_; // from the deal to an end
    std::chrono::nanoseconds until_{0};
    bool solves_ = false;       // in this decision
    std::vector<double> worth_; // by move, of one deal
    std::vector<double> sum_;   // of all
    std::vector<double> won_;   // in how many of them the move leads to being ahead
    std::uint64_t deals_ = 0;
    std::uint64_t solved_ = 0;
};

// pimc:policy=AGENT,bids=AGENT,deals=N,ms=N,dd=N,nodes=N,resign=PERCENT
MadeAgent make_pimc_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
