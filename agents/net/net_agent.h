// Makes the move that a net thinks is worth most.
#pragma once

#include "agents/net/net.h"
#include "agents/registry.h"

#include <memory>
#include <vector>

namespace croupier::agents {

// Allocates nothing per decision once its buffers are large enough.
class NetAgent : public Agent {
  public:
    explicit NetAgent(std::shared_ptr<const Net> net) : net_(std::move(net)) {}

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override { return net_->features().remembers(); }
    void observe(const Position& view, const ObservedMove& seen) override;
    [[nodiscard]] std::vector<Note> notes() const override;
    // Logs by how many points it expects to be ahead after each move.
    void set_log(engine::Log* log) override { log_ = log; }

  private:
    std::shared_ptr<const Net> net_;
    Seat me_ = 0;
    games::Memory memory_;
    Net::Work work_;
    std::vector<Move> moves_;
    std::vector<std::int64_t> worths_;
    std::uint64_t games_ = 0;
    engine::Log* log_ = nullptr;
};

// The net of that file, or of that name among those that come with the game; null, with the reason
// in `made`, if there is none. Agents that share `services.programs` share it.
std::shared_ptr<const Net> open_net(const std::string& word, const AgentServices& services,
                                    MadeAgent& made);

// net:FILE, or net:NAME of one that comes with the game
MadeAgent make_net_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
