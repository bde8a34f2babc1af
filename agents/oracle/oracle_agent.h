// Sees all cards and makes no mistake: what others are measured by, and no opponent of theirs.
#pragma once

#include "agents/solve/double_dummy.h"

#include <memory>

namespace croupier::agents {

struct OracleLimits {
    std::uint64_t plies = 32;        // solved where no more are left
    std::uint64_t nodes = 2'000'000; // of one decision
    TimeLimit time = {};             // or after that
};

// In auctions, and where a position cannot be solved, it plays as its policy does, which sees its
// view like any other agent. So it does where nobody shows it the position.
class OracleAgent final : public Oracle {
  public:
    OracleAgent(const OracleLimits& limits, std::unique_ptr<Agent> policy)
        : limits_(limits), policy_(std::move(policy)) {}

    void reset(const Game& game, Seat me) override;
    std::size_t choose_knowing(const Position& truth, Random& random) override;
    std::size_t choose(const Position& view, Random& random) override;

    [[nodiscard]] bool is_reproducible() const override { return limits_.time.clock == nullptr; }

    // Decisions that it has solved since it was made, and those that it has left to the policy.
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
