// Sees all cards and plays perfectly: a reference for other agents, not an opponent.
#pragma once

#include "agents/solve/double_dummy.h"

#include <memory>

namespace croupier::agents {

struct OracleLimits {
    std::uint64_t plies = 32;        // solves positions with at most that many moves left
    std::uint64_t nodes = 2'000'000; // limit for one decision
    TimeLimit time = {};             // or time limit
};

// In auctions, and if a position cannot be solved, it plays as its policy, which sees only its
// view. It does the same if the runner does not show it the position.
class OracleAgent final : public Oracle {
  public:
    OracleAgent(const OracleLimits& limits, std::unique_ptr<Agent> policy)
        : limits_(limits), policy_(std::move(policy)) {}

    void reset(const Game& game, Seat me) override;
    std::size_t choose_knowing(const Position& truth, Random& random) override;
    std::size_t choose(const Position& view, Random& random) override;

    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Decisions that it solved since it was made, and those it left to the policy.
    [[nodiscard]] std::uint64_t solved() const { return solved_; }
    [[nodiscard]] std::uint64_t left() const { return left_; }

  private:
    OracleLimits limits_;
    std::unique_ptr<Agent> policy_;
    DoubleDummy dummy_;
    const Game* game_ = nullptr;
    Seat me_ = 0;
    std::unique_ptr<Position> view_;
    std::uint64_t solved_ = 0;
    std::uint64_t left_ = 0;
};

// oracle:policy=AGENT,dd=N,nodes=N,ms=N
MadeAgent make_oracle_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
