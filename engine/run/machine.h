// Runs the rules of a program: by machine code where there is some, else node by node.
#pragma once

#include "engine/run/error.h"
#include "engine/run/observer.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/state/state.h"

#include <cstdint>
#include <memory>
#include <span>

namespace croupier::engine {

class Executor;

// Owns the registers and buffers that runs need, so that a run after the first few allocates
// nothing. One per thread; the program is shared. Not a function of anything but program, state and
// random.
class Machine {
  public:
    explicit Machine(const Program& program, const Budgets& budgets = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Runs a group on the state with the state's root as its root.
    RunResult run(GroupId group, State& state, Random& random);
    // As above, returning only success; `why_not` gets the error.
    bool run(GroupId group, State& state, Random& random, std::unique_ptr<const RunError>& why_not);
    // Finds the matches of a rule's condition, in order. Nothing is changed.
    RunResult match(RuleId rule, State& state, Random& random);
    // After `match`: the values of match i in the order of the rule's variables.
    [[nodiscard]] std::span<const Value> matched(std::uint64_t i) const;

    // Told of everything that happens while it is set (see observer.h); not owned. Rules that are
    // watched run as they are written, node by node.
    void set_observer(Observer* observer);
    // Rules run as machine code where there is some, unless that is switched off: to test that it
    // changes nothing, and to measure what it gives.
    void use_code(bool on);
    // Receives the lines of @print; not owned; null: they are dropped.
    void set_log(Log* log);

  private:
    [[gnu::noinline]] bool run_watched(GroupId group, State& state, Random& random,
                                       std::unique_ptr<const RunError>& why_not);
    Executor& as_written();
    void make_form();

    const Program& program_;
    Budgets budgets_;
    Observer* observer_ = nullptr;
    Log* log_ = nullptr;
    bool uses_code_ = true;
    std::unique_ptr<Executor> form_;
    std::unique_ptr<Executor> as_written_; // null until rules are watched, or matched alone
};

} // namespace croupier::engine
