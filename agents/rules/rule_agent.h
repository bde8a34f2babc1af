// An agent whose play is a file of rules: they weigh the legal moves, the heaviest is made.
#pragma once

#include "agents/arguments.h"
#include "agents/registry.h"
#include "agents/rules/rule_program.h"
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <memory>
#include <optional>
#include <vector>

namespace croupier::agents {

// Chance chooses among moves of equal weight, and among all legal ones where none has a weight. A
// rule that fails is the agent's fault. Allocates nothing per decision once its buffers have their
// size and if its rules stay within declared nodes.
class RuleAgent : public Agent {
  public:
    explicit RuleAgent(std::shared_ptr<const RuleProgram> program);
    ~RuleAgent() override;

    void reset(const Game& game, Seat me) override;
    std::size_t choose(const Position& view, Random& random) override;
    [[nodiscard]] bool observes() const override;
    void observe(const Position& view, const ObservedMove& move) override;
    [[nodiscard]] const engine::Program* rules() const override { return &program_->program(); }
    void set_watch(games::RuleWatch* watch) override { watch_ = watch; }
    [[nodiscard]] const AgentFault* fault() const override { return fault_ ? &*fault_ : nullptr; }
    [[nodiscard]] std::vector<Note> notes() const override;
    // Hears which rules have fired for a move, which moves weigh what, and what rules print.
    void set_log(engine::Log* log) override;

  private:
    class Firings;

    void say_weights(const Position& view) const;
    bool run(games::Phase phase, engine::GroupId group, Random& random);

    std::shared_ptr<const RuleProgram> program_;
    engine::State state_;
    engine::Budgets budgets_;
    engine::Machine machine_;
    games::RuleWatch* watch_ = nullptr;
    engine::Log* log_ = nullptr;
    std::unique_ptr<Firings> firings_; // while somebody hears of them
    Seat me_ = 0;
    Random observing_; // chance in `observe`, which no stream is given to
    std::vector<std::optional<double>> weights_;
    std::vector<std::size_t> best_;
    std::optional<AgentFault> fault_;
    std::uint64_t without_weight_ = 0;
    std::uint64_t not_legal_ = 0;
};

// The file of a spec rules:FILE, or rules:NAME of an agent that comes with the game; `error` for
// what the spec says.
struct OpenedRuleAgent {
    OpenedRules rules;
    std::string error;
};
OpenedRuleAgent open_rule_agent(const AgentSpec& spec, const AgentServices& services,
                                const RuleAt* without = nullptr);
// The agent that it describes.
MadeAgent make_rule_agent(const AgentSpec& spec, const AgentServices& services);

// The file of rules, compiled for the services' game unless they lend what was compiled before.
OpenedRules open_rules(const RuleRequest& request, const AgentServices& services,
                       const games::RulesetGame& game);
// What the spec says beside what its kind knows.
Parameters parameters_among(Arguments& arguments);

// The file that the request's path means: that path, or by name a shipped file for the game.
std::string rule_file(const RuleRequest& request, const AgentServices& services);

} // namespace croupier::agents
