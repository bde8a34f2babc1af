// An agent composed of others, one for each phase of the game.
#pragma once

#include "agents/registry.h"

#include <memory>
#include <string>
#include <vector>

namespace croupier::agents {

// All of them observe the whole game; only the agent of the current phase chooses.
class MixAgent : public Agent {
  public:
    // `by_phase[i]` is the index in `agents` of the agent for that phase; the last entry is used if
    // the position is in no phase.
    MixAgent(std::vector<std::unique_ptr<Agent>> agents, std::vector<std::size_t> by_phase);

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override;
    void observe(const Position& view, const ObservedMove& seen) override;
    void judged(const Verdict& verdict) override;
    void ends(const Position& view) override;
    [[nodiscard]] bool offers_draw() const override { return asked_->offers_draw(); }
    [[nodiscard]] const AgentFault* fault() const override { return asked_->fault(); }
    [[nodiscard]] const Substitution* substitution() const override;
    [[nodiscard]] std::int64_t process() const override { return asked_->process(); }
    [[nodiscard]] std::vector<Note> notes() const override;
    void set_log(engine::Log* log) override;
    [[nodiscard]] bool is_reproducible() const override;

  private:
    std::vector<std::unique_ptr<Agent>> agents_;
    std::vector<std::size_t> by_phase_;
    Agent* asked_;                  // the one that chose last
    std::vector<Agent*> observers_; // of this game
};

// mix:PHASE=AGENT,PHASE=AGENT,..
MadeAgent make_mix_agent(const AgentSpec& spec, const AgentServices& services);

// The agent, with all bids left to `bidder`; unchanged if `bidder` is empty.
MadeAgent leave_auction(MadeAgent made, const std::string& bidder, std::string_view kind,
                        const AgentServices& services);

// The agent that bids for a search agent, from its option `bids`: an agent, or "search" for itself;
// by default the rules `table` that come with the game. Empty if it bids itself, as it does if
// there is no auction or no such file.
std::string bidder_of(const std::string& bids, const AgentServices& services);

} // namespace croupier::agents
