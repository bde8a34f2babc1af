// What a run tells those who watch it: trace, why, profile and tests.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/state/state.h"

#include <cstdint>
#include <span>
#include <string>

namespace croupier::engine {

class Recognizer;
class Runtime;

// A partial match has failed at an entry, as who asks why is told of it. What is computed is good
// during the call.
struct Stopped {
    const Note& note;
    bool one_of_many = false;     // other children of the entry's loop, or alternatives, may do
    bool no_way_left = false;     // of a loop, or of alternatives; or it can never do
    const Value* found = nullptr; // null: no value was looked at
    // The sides of a comparison that does not hold; both or neither.
    const Value* left = nullptr;
    const Value* right = nullptr;
    ExprOp compare = ExprOp::Equal;
    Span test; // the part of the entry that is false
    std::span<const Value> values;
    const Runtime& runtime;
};

// All events of one run, in order. The default of each is to look away.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // A rule is applied: begins, searches for matches, has found `count` of them (`matches` holds
    // the values of its variables, match by match), acts on one, is through. In a group that acts
    // at once, a rule is through after its matching and begins again when its turn to act has come.
    virtual void rule_begins(RuleId) {}
    virtual void rule_searches(RuleId) {}
    virtual void rule_matched(RuleId, std::uint64_t /*count*/, std::span<const Value> /*matches*/,
                              const State&) {}
    virtual void rule_fires(RuleId, std::span<const Value> /*match*/, const State&) {}
    virtual void rule_otherwise(RuleId) {}
    virtual void rule_ends(RuleId) {}
    // The rules of an agenda group know their matches: one fires now, or the group is through.
    virtual void agenda_stands(const GroupPlan&, const Recognizer&) {}

    // What happens to the entries of conditions and actions, if it is asked for. `values` are those
    // of variables, by their places.
    [[nodiscard]] virtual bool looks_at_entries() const { return false; }
    virtual void entry_tried(const Note&, std::span<const Value> /*values*/, const State&) {}
    virtual void entry_passed(const Note&, std::span<const Value> /*values*/, const State&) {}
    virtual void entry_cut(const Note&, const Value* /*found*/, std::span<const Value> /*values*/,
                           const State&) {}
    // Besides, for who asks why: where in the tree an entry is tried (`child`: to which child its
    // loop has come), and whatever makes a partial match fail.
    [[nodiscard]] virtual bool asks_why() const { return false; }
    virtual void entry_stands(const Note&, NodeRef /*at*/, bool /*child*/,
                              std::span<const Value> /*values*/, const Runtime&) {}
    virtual void entry_stopped(const Stopped&) {}
    virtual void change_begins(const Note&, const State&) {}
    virtual void change_ends(const Note&, const State&) {}
};

// Where @print writes.
class Log {
  public:
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    virtual ~Log() = default;
    virtual void line(const std::string& text) = 0;
};

} // namespace croupier::engine
