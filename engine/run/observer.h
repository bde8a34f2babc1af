// Events of a run, for trace, why, profile and tests.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/state/state.h"

#include <cstdint>
#include <span>
#include <string>

namespace croupier::engine {

class Recognizer;
class Runtime;

// A partial match has failed at an entry; passed to observers that ask why. Pointers are valid only
// during the call.
struct Stopped {
    const Note& note;
    bool one_of_many = false; // other children or alternatives may match
    bool no_way_left = false; // the loop or the alternatives are exhausted, or it can never match
    const Value* found = nullptr; // null: no value was read
    // The sides of a comparison that does not hold; both or neither.
    const Value* left = nullptr;
    const Value* right = nullptr;
    ExprOp compare = ExprOp::Equal;
    Span test; // the part of the entry that is false
    std::span<const Value> values;
    const Runtime& runtime;
};

// Receives all events of one run, in order. The defaults do nothing.
class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // Applying a rule: it begins, searches, has matched (`matches` has the values of its variables
    // for `count` matches), fires for one match, ends. In an at_once group a rule ends after
    // matching and begins again when it is its turn to act.
    virtual void rule_begins(RuleId) {}
    virtual void rule_searches(RuleId) {}
    virtual void rule_matched(RuleId, std::uint64_t /*count*/, std::span<const Value> /*matches*/,
                              const State&) {}
    virtual void rule_fires(RuleId, std::span<const Value> /*match*/, const State&) {}
    virtual void rule_otherwise(RuleId) {}
    virtual void rule_ends(RuleId) {}
    // The matches of an agenda group are up to date: now one fires, or the group ends.
    virtual void agenda_stands(const GroupPlan&, const Recognizer&) {}

    // Events of entries of conditions and actions, sent if looks_at_entries(). `values` has the
    // values of variables by their places.
    [[nodiscard]] virtual bool looks_at_entries() const { return false; }
    virtual void entry_tried(const Note&, std::span<const Value> /*values*/, const State&) {}
    virtual void entry_passed(const Note&, std::span<const Value> /*values*/, const State&) {}
    virtual void entry_cut(const Note&, const Value* /*found*/, std::span<const Value> /*values*/,
                           const State&) {}
    // Sent if asks_why(): where in the tree an entry is tried (`child`: at a child of its loop),
    // and everything that makes a partial match fail.
    [[nodiscard]] virtual bool asks_why() const { return false; }
    virtual void entry_stands(const Note&, NodeRef /*at*/, bool /*child*/,
                              std::span<const Value> /*values*/, const Runtime&) {}
    virtual void entry_stopped(const Stopped&) {}
    virtual void change_begins(const Note&, const State&) {}
    virtual void change_ends(const Note&, const State&) {}
};

// Receives the lines of @print.
class Log {
  public:
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    virtual ~Log() = default;
    virtual void line(const std::string& text) = 0;
};

} // namespace croupier::engine
