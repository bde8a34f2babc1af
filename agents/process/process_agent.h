// An agent that is a program of its own, in any language: README.md has the protocol.
#pragma once

#include "agents/process/child.h"
#include "agents/registry.h"

#include <chrono>
#include <optional>
#include <string>

namespace croupier::agents {

struct ProcessLimits {
    std::chrono::milliseconds start{10'000};  // from the start to the first answer
    std::chrono::milliseconds move{5'000};    // for a move
    std::chrono::milliseconds total{600'000}; // for all moves of a game
};

// Whatever the program does wrong is a fault of this agent and ends the game; for the next one it
// is started again. A program without fault plays one game after the other.
class ProcessAgent : public Agent {
  public:
    static constexpr int kProtocol = 1;

    ProcessAgent(std::string command, const ProcessLimits& limits, const Clock& clock);
    ~ProcessAgent() override;

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const Position& view, const Seen& move) override;
    void ends(const Position& view) override;
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }
    [[nodiscard]] bool is_reproducible() const override { return false; }

    // The end of what the program wrote to standard error.
    [[nodiscard]] const std::string& errors() const { return child_.errors(); }

  private:
    bool launch(std::chrono::nanoseconds deadline);
    bool say(const std::string& line, std::chrono::nanoseconds deadline);
    bool hear(engine::Document& answer, std::string_view type, std::chrono::nanoseconds deadline);
    void fail(FaultKind kind, std::string what);
    void fail(Child::Outcome outcome);

    std::string command_;
    ProcessLimits limits_;
    const Clock& clock_;
    Child child_;
    const Game* game_ = nullptr;
    bool greeted_ = false;             // it has answered the first time
    std::chrono::nanoseconds used_{0}; // for the moves of this game
    std::optional<AgentFault> fault_;
};

// process:COMMAND,move_ms=N,start_ms=N,total_ms=N
MadeAgent make_process_agent(const AgentSpec& spec, const Surroundings& surroundings);

} // namespace croupier::agents
