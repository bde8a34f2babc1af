// Errors that end a run of rules: they end the game, and are not errors of the program.
#pragma once

#include "engine/text/source.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace croupier::engine {

enum class RunErrorKind {
    Overflow,
    DivisionByZero,
    Type,
    NoValue,
    NoParent,
    Constant,
    Shape,
    Call,
    BudgetMatches,
    BudgetFirings,
    BudgetSize,
    BudgetSteps,
};

// "overflow", "division by zero", "budget: matches", ...
std::string_view name_of(RunErrorKind kind);

struct RunError {
    RunErrorKind kind{};
    std::string rule;   // name of the rule that ran
    Span span;          // of the expression or entry
    std::string detail; // the values involved
};

struct RunResult {
    std::unique_ptr<const RunError> error; // the run stopped there; the state is as it was then
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;
};

// Carries an error out of the depth of a run; caught by the run's entry points, never crosses them.
class RunFailure : public std::runtime_error {
  public:
    explicit RunFailure(RunError error)
        : std::runtime_error(error.detail), error_(std::move(error)) {}
    [[nodiscard]] const RunError& error() const { return error_; }

  private:
    RunError error_;
};

struct Budgets {
    std::uint64_t matches_per_rule = 1'000'000; // of one application of a rule
    std::uint64_t firings = 10'000'000;         // of one run of a group
    std::uint64_t steps = 2'000'000'000;        // things tried in one run of a group
    std::uint64_t nodes = 16'000'000;           // of a state
};

} // namespace croupier::engine
