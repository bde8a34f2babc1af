// An agent defined by a rule file: its rules weigh the legal moves, the heaviest is made.
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

// Chooses at random among the heaviest moves, and among all legal moves if none has a weight. A
// failing rule is the agent's fault. Allocates nothing per decision once its buffers are large
// enough and if its rules use only declared nodes.
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
    // Logs the rules that fired for a move, the weights of moves, and what rules print.
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
    std::unique_ptr<Firings> firings_; // only while a log is set
    Seat me_ = 0;
    Random observing_; // for chance in `observe`, which gets no stream
    std::vector<std::optional<double>> weights_;
    std::vector<std::size_t> best_;
    std::optional<AgentFault> fault_;
    std::uint64_t without_weight_ = 0;
    std::uint64_t not_legal_ = 0;
};

// The file of a spec rules:FILE, or rules:NAME of an agent that comes with the game; `error` for
// errors in the spec.
struct OpenedRuleAgent {
    OpenedRules rules;
    std::string error;
};
OpenedRuleAgent open_rule_agent(const AgentSpec& spec, const AgentServices& services,
                                const RuleAt* without = nullptr);
// The agent that it describes.
MadeAgent make_rule_agent(const AgentSpec& spec, const AgentServices& services);

// Compiles the rule file for the services' game, or reuses a compiled one from the services.
OpenedRules open_rules(const RuleRequest& request, const AgentServices& services,
                       const games::RulesetGame& game);
// The arguments that the agent kind itself does not know.
Parameters parameters_among(Arguments& arguments);

} // namespace croupier::agents
