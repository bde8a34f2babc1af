// Everything one run of a group shares: the state, what it may read besides, chance, and the log.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/reference/faults.h"
#include "engine/reference/node.h"
#include "engine/reference/shapes.h"
#include "engine/run/error.h"
#include "engine/run/random.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

// Variables and what they are bound to, in order of binding; the newest of a name counts.
class Bindings {
  public:
    [[nodiscard]] const Value* find(const std::string& name) const {
        for (auto it = all_.rbegin(); it != all_.rend(); ++it) {
            if (it->first == name) return &it->second;
        }
        return nullptr;
    }
    void bind(std::string name, Value value) {
        all_.emplace_back(std::move(name), std::move(value));
    }
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    void forget_after(std::size_t size) { all_.resize(size); }

  private:
    std::vector<std::pair<std::string, Value>> all_;
};

// One concretization: the variables that the rule binds, in the order of their first mention.
using Match = std::vector<std::pair<std::string, Value>>;

// The matches of one application of one rule.
struct Application {
    std::string rule;
    std::vector<Match> matches;
};

struct Outcome {
    std::vector<Application> applications; // those whose search came to its end
    std::vector<std::string> prints;
    std::optional<RunError> error;
};

struct World {
    const Ruleset& ruleset;
    Node& state;
    Random& random;
    Budgets budgets;
    Fault fault;
    Shapes shapes;
    Node constants;
    const Rule* rule = nullptr; // the one that is being applied
    std::uint64_t steps = 0;
    std::uint64_t firings = 0;
    Outcome outcome;

    World(const Ruleset& rules, Node& root, Random& chance, const Budgets& limits, Fault mistake);

    [[noreturn]] void fail(RunErrorKind kind, Span span, std::string detail) const;
    void count_step();

    // The node at a path from the root of the whole state, constants included.
    [[nodiscard]] const Node* at(const Path& path) const;
    [[nodiscard]] bool is_constant(const Path& path) const;
};

// Where conditions and expressions are read: the group's root and the variables bound so far.
struct Scope {
    World& world;
    Path root;
    Bindings bindings;
};

} // namespace croupier::engine::reference
