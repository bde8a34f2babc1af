// Runs the rules of a program as machine code or, where there is none, node by node.
#pragma once

#include "engine/run/error.h"
#include "engine/run/observer.h"
#include "engine/run/program.h"
#include "engine/run/random.h"
#include "engine/state/state.h"
#include "engine/x86/frame.h"

#include <cstdint>
#include <memory>
#include <span>

namespace croupier::engine {

class Executor;

// Owns the registers and buffers of runs, so that after the first few a run does not allocate. One
// per thread; the program is shared. Results depend only on program, state and random.
class Machine {
  public:
    explicit Machine(const Program& program, const Budgets& budgets = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    // Runs a group on the state with the state's root as its root.
    RunResult run(GroupId group, State& state, Random& random);
    // As above, but returns only success; `why_not` gets the error. A game's ply is two short runs,
    // so it is inline.
    bool run(GroupId group, State& state, Random& random,
             std::unique_ptr<const RunError>& why_not) {
        if (observer_ != nullptr || groups_[group].code == nullptr || state.has_journal())
            return run_slowly(group, state, random, why_not);
        return x86::run(*frame_, groups_[group], group, state, random) || tell_error(why_not);
    }
    // Finds the matches of a rule's condition, in order. Changes nothing.
    RunResult match(RuleId rule, State& state, Random& random);
    // After `match`: the values of match i, in the order of the rule's variables.
    [[nodiscard]] std::span<const Value> matched(std::uint64_t i) const;

    // The observer receives all events while it is set (see observer.h); not owned. Observed rules
    // run as written, node by node.
    void set_observer(Observer* observer);
    // Turns machine code off or on: to test that it changes nothing, and to measure its speed.
    void use_code(bool on);
    // Receives the lines of @print; not owned. Null drops them.
    void set_log(Log* log);

  private:
    [[gnu::noinline]] bool run_slowly(GroupId group, State& state, Random& random,
                                      std::unique_ptr<const RunError>& why_not);
    [[gnu::noinline]] bool tell_error(std::unique_ptr<const RunError>& why_not);
    Executor& as_written();
    void make_form();

    const Program& program_;
    Budgets budgets_;
    Observer* observer_ = nullptr;
    Log* log_ = nullptr;
    bool uses_code_ = true;
    std::unique_ptr<Executor> form_;
    x86::Frame* frame_ = nullptr; // of `form_`, as the next
    const x86::GroupCode* groups_ = nullptr;
    std::unique_ptr<Executor> as_written_; // null until rules are observed or matched
};

} // namespace croupier::engine
