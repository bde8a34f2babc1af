// An agent that is a program of its own, in any language: README.md has the protocol.
#pragma once

#include "agents/process/child.h"
#include "agents/registry.h"
#include "engine/api/text.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace croupier::agents {

// A program has a clock for its moves of a game, which runs while it is asked and goes up by
// `increment` after each answer.
struct ProcessLimits {
    std::chrono::milliseconds start{10'000};  // from the start to the first answer
    std::chrono::milliseconds move{5'000};    // for a move, however much is left
    std::chrono::milliseconds total{600'000}; // on the clock when a game begins
    std::chrono::milliseconds increment{0};
};

// Whatever the program does wrong is a fault of this agent and ends the game, or has another one
// play on; for the next game it is started again. A program without fault plays one game after the
// other.
class ProcessAgent : public Agent {
  public:
    static constexpr int kProtocol = 1;

    // `other` plays on in its place; null: nobody does. `abandon`: see Surroundings.
    ProcessAgent(std::string command, const ProcessLimits& limits, const Clock& clock,
                 std::unique_ptr<Agent> other = nullptr,
                 const std::atomic<bool>* abandon = nullptr);
    ~ProcessAgent() override;

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const Position& view, const Seen& move) override;
    void judged(const Verdict& verdict) override { verdict_ = verdict; }
    void ends(const Position& view) override;
    [[nodiscard]] bool offers_draw() const override;
    [[nodiscard]] const AgentFault* fault() const override;
    [[nodiscard]] const Substitution* substitution() const override {
        return substitution_ ? &*substitution_ : nullptr;
    }
    [[nodiscard]] std::int64_t process() const override { return child_.process(); }
    [[nodiscard]] std::vector<Note> notes() const override;
    [[nodiscard]] bool is_reproducible() const override { return false; }

    // The end of what the program wrote to standard error.
    [[nodiscard]] const std::string& errors() const { return child_.errors(); }

  private:
    std::size_t ask(const Position& view, Random& random);
    std::size_t answer_of(const engine::Document& answer, const Position& view);
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
    std::chrono::nanoseconds left_{0}; // on its clock
    bool offers_ = false;
    std::optional<AgentFault> fault_;
    std::optional<Verdict> verdict_;
    std::unique_ptr<Agent> other_;
    bool other_observes_ = false;
    std::optional<Substitution> substitution_;
};

// process:COMMAND,move_ms=N,start_ms=N,total_ms=N,clock=SECONDS+SECONDS,else=AGENT
MadeAgent make_process_agent(const AgentSpec& spec, const Surroundings& surroundings);

} // namespace croupier::agents
