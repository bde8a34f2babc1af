// Shared by all parts of one run of a group: the state, constants, chance, and the log.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/reference/subject.h"
#include "engine/reference/value.h"
#include "engine/run/error.h"
#include "engine/run/random.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

// The simplest possible state: a node owns its key, its children in order, or a value.

struct Node {
    std::string key;
    std::vector<Node> children;
    bool array = false; // written as a JSON array while its keys are 0..n-1
    std::optional<Scalar> value;

    [[nodiscard]] const Node* find(std::string_view name) const;
    [[nodiscard]] Node* find(std::string_view name);
    void clear() {
        children.clear();
        array = false;
        value.reset();
    }
};

// Keys from the root of the whole state downwards.
using Path = std::vector<std::string>;

const Node* find(const Node& root, const Path& path);
std::size_t count_nodes(const Node& node);

Node import_node(const Document& document, std::string key = {});
Document export_node(const Node& node);

// The rules of a ruleset's `shape`, and the order it gives to children of domain maps.

class Shapes {
  public:
    explicit Shapes(const Ruleset& ruleset);

    // The shape declared for `path`, Any if none is declared, nullptr if a declared part has no
    // such child. The state's root also accepts undeclared children.
    [[nodiscard]] const Shape* at(const Path& path) const;

    // The value that a node of that shape holds after `value` is written to it; nullopt if it
    // cannot.
    [[nodiscard]] std::optional<Scalar> stored(const Shape& shape, const Value& value) const;

    // Whether everything below `node` is permitted; puts children of domain maps in order.
    bool fit(Node& node, const Shape& shape) const;
    bool fit_state(Node& root) const { return fit(root, root_); }

    void sort_children(Node& node, const Shape& shape) const;

  private:
    [[nodiscard]] const Shape* child(const Shape& shape, const std::string& key) const;

    const Ruleset& ruleset_;
    Shape root_; // the declared one, or Any
};

// Whether a node of that shape has children and cannot hold a value.
bool holds_children(const Shape& shape);
bool holds_value(const Shape& shape);

// Whether the domain has that member. The value of a leaf may be an integer only if it is numbered.
bool is_member(const Domain& domain, const Value& value);

// Variables and their values, in order of binding; for equal names the newest counts.
class Bindings {
  public:
    [[nodiscard]] const Value* find(const std::string& name) const {
        for (auto it = all_.rbegin(); it != all_.rend(); ++it)
            if (it->first == name) return &it->second;
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

// One match: the variables that the rule binds, in the order of their first mention.
using Match = std::vector<std::pair<std::string, Value>>;

// The matches of one application of one rule.
struct Application {
    std::string rule;
    std::vector<Match> matches;
};

struct Outcome {
    std::vector<Application> applications; // those whose search was not cut short
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
    const Rule* rule = nullptr; // the one being applied
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

// The context of conditions and expressions: the group's root and the variables bound so far.
struct Scope {
    World& world;
    Path root;
    Bindings bindings;
};

} // namespace croupier::engine::reference
